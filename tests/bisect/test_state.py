"""What is kept of a bisection: whole or not at all, one process at a time, and only for the same bisection."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.bisect.state import BisectionRunning, bisection_key, bisections_folder, held_journal
from nesproof.harness.errors import ConfigurationError


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NESPROOF_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_what_is_written_is_read_again(written: Any, home: Path) -> None:
    with held_journal("key") as journal:
        assert journal.read() is None
        document = written.document(5)
        journal.write(document)
        assert journal.read() == document
        journal.write(document.model_copy(update={"resumed": 1}))
        kept = journal.read()
        assert kept is not None
        assert kept.resumed == 1
        assert sorted(p.name for p in journal.folder.iterdir()) == ["document.json", "lock"]
        (journal.folder / "report.html").write_text("old")
        journal.discard()
        assert journal.read() is None
        assert [p.name for p in journal.folder.iterdir()] == ["lock"]
    assert bisections_folder() == home / "bisect"


def test_a_fault_while_writing_leaves_what_was_kept(written: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with held_journal("key") as journal:
        journal.write(written.document(5))
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            journal.write(written.document(6))
        kept = journal.read()
        assert kept is not None
        assert len(kept.commits) == 5


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema_id": "nesproof.bisect", "schema_version": 2}'])
def test_what_is_no_document_is_refused_with_the_remedy(text: str) -> None:
    with held_journal("key") as journal:
        (journal.folder / "document.json").write_text(text)
        with pytest.raises(ConfigurationError, match="--restart begins anew"):
            journal.read()


def test_two_at_once_are_refused_and_the_death_of_one_lets_the_other_in(home: Path) -> None:
    holder = (
        "from nesproof.harness.bisect.state import held_journal\n"
        "import sys\n"
        "with held_journal('key'):\n"
        "    print('held', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(os.environ)
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(BisectionRunning, match="under way in another process"), held_journal("key"):
            pass
        with held_journal("another key"):
            pass
        process.kill()
        process.wait()
        with held_journal("key") as journal:
            assert journal.read() is None


def test_another_claim_end_path_or_repository_is_another_bisection(written: Any, tmp_path: Path) -> None:
    claim = written.claim()
    given: dict[str, Any] = {"good": "a", "bad": "b", "first_parent": False, "repository": tmp_path}
    key = bisection_key(claim, **given)
    assert bisection_key(claim, **given) == key
    others = [
        bisection_key(written.claim(cases="state/*"), **given),
        *(
            bisection_key(claim, **{**given, name: value})
            for name, value in (("good", "c"), ("bad", "c"), ("first_parent", True), ("repository", tmp_path / "other"))
        ),
    ]
    assert len({key, *others}) == 6
