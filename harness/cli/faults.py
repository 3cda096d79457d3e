"""From a fault to what a person sees: one sentence on stderr, and the documented exit code."""

from __future__ import annotations

import contextlib
import errno
import sys
from collections.abc import Iterator
from typing import Any

from typer.core import TyperGroup

from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.cli.streams import is_reader_gone, settle_stdout, silence_stdout
from nesproof.harness.home import nesproof_home
from nesproof.harness.plain_text import plain_line

__all__ = ["FaultMappingGroup", "exit_code_for", "faults_mapped", "sentence_for"]


class FaultMappingGroup(TyperGroup):
    """A command group whose commands may raise: a known fault becomes a sentence and an exit code, without a traceback.

    An unknown exception is a bug in nesproof and keeps its traceback (exit code 5, never 1: 1 means that a claim
    failed).
    """

    def invoke(self, ctx: Any) -> Any:
        """Run the command; map what it raises."""
        with faults_mapped():
            return super().invoke(ctx)


@contextlib.contextmanager
def faults_mapped() -> Iterator[None]:
    """The block ends normally, by what the command-line library raises, or by `SystemExit` with a documented code."""
    try:
        yield
        # Here, and not by the interpreter on its way out, which would answer a full disk with a code of its own.
        sys.stdout.flush()
    except (Exception, KeyboardInterrupt, SystemExit) as fault:
        if _is_interruption(fault):
            _say("Interrupted.")
            raise SystemExit(int(ExitCode.INTERRUPTED)) from None
        if is_reader_gone(fault):
            silence_stdout()
            raise SystemExit(int(ExitCode.ERROR)) from None
        if isinstance(fault, SystemExit):
            if not settle_stdout() and not fault.code:
                raise SystemExit(int(ExitCode.ERROR)) from None
            raise
        code = exit_code_for(fault)
        if code is None:
            if _is_command_line_fault(fault):
                raise
            with contextlib.suppress(Exception):
                sys.excepthook(type(fault), fault, fault.__traceback__)
            raise SystemExit(int(ExitCode.ERROR)) from None
        settle_stdout()
        _say(sentence_for(fault))
        raise SystemExit(code) from None


def exit_code_for(fault: BaseException) -> int | None:
    """The exit code of a fault that is meant for people, or None where it is a bug.

    Every exception class of ours names its `exit_code`; those of the cartridge loader and the manifest are about
    what the user handed in, so that 2 is their default.
    """
    if type(fault).__module__.startswith("nesproof."):
        return int(getattr(fault, "exit_code", ExitCode.USAGE))
    if isinstance(fault, OSError) and fault.errno == errno.ENAMETOOLONG:
        return int(ExitCode.USAGE)
    if isinstance(fault, (OSError, MemoryError)):
        return int(ExitCode.ERROR)
    return None


def sentence_for(fault: BaseException) -> str:
    """One sentence for a person; the operating system's faults are put into words."""
    if isinstance(fault, OSError) and not type(fault).__module__.startswith("nesproof."):
        where = f" at {plain_line(str(fault.filename), limit=300)}" if fault.filename else ""
        if fault.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
            return f"There is no space left{where}; free some, or choose another folder{_ours(fault)}."
        if fault.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
            return f"Permission denied{where}; choose another folder{_ours(fault)}."
        if fault.errno in {errno.ENOTDIR, errno.EEXIST}:
            return f"A file stands where a folder must be{where}; remove it, or choose another folder{_ours(fault)}."
        if fault.errno == errno.EISDIR:
            return f"A folder stands where a file must be{where}; remove it, or choose another folder{_ours(fault)}."
        return f"The system refused{where}: {fault.strerror or fault}."
    if isinstance(fault, MemoryError):
        return "There is not enough memory for this; end other programs, or allow this one more."
    return str(fault)


def _ours(fault: OSError) -> str:
    """How to choose the folder, where it is nesproof's own."""
    own = str(nesproof_home())
    return " by NESPROOF_HOME" if fault.filename and str(fault.filename).startswith(own) else ""


def _is_interruption(leaving: BaseException) -> bool:
    """True for a Ctrl-C of which nothing is said yet.

    The command-line library turns one that comes outside the command itself into a silent exit.
    """
    by_library = leaving.__context__ if isinstance(leaving, SystemExit) else None
    return isinstance(leaving, KeyboardInterrupt) or (
        by_library is not None
        and _is_command_line_fault(by_library)
        and isinstance(by_library.__cause__, KeyboardInterrupt)
    )


def _is_command_line_fault(fault: BaseException) -> bool:
    """True for what the command-line library raises to say "usage", "exit" or "abort"."""
    return type(fault).__module__.split(".")[0] in {"click", "typer"}


def _say(sentence: str) -> None:
    # Where stderr is full or gone as well, the exit code is all that can be said.
    with contextlib.suppress(OSError, ValueError):
        print(f"nesproof: {plain_line(sentence, limit=4_000)}", file=sys.stderr, flush=True)
