"""Bundles from strangers: what was tampered with is caught, what is hostile is refused, in one sentence."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nesproof.harness.errors import HarnessError
from nesproof.harness.evidence import bundle as bundle_module
from nesproof.harness.evidence.bundle import Bundle, BundleInconsistent, BundleRefused, open_bundle, seal
from nesproof.harness.evidence.comparison import BehaviourMatch, Comparison, PictureDifference
from nesproof.harness.evidence.model import Evidence, FailedMeasurement
from nesproof.harness.judge import contradictions


def test_a_good_bundle_opens(folder: Path, sealed: Bundle) -> None:
    opened = open_bundle(folder)
    assert opened.id == sealed.id
    assert opened.evidence == sealed.evidence
    assert contradictions(opened.evidence) == []
    assert sealed.id.encode() in opened.files["report.html"]


def test_the_id_is_the_hash_of_the_manifest(folder: Path, sealed: Bundle) -> None:
    import hashlib

    assert hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest() == sealed.id


@pytest.mark.parametrize("name", ["evidence.json", "report.html", "junit.xml", "logs/suite.txt"])
def test_a_changed_byte_is_caught(folder: Path, name: str) -> None:
    path = folder / name
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(BundleInconsistent, match=name):
        open_bundle(folder)


def test_an_added_file_is_caught(folder: Path) -> None:
    (folder / "logs" / "more.txt").write_text("more")
    with pytest.raises(BundleInconsistent, match=r"logs/more\.txt"):
        open_bundle(folder)


def test_a_removed_file_is_caught(folder: Path) -> None:
    (folder / "logs" / "suite.txt").unlink()
    with pytest.raises(BundleInconsistent, match="lacks"):
        open_bundle(folder)


def test_a_log_that_the_document_names_must_be_there(
    evidence: Evidence, tmp_path: Path, write_bundle: Callable[[Bundle, Path], Path]
) -> None:
    without = write_bundle(seal(evidence, attachments={}, reports={}), tmp_path / "without")
    with pytest.raises(BundleInconsistent, match=r"names logs/suite\.txt"):
        open_bundle(without)


def test_what_a_comparison_names_must_be_there_too(
    evidence: Evidence, tmp_path: Path, write_bundle: Callable[[Bundle, Path], Path]
) -> None:
    comparison = Comparison(
        id="a-b", workload="play@1", candidate="a", baseline="b", outcome="differs", words="It differs.",
        behaviour=BehaviourMatch(
            frames=10, ram="equal", pictures="differs",
            first_picture=PictureDifference(frame=3, pixels_differing=5, picture="frames/a-b.png"),
        ),
        measurement=FailedMeasurement(stage="timing", reason="It died.", log="logs/a.txt"),
    )  # fmt: skip
    compared = evidence.model_copy(update={"comparisons": (comparison,)})
    whole = {"logs/suite.txt": b"x", "logs/a.txt": b"x", "frames/a-b.png": b"x"}
    assert open_bundle(write_bundle(seal(compared, attachments=whole, reports={}), tmp_path / "whole"))
    for name in ("logs/a.txt", "frames/a-b.png"):
        part = {n: d for n, d in whole.items() if n != name}
        folder = write_bundle(seal(compared, attachments=part, reports={}), tmp_path / Path(name).stem)
        with pytest.raises(BundleInconsistent, match=f"names {re.escape(name)}"):
            open_bundle(folder)


def test_a_bundle_with_a_reproduction_opens(
    evidence: Evidence, tmp_path: Path, write_bundle: Callable[[Bundle, Path], Path]
) -> None:
    run = evidence.suites[0]
    case = run.cases[0].model_copy(update={"reproduction": "reproductions/a.json"})
    shown = evidence.model_copy(update={"suites": (run.model_copy(update={"cases": (case, run.cases[1])}),)})
    attached = {"logs/suite.txt": b"2 passed", "reproductions/a.json": b"{}"}
    opened = open_bundle(write_bundle(seal(shown, attachments=attached, reports={}), tmp_path / "with"))
    assert opened.folder("reproductions") == {"a.json": b"{}"}


def test_a_changed_manifest_is_another_bundle(folder: Path, sealed: Bundle) -> None:
    manifest = folder / "manifest.json"
    manifest.write_bytes(manifest.read_bytes().replace(b"\n", b" \n", 1))
    # The reports name the old id, so that even this does not hold together.
    with pytest.raises(BundleInconsistent):
        open_bundle(folder)


# --- Forged with a matching manifest: the verdicts do not follow from the samples -------------------------------------


def document(evidence: Evidence) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(evidence.model_dump_json())
    return loaded


def slower(d: dict[str, Any]) -> None:
    for sample in d["claims"][1]["measurement"]["samples"]:
        if sample["side"] == "candidate":
            sample["elapsed_ns"] *= 10


def one_sample(d: dict[str, Any]) -> None:
    samples = d["claims"][1]["measurement"]["samples"]
    shortest = min(samples, key=lambda s: s["elapsed_ns"])
    shortest["elapsed_ns"] //= 2


def one_case(d: dict[str, Any]) -> None:
    d["suites"][0]["cases"][0]["outcome"] = "failed"


def lost_case(d: dict[str, Any]) -> None:
    d["suites"][0]["cases"].pop()


def verdict(d: dict[str, Any]) -> None:
    d["claims"][0]["verdict"] = "FAIL"


def figure(d: dict[str, Any]) -> None:
    d["claims"][1]["value"] *= 1.1


def interval(d: dict[str, Any]) -> None:
    d["claims"][1]["interval"][0] *= 1.1


def words(d: dict[str, Any]) -> None:
    d["claims"][1]["measured"] = "a thousand times as fast"


def caveat(d: dict[str, Any]) -> None:
    d["claims"][1]["caveat"] = None


def exit_code(d: dict[str, Any]) -> None:
    d["exit_code"] = 3


def threshold(d: dict[str, Any]) -> None:
    d["claims"][1]["claim"]["at_least"] = 5.0


def window(d: dict[str, Any]) -> None:
    d["workloads"][0]["frames"] = 50


def digest(d: dict[str, Any]) -> None:
    d["claims"][1]["measurement"]["samples"][0]["ram_sha256"] = "f" * 64


def no_digest_owed(d: dict[str, Any]) -> None:
    measurement = d["claims"][1]["measurement"]
    measurement["digest_from"] = []
    for sample in measurement["samples"]:
        sample["digest"] = None


def calm_in_words(d: dict[str, Any]) -> None:
    d["claims"][1]["measurement"]["load"]["other_cpu_share"] = 0.9


def shared_budget(d: dict[str, Any]) -> None:
    d["claims"][1]["measurement"]["comparisons"] = 50


def selected(d: dict[str, Any]) -> None:
    d["claims"][2]["selected"] = True


def twice(d: dict[str, Any]) -> None:
    d["claims"].append(d["claims"][0])


def run_gone(d: dict[str, Any]) -> None:
    d["suites"] = []


@pytest.mark.parametrize(
    "forge",
    [
        slower, one_sample, one_case, lost_case, verdict, figure, interval, words, caveat, exit_code, threshold, window,
        digest, no_digest_owed, calm_in_words, shared_budget, selected, twice, run_gone,
    ],
)  # fmt: skip
def test_a_forgery_contradicts_itself(
    forge: Callable[[dict[str, Any]], None], evidence: Evidence, reseal: Callable[..., Path]
) -> None:
    changed = document(evidence)
    forge(changed)
    opened = open_bundle(reseal(changed))
    assert contradictions(opened.evidence)


# --- Hostile ---------------------------------------------------------------------------------------------------------


def test_links_are_refused(folder: Path) -> None:
    (folder / "logs" / "link.txt").symlink_to("/etc/passwd")
    with pytest.raises(BundleRefused, match="link"):
        open_bundle(folder)


def test_a_linked_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").symlink_to(folder)
    with pytest.raises(BundleRefused, match="not a folder"):
        open_bundle(tmp_path / "elsewhere")


def test_a_closed_folder_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def scandir(path: object) -> Any:  # nothing is closed to root
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("nesproof.harness.evidence.bundle.os.scandir", scandir)
    with pytest.raises(BundleRefused, match="cannot be read: Permission denied"):
        open_bundle(folder)


def test_a_pipe_is_refused_without_waiting(folder: Path) -> None:
    os.mkfifo(folder / "logs" / "pipe.txt")
    with pytest.raises(BundleRefused, match="no regular file"):
        open_bundle(folder)


@pytest.mark.parametrize("name", ["run.sh", "logs/.hidden", "EVIDENCE.JSON", "logs/a b.txt", "x.exe"])
def test_unknown_names_are_refused(folder: Path, name: str) -> None:
    (folder / name).write_text("x")
    with pytest.raises(BundleRefused, match="no file of a bundle"):
        open_bundle(folder)


def test_unknown_folders_are_refused(folder: Path) -> None:
    (folder / "logs" / "deeper").mkdir()
    with pytest.raises(BundleRefused, match="folder 'deeper'"):
        open_bundle(folder)


@pytest.mark.parametrize("name", ["../outside.txt", "/etc/passwd", "logs/../../x", "logs\\x", "logs/..", ""])
def test_path_tricks_in_the_manifest_reach_nothing(folder: Path, name: str) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"][name] = {"size_bytes": 1, "sha256": "0" * 64}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(BundleInconsistent, match="lacks"):
        open_bundle(folder)


def test_oversize_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_module, "_FILE_LIMIT_BYTES", 100)
    with pytest.raises(BundleRefused, match="larger than 100"):
        open_bundle(folder)


def test_too_much_in_all_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_module, "_TOTAL_LIMIT_BYTES", 1_000)
    with pytest.raises(BundleRefused, match="too large"):
        open_bundle(folder)


@pytest.mark.parametrize("name", ["evidence.json", "manifest.json"])
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"schema_version": 3}, "version 3"),
        ({"schema_version": None}, "version null"),
        ({"schema_id": "other"}, '"other"'),
        ({"schema_version": True}, "version true"),
        ({"schema_version": 1.0}, r"version 1\.0"),
        ({"surprise": 1}, "malformed"),
    ],
)
def test_unknown_schemas_are_refused_in_one_sentence(folder: Path, name: str, change: Any, says: str) -> None:
    changed = {**json.loads((folder / name).read_text()), **change}
    _replace(folder, name, json.dumps(changed).encode())
    with pytest.raises(BundleRefused, match=says) as caught:
        open_bundle(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"schema_id": ' * 5_000, b"{} trailing"]
)
def test_documents_that_are_none_are_refused(folder: Path, data: bytes) -> None:
    _replace(folder, "evidence.json", data)
    with pytest.raises(BundleRefused):
        open_bundle(folder)


@pytest.mark.parametrize("digits", ["9223372036854775808", "-9223372036854775809", "1" + "0" * 400, "9" * 4_000])
def test_whole_numbers_beyond_64_bits_are_refused(folder: Path, digits: str) -> None:
    document = (folder / "evidence.json").read_bytes()
    planted = re.sub(rb'"memory_bytes": ?[0-9]+', f'"memory_bytes": {digits}'.encode(), document)
    assert planted != document
    _replace(folder, "evidence.json", planted)
    with pytest.raises(BundleRefused, match=f"a whole number of {len(digits.strip('-'))} digits"):
        open_bundle(folder)


@pytest.mark.parametrize("name", ["evidence.json", "manifest.json"])
def test_a_name_given_twice_is_refused(folder: Path, name: str) -> None:
    """One reader of `{"a": 1, "a": 2}` sees 1, another 2: what was judged must be what others see."""
    twice = (folder / name).read_bytes().replace(b'"schema_version"', b'"schema_version": 1, "schema_version"', 1)
    _replace(folder, name, twice)
    with pytest.raises(BundleRefused, match="'schema_version' twice"):
        open_bundle(folder)


@pytest.mark.parametrize("when", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "99999-01-01", 1e300])
def test_a_moment_that_utc_has_no_date_for_is_refused(folder: Path, when: Any) -> None:
    changed = {**json.loads((folder / "evidence.json").read_text()), "created_utc": when}
    _replace(folder, "evidence.json", json.dumps(changed).encode())
    with pytest.raises(BundleRefused, match="created_utc"):
        open_bundle(folder)


@pytest.mark.parametrize("name", ["evidence.json", "logs/suite.txt", "nowhere.html"])
def test_only_a_report_may_name_the_bundle(folder: Path, name: str) -> None:
    """Such a file has two contents under one id: with the id, and with zeros in its place."""
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["names_the_bundle"] = [name]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(BundleRefused, match="name the bundle"):
        open_bundle(folder)


def _replace(folder: Path, name: str, data: bytes) -> None:
    """Put `data` in the place of a file, with a manifest to match."""
    import hashlib

    (folder / name).write_bytes(data)
    if name != "manifest.json":
        manifest = json.loads((folder / "manifest.json").read_text())
        manifest["files"][name] = {"size_bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        manifest["names_the_bundle"] = []
        for report in ("report.html",):
            text = (folder / report).read_bytes()
            manifest["files"][report] = {"size_bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}
        (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize("make", [lambda p: None, lambda p: p.mkdir(), lambda p: p.write_text("x")])
def test_what_is_no_bundle_is_refused(tmp_path: Path, make: Callable[[Path], Any]) -> None:
    make(tmp_path / "thing")
    with pytest.raises(BundleRefused):
        open_bundle(tmp_path / "thing")


@pytest.mark.parametrize("name", ["../x", "logs/../x", "manifest.json", "logs/.x", "a/b/c", "REPORT.html"])
def test_seal_takes_no_odd_names(evidence: Evidence, name: str) -> None:
    with pytest.raises(ValueError, match="no name"):
        seal(evidence, attachments={name: b""}, reports={})


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_damage_is_caught_and_nothing_else_is_raised(
    sealed: Bundle, tmp_path: Path, write_bundle: Any, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(sealed.files)))
    original = sealed.files[name]
    at = data.draw(st.integers(0, len(original)))
    kept = data.draw(st.integers(at, len(original)))
    damaged = original[:at] + data.draw(st.binary(max_size=20)) + original[kept:]
    folder = write_bundle(sealed, tmp_path / "bundle")
    (folder / name).write_bytes(damaged)
    if damaged == original:
        assert open_bundle(folder).id == sealed.id
    else:
        with pytest.raises(HarnessError):
            open_bundle(folder)
