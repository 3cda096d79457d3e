"""Reading what `pytest --benchmark-json` writes, as a diagnostic.

Of the file's surroundings only the kind of processor and Python are taken: a host's name, a branch, a project and an
author stay behind. https://pytest-benchmark.readthedocs.io/en/latest/usage.html#commandline-options
"""

from __future__ import annotations

import hashlib
import re
from datetime import datetime, timezone
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nesproof.harness.errors import first_fault
from nesproof.harness.evidence.diagnostic import Diagnostic, DiagnosticFigure
from nesproof.harness.evidence.reading import EvidenceRefused, parse_json
from nesproof.harness.plain_text import plain_line

__all__ = ["PYTEST_BENCHMARK_LIMIT_BYTES", "import_pytest_benchmark"]

PYTEST_BENCHMARK_LIMIT_BYTES: Final = 64 << 20
"""How large a file may be: it may hold every round of every benchmark."""
_NAME_LIMIT: Final = 190


class _Part(BaseModel):
    """A part of the file: fields that are not named here are passed over, since plugins add their own."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


class _Stats(_Part):
    min: float
    max: float
    mean: float
    median: float
    stddev: float
    iqr: float
    rounds: int
    iterations: int


class _Benchmark(_Part):
    name: str
    fullname: str | None = None
    group: str | None = None
    stats: _Stats


class _Cpu(_Part):
    brand_raw: str | None = None
    brand: str | None = None
    arch: str | None = None


class _MachineInfo(_Part):
    machine: str | None = None
    processor: str | None = None
    python_implementation: str | None = None
    python_version: str | None = None
    cpu: _Cpu | None = None


class _CommitInfo(_Part):
    id: str | None = None
    dirty: bool | None = None


class _File(_Part):
    benchmarks: Annotated[list[_Benchmark], Field(max_length=2_000)]
    machine_info: _MachineInfo | None = None
    commit_info: _CommitInfo | None = None
    moment: Annotated[str | None, Field(alias="datetime")] = None
    version: str | None = None


def import_pytest_benchmark(data: bytes, *, what: str) -> Diagnostic:
    """The diagnostic in the file's bytes; `what` names the file in a message.

    Raises:
        EvidenceRefused: it is not what pytest-benchmark writes, holds no benchmark, or figures that are none.
    """
    document = parse_json(data, what=what)
    if not isinstance(document, dict) or "benchmarks" not in document:
        raise EvidenceRefused(f"{what} is not what `pytest --benchmark-json` writes: it has no list of benchmarks.")
    try:
        return _diagnostic(_File.model_validate(document), data, what=what)
    except ValidationError as fault:
        raise EvidenceRefused(f"{what} is malformed: {first_fault(fault)[:300]}.") from fault


def _diagnostic(found: _File, data: bytes, *, what: str) -> Diagnostic:
    if not found.benchmarks:
        raise EvidenceRefused(f"{what} holds no benchmark: none ran, or --benchmark-disable was given.")
    machine, commit = found.machine_info or _MachineInfo(), found.commit_info or _CommitInfo()
    cpu = machine.cpu or _Cpu()
    python = f"{machine.python_implementation or ''} {machine.python_version or ''}"
    return Diagnostic(
        tool="pytest-benchmark",
        tool_version=_name(found.version),
        file_sha256=hashlib.sha256(data).hexdigest(),
        measured_utc=_moment(found.moment),
        commit=commit.id if re.fullmatch(r"[0-9a-f]{7,64}", commit.id or "") else None,
        dirty=commit.dirty,
        processor=_name(cpu.brand_raw or cpu.brand or machine.processor),
        arch=_name(machine.machine or cpu.arch),
        python=_name(python),
        figures=tuple(_figure(benchmark) for benchmark in found.benchmarks),
    )


def _figure(benchmark: _Benchmark) -> DiagnosticFigure:
    stats = benchmark.stats
    return DiagnosticFigure(
        name=_name(benchmark.fullname or benchmark.name),
        group=None if benchmark.group is None else _name(benchmark.group),
        rounds=stats.rounds,
        iterations=stats.iterations,
        min_s=stats.min,
        median_s=stats.median,
        mean_s=stats.mean,
        max_s=stats.max,
        stddev_s=stats.stddev,
        iqr_s=stats.iqr,
    )


def _name(text: str | None) -> str:
    return plain_line(text or "", limit=_NAME_LIMIT) or "not recorded"


def _moment(text: Any) -> datetime | None:
    """The file's moment in UTC; None where it says none that there is. One without a zone is taken for UTC."""
    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
        return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).astimezone(timezone.utc)
    except (AttributeError, ValueError, OverflowError):
        return None
