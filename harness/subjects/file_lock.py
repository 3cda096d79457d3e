"""A lock between processes that its holder cannot leave behind: the kernel lets go of it when the process ends."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["held_lock"]

POLL_S = 0.2


@contextmanager
def held_lock(path: Path, *, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock at `path` for the length of the block; call `waiting` once if another process has it.

    The file stays: removing it would let two processes lock two files of one name.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as lock:
        told = False
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not told:
                    waiting()
                    told = True
                time.sleep(POLL_S)
        yield
