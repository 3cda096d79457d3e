"""Keeps a pytest process from outliving its parent: when the leash (a pipe that the parent holds) ends, so does it."""

from __future__ import annotations

import _thread
import os
import threading
import time

__all__ = ["GRACE_S", "watch_leash"]

GRACE_S = 5.0
"""How long a session may take to close its workers before the process is ended under it."""


def watch_leash(descriptor: int) -> None:
    """Start a thread that waits for the pipe to end, then interrupts the main thread, then leaves no choice."""

    def wait() -> None:
        while os.read(descriptor, 1):
            pass
        _thread.interrupt_main()
        time.sleep(GRACE_S)
        os._exit(130)

    threading.Thread(target=wait, name="leash", daemon=True).start()
