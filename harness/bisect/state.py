"""What is kept of a bisection under way: one document, written anew whole after each step, under a lock of its own."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from nesproof.harness.claims.model import Claim
from nesproof.harness.errors import ConfigurationError, first_fault
from nesproof.harness.evidence.bisection import Bisection
from nesproof.harness.home import nesproof_home
from nesproof.harness.whole_file import write_whole

__all__ = ["BisectionRunning", "Journal", "bisection_key", "bisections_folder", "held_journal"]

_FILE_LIMIT_BYTES = 512 << 20


class BisectionRunning(ConfigurationError):
    """Another process has the same bisection in hand."""


def bisections_folder() -> Path:
    """Where bisections are kept, a folder each."""
    return nesproof_home() / "bisect"


def bisection_key(claim: Claim, *, good: str, bad: str, first_parent: bool, repository: Path) -> str:
    """What makes two bisections one: the claim, word for word, both ends, the path between them and the repository."""
    parts = [claim.model_dump(mode="json"), good, bad, first_parent, str(repository.resolve())]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:24]


class Journal:
    """The folder of one bisection. `document.json` in it is there whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / "document.json"

    def read(self) -> Bisection | None:
        """What was kept, or None.

        Raises:
            ConfigurationError: it is no document of this version.
        """
        try:
            with self._path.open("rb") as stream:
                data = stream.read(_FILE_LIMIT_BYTES + 1)
        except FileNotFoundError:
            return None
        try:
            return Bisection.model_validate_json(data)
        except ValidationError as fault:
            raise ConfigurationError(
                f"What was kept of this bisection cannot be read ({first_fault(fault)}); --restart begins anew."
            ) from fault

    def write(self, document: Bisection) -> None:
        """Keep it: on the disk before this returns.

        Raises:
            OSError: no space; what was kept before is untouched.
        """
        write_whole(self._path, document.model_dump_json().encode())
        with contextlib.suppress(OSError):  # some file systems refuse to flush a folder
            handle = os.open(self.folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)

    def discard(self) -> None:
        """Throw away what was kept; the lock stays."""
        for entry in self.folder.iterdir():
            if entry.name != "lock":
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


@contextmanager
def held_journal(key: str) -> Iterator[Journal]:
    """The journal of that bisection, which is this process's alone for the length of the block.

    Raises:
        BisectionRunning: another process has it.
        OSError: the folder cannot be made.
    """
    folder = bisections_folder() / key
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BisectionRunning(
                "The same bisection is under way in another process; wait for it to end, or end it."
            ) from None
        yield Journal(folder)
