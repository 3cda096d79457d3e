"""A folder that is made anew each time and takes the place of the one before, which goes only if all of it was ours.

What was written is recorded in the folder itself, with a hash of each file. A folder that holds anything else, or a
file that was changed since, is never replaced and nothing in it is ever deleted. What a killed run left half-written
goes with the next one.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import hashlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.plain_text import plain_line
from nesproof.harness.whole_file import name_place

__all__ = ["RECORD_NAME", "FolderRefused", "SiteWritten", "replace_site", "require_replaceable"]

RECORD_NAME: Final = "nesproof-site.json"
_SCHEMA_ID: Final = "nesproof.site"
_PATH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._@-]*(?:/[A-Za-z0-9_][A-Za-z0-9._@-]*)*")
_RECORD_LIMIT_BYTES = 64 << 20
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


class FolderRefused(ConfigurationError):
    """What lies at the target was not written by us, so that it stays as it is."""


@dataclass(frozen=True)
class SiteWritten:
    """What was written. `kept` is where the folder before lies, if something of it was not ours to delete."""

    files: int
    size_bytes: int
    kept: Path | None


def require_replaceable(target: Path) -> None:
    """Find out before the work whether the folder may be replaced.

    Raises:
        FolderRefused: it is a link, a file, a mounted file system, holds anything that a site of ours does not, or
            nothing can be put beside it.
    """
    target = target.absolute()
    with _locked(target.parent):
        _require_replaceable(target)


def _require_replaceable(target: Path) -> None:
    shown, around = plain_line(str(target), limit=300), plain_line(str(target.parent), limit=300)
    if target.is_symlink():
        raise FolderRefused(f"{shown} is a link; name the folder itself.")
    if not target.parent.is_dir():
        raise FolderRefused(f"There is no folder {around} to put the site into.")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise FolderRefused(f"Nothing can be written into {around}, where the site is made; name another folder.")
    if not target.exists():
        return
    if not target.is_dir():
        raise FolderRefused(f"{shown} is a file; name a folder for the site.")
    if target.is_mount():
        raise FolderRefused(f"{shown} is a mounted file system, which nothing can replace; name a folder in it.")
    foreign = _foreign_in(target)
    if foreign is not None:
        raise FolderRefused(
            f"{shown} holds {plain_line(foreign, limit=200)}, which is not, as it stands there, what `nesproof "
            "publish` wrote; nothing was touched: move it away, or name another folder by --out."
        )


def replace_site(target: Path, files: Iterable[tuple[str, bytes]]) -> SiteWritten:
    """Write the files into a fresh folder beside the target, and put it in the target's place in one step.

    Raises:
        FolderRefused: what lies there is not ours.
        OSError: no space, not writable; what was there before is untouched then.
    """
    target = target.absolute()
    with _fresh_folder(target) as fresh:
        count, size_bytes = _write_all(fresh, files)
        with _locked(target.parent):
            _require_replaceable(target)
            if target.exists():
                _exchange(fresh, target)
            else:
                fresh.rename(target)
    with _locked(target.parent):
        return SiteWritten(count, size_bytes, _delete_own(fresh) if fresh.exists() else None)


@contextmanager
def _fresh_folder(target: Path) -> Iterator[Path]:
    """An empty folder beside the target, locked for as long as it is written; after a fault nothing of it is left."""
    fresh = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    with contextlib.ExitStack() as held:
        try:
            with _locked(target.parent):
                _require_replaceable(target)
                _remove_abandoned(target)
                fresh.mkdir()
                held.enter_context(_locked(fresh))
            yield fresh
        except BaseException as fault:
            shutil.rmtree(fresh, ignore_errors=True)
            name_place(fault, target, made_as=fresh)
            raise


def _remove_abandoned(target: Path) -> None:
    """Remove what was begun beside the target by those who were killed: what nobody holds the lock of any more."""
    begun = re.compile(rf"\.{re.escape(target.name)}\.[0-9a-f]{{8}}\.part")
    for path in [path for path in target.parent.iterdir() if begun.fullmatch(path.name)]:
        with _locked(path, wait=False) as is_abandoned:
            if not is_abandoned:
                continue
            if (path / RECORD_NAME).exists():
                _delete_own(path)
            else:
                shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _locked(folder: Path, *, wait: bool = True) -> Iterator[bool]:
    """Hold the lock of a folder, of which no file is left; False where somebody else has it, or nobody can.

    On the folder around the target it lets two sites that are made at once follow each other: nobody else looks at
    what lies there or takes its place meanwhile.
    """
    handle, is_held = None, False
    with contextlib.suppress(OSError):  # no such folder, or a file system without locks
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        is_held = True
    try:
        yield is_held
    finally:
        if handle is not None:
            os.close(handle)


def _write_all(fresh: Path, files: Iterable[tuple[str, bytes]]) -> tuple[int, int]:
    """Write them with their record; return how many there are, and how many bytes all of it has."""
    size_bytes = 0
    records: dict[str, dict[str, object]] = {}
    for path, data in files:
        if not _PATH.fullmatch(path) or path == RECORD_NAME or path in records:
            raise ValueError(f"{path!r} is no path for a file of a site")
        place = fresh / path
        place.parent.mkdir(parents=True, exist_ok=True)
        _write(place, data)
        size_bytes += len(data)
        records[path] = {"size_bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    record = {"schema_id": _SCHEMA_ID, "schema_version": 1, "files": dict(sorted(records.items()))}
    record_data = json.dumps(record, indent=1).encode() + b"\n"
    _write(fresh / RECORD_NAME, record_data)
    return len(records), size_bytes + len(record_data)


def _write(path: Path, data: bytes) -> None:
    with path.open("xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _foreign_in(folder: Path) -> str | None:
    """The first thing in the folder that we did not write, or not so; None where all of it is ours, or it is empty."""
    record = folder / RECORD_NAME
    if record.is_symlink() or not record.is_file():
        # Without a look below: it may be anybody's home.
        return min((entry.name for entry in folder.iterdir()), default=None)
    known = _recorded(record)
    if known is None:
        return RECORD_NAME
    folders = {parent.as_posix() for path in known for parent in Path(path).parents}
    for entry in sorted(folder.rglob("*")):
        path = entry.relative_to(folder).as_posix()
        if entry == record or (path in folders and entry.is_dir() and not entry.is_symlink()):
            continue
        if path not in known or not _is_unchanged(entry, known[path]):
            return path
    return None


def _recorded(record: Path) -> Mapping[str, str] | None:
    """The SHA-256 of each file by its path; None where that is no record of ours."""
    try:
        if record.stat().st_size > _RECORD_LIMIT_BYTES:
            return None
        document = json.loads(record.read_bytes())
        if (document["schema_id"], document["schema_version"]) != (_SCHEMA_ID, 1):
            return None
        return {str(path): str(entry["sha256"]) for path, entry in document["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _is_unchanged(path: Path, sha256: str) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as stream:
        digest = hashlib.sha256()
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest() == sha256


def _exchange(fresh: Path, target: Path) -> None:
    """Let the two folders change places: in one step where the system can, else with the old one aside for a moment."""
    if _swapped(fresh, target):
        return
    aside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.old")
    target.rename(aside)
    try:
        fresh.rename(target)
    except BaseException:
        aside.rename(target)
        raise
    aside.rename(fresh)


def _swapped(first: Path, second: Path) -> bool:
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):  # another system, or another C library
        return False
    return bool(rename(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE) == 0)


def _delete_own(folder: Path) -> Path | None:
    """Delete the folder that was replaced, file by file, only what is recorded; return where it lies if any stays."""
    known = _recorded(folder / RECORD_NAME) or {}
    for path, sha256 in known.items():
        with contextlib.suppress(OSError):
            if _is_unchanged(folder / path, sha256):
                (folder / path).unlink()
    left = [entry for entry in folder.rglob("*") if not entry.is_dir() and entry != folder / RECORD_NAME]
    if not left:
        (folder / RECORD_NAME).unlink(missing_ok=True)
        for entry in sorted((e for e in folder.rglob("*") if e.is_dir()), reverse=True):
            entry.rmdir()
        folder.rmdir()
        return None
    kept = folder.with_name(folder.name.strip(".").replace(".part", ".kept"))
    folder.rename(kept)
    return kept
