"""Checking revisions out: exact files, and nothing of it left in the user's clone, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.gate.checkout import CheckoutRefused, checked_out, checkouts_folder
from nesproof.harness.gate.repository import Repository


def state_of(root: Path) -> dict[str, tuple[int, bytes]]:
    """Every file of the clone and of its `.git`, with its time and bytes."""
    return {str(p): (p.lstat().st_mtime_ns, p.read_bytes()) for p in root.rglob("*") if p.is_file()}


def test_files_are_those_of_the_commit_and_go_afterwards(toy: Any, home: Path) -> None:
    (toy.root / "bin").mkdir()
    (toy.root / "bin" / "tool").write_text("#!/bin/sh\n")
    (toy.root / "bin" / "tool").chmod(0o755)
    (toy.root / "link").symlink_to("bin/tool")
    toy.commit("More", {"line\nbreak ü": "x", ".gitattributes": "*.c text eol=crlf ident filter=evil\n"})
    toy.git("config", "filter.evil.smudge", "touch smudged; cat")
    (toy.root / "untracked").write_text("stays")
    before = state_of(toy.root)
    repository = Repository.at(toy.root)
    with checked_out(repository, repository.resolve("HEAD")) as files:
        assert os.access(files / "bin" / "tool", os.X_OK)
        assert (files / "link").readlink() == Path("bin/tool")
        assert (files / "line\nbreak ü").read_text() == "x"
        assert (files / "toy.c").read_bytes() == (toy.root / "toy.c").read_bytes()
        assert not (files / "untracked").exists()
        assert not (files / ".git").exists()
    assert not any(checkouts_folder().iterdir())
    assert state_of(toy.root) == before
    assert toy.git("worktree", "list").count("\n") == 0


def test_only_the_paths_that_are_asked_for_are_written(toy: Any, home: Path) -> None:
    toy.commit("Folder", {"part/one": "1", "part/two": "2", "partial": "3"})
    repository = Repository.at(toy.root)
    with checked_out(repository, repository.resolve("HEAD"), paths=["part", "toy.c", "absent"]) as files:
        assert sorted(str(p.relative_to(files)) for p in files.rglob("*")) == ["part", "part/one", "part/two", "toy.c"]


def test_hooks_do_not_run(toy: Any, home: Path) -> None:
    for hook in ("post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"):
        path = toy.root / ".git" / "hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\ntouch '{toy.root}/hook-ran'\n")
        path.chmod(0o755)
    toy.git("config", "core.fsmonitor", str(toy.root / ".git" / "hooks" / "fsmonitor-watchman"))
    repository = Repository.at(toy.root)
    head = repository.resolve("HEAD")
    with checked_out(repository, head):
        repository.dirty_paths()
        repository.merge_base(head, head)
    assert not (toy.root / "hook-ran").exists()


@pytest.mark.parametrize("name", ["..", ".", ".git", ".GIT"])
def test_a_path_that_leaves_the_folder_is_refused(toy: Any, home: Path, name: str) -> None:
    blob = toy.git("hash-object", "-w", "toy.c")
    inner = mktree(toy, ("100644", blob, "file"))
    tree = mktree(toy, ("40000", inner, name))
    sha = toy.git("commit-tree", tree, "-m", "Hostile")
    repository = Repository.at(toy.root)
    with pytest.raises(CheckoutRefused), checked_out(repository, repository.resolve(sha)):
        pass
    assert not any(checkouts_folder().iterdir())


def test_nothing_is_written_through_a_link(toy: Any, home: Path, tmp_path: Path) -> None:
    target = toy.git("hash-object", "-w", "--literally", str(text_file(tmp_path, str(tmp_path / "outside"))))
    (tmp_path / "outside").mkdir()
    inner = mktree(toy, ("100644", toy.git("hash-object", "-w", "toy.c"), "file"))
    # One name as a link and as a folder: git itself never writes such a tree.
    tree = mktree(toy, ("120000", target, "door"), ("40000", inner, "door"))
    repository = Repository.at(toy.root)
    revision = repository.resolve(toy.git("commit-tree", tree, "-m", "Hostile"))
    with pytest.raises(CheckoutRefused, match="'door' twice"), checked_out(repository, revision):
        pass
    assert not any((tmp_path / "outside").iterdir())


def test_a_submodule_is_an_empty_folder_and_named(toy: Any, home: Path) -> None:
    tree = mktree(toy, ("160000", toy.head, "third-party"))
    repository = Repository.at(toy.root)
    revision = repository.resolve(toy.git("commit-tree", tree, "-m", "Submodule"))
    assert repository.submodules(revision) == ["third-party"]
    with checked_out(repository, revision) as files:
        assert list((files / "third-party").iterdir()) == []


def test_what_a_killed_gate_leaves_is_cleared_away_by_the_next(toy: Any, home: Path) -> None:
    text = (
        "import sys, time; from pathlib import Path\n"
        "from nesproof.harness.gate.checkout import checked_out\n"
        "from nesproof.harness.gate.repository import Repository\n"
        f"r = Repository.at(Path({str(toy.root)!r}))\n"
        "with checked_out(r, r.resolve('HEAD')): print('out', flush=True); time.sleep(60)\n"
    )
    before = state_of(toy.root)
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE) as gate:
        assert gate.stdout is not None
        assert gate.stdout.readline() == b"out\n"
        # Alive, its folder is left alone.
        repository = Repository.at(toy.root)
        with checked_out(repository, repository.resolve("HEAD")):
            assert len(list(checkouts_folder().glob("*.lock"))) == 2
        gate.send_signal(signal.SIGKILL)
    assert len(list(checkouts_folder().glob("*.lock"))) == 1
    with checked_out(repository, repository.resolve("HEAD")):
        assert len(list(checkouts_folder().glob("*.lock"))) == 1
    assert not any(checkouts_folder().iterdir())
    assert state_of(toy.root) == before
    assert toy.git("status", "--porcelain") == ""


def mktree(toy: Any, *entries: tuple[str, str, str]) -> str:
    """The hash of a tree with these entries (mode, hash, name), checked by nobody."""
    path = toy.root / ".git" / "raw-tree"
    path.write_bytes(b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(sha) for mode, sha, name in entries))
    return str(toy.git("hash-object", "-w", "-t", "tree", "--literally", str(path)))


def text_file(folder: Path, text: str) -> Path:
    path = folder / "text"
    path.write_text(text)
    return path
