"""What is recorded of the place: enough to tell two runs apart, nothing that names its owner."""

from __future__ import annotations

import getpass
import subprocess
from pathlib import Path

import pytest

from nesproof.harness.evidence import capture


def test_machine() -> None:
    machine = capture.capture_machine()
    assert machine.cpu_model
    assert machine.usable_cores >= 1
    assert machine.memory_bytes > 1 << 20


def test_packages_are_those_that_can_be_imported() -> None:
    names = {package.name.lower() for package in capture.capture_packages()}
    assert {"numpy", "pydantic", "scipy"} <= names


def test_source_is_the_same_twice_and_has_a_tree_hash() -> None:
    assert capture.capture_source() == capture.capture_source()
    assert len(capture.capture_source().tree_sha256) == 64


def test_nothing_names_the_user() -> None:
    text = capture.capture_machine().model_dump_json() + capture.capture_source().model_dump_json()
    user = getpass.getuser()
    assert user == "root" or user not in text


def _git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for room in capture.ROOMS:
        (tmp_path / room).mkdir()
        (tmp_path / room / "x.py").write_text(f"# {room}\n")
    _git(tmp_path, "init", "-q")
    _git(tmp_path, "add", ".")
    _git(tmp_path, "commit", "-q", "-m", "Begin")
    return tmp_path


def test_a_clean_tree_is_clean_and_a_changed_one_dirty(tree: Path) -> None:
    commit, dirty = capture._git_state(tree)
    assert commit is not None
    assert dirty is False
    (tree / "harness" / "y.py").write_text("# new\n")
    assert capture._git_state(tree) == (commit, True)


def test_a_folder_within_a_repository_is_not_the_repository(tree: Path) -> None:
    # An environment inside a clone has been installed from something, which need not be the clone.
    assert capture._git_state(tree / "harness") == (None, None)


def test_the_tree_hash_sees_every_source_file_and_no_cache(tree: Path) -> None:
    def now() -> str:
        capture._tree_sha256.cache_clear()
        return capture._tree_sha256(tree)

    before = now()
    (tree / "harness" / "__pycache__").mkdir()
    (tree / "harness" / "__pycache__" / "x.cpython-312.pyc").write_bytes(b"x")
    assert now() == before
    (tree / "reports" / "x.py").write_text("# changed\n")
    assert now() != before
