"""The three standard streams, made fit for use however the process was started, and however its reader leaves."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator

__all__ = ["is_reader_gone", "make_streams_usable", "reader_may_leave", "settle_stdout", "silence_stdout"]


def make_streams_usable() -> None:
    """Open what was closed (`nesproof ... >&-`), and let no character be unwritable.

    A closed descriptor would be given to the next file or pipe that is opened, and what is meant for a person would
    be written into that.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < 3:  # the lowest free number is given out
        pass
    os.close(descriptor)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - lives as long as the process
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    # A file's name may hold what the terminal's encoding, or any, has no bytes for.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    if sys.stderr is None or isinstance(sys.stderr, io.TextIOWrapper):
        encoding = "utf-8" if sys.stderr is None else sys.stderr.encoding
        unbuffered = open(2, "wb", buffering=0, closefd=False)  # noqa: SIM115
        sys.stderr = _Stderr(unbuffered, encoding=encoding, errors="backslashreplace", write_through=True)


class _Stderr(io.TextIOWrapper):
    """Stderr is for people alone: that its terminal, pipe or disk is gone must not end what is being measured."""

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            super().flush()


def is_reader_gone(leaving: BaseException) -> bool:
    """True where the reader of stdout or stderr left (`nesproof ... | head -1`).

    The libraries that print turn that into "exit with 1", which here means that a claim failed.
    """
    return isinstance(leaving, BrokenPipeError) or (
        isinstance(leaving, SystemExit) and isinstance(leaving.__context__, BrokenPipeError)
    )


@contextlib.contextmanager
def reader_may_leave() -> Iterator[None]:
    """A block that prints what is also kept elsewhere: that nobody reads on is no fault of the run."""
    try:
        yield
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit) as leaving:
        if not is_reader_gone(leaving):
            raise
        silence_stdout()


def settle_stdout() -> bool:
    """Write what stdout still holds; where that fails (its disk is full), drop it and return False."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        silence_stdout()
        return False
    return True


def silence_stdout() -> None:
    """Point stdout at nothing, so that the interpreter's last flush cannot complain."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
