"""Running a command that a stranger's change decides: a build, a worker's run under other rooms.

The command gets a short list of environment variables and none of the user's tokens, a home and a temporary folder of
its own, a session of its own that ends as a whole when it is done, out of its limits, interrupted, or when this process
is gone in whatever way. It is no sandbox: it may read what this user may read, and use the network; docs/gating.md says
what to do where that is too much.

Memory is bounded twice: each process by RLIMIT_DATA, which counts what it has made writable (the address space is no
measure, since compilers, sanitizers and CUDA reserve far more than they use), and all of them together by looking.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil

from nesproof.harness.plain_text import plain_line
from nesproof.harness.subjects.environment import worker_environment
from nesproof.harness.subjects.guard import LIMITS_VARIABLE
from nesproof.harness.subjects.process import GuardedProcess, describe_status

__all__ = ["Ended", "Limits", "limits_environment", "run_limited"]

_LOOK_S = 0.1
_BEAT_S = 15.0
_TAIL_BYTES = 65_536
_TAIL_LINES = 40

Stopped = Literal["time", "memory", "output", "processes"]


@dataclass(frozen=True)
class Limits:
    """What a command may use: bytes of memory of all its processes together, seconds, bytes that it prints, bytes of
    one file that it writes, processes at once.
    """

    memory_bytes: int = 8 << 30
    seconds: float = 1_800.0
    output_bytes: int = 64 << 20
    file_bytes: int = 1 << 30
    processes: int = 512


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit status (negative: the signal), the last lines that it printed, and which limit
    stopped it, or None.
    """

    status: int
    tail: str
    why_stopped: Stopped | None = None

    @property
    def well(self) -> bool:
        """True where it ended by itself with status 0."""
        return self.status == 0 and self.why_stopped is None

    def in_words(self, limits: Limits) -> str:
        """Why it did not end well, as a clause."""
        words = {
            "time": f"it took longer than {limits.seconds:.0f} seconds",
            "memory": f"it used more than {limits.memory_bytes >> 20} MiB of memory",
            "output": f"it printed more than {limits.output_bytes >> 20} MiB",
            "processes": f"it ran more than {limits.processes} processes at once",
        }
        return describe_status(self.status) if self.why_stopped is None else words[self.why_stopped]


def limits_environment(limits: Limits) -> dict[str, str]:
    """The variable that holds guarded processes, such as subjects' workers, to the limits of one process; the process
    that starts them has it in its own environment.
    """
    return {LIMITS_VARIABLE: f"data={limits.memory_bytes},file={limits.file_bytes}"}


def run_limited(
    command: Sequence[str],
    *,
    cwd: Path,
    environment: Mapping[str, str] | None = None,
    limits: Limits = Limits(),
    place: Path | None = None,
    log: Path | None = None,
    on_line: Callable[[str], None] | None = None,
    on_beat: Callable[[float], None] | None = None,
    look_s: float = _LOOK_S,
    grace_s: float = 0.0,
) -> Ended:
    """Run the command to its end or to a limit's; `environment` is added to the short list that every command gets.

    Its home and its temporary files lie in a folder that is made in `place` (None: where the system wants temporary
    files) and goes with it. What it prints is kept in `log`, which is written anew, where one is given; `on_line` hears
    each line of it, made plain, while it runs, and `on_beat` every quarter of a minute for how many seconds. It is
    looked at every `look_s` seconds: what is timed must not be disturbed by that. KeyboardInterrupt ends the command
    too: it is interrupted itself, and has `grace_s` seconds to leave.

    Raises:
        OSError: no space, or the folder cannot be written.
    """
    scratch = Path(tempfile.mkdtemp(prefix="nesproof-run-", dir=place))
    try:
        with tempfile.TemporaryFile(dir=scratch) if log is None else log.open("wb+") as output:
            process = GuardedProcess(
                list(command),
                log=output,
                environment={
                    **worker_environment(scratch=str(scratch)),
                    **(environment or {}),
                    **limits_environment(limits),
                },
                scratch=str(scratch),
                cwd=str(cwd),
            )
            lines = _Lines(output.fileno(), on_line)
            try:
                status, stopped = _watched(process, output.fileno(), limits, (lines, _Beats(on_beat)), look_s)
            except KeyboardInterrupt:
                if grace_s:
                    _interrupt(process, grace_s)
                raise
            finally:
                process.kill()
            lines.take(ended=True)
            return Ended(status, _tail(output.fileno()), stopped)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


class _Lines:
    """Hands on what is printed, line by line, as it comes."""

    def __init__(self, output: int, on_line: Callable[[str], None] | None) -> None:
        self._output, self._on_line, self._at = output, on_line, 0

    def take(self, *, ended: bool = False) -> None:
        """Hand on the lines that are complete; once it has `ended`, what is left too."""
        while self._on_line is not None:
            data = os.pread(self._output, _TAIL_BYTES, self._at)
            whole = data if ended or len(data) == _TAIL_BYTES else data[: data.rfind(b"\n") + 1]
            if not whole:
                return
            self._at += len(whole)
            for line in whole.decode("utf-8", "replace").splitlines():
                self._on_line(plain_line(line))


def _interrupt(process: GuardedProcess, grace_s: float) -> None:
    """Pass the interruption on to the command, which has so long to keep what it has and leave."""
    with suppress(psutil.Error):
        for child in psutil.Process(process.pid).children():
            child.send_signal(signal.SIGINT)
    process.wait(grace_s)


class _Beats:
    """Tells now and then how long it has been."""

    def __init__(self, on_beat: Callable[[float], None] | None) -> None:
        self._on_beat, self._started, self._told = on_beat, time.monotonic(), 0.0

    def take(self) -> None:
        """Tell, where it is time."""
        elapsed_s = time.monotonic() - self._started
        if self._on_beat is not None and elapsed_s - self._told >= _BEAT_S:
            self._told = elapsed_s
            self._on_beat(elapsed_s)


def _watched(
    process: GuardedProcess, output: int, limits: Limits, told: tuple[_Lines | _Beats, ...], look_s: float
) -> tuple[int, Stopped | None]:
    ends = time.monotonic() + limits.seconds
    while True:
        status = process.wait(look_s)
        for one in told:
            one.take()
        if os.fstat(output).st_size > limits.output_bytes:
            return process.kill(), "output"
        if status is not None:
            return status, None
        if time.monotonic() > ends:
            return process.kill(), "time"
        used, processes = _use(process.pid)
        if used > limits.memory_bytes:
            return process.kill(), "memory"
        if processes > limits.processes:
            return process.kill(), "processes"


def _use(pid: int) -> tuple[int, int]:
    """Bytes and number of the processes below that one."""
    used = processes = 0
    with suppress(psutil.Error):
        for child in psutil.Process(pid).children(recursive=True):
            processes += 1
            with suppress(psutil.Error):
                used += child.memory_info().rss
    return used, processes


def _tail(output: int) -> str:
    start = max(0, os.fstat(output).st_size - _TAIL_BYTES)
    lines = os.pread(output, _TAIL_BYTES, start).decode("utf-8", "replace").splitlines()
    return "\n".join(lines[-_TAIL_LINES:])
