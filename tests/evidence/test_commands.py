"""`nesproof evidence export`, `document`, `import` and `compare`, as they are called."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from nesproof.harness.cli import evidence as command_line
from nesproof.harness.cli.evidence_export import FORMATS_NAMED
from nesproof.harness.cli.headline import headline
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.evidence.bundle import Bundle, open_bundle, seal
from nesproof.harness.evidence.model import Evidence, Source
from nesproof.harness.evidence.published import read_published
from nesproof.harness.evidence.publishing import publish_document
from nesproof.harness.evidence.reading import EvidenceInconsistent
from nesproof.reports.export import EXPORTS

CLEAN = Source(version="0.1.0", commit="ab" * 20, dirty=False, tree_sha256="d" * 64)
Write = Callable[[Bundle, Path], Path]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command_line.app, [str(argument) for argument in arguments])


def refused(result: Result) -> str:
    """What was said by an error that the command line turns into its exit code."""
    assert isinstance(result.exception, (ConfigurationError, EvidenceInconsistent)), result.output
    assert "\n" not in str(result.exception)
    return str(result.exception)


@pytest.fixture
def clean(evidence: Evidence) -> Evidence:
    claims = tuple(
        record.model_copy(update={"claim": record.claim.model_copy(update={"killed_by": ("a-fault",)})})
        for record in evidence.claims
    )
    return evidence.model_copy(update={"source": CLEAN, "claims": claims})


@pytest.fixture
def bundle(clean: Evidence, tmp_path: Path, write_bundle: Write) -> Path:
    return write_bundle(seal(clean, attachments={"logs/suite.txt": b"2 passed"}, reports={}), tmp_path / "clean")


def test_the_help_names_every_format() -> None:
    assert {part.split()[0] for part in FORMATS_NAMED.split(", ")} == set(EXPORTS)


@pytest.mark.parametrize("form", sorted(EXPORTS))
def test_every_format_is_exported(bundle: Path, tmp_path: Path, form: str) -> None:
    out = tmp_path / "out"
    if form == "benchmark-action-smaller":
        assert "holds no figure" in refused(run("export", bundle, "--format", form, "--out", out))
        return
    result = run("export", bundle, "--format", form, "--out", out)
    assert result.exit_code == 0, result.output
    written = sorted(out.iterdir()) if out.is_dir() else [out]
    assert all(path.stat().st_size for path in written)
    assert out.is_dir() is (form in {"benchmark-action", "shields"})


def test_one_file_goes_to_stdout_and_several_want_a_folder(bundle: Path) -> None:
    result = run("export", bundle, "--format", "bencher")
    assert json.loads(result.stdout)["speed.test"]["speed-ratio"]["value"] > 1
    assert "name a folder" in refused(run("export", bundle, "--format", "shields"))


def test_an_unknown_format_is_refused_with_those_there_are(bundle: Path) -> None:
    said = refused(run("export", bundle, "--format", "xml\x1b[31m"))
    assert "in-toto" in said
    assert "\x1b" not in said


def test_what_contradicts_itself_is_not_attested_nor_published(
    clean: Evidence, tmp_path: Path, write_bundle: Write
) -> None:
    record = clean.claims[1]
    forged = record.model_copy(update={"value": (record.value or 0) * 2})
    odd = clean.model_copy(update={"claims": (clean.claims[0], forged, clean.claims[2])})
    folder = write_bundle(seal(odd, attachments={"logs/suite.txt": b"x"}, reports={}), tmp_path / "forged")
    assert "Nothing can be attested" in refused(run("export", folder, "--format", "in-toto"))
    assert "do not follow" in run("export", folder, "--format", "bencher").stderr
    assert "cannot be published" in refused(run("document", folder, "--out", tmp_path / "published"))
    assert not (tmp_path / "published").exists()


def test_words_of_another_version_are_shown_and_are_no_contradiction(
    clean: Evidence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = clean.claims[1].model_copy(update={"measured": "thrice as fast"})
    odd = clean.model_copy(update={"claims": (clean.claims[0], record, clean.claims[2])})
    document = publish_document(seal(odd, attachments={"logs/suite.txt": b"x"}, reports={}), tmp_path).path
    result = run("verify", document)
    assert result.exit_code == 0, result.output
    assert "speed.test says 'thrice as fast'; this version says '1.4" in result.stderr
    monkeypatch.setattr("nesproof.harness.evidence.capture.capture_source", lambda: CLEAN)
    assert "not consistent" in refused(run("verify", document))


def test_the_counts_stand_in_one_line_however_narrow_the_terminal(
    bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = run("show", bundle).stdout.splitlines()
    (counts,) = (line for line in lines if " NOT_SELECTED; " in line)
    assert counts == headline(open_bundle(bundle).evidence)


def test_a_published_document_is_verified_shown_exported_and_compared(bundle: Path, tmp_path: Path) -> None:
    result = run("document", bundle, "--out", tmp_path / "published")
    assert result.exit_code == 0, result.output
    assert open_bundle(bundle).id in result.stdout
    (document,) = read_published(tmp_path / "published")
    assert document.sha256 in result.stdout
    verified = run("verify", document.path, "--expect", document.sha256)
    assert verified.exit_code == 0, verified.output
    assert "consistent; origin unsigned" in verified.stdout
    assert "not the one that was expected" in refused(run("verify", document.path, "--expect", "0" * 64))
    assert "1.4" in run("show", document.path).stdout
    assert json.loads(run("export", document.path, "--format", "in-toto").stdout)["subject"][0]["name"] == "nesproof"
    twice = run("compare", bundle, document.path)
    assert "all that were given are one" in refused(twice)


def test_a_dirty_tree_is_not_published(folder: Path, tmp_path: Path) -> None:
    assert "cannot be published" in refused(run("document", folder, "--out", tmp_path / "published"))
    assert not (tmp_path / "published").exists()


# --- compare ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def others(clean: Evidence, tmp_path: Path, write_bundle: Write) -> dict[str, Path]:
    """A run that agrees, one that differs, and one that nothing was measured in."""
    later = clean.model_copy(update={"created_utc": clean.created_utc + timedelta(hours=1)})
    first, timed, last = later.claims
    moved: dict[str, Any] = {"value": 9.0, "interval": (8.9, 9.1)}
    times = tuple(
        s.model_copy(update={"elapsed_ns": s.elapsed_ns + 3}) for s in getattr(timed.measurement, "samples", ())
    )
    assert timed.measurement is not None
    fresh = timed.model_copy(update={"measurement": timed.measurement.model_copy(update={"samples": times})})
    runs = {
        "agrees": later.model_copy(update={"claims": (first, fresh, last)}),
        "differs": later.model_copy(update={"claims": (first, fresh.model_copy(update=moved), last)}),
        "nothing": later.model_copy(update={"claims": (last,)}),
    }
    attached = {"logs/suite.txt": b"2 passed"}
    return {
        name: write_bundle(seal(evidence, attachments=attached, reports={}), tmp_path / name)
        for name, evidence in runs.items()
    }


@pytest.mark.parametrize(("other", "code"), [("agrees", 0), ("differs", 1), ("nothing", 6)])
def test_the_exit_code_says_whether_runs_agree(bundle: Path, others: dict[str, Path], other: str, code: int) -> None:
    result = run("compare", bundle, others[other])
    assert result.exit_code == code, result.output
    if code != 6:
        assert ("DIFFER" in result.stdout) is (code == 1)
        assert "2 of 2" in result.stdout


def test_json_and_csv_are_alone_on_stdout(bundle: Path, others: dict[str, Path], tmp_path: Path) -> None:
    as_json = run("compare", bundle, others["differs"], "--json", "-")
    assert as_json.exit_code == 1
    assert {c["agreement"] for c in json.loads(as_json.stdout)["claims"]} == {"agree", "differ"}
    as_csv = run("compare", bundle, others["differs"], "--csv", "-", "--json", tmp_path / "c.json")
    assert len(list(csv.DictReader(io.StringIO(as_csv.stdout)))) == 4
    assert json.loads((tmp_path / "c.json").read_text()) == json.loads(as_json.stdout)
    assert "Only one" in refused(run("compare", bundle, others["agrees"], "--json", "-", "--csv", "-"))


@pytest.mark.parametrize("words", [("list",), ("show", "latest"), ("compare", "a", "b")])
def test_a_folder_of_bundles_that_is_none_is_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in ("file", "absent"):
        assert refused(run(*words, "--in", tmp_path / name)) == f"There is no folder {tmp_path / name} of bundles."


def test_one_run_is_not_compared(bundle: Path) -> None:
    assert "Two runs at least" in refused(run("compare", bundle))


def test_a_target_that_cannot_be_written_is_found_out_first(bundle: Path, tmp_path: Path) -> None:
    said = refused(run("compare", bundle, bundle, "--csv", tmp_path / "nowhere" / "x.csv"))
    assert "no folder" in said


# --- import ----------------------------------------------------------------------------------------------------------


def test_pytest_benchmark_comes_in_as_a_diagnostic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER", "zaphod")
    stats = dict.fromkeys(("min", "max", "mean", "median", "stddev", "iqr"), 0.5) | {"rounds": 5, "iterations": 1}
    bench = {"name": "a", "fullname": "zaphod/bench.py::a", "stats": stats}
    source = tmp_path / "benchmark.json"
    source.write_text(json.dumps({"benchmarks": [bench], "version": "5.1.0"}))
    out = tmp_path / "diagnostic.json"
    result = run("import", "pytest-benchmark", source, "--out", out)
    assert result.exit_code == 0, result.output
    assert "no evidence for any claim" in " ".join(result.stdout.split())
    written = json.loads(out.read_text())
    assert written["figures"][0]["name"] == "<user>/bench.py::a"
    assert written["schema_id"] == "nesproof.diagnostic"
    alone = run("import", "pytest-benchmark", source, "--out", "-")
    assert json.loads(alone.stdout) == written
    for command in (["show"], ["export", "--format", "bencher"], ["document", "--out", tmp_path / "p"], ["verify"]):
        assert refused(run(command[0], out, *command[1:]))


@pytest.mark.parametrize("make", [lambda p: None, lambda p: p.mkdir(), lambda p: p.write_text("{}")])
def test_what_is_no_such_file_is_refused(tmp_path: Path, make: Callable[[Path], Any]) -> None:
    make(tmp_path / "x.json")
    assert refused(run("import", "pytest-benchmark", tmp_path / "x.json"))


def test_every_command_has_its_help() -> None:
    for command in ("compare", "export", "document", "import"):
        assert "Usage" in run(command, "--help").stdout
