"""Running one suite on one subject, in pytest processes of its own; whatever happens, what was measured is kept."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.evidence.model import CaseResult, SuiteRun
from nesproof.harness.suite_run.definition import SuiteDefinition, load_suite, suite_folder
from nesproof.harness.suite_run.lines import CaseLine, EndLine, LineFault, ProblemLine, plain
from nesproof.harness.suite_run.shards import Shard, share_out

__all__ = ["SuiteInterrupted", "run_suite"]

_POLL_S = 0.03
_LOG_BYTES = 400_000
_PYTEST_RAN = {0, 1}
"""pytest's exit statuses for "all passed" and "some failed"; any other means that it did not get through."""


class SuiteInterrupted(KeyboardInterrupt):
    """Ctrl-C while a suite ran; `run` holds what was measured before it."""

    def __init__(self, run: SuiteRun) -> None:
        super().__init__(f"The suite {run.suite} was interrupted.")
        self.run = run


def run_suite(
    name: str,
    *,
    subject: str,
    cases: tuple[str, ...],
    work_dir: Path,
    timeout_s: float,
    jobs: int = 1,
    call_timeout_s: float = 60.0,
    progress: Callable[[CaseResult], None] | None = None,
    stop: threading.Event | None = None,
) -> SuiteRun:
    """Run `cases` of a suite on a subject; returns the run, whatever became of it.

    Pictures go to `work_dir/frames`, the log to `work_dir/logs`. `timeout_s` bounds the whole run and `call_timeout_s`
    one call to the subject, both in seconds; `jobs` processes share the cases. `progress` gets each result as it
    comes, in this thread. Setting `stop` ends the run from another thread.

    A run that broke (timeout, pytest died, results missing or malformed, stopped) has `problem` set; its `cases` are
    those that ended before. No cases is a problem, never a pass.

    Raises:
        ConfigurationError: there is no such suite, or it has no such case.
        SuiteInterrupted: Ctrl-C; its `run` is what would have been returned.
    """
    definition = load_suite(name)
    _require_known(definition, cases)
    started = time.monotonic()
    gathering = _Gathering(definition, subject, cases, progress)
    if not cases:
        gathering.problems.append("No case was selected.")
        return gathering.finish(started, None)
    work_dir.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="suite-", dir=work_dir) as temporary:
        shares = share_out([definition[case_id] for case_id in cases], jobs)
        shards: list[Shard] = []
        interrupted = False
        try:
            for number, share in enumerate(shares):
                shard = Shard(
                    suite_folder(name),
                    share,
                    subject=subject,
                    folder=Path(temporary) / f"{number}",
                    frames_dir=work_dir / "frames",
                    call_timeout_s=call_timeout_s,
                )
                shards.append(shard)
            gathering.follow(shards, deadline=started + timeout_s, timeout_s=timeout_s, stop=stop)
        except KeyboardInterrupt:
            interrupted = True
            gathering.problems.append("Interrupted.")
        finally:
            for shard in shards:
                if shard.exit_status is None:
                    shard.stop()
                gathering.take(shard)
                shard.close()
        log = _write_log(work_dir, f"suite-{name}-{subject}.txt", shards)
        run = gathering.finish(started, log)
    if interrupted:
        raise SuiteInterrupted(run)
    return run


