"""Logs and frames of a run, as they go into its bundle: scrubbed, encoded anew, only what the document names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from nesproof.harness.evidence.model import FailedMeasurement, Measurement, SuiteRun
from nesproof.harness.evidence.scrub import Scrubber, clean_png

__all__ = [
    "gather_frames",
    "gather_logs",
    "gather_reproductions",
    "without_missing_frames",
    "without_missing_log",
]

_REPRODUCTION_LIMIT_BYTES = 8 << 20


def gather_logs(work_dir: Path, scrubber: Scrubber) -> dict[str, bytes]:
    """Every log by its path in the bundle; empty ones are left out."""
    found = {}
    for path in sorted((work_dir / "logs").glob("*.txt")):
        data = path.read_bytes()
        if data.strip():
            found[f"logs/{path.name}"] = scrubber.log(data)
    return found


def gather_frames(work_dir: Path, suites: list[SuiteRun]) -> dict[str, bytes]:
    """The frames that cases name, encoded anew; what is missing or no picture is left out."""
    found = {}
    for run in suites:
        for case in run.cases:
            if case.frame is None or case.frame in found:
                continue
            path = work_dir / case.frame
            try:
                found[case.frame] = clean_png(path.read_bytes())
            except (OSError, ValueError):
                continue
    return found


def gather_reproductions(work_dir: Path, suites: list[SuiteRun]) -> dict[str, bytes]:
    """The reproductions that cases name, encoded anew as JSON; what is missing, too large or no JSON is left out."""
    found = {}
    for path in dict.fromkeys(case.reproduction for run in suites for case in run.cases):
        try:
            if path is None or (work_dir / path).stat().st_size > _REPRODUCTION_LIMIT_BYTES:
                continue
            found[path] = json.dumps(json.loads((work_dir / path).read_bytes()), indent=1, allow_nan=False).encode()
        except (OSError, ValueError, RecursionError):
            continue
    return found


def without_missing_frames(run: SuiteRun, frames: dict[str, bytes], logs: dict[str, bytes]) -> SuiteRun:
    """The run, naming only files that the bundle holds; `frames` are frames and reproductions."""
    cases = tuple(
        case.model_copy(update={name: None for name in ("frame", "reproduction") if getattr(case, name) not in frames})
        for case in run.cases
    )
    return run.model_copy(update={"cases": cases, "log": run.log if run.log in logs else None})


def without_missing_log(measurement: Measurement, logs: Mapping[str, bytes]) -> Measurement:
    """The measurement, naming a log only where the bundle holds it."""
    if isinstance(measurement, FailedMeasurement) and measurement.log not in logs:
        return measurement.model_copy(update={"log": None})
    return measurement
