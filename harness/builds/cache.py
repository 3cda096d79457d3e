"""The cache of builds: each made once, whole or not at all, kept while it is used, and cleared away when it is not.

A build is the folder `<key>`. It comes into being by the renaming of a finished `making-<key>`, under the key's lock,
so that a folder of that name is whole whoever was killed when. What may happen to it later (a disk that lost files, a
hand that tidied up) shows against the list of contents beside it, and it is made anew. A process that uses a build
holds a shared lock beside it for as long as it lives, and what anybody uses is never cleared away.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from nesproof.harness.errors import HarnessError
from nesproof.harness.home import nesproof_home
from nesproof.harness.plain_text import plain_text
from nesproof.harness.subjects.file_lock import held_lock

__all__ = [
    "BuildFailed",
    "Built",
    "NoSpaceForBuild",
    "build_environment",
    "builds_folder",
    "cached_build",
    "full_disk_is_said",
    "prune_builds",
    "still_building",
]

_MOST_BYTES = 2 << 30
_MOST_AGE_S = 30 * 86_400.0
_TAIL_LINES = 30
_LEAST_FREE_BYTES = 64 << 10
_FULL = (errno.ENOSPC, errno.EDQUOT)
_FULL_WORDS = ("No space left on device", "Disk quota exceeded")
_in_use: dict[Path, IO[bytes]] = {}
"""Open for as long as this process lives: the lock of a build goes with it."""


class BuildFailed(HarnessError):
    """The compiler or the build system refused; `tail` is the end of what they said, made plain."""

    exit_code = 5

    def __init__(self, what: str, tail: str) -> None:
        tail = "\n".join(plain_text(tail).strip().splitlines()[-_TAIL_LINES:])
        super().__init__(f"The build of {what} failed:\n{tail}")
        self.what, self.tail = what, tail


class NoSpaceForBuild(HarnessError):
    """The disk is full; nothing of the build was kept."""

    exit_code = 5

    def __init__(self, what: str) -> None:
        super().__init__(
            f"There is no space left for the build of {what} in {builds_folder()}; free some, or choose another place "
            "by NESPROOF_HOME."
        )


@dataclass(frozen=True)
class Built:
    """A build: its folder, the key under which it is kept, and whether it was there already."""

    folder: Path
    key: str
    was_cached: bool


def builds_folder() -> Path:
    """Where builds are kept."""
    return nesproof_home() / "builds"


def build_environment() -> dict[str, str]:
    """What builds get beside the short list that every limited command gets: a repository around the cache is none of
    theirs.
    """
    return {"GIT_CEILING_DIRECTORIES": str(nesproof_home().resolve())}


def still_building(what: str, elapsed_s: float) -> str:
    """A sign of life."""
    return f"Building {what}: still at it, {elapsed_s:.0f} s."


@contextlib.contextmanager
def full_disk_is_said(what: str) -> Iterator[None]:
    """A full disk in the block becomes NoSpaceForBuild."""
    try:
        yield
    except OSError as fault:
        if fault.errno in _FULL:
            raise NoSpaceForBuild(what) from fault
        raise


def cached_build(
    key: str, make: Callable[[Path], None], *, what: str, note: Callable[[str], None] = lambda _: None
) -> Built:
    """The build of that key, from the cache or made now.

    `make` fills the empty folder `out` in the folder that it is given, where it may keep what else it needs; it runs
    in one process at a time for a key. `note` hears sentences of progress; `what` names the build.

    Raises:
        BuildFailed: `make` says so. Nothing is kept.
        NoSpaceForBuild: the disk is full. Nothing is kept.
        OSError: the folder cannot be written.
    """
    place = builds_folder()
    folder, making = place / key, place / f"making-{key}"
    with full_disk_is_said(what):
        with held_lock(place / f"{key}.lock", waiting=lambda: note(f"Waiting for another build of {what}.")):
            _hold(key)
            if _is_whole(folder):
                os.utime(folder)
                return Built(folder, key, True)
            if os.path.lexists(folder):
                note(f"What the cache of builds holds for {what} is damaged and goes.")
                _clear(folder)
            _clear(making)
            try:
                (making / "out").mkdir(parents=True)
                note(f"Building {what}.")
                _make(make, making, what)
                _list_contents(making / "out", folder, what)
                (making / "out").rename(folder)
            finally:
                _clear(making)
        prune_builds()
    return Built(folder, key, False)


def _make(make: Callable[[Path], None], making: Path, what: str) -> None:
    """Run `make`; a failure on a full disk is the disk's, whether or not there was room left to say so."""
    try:
        make(making)
    except BuildFailed as fault:
        if any(words in fault.tail for words in _FULL_WORDS) or shutil.disk_usage(making).free < _LEAST_FREE_BYTES:
            raise NoSpaceForBuild(what) from fault
        raise


