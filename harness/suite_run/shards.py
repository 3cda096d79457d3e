"""Sharing a suite's cases among processes, and the one process that runs a share."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from nesproof.harness.suite_run.definition import SuiteCase
from nesproof.harness.suite_run.lines import CaseLine, EndLine, LineFault, LineReader, ProblemLine

__all__ = ["Shard", "share_out"]

_STOP_GRACE_S = 3.0


def share_out(cases: Sequence[SuiteCase], processes: int) -> list[list[str]]:
    """Case ids for each of at most `processes` shares, evened out by cost; none is empty, order is kept within one."""
    loads = [0.0] * max(1, min(processes, len(cases)))
    owner: dict[str, int] = {}
    for case in sorted(cases, key=lambda c: -c.cost):
        lightest = loads.index(min(loads))
        loads[lightest] += case.cost
        owner[case.id] = lightest
    shares: list[list[str]] = [[] for _ in loads]
    for case in cases:
        shares[owner[case.id]].append(case.id)
    return [share for share in shares if share]


class Shard:
    """One pytest process in a session of its own, so that a Ctrl-C at the terminal reaches the parent alone.

    The process stops when the parent closes its end of the leash, and thus also when the parent is killed.
    """

    def __init__(
        self,
        suite_folder: Path,
        case_ids: Sequence[str],
        *,
        subject: str,
        folder: Path,
        frames_dir: Path,
        call_timeout_s: float,
    ) -> None:
        folder.mkdir(parents=True)
        self.case_ids = tuple(case_ids)
        self.log_path = folder / "pytest.log"
        self._workers_dir = folder / "workers"
        self._workers_dir.mkdir()
        results = folder / "results.jsonl"
        cases = folder / "cases.json"
        cases.write_text(json.dumps(list(case_ids)), encoding="utf-8")
        # An ini file of our own: pytest must not pick up the configuration of wherever it is started.
        ini = folder / "pytest.ini"
        ini.write_text("[pytest]\n", encoding="utf-8")
        leash_read, self._leash = os.pipe()
        command = [
            sys.executable, "-m", "pytest", "-c", str(ini), "--rootdir", str(suite_folder),
            "--import-mode=importlib", "--strict-markers", "-p", "no:cacheprovider",
            "-p", "nesproof.harness.suite_run.plugin", "-q", "--tb=short", "--color=no",
            "--subject", subject, "--subject-timeout", str(call_timeout_s), "--nesproof-cases", str(cases),
            "--nesproof-results", str(results), "--nesproof-frames", str(frames_dir),
            "--nesproof-worker-logs", str(self._workers_dir), "--nesproof-leash", str(leash_read),
            str(suite_folder),
        ]  # fmt: skip
        with self.log_path.open("wb") as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env=_environment(os.environ),
                start_new_session=True,
                pass_fds=(leash_read,),
            )
        os.close(leash_read)
        self._reader = LineReader(results)

    def poll(self) -> Iterator[CaseLine | ProblemLine | EndLine | LineFault]:
        """What the process reported since the last poll."""
        return self._reader.poll()

    @property
    def exit_status(self) -> int | None:
        """The process's exit status, negative for a signal, None while it runs."""
        return self._process.poll()

    @property
    def leftover_bytes(self) -> int:
        """Bytes of a result that was never finished."""
        return self._reader.leftover_bytes

    def stop(self) -> None:
        """Interrupt the process; where it does not go within a few seconds, kill its whole group."""
        self._let_go()
        deadline = time.monotonic() + _STOP_GRACE_S
        while self._process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        """Release what the parent holds; the process has ended."""
        self._let_go()

    def logs(self, most_bytes: int) -> Iterator[tuple[str, bytes]]:
        """Name of pytest's log and of each worker's, and the last `most_bytes` of what it holds."""
        for path in (self.log_path, *sorted(self._workers_dir.iterdir())):
            with path.open("rb") as file:
                file.seek(max(0, path.stat().st_size - most_bytes))
                yield path.stem, file.read(most_bytes)

    def _let_go(self) -> None:
        if self._leash >= 0:
            os.close(self._leash)
            self._leash = -1


def _environment(ours: Mapping[str, str]) -> dict[str, str]:
    """The environment without what would change pytest or switch assertions off."""
    dropped = {"PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTHONOPTIMIZE", "PYTHONWARNINGS", "PYTHONBREAKPOINT"}
    kept = {name: value for name, value in ours.items() if name not in dropped and not name.startswith("PYTEST_")}
    return {**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
