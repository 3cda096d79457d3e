"""Where evidence lies: one folder a bundle, in the user's data folder or in one of the user's choice.

A bundle appears whole or not at all: it is written into a hidden folder beside its place, flushed to the disk and
renamed. What is there already is never touched.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import time
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path

import psutil

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.home import nesproof_home
from nesproof.harness.whole_file import name_place

__all__ = ["Store", "default_store"]

_PARTIAL = ".partial-"
_ABANDONED_AFTER_S = 3_600


def default_store() -> Store:
    """The store under `nesproof_home()`."""
    return Store(nesproof_home() / "evidence")


class Store:
    """A folder of bundles."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def prepare(self) -> None:
        """Make the folder, prove that it can be written, and remove what dead runs left half-written.

        Raises:
            OSError: the folder cannot be made or written: better now than after the measuring.
        """
        self.root.mkdir(parents=True, exist_ok=True)
        probe = self.root / f"{_PARTIAL}{os.getpid()}-{secrets.token_hex(4)}"
        probe.mkdir()
        (probe / "probe").write_bytes(b"x" * 4096)
        shutil.rmtree(probe)
        for leftover in self.root.glob(f"{_PARTIAL}*"):
            if _is_abandoned(leftover):
                shutil.rmtree(leftover, ignore_errors=True)

    def save(self, files: Mapping[str, bytes], *, created: datetime, short_id: str) -> Path:
        """Write a bundle's files (paths one folder deep at most) and return its folder, named by date and short id.

        Raises:
            OSError: the disk is full or the folder not writable; nothing of the bundle is left then.
        """
        partial = self.root / f"{_PARTIAL}{os.getpid()}-{secrets.token_hex(4)}"
        try:
            partial.mkdir(parents=True)
            for name, data in files.items():
                path = partial / name
                path.parent.mkdir(exist_ok=True)
                _write_durably(path, data)
            for folder in {(partial / name).parent for name in files} | {partial}:
                _flush_folder(folder)
            final = self._rename(partial, f"{created.astimezone(timezone.utc):%Y-%m-%dT%H%M%SZ}-{short_id}")
        except BaseException as fault:
            shutil.rmtree(partial, ignore_errors=True)
            name_place(fault, self.root, made_as=partial)
            raise
        _flush_folder(self.root)
        return final

    def bundles(self) -> list[Path]:
        """The bundles' folders, oldest first."""
        if not self.root.is_dir():
            return []
        return sorted(p for p in self.root.iterdir() if not p.name.startswith(".") and (p / "manifest.json").is_file())

    def find(self, name: str) -> Path:
        """The bundle whose folder name starts or ends with `name`; "latest" is the newest.

        Raises:
            ConfigurationError: none or several match.
        """
        bundles = self.bundles()
        if name == "latest":
            matches = bundles[-1:]
        else:
            matches = [b for b in bundles if b.name == name or b.name.startswith(name) or b.name.endswith(name)]
        if len(matches) == 1:
            return matches[0]
        if not matches:
            raise ConfigurationError(
                f"There is no evidence {name!r} in {self.root}; `nesproof evidence list` lists it."
            )
        raise ConfigurationError(f"{len(matches)} bundles match {name!r}; give more of the name.")

    def _rename(self, partial: Path, name: str) -> Path:
        # Renaming onto a folder that holds something fails, so that two runs of one second cannot clobber each other.
        for attempt in range(100):
            final = self.root / (name if attempt == 0 else f"{name}-{attempt + 1}")
            if final.exists():
                continue
            try:
                return partial.rename(final)
            except OSError as fault:
                if fault.errno not in {errno.EEXIST, errno.ENOTEMPTY}:
                    raise
        raise FileExistsError(errno.EEXIST, "no free name for evidence", str(self.root / name))


def _is_abandoned(leftover: Path) -> bool:
    """True for what a process left that is gone. Containers may share a store but no process ids: hence the age."""
    owner = leftover.name.removeprefix(_PARTIAL).split("-")[0]
    try:
        age_s = time.time() - leftover.stat().st_mtime
    except OSError:
        return False
    return owner.isdigit() and not psutil.pid_exists(int(owner)) and age_s > _ABANDONED_AFTER_S


def _write_durably(path: Path, data: bytes) -> None:
    with path.open("xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _flush_folder(folder: Path) -> None:
    # Some file systems (and Windows) refuse to flush a folder; the rename is then as safe as they make it.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
