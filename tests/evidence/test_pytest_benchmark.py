"""Figures of pytest-benchmark come in as a diagnostic, never as evidence; a hostile file is refused or made plain."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from nesproof.harness.evidence.bundle import open_bundle
from nesproof.harness.evidence.diagnostic import DIAGNOSTIC_REMARK, Diagnostic
from nesproof.harness.evidence.pytest_benchmark import import_pytest_benchmark
from nesproof.harness.evidence.reading import EvidenceRefused, parse_evidence
from nesproof.reports.schemas import published_schemas

BENCH = """
import pytest

@pytest.mark.parametrize("n", [10, 20])
def test_sum(benchmark, n):
    benchmark.group = "sums"
    assert benchmark(lambda: sum(range(n))) == n * (n - 1) // 2
"""


def made(**change: Any) -> dict[str, Any]:
    stats = {"min": 0.001, "max": 0.003, "mean": 0.002, "median": 0.0019, "stddev": 0.0001, "iqr": 0.0002,
             "rounds": 7, "iterations": 3, "data": [0.001], "ops": 500.0, "outliers": "1;0"}  # fmt: skip
    bench = {"name": "test_a", "fullname": "bench.py::test_a", "group": None, "stats": {**stats, **change}}
    return {
        "machine_info": {"node": "a-secret-host", "machine": "x86_64", "python_version": "3.12.1",
                         "python_implementation": "CPython", "cpu": {"brand_raw": "A CPU", "hz": [1, 0]}},
        "commit_info": {"id": "ab" * 20, "dirty": True, "project": "a-secret-project", "branch": "a-secret-branch"},
        "benchmarks": [bench], "datetime": "2026-01-02T03:04:05.678901+00:00", "version": "5.1.0",
    }  # fmt: skip


def read(document: Any) -> Diagnostic:
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    return import_pytest_benchmark(data, what="it")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What pytest-benchmark itself writes."""
    pytest.importorskip("pytest_benchmark")
    folder = tmp_path_factory.mktemp("bench")
    (folder / "bench_sums.py").write_text(BENCH)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "pytest_benchmark.plugin", "-p", "no:cacheprovider",
               "--benchmark-min-rounds=3", "--benchmark-max-time=0.001", "--benchmark-calibration-precision=1",
               "--benchmark-json=out.json", "bench_sums.py"]  # fmt: skip
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return (folder / "out.json").read_bytes()


def test_what_pytest_benchmark_writes_is_read(written: bytes) -> None:
    found = read(written)
    assert [f.name for f in found.figures] == ["bench_sums.py::test_sum[10]", "bench_sums.py::test_sum[20]"]
    document = json.loads(written)
    for figure, bench in zip(found.figures, document["benchmarks"], strict=True):
        assert (figure.group, figure.rounds, figure.min_s) == ("sums", bench["stats"]["rounds"], bench["stats"]["min"])
        assert 0 < figure.min_s <= figure.median_s <= figure.max_s
    assert found.tool_version == document["version"]
    assert document["machine_info"]["node"] not in found.model_dump_json() or len(document["machine_info"]["node"]) < 4


def test_it_follows_its_published_schema_and_says_what_it_is() -> None:
    found = read(made())
    schema = json.loads(published_schemas()["diagnostic-1.schema.json"])
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(json.loads(found.model_dump_json()))
    assert found.remark == DIAGNOSTIC_REMARK
    assert (found.commit, found.dirty, found.processor, found.python) == ("ab" * 20, True, "A CPU", "CPython 3.12.1")
    assert "secret" not in found.model_dump_json()


def test_nothing_takes_it_for_evidence(tmp_path: Path) -> None:
    data = read(made()).model_dump_json().encode()
    with pytest.raises(EvidenceRefused, match=r"of schema \"nesproof\.diagnostic\""):
        parse_evidence(data, what="it")
    with pytest.raises(EvidenceRefused):
        parse_evidence(json.dumps(made()).encode(), what="it")
    (tmp_path / "evidence.json").write_bytes(data)
    with pytest.raises(EvidenceRefused):
        open_bundle(tmp_path)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"rounds": 0}, "rounds"),
        ({"iterations": -1}, "iterations"),
        ({"min": -1.0}, "min_s"),
        ({"max": 1e300}, "max_s"),
        ({"mean": float("nan")}, "mean"),
        ({"median": "fast"}, "median"),
        ({"stddev": None}, "stddev"),
        ({"min": 5.0, "max": 1e-9}, "does not lie between"),
        ({"median": 1e8}, "does not lie between"),
    ],
)
def test_figures_that_are_none_are_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(EvidenceRefused, match=says) as caught:
        read(made(**change))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "document",
    [
        b"", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, {}, {"benchmarks": []}, {"benchmarks": None},
        {"benchmarks": [{}]}, {"benchmarks": [made()["benchmarks"][0]] * 2_001},
        b'{"benchmarks": [], "benchmarks": []}',
    ],
)  # fmt: skip
def test_what_is_no_such_file_is_refused_in_one_sentence(document: Any) -> None:
    with pytest.raises(EvidenceRefused) as caught:
        read(document)
    assert "\n" not in str(caught.value)


def test_hostile_words_are_made_plain_and_short() -> None:
    document = made()
    hostile = "\x1b]0;owned\x07\x1b[31m<script>\n\u202e" + "a" * 5_000
    document["benchmarks"][0] |= {"fullname": hostile, "group": hostile}
    document["machine_info"] = {"cpu": {"brand_raw": hostile}, "machine": hostile, "python_version": hostile}
    document |= {"version": hostile, "datetime": hostile}
    document["commit_info"]["id"] = hostile
    found = read(json.dumps(document).encode())
    for text in (found.figures[0].name, found.figures[0].group, found.processor, found.arch, found.python):
        assert text is not None
        assert text.isprintable()
        assert len(text) <= 200
    assert (found.measured_utc, found.commit) == (None, None)


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "yesterday", None, 7, "9999-12-31T23:59:59-14:00"])
def test_a_moment_that_is_none_is_left_out(moment: Any) -> None:
    document = made()
    document["datetime"] = moment
    if isinstance(moment, int):
        with pytest.raises(EvidenceRefused, match="datetime"):
            read(document)
    else:
        assert read(document).measured_utc is None