def prune_builds(*, most_bytes: int = _MOST_BYTES, most_age_s: float = _MOST_AGE_S) -> None:
    """Clear away what killed builds left, what was not used for long, and the longest unused of what is too much."""
    place = builds_folder()
    for making in place.glob("making-*"):
        with contextlib.suppress(OSError), (place / f"{making.name.removeprefix('making-')}.lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _clear(making)
    builds = []
    for folder in place.iterdir():
        if not folder.name.endswith((".lock", ".use", ".contents")) and not folder.name.startswith("making-"):
            with contextlib.suppress(OSError):
                builds.append((folder.lstat().st_mtime, _bytes_of(folder), folder))
    builds.sort(key=lambda build: build[0], reverse=True)
    total, oldest = 0, time.time() - most_age_s
    for used, size, folder in builds:
        total += size
        if used < oldest or total > most_bytes:
            _remove(folder)


def _hold(key: str) -> None:
    """Keep the build from being cleared away until this process ends."""
    path = builds_folder() / f"{key}.use"
    if path not in _in_use:
        _in_use[path] = path.open("ab")
        fcntl.flock(_in_use[path], fcntl.LOCK_SH)


def _remove(folder: Path) -> None:
    """Clear the build away, unless it is made or used right now."""
    with contextlib.ExitStack() as locks, contextlib.suppress(OSError):
        # In the order in which a user takes them. Both files stay: removing one would let two hold locks of one name.
        for suffix in ("lock", "use"):
            lock = locks.enter_context((folder.parent / f"{folder.name}.{suffix}").open("ab"))
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        going = folder.parent / f"making-{folder.name}"
        folder.rename(going)  # from here on no half of it passes for a build
        _clear(going)
        _list_of(folder).unlink(missing_ok=True)


def _clear(path: Path) -> None:
    """Remove whatever lies there; of a link, the link."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _list_of(folder: Path) -> Path:
    """The list of a build's files by path, with a hash of each; what a link says stands for the link."""
    return folder.with_name(f"{folder.name}.contents")


def _list_contents(out: Path, folder: Path, what: str) -> None:
    """Write the list by which the build will be known to be whole.

    Raises:
        BuildFailed: the folder is none any more.
    """
    if out.is_symlink() or not out.is_dir():
        raise BuildFailed(what, "Its commands put something else in the place of the folder {out}.")
    files = (path for path in out.rglob("*") if path.is_symlink() or path.is_file())
    contents = {str(path.relative_to(out)): _hash(path) for path in files}
    _list_of(folder).write_text(json.dumps(contents), encoding="utf-8")


def _is_whole(folder: Path) -> bool:
    """True where every file of its list lies there as it was; what came later (Python compiles) does not count."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    try:
        listed = json.loads(_list_of(folder).read_bytes())
        return isinstance(listed, dict) and all(_hash(folder / name) == known for name, known in listed.items())
    except (OSError, ValueError):
        return False


def _hash(path: Path) -> str:
    if path.is_symlink():
        return f"link to {path.readlink()}"
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


def _bytes_of(folder: Path) -> int:
    if folder.is_symlink() or not folder.is_dir():
        return 0
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
