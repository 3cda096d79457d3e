"""`nesproof publish`: what it takes, what it refuses, and how a site takes the place of the one before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.cli import site_folder
from nesproof.harness.cli.site_evidence import default_folder, find_evidence, read_evidence
from nesproof.harness.cli.site_folder import RECORD_NAME, FolderRefused, replace_site, require_replaceable

MAIN = "from nesproof.harness.cli.app import main; main()"
FILES = [("index.html", b"one"), ("claims/a.html", b"two"), ("assets/site.css", b"three")]


def publish(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", MAIN, "publish", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=120, check=False)


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture(scope="module")
def evidence(invented: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = invented.write_all(tmp_path_factory.mktemp("evidence"))
    return folder


def read(paths: list[Path], *, draft: bool = False) -> Any:
    found, missing = find_evidence(paths)
    read_ = read_evidence(found, draft=draft, on_step=lambda note, well: None)
    read_.refused[:0] = missing
    return read_


# --- What is taken ---------------------------------------------------------------------------------------------------


def test_a_folder_of_everything_is_read(evidence: Path, invented: Any) -> None:
    (evidence / "notes.json").write_text("{}")
    (evidence / "README.md").write_text("not evidence")
    found = read([evidence])
    assert found.refused == []
    assert [run.evidence for run in found.runs] == list(invented.runs())
    assert [sorted(run.frames) for run in found.runs] == [
        sorted(name.removeprefix("frames/") for name in invented.frames_of(one)) for one in invented.runs()
    ]
    assert found.gates == [invented.gate()]
    assert found.bisections == [invented.bisection()]


def test_a_site_is_evidence_again(evidence: Path, invented: Any, site: dict[str, bytes], tmp_path: Path) -> None:
    replace_site(tmp_path / "site", site.items())
    found = read([tmp_path / "site"])
    assert found.refused == []
    assert sorted((r.evidence for r in found.runs), key=lambda e: e.created_utc) == list(invented.runs())
    assert (found.gates, found.bisections) == ([invented.gate()], [invented.bisection()])


def test_published_documents_are_read(invented: Any, tmp_path: Path) -> None:
    import gzip
    import hashlib

    from nesproof.harness.evidence.published import document_name

    one = invented.runs()[0].model_copy(update={"comparisons": ()})
    data = one.model_dump_json(indent=1).encode() + b"\n"
    name = f"{document_name(one, hashlib.sha256(data).hexdigest())}.json.gz"
    (tmp_path / name).write_bytes(gzip.compress(data, mtime=0))
    (tmp_path / "2026-08-01T123000Z-0123456789abcdef.json.gz").write_bytes(gzip.compress(data, mtime=0))
    found = read([tmp_path])
    assert [run.evidence for run in found.runs] == [one]
    (sentence,) = found.refused
    assert "holds another document than its name says" in sentence


def test_each_bad_input_is_one_sentence(evidence: Path, invented: Any, tmp_path: Path) -> None:
    files = {
        "broken.json": b"{",
        "other.json": b'{"schema_id": "something.else", "schema_version": 1}',
        "newer.json": b'{"schema_id": "nesproof.evidence", "schema_version": 99}',
        "gate.json": invented.gate()
        .model_dump_json()
        .encode()
        .replace(b'"schema_version":1', b'"schema_version":7', 1),
        "deep.json": b"[" * 100_000,
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe.json")
    given = [*(tmp_path / name for name in files), tmp_path / "empty", tmp_path / "absent", tmp_path / "pipe.json"]
    found = read(given)
    assert len(found.refused) == len(given)
    assert (found.runs, found.gates, found.bisections) == ([], [], [])
    for sentence in found.refused:
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert len(sentence) < 1_000


def test_nothing_of_a_folder_is_lost_in_silence(invented: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gates").mkdir()
    (tmp_path / "gates" / "whole.json").write_text(invented.gate().model_dump_json())
    (tmp_path / "gates" / "half.json").write_text(invented.gate().model_dump_json()[:1_000])
    (tmp_path / "closed").mkdir()
    list_folder = Path.iterdir

    def iterdir(folder: Path) -> Iterator[Path]:  # nothing is closed to root
        if folder.name == "closed":
            raise PermissionError(13, "Permission denied")
        return list_folder(folder)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    found = read([tmp_path])
    assert found.gates == [invented.gate()]
    assert found.refused == [
        f"{tmp_path / 'closed'} cannot be read: Permission denied.",
        f"{tmp_path / 'gates' / 'half.json'}: It is not JSON.",
    ]
    assert read([tmp_path / "closed"]).refused == found.refused[:1]


def test_what_must_not_be_published_is_refused_or_labelled(invented: Any, tmp_path: Path) -> None:
    first, second, *_ = invented.runs()
    dirty = first.model_copy(update={"source": first.source.model_copy(update={"dirty": True})})
    claims = (first.claims[0], *second.claims[1:])
    forged = second.model_copy(update={"claims": claims})
    given = [invented.write_bundle(one, tmp_path / name) for name, one in (("dirty", dirty), ("forged", forged))]
    refused = read(given).refused
    assert "uncommitted changes" in refused[0]
    assert "do not follow from its own samples" in refused[1]
    drafts = read(given, draft=True)
    assert drafts.refused == []
    assert drafts.runs[0].draft is not None
    assert [run.is_consistent for run in drafts.runs] == [True, False]


def test_words_beside_a_verdict_are_the_judges_own(invented: Any, tmp_path: Path) -> None:
    """Another version may have said the same otherwise; but nobody can say anything beside a verdict that follows."""
    first = invented.runs()[0]
    told = {"reason": "It is better than that.", "measured": "9,999 x"}
    other = first.model_copy(update={"claims": tuple(r.model_copy(update=told) for r in first.claims)})
    (run,) = read([invented.write_bundle(other, tmp_path / "other")]).runs
    assert run.evidence == other
    assert run.shown is not None
    asked = [r for r in run.shown.claims if r.selected]
    assert asked == [r for r in first.claims if r.selected]


def test_the_default_is_what_the_checkout_publishes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a" / "b")
    assert default_folder() is None
    (tmp_path / "reports" / "published").mkdir(parents=True)
    (tmp_path / "pyproject.toml").touch()
    assert default_folder() == tmp_path / "reports" / "published"


# --- The command -----------------------------------------------------------------------------------------------------


def test_the_command_writes_the_site_and_ends_with_its_path(
    evidence: Path, site: dict[str, bytes], tmp_path: Path
) -> None:
    (tmp_path / "old").mkdir()
    ended = publish(evidence / "run-4", evidence / "gate", evidence / "bisect.json", "--out", "old", cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (0, "old/index.html\n"), ended.stderr
    assert "from 1 run, 1 gate, 1 bisection." in ended.stderr
    written = contents(tmp_path / "old")
    assert [p for p in tmp_path.iterdir() if p.name != "old"] == []
    own = {path: data for path, data in site.items() if path.startswith(("gates/2", "bisections/2", "assets/"))}
    assert {path: written[path] for path in own} == own
    assert sum(path.startswith("evidence/") for path in written) == 1

    (tmp_path / "bad.json").write_text("{")
    before = contents(tmp_path / "old")
    ended = publish(evidence / "gate", "bad.json", "absent", "--out", "old", cwd=tmp_path)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert "bad.json: It is not JSON." in ended.stderr
    assert "There is no absent." in ended.stderr
    assert "Traceback" not in ended.stderr
    assert contents(tmp_path / "old") == before

    ended = publish(evidence / "gate", "bad.json", "--out", "old", "--keep-going", cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (0, "old/index.html\n")
    assert "1 thing left out" in ended.stderr
    assert not any(path.startswith("evidence/") for path in contents(tmp_path / "old"))


# --- The folder ------------------------------------------------------------------------------------------------------


def test_the_new_site_takes_the_place_of_the_old(tmp_path: Path) -> None:
    target = tmp_path / "site"
    assert replace_site(target, FILES).files == 3
    assert contents(target).keys() == {RECORD_NAME, *dict(FILES)}
    replace_site(target, [("other.html", b"four")])
    assert contents(target).keys() == {RECORD_NAME, "other.html"}
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("swaps", [True, False], ids=["in one step", "without the system's help"])
def test_what_was_there_is_whole_until_the_new_one_is(
    tmp_path: Path, swaps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not swaps:
        monkeypatch.setattr(site_folder, "_swapped", lambda first, second: False)
    target = tmp_path / "site"
    replace_site(target, FILES)
    before = contents(target)

    def files() -> Iterator[tuple[str, bytes]]:
        yield "index.html", b"new"
        assert contents(target) == before
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space") as full:
        replace_site(target, files())
    assert full.value.filename == str(target)
    assert contents(target) == before
    assert list(tmp_path.iterdir()) == [target]
    replace_site(target, [("index.html", b"new")])
    assert contents(target)["index.html"] == b"new"
    assert list(tmp_path.iterdir()) == [target]


def _add(target: Path) -> None:
    (target / "claims" / "mine.txt").write_text("mine")


def _change(target: Path) -> None:
    (target / "index.html").write_bytes(b"edited")


def _link(target: Path) -> None:
    (target / "claims" / "a.html").unlink()
    (target / "claims" / "a.html").symlink_to("/etc/hostname")


def _folder(target: Path) -> None:
    (target / "mine").mkdir()


def _no_record(target: Path) -> None:
    (target / RECORD_NAME).unlink()


def _other_record(target: Path) -> None:
    (target / RECORD_NAME).write_text(json.dumps({"files": []}))


@pytest.mark.parametrize("touch", [_add, _change, _link, _folder, _no_record, _other_record])
def test_nothing_foreign_is_replaced(tmp_path: Path, touch: Any) -> None:
    target = tmp_path / "site"
    replace_site(target, FILES)
    touch(target)
    before = sorted(target.rglob("*"))
    with pytest.raises(FolderRefused, match="nothing was touched"):
        replace_site(target, [("index.html", b"new")])
    assert sorted(target.rglob("*")) == before
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_a_file_and_a_missing_parent_are_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "file").touch()
    for name in ("link", "file", "absent/site"):
        with pytest.raises(FolderRefused):
            require_replaceable(tmp_path / name)
    assert not (tmp_path / "absent").exists()


def test_a_mounted_file_system_and_a_closed_folder_are_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(FolderRefused, match="mounted file system"):
        require_replaceable(Path("/"))
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # nothing is closed to root
    with pytest.raises(FolderRefused, match="Nothing can be written into"):
        require_replaceable(tmp_path / "site")


def test_what_a_killed_run_left_goes_and_what_is_being_written_stays(tmp_path: Path) -> None:
    target = tmp_path / "site"
    replace_site(tmp_path / "old", FILES)
    (tmp_path / "old").rename(tmp_path / ".site.0123abcd.part")  # killed after the old site had given way
    half = tmp_path / ".site.89abcdef.part" / "claims"
    half.mkdir(parents=True)
    (half / "a.html").write_bytes(b"half")
    stay = [tmp_path / name for name in (".site.part", ".other.89abcdef.part", ".site.linked00.part")]
    for path in stay:
        path.mkdir()
    (tmp_path / ".site.00000000.part").symlink_to(stay[0])

    def files() -> Iterator[tuple[str, bytes]]:
        yield "index.html", b"first"
        replace_site(target, [("index.html", b"second")])
        assert contents(target)["index.html"] == b"second"
        yield "other.html", b"first"

    replace_site(target, files())
    assert contents(target).keys() == {RECORD_NAME, "index.html", "other.html"}
    assert set(tmp_path.iterdir()) == {target, *stay, tmp_path / ".site.00000000.part"}


def test_a_file_that_came_in_meanwhile_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "site"
    replace_site(target, FILES)
    exchange = site_folder._exchange

    def late(fresh: Path, there: Path) -> None:
        (there / "mine.txt").write_text("mine")
        exchange(fresh, there)

    monkeypatch.setattr(site_folder, "_exchange", late)
    written = replace_site(target, [("index.html", b"new")])
    assert written.kept is not None
    assert (written.kept / "mine.txt").read_text() == "mine"
    assert contents(target)["index.html"] == b"new"
    assert not written.kept.name.startswith(".")


def test_sites_that_are_made_at_once_follow_each_other(tmp_path: Path) -> None:
    target = tmp_path / "site"
    sites = [[("index.html", b"%d" % n), (f"claims/{n}.html", b"x")] for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        written = list(pool.map(lambda files: replace_site(target, files), sites * 3))
    assert [one.kept for one in written] == [None] * 24
    assert list(tmp_path.iterdir()) == [target]
    found = contents(target)
    number = int(found["index.html"])
    assert found.keys() == {RECORD_NAME, "index.html", f"claims/{number}.html"}


@pytest.mark.parametrize("path", ["../x", "/x", "a/../x", "a//b", "", RECORD_NAME, "a\\b", ".hidden", "a\n"])
def test_no_file_is_written_outside_the_folder(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="no path"):
        replace_site(tmp_path / "site", [(path, b"x")])
    assert list(tmp_path.iterdir()) == []
