"""The files of a commit in a temporary folder, written from git's objects.

A `git worktree` would write into the user's `.git` (its list, an index, a HEAD with a reflog) and leave all of that
there when the gate is killed; `checkout-index` would run the filters that attributes of the revision choose. So git is
only read: `ls-tree` says what there is, `cat-file --batch` gives the bytes, and the files are written here, as the
commit has them, with no filter, no line ending and no keyword changed. There is no `.git` in the folder, submodules are
empty, and files that git LFS keeps elsewhere are their pointers.

Nothing of a killed gate stays for long: each folder has a lock beside it that is held before the folder is there and
that the kernel lets go of, and the next checkout clears away the folders whose lock is free.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.gate.git import GitFailed, git_command, git_environment, run_git
from nesproof.harness.gate.repository import IncompleteClone, Repository, Revision
from nesproof.harness.home import nesproof_home
from nesproof.harness.plain_text import plain_line

__all__ = ["CheckoutRefused", "checked_out", "checkouts_folder", "export"]

_MOST_FILES = 200_000
_MOST_BYTES = 4 << 30


class CheckoutRefused(ConfigurationError):
    """The revision holds what no honest one does: a path that leaves the folder, or too much."""


def checkouts_folder() -> Path:
    """Where revisions are checked out while they are needed."""
    return nesproof_home() / "checkouts"


@contextmanager
def checked_out(repository: Repository, revision: Revision, *, paths: Sequence[str] = ()) -> Iterator[Path]:
    """The revision's files, or those at `paths` alone, in a folder that goes at the end of the block.

    Raises:
        CheckoutRefused: a path in it leaves the folder, or there is too much.
        OSError: no space, or the folder cannot be written.
    """
    place = checkouts_folder()
    place.mkdir(parents=True, exist_ok=True)
    _sweep(place)
    folder = place / f"{revision.short}-{uuid.uuid4().hex[:12]}"
    with _lock_of(folder).open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            folder.mkdir(mode=0o700)
            export(repository, revision.tree, folder, paths=paths)
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            _lock_of(folder).unlink(missing_ok=True)


def export(repository: Repository, tree: str, folder: Path, *, paths: Sequence[str] = ()) -> None:
    """Write the files of a tree, or those at `paths` alone, into a folder that exists and is empty.

    Raises:
        CheckoutRefused: a path in it leaves the folder, or there is too much.
        IncompleteClone: the clone lacks some of it.
        OSError: no space, or the folder cannot be written.
    """
    try:
        _, listing = run_git(repository.root, "ls-tree", "-r", "-z", "-l", "--full-tree", tree, "--", *paths)
    except GitFailed as fault:
        raise IncompleteClone(tree) from fault
    entries = [_Entry(record) for record in listing.split(b"\0") if record]
    if len(entries) > _MOST_FILES or sum(entry.size for entry in entries) > _MOST_BYTES:
        raise CheckoutRefused(
            f"The revision holds more than {_MOST_FILES} files or {_MOST_BYTES >> 30} GiB; it is not checked out."
        )
    command = git_command(repository.root, ["cat-file", "--batch"])
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=git_environment()
    ) as git:
        assert git.stdin is not None
        assert git.stdout is not None
        # Links last: no file is then written through one.
        for entry in sorted(entries, key=lambda entry: entry.is_link):
            if entry.is_submodule:
                (folder / entry.path).mkdir(parents=True, exist_ok=True)
                continue
            git.stdin.write(entry.sha + b"\n")
            git.stdin.flush()
            header = git.stdout.readline().split()
            if len(header) != 3 or header[1] != b"blob":
                git.kill()
                raise IncompleteClone(entry.sha.decode("ascii"))
            data = git.stdout.read(int(header[2]))
            git.stdout.read(1)
            entry.write(folder, data)
        git.stdin.close()


class _Entry:
    """One line of `ls-tree`: mode, type, hash, size, path."""

    def __init__(self, record: bytes) -> None:
        about, _, raw = record.partition(b"\t")
        mode, _, self.sha, size = about.split()
        self.path = raw.decode("utf-8", "surrogateescape")
        self.size = 0 if size == b"-" else int(size)
        self.is_submodule, self.is_link, self.is_program = mode == b"160000", mode == b"120000", mode == b"100755"
        parts = self.path.split("/")
        if any(part in {"", ".", ".."} or part.casefold() == ".git" for part in parts):
            raise CheckoutRefused(
                f"The revision holds the path {plain_line(self.path, limit=200)!r}, which is refused."
            )

    def write(self, folder: Path, data: bytes) -> None:
        """Write the file, the program or the link."""
        target = folder / self.path
        if os.path.lexists(target):
            raise CheckoutRefused(
                f"The revision holds the path {plain_line(self.path, limit=200)!r} twice, as this file system sees it."
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        if self.is_link:
            target.symlink_to(data.decode("utf-8", "surrogateescape"))
            return
        with os.fdopen(
            os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o755 if self.is_program else 0o644), "wb"
        ) as file:
            file.write(data)


def _sweep(place: Path) -> None:
    """Clear away what killed gates left."""
    for folder in place.iterdir():
        with contextlib.suppress(OSError), _lock_of(folder).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
            _lock_of(folder).unlink(missing_ok=True)


def _lock_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.lock")
