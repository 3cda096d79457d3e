"""The temporary folder of a run. One that was left at once cannot remove its own: the next run does."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

__all__ = ["work_folder"]

_PREFIX = "nesproof-run-"


@contextmanager
def work_folder() -> Iterator[Path]:
    """A new folder with a folder `logs` in it, removed afterwards."""
    _remove_leftovers(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{os.getpid()}-") as folder:
        (Path(folder) / "logs").mkdir()
        yield Path(folder)


def _remove_leftovers(parent: Path) -> None:
    for leftover in parent.glob(f"{_PREFIX}*"):
        owner = leftover.name.removeprefix(_PREFIX).split("-")[0]
        # The folder for temporary files is everybody's: only a real folder of this user's is touched.
        with contextlib.suppress(OSError):
            ours = not leftover.is_symlink() and leftover.is_dir() and leftover.stat().st_uid == os.getuid()
            if ours and owner.isdigit() and not psutil.pid_exists(int(owner)):
                shutil.rmtree(leftover, ignore_errors=True)
