"""Runs from where nobody expects them: the verdict comes all the same, and the evidence is whole."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest


def test_a_working_folder_that_was_deleted(world: Any, tmp_path: Path) -> None:
    world.add_suite("good", "pass")
    world.add_claim("fake.good", suite="good")
    gone = tmp_path / "gone"

    def leave_it() -> None:
        gone.mkdir()
        os.chdir(gone)
        gone.rmdir()

    done = world.verify(preexec_fn=leave_it)
    assert done.returncode == 0, done.stderr
    assert world.verdicts() == {"fake.good": "PASS"}


@pytest.mark.parametrize("umask", [0o000, 0o077, 0o777])
def test_an_odd_umask(world: Any, umask: int) -> None:
    world.add_suite("good", "pass")
    world.add_claim("fake.good", suite="good")
    world.out.mkdir()
    done = world.verify(preexec_fn=lambda: os.umask(umask))
    if done.returncode == 0:
        for folder in (world.out, *(p for p in world.out.rglob("*") if p.is_dir())):
            folder.chmod(0o700)
        assert world.verdicts() == {"fake.good": "PASS"}
    else:
        # Not root: what this user may not read itself is one sentence.
        assert done.returncode == 5
        assert "Traceback" not in done.stderr


def test_a_relative_temporary_folder(world: Any) -> None:
    world.add_suite("good", "pass")
    world.add_claim("fake.good", suite="good")
    (world.root / "here").mkdir()
    done = world.verify(env={"TMPDIR": "here"})
    assert done.returncode == 0, done.stderr
    assert world.verdicts() == {"fake.good": "PASS"}
    assert list((world.root / "here").iterdir()) == []