class _Gathering:
    """What the shards of one run have reported so far."""

    def __init__(
        self,
        definition: SuiteDefinition,
        subject: str,
        expected: tuple[str, ...],
        progress: Callable[[CaseResult], None] | None,
    ) -> None:
        self.definition = definition
        self.subject = subject
        self.expected = expected
        self.problems: list[str] = []
        self._results: dict[str, CaseResult] = {}
        self._ends: dict[int, EndLine] = {}
        self._explained = False
        self._progress = progress

    def follow(
        self, shards: Sequence[Shard], *, deadline: float, timeout_s: float, stop: threading.Event | None
    ) -> None:
        """Read along until every shard has ended, the time is up, or somebody says stop."""
        while any(shard.exit_status is None for shard in shards):
            for shard in shards:
                self.take(shard)
            if stop is not None and stop.is_set():
                self.problems.append("Interrupted.")
                return
            if time.monotonic() > deadline:
                said = "".join(_last_words(shard) for shard in shards if shard.exit_status is None)
                self.problems.append(f"The suite did not end within {timeout_s:g} seconds.{said}")
                return
            time.sleep(_POLL_S)
        for shard in shards:
            self.take(shard)
            self._check_end(shard)

    def take(self, shard: Shard) -> None:
        """Take what a shard has reported since the last time."""
        for line in shard.poll():
            if isinstance(line, CaseLine):
                self._take_case(line.result, shard)
            elif isinstance(line, ProblemLine):
                self.problems.append(line.text)
                self._explained = True
            elif isinstance(line, EndLine):
                self._ends[id(shard)] = line
            elif isinstance(line, LineFault):
                self.problems.append(f"The pytest process wrote a line that is no result: {line}")

    def _take_case(self, result: CaseResult, shard: Shard) -> None:
        if result.id not in shard.case_ids:
            self.problems.append(f"A result came for {plain(result.id, limit=200)!r}, which was not asked for.")
        elif result.id in self._results:
            self.problems.append(f"Two results came for {result.id!r}.")
        else:
            self._results[result.id] = result
            if self._progress is not None:
                self._progress(result)

    def _check_end(self, shard: Shard) -> None:
        status, end = shard.exit_status, self._ends.get(id(shard))
        if status is not None and status < 0:
            self.problems.append(f"The pytest process was ended by signal {-status}.")
        elif status not in _PYTEST_RAN:
            # Where the session itself said why, the end of its log would say it again.
            tail = "" if self._explained else _tail(shard.log_path)
            self.problems.append(f"The pytest process ended with status {status}.{tail}")
        elif end is None or end.exit_status != status:
            self.problems.append("The pytest process ended without saying that it was through.")
        if shard.leftover_bytes:
            self.problems.append("The last result was cut off.")
        reported = [self._results[case_id] for case_id in shard.case_ids if case_id in self._results]
        all_well = all(result.outcome in {"passed", "skipped"} for result in reported)
        if status in _PYTEST_RAN and all_well != (status == 0):
            self.problems.append(f"pytest ended with status {status}, which its results contradict.")

    def finish(self, started: float, log: str | None) -> SuiteRun:
        """The run as evidence."""
        if missing := [case_id for case_id in self.expected if case_id not in self._results]:
            more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
            self.problems.append(f"No result came for {', '.join(missing[:3])}{more}.")
        return SuiteRun(
            id=f"{self.definition.name}.{self.subject}",
            suite=self.definition.name,
            title=self.definition.title,
            oracle=self.definition.oracle,
            subject=self.subject,
            expected=self.expected,
            cases=tuple(self._results[case_id] for case_id in self.expected if case_id in self._results),
            problem=plain("\n".join(dict.fromkeys(self.problems))) if self.problems else None,
            duration_s=round(time.monotonic() - started, 3),
            log=log,
        )


def _require_known(definition: SuiteDefinition, cases: tuple[str, ...]) -> None:
    known = {case.id for case in definition.cases}
    if unknown := [case_id for case_id in cases if case_id not in known]:
        raise ConfigurationError(f"Suite {definition.name} has no case {unknown[0]!r}; its suite.toml lists them.")
    if len(set(cases)) != len(cases):
        raise ConfigurationError(f"A case of suite {definition.name} was asked for twice.")


def _tail(log_path: Path) -> str:
    return _shown(log_path.read_bytes()[-4_000:])


def _last_words(shard: Shard) -> str:
    """What the subjects of a process printed last, where they printed anything."""
    found = [_shown(content) for title, content in shard.logs(4_000) if title != shard.log_path.stem]
    said = "".join(found)
    return f" The subject last printed:{said}" if said else ""


def _shown(content: bytes) -> str:
    lines = content.decode("utf-8", "replace").strip().splitlines()
    return "".join(f"\n  {plain(line, limit=400)}" for line in lines[-8:])


def _write_log(work_dir: Path, file_name: str, shards: Sequence[Shard]) -> str:
    """One log of all that the processes printed, without what steers a terminal."""
    parts: list[str] = []
    for number, shard in enumerate(shards):
        for title, content in shard.logs(_LOG_BYTES):
            if content.strip():
                shown = content.decode("utf-8", "replace")
                parts.append(f"--- process {number + 1}: {title}\n{plain(shown, limit=_LOG_BYTES)}\n")
    folder = work_dir / "logs"
    folder.mkdir(exist_ok=True)
    (folder / file_name).write_text("\n".join(parts), encoding="utf-8")
    return f"logs/{file_name}"
