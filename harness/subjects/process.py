"""A subject's process: started under a guard, in a session of its own, with a private pair of pipes.

What the process prints goes to a log file and never to the protocol. It ends with the harness, however the harness
ends: the guard (`guard.py`) holds the read end of a pipe whose write end lives here alone.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO

from nesproof.harness.subjects import guard
from nesproof.harness.subjects.channel import Channel
from nesproof.harness.subjects.environment import worker_environment

__all__ = ["LEAVE_S", "GuardedProcess", "WorkerProcess", "describe_status"]

TAIL_BYTES = 16_384
TAIL_LINES = 20
END_S = 5.0
LEAVE_S = 1.0


class GuardedProcess:
    """A command that runs under the guard until it ends, `kill` is called, or this process is gone."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        log: IO[bytes],
        environment: dict[str, str],
        scratch: str = "",
        pass_fds: tuple[int, ...] = (),
        cwd: str | None = None,
    ) -> None:
        lifeline, self._lifeline = os.pipe()
        if pass_fds:
            environment = {**environment, "NESPROOF_SUBJECT_FDS": ",".join(map(str, pass_fds))}
        try:
            self._guard = subprocess.Popen(
                [sys.executable, "-I", "-S", guard.__file__, str(lifeline), scratch, *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
                cwd=cwd,
                pass_fds=(lifeline, *pass_fds),
                start_new_session=True,
            )
        except BaseException:
            os.close(self._lifeline)
            raise
        finally:
            os.close(lifeline)

    @property
    def pid(self) -> int:
        """Process id of the guard; the command is its child."""
        return self._guard.pid

    def wait(self, timeout_s: float) -> int | None:
        """The exit status (negative: the signal) once the command has ended; None if it runs on."""
        try:
            return self._guard.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> int:
        """End the command and everything that it started; the exit status. Idempotent."""
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1
        status = self.wait(END_S)
        if status is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._guard.pid, signal.SIGKILL)
            status = self._guard.wait()
        return status


class WorkerProcess:
    """A subject's process with its channel and its log.

    `log_path` is appended to; where None, the log is a temporary file that goes with the process.
    """

    def __init__(self, command: Sequence[str], *, log_path: Path | None, passed: Iterable[str] = ()) -> None:
        if log_path is None:
            self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `end`
        else:
            self._log = log_path.open("ab+")
        self._log_start = os.fstat(self._log.fileno()).st_size
        scratch = tempfile.mkdtemp(prefix="nesproof-subject-")
        request_read, request_write = os.pipe()
        response_read, response_write = os.pipe()
        self.channel = Channel(response_read, request_write)
        try:
            self._process = GuardedProcess(
                command,
                log=self._log,
                environment=worker_environment(scratch=scratch, passed=passed),
                scratch=scratch,
                pass_fds=(request_read, response_write),
                cwd=scratch,
            )
        except BaseException:
            self.channel.close()
            self._log.close()
            shutil.rmtree(scratch, ignore_errors=True)
            raise
        finally:
            os.close(request_read)
            os.close(response_write)

    @property
    def guard_pid(self) -> int:
        """Process id of the guard; the worker is its child."""
        return self._process.pid

    def wait(self, timeout_s: float) -> str | None:
        """How the process ended ("exit status 3", "signal 9 (SIGKILL)"), or None if it runs on after `timeout_s`."""
        status = self._process.wait(timeout_s)
        return None if status is None else describe_status(status)

    def end(self) -> None:
        """Close the pipes and kill whatever is left. Idempotent; the tail of the log stays readable until `close`."""
        self.channel.close()
        self._process.kill()

    def close(self, *, leave_s: float = LEAVE_S) -> None:
        """Let the process see the end of its requests and leave by itself, kill what then is left, close the log."""
        self.channel.close()
        self._process.wait(leave_s)
        self.end()
        self._log.close()

    def tail(self) -> str:
        """The last lines that this process printed."""
        if self._log.closed:
            return ""
        # The worker writes through the same open file: reading must not move its position.
        fd = self._log.fileno()
        start = max(self._log_start, os.fstat(fd).st_size - TAIL_BYTES)
        lines = os.pread(fd, TAIL_BYTES, start).decode("utf-8", "replace").splitlines()
        return "\n".join(lines[-TAIL_LINES:])


def describe_status(status: int) -> str:
    """An exit status in words; negative is a signal."""
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"signal {-status} ({signal.Signals(-status).name})"
    except ValueError:
        return f"signal {-status}"
