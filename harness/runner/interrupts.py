"""Ctrl-C, SIGTERM, a closed terminal: the first stops the measuring, what was measured is kept; the second leaves."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from nesproof.harness.claims.verdict import ExitCode

__all__ = ["Interrupts"]


class Interrupts:
    """Counts signals. While `measuring()` the first raises KeyboardInterrupt; the second ends the process."""

    def __init__(self) -> None:
        self.count = 0
        self._measuring = False

    @contextmanager
    def handled(self) -> Iterator[Interrupts]:
        """Install the handlers for the time of the block; only the main thread can."""
        kinds = [signal.SIGINT, signal.SIGTERM]
        # Under nohup a closed terminal is to be ignored.
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            kinds.append(signal.SIGHUP)
        previous = {kind: signal.signal(kind, self._handle) for kind in kinds}
        try:
            yield self
        finally:
            for kind, handler in previous.items():
                signal.signal(kind, handler)

    @contextmanager
    def measuring(self) -> Iterator[None]:
        """The block may be interrupted; outside it the first signal only asks for patience."""
        if self.count:
            raise KeyboardInterrupt
        self._measuring = True
        try:
            yield
        finally:
            self._measuring = False

    def _handle(self, _kind: int, _frame: FrameType | None) -> None:
        self.count += 1
        if self.count > 1:
            # Workers notice that their parent is gone; a half-written bundle is hidden, and the next run removes it.
            _say("Left at once; nothing of this run was kept.")
            os._exit(int(ExitCode.INTERRUPTED))
        if self._measuring:
            _say("Stopping; what was measured by now is kept. Once more to leave at once.")
            raise KeyboardInterrupt
        _say("Not now: once more to leave at once.")


def _say(sentence: str) -> None:
    # Straight to the descriptor: the signal may have come in the middle of a write to the buffered stream.
    # Where the terminal is gone there is nobody to tell.
    with suppress(OSError):
        os.write(2, f"\n{sentence}\n".encode())
