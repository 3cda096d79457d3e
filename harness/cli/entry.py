"""Where `nesproof` begins: importing the rest takes a moment, and a Ctrl-C in it is answered as one later is."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["left_at_once", "main"]

_INTERRUPTED = 130
"""As in `ExitCode`, which is not imported yet."""


def main() -> None:
    """Run the command line on `sys.argv`; leaves by `SystemExit` with the documented exit code."""
    try:
        with left_at_once():
            from nesproof.harness.cli.app import main as run
        run()
    except KeyboardInterrupt:
        _leave()


@contextmanager
def left_at_once() -> Iterator[None]:
    """While the block imports, an interruption ends the process: there is nothing yet to be put in order, and what is
    imported may make anything of an exception in its midst. Where it is ignored, or handled otherwise, it stays so.
    """
    usual = signal.getsignal(signal.SIGINT)
    if usual is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: _leave())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def _leave() -> None:
    with suppress(OSError):  # nobody is there to be told
        os.write(2, b"nesproof: Interrupted.\n")
    os._exit(_INTERRUPTED)
