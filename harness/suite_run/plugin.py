"""The pytest plugin under which suites run.

A suite is a folder with `suite.toml` (the cases) and `test_<name>.py`. A test function takes `case` and is run once for
each case of its kind: `@pytest.mark.cases("kind")`, `"case"` where it is not marked. It may take `subject`, `roms` (the
bytes of the case's ROMs by id), `other_subject` (the one that the case names as `against`), `fresh_subject` and
`record`. By hand:

    python -m pytest -p nesproof.harness.suite_run.plugin --pyargs nesproof.suites.klaus --subject reference

A case *failed* only by an assertion or `pytest.fail`; any other exception is an *error*. A case is *skipped* only at
set-up, when its ROMs are missing or the subject declares that it cannot do what the case asks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.errors import HarnessError
from nesproof.harness.evidence.model import CaseOutcome, CaseResult
from nesproof.harness.subjects.client import Subject
from nesproof.harness.subjects.errors import SubjectFailed, SubjectHung, SubjectUnavailable
from nesproof.harness.suite_run.asking import lacking
from nesproof.harness.suite_run.definition import SuiteCase, SuiteDefinition, read_definition
from nesproof.harness.suite_run.keeper import SubjectKeeper
from nesproof.harness.suite_run.leash import watch_leash
from nesproof.harness.suite_run.lines import CaseLine, EndLine, ProblemLine, plain, write_line
from nesproof.harness.suite_run.recorder import Recorder, frame_file_name
from nesproof.roms_manifest import Resolver, RomMissing, load_manifest

_SESSION = pytest.StashKey["SuiteSession"]()
_RECORDER = pytest.StashKey[Recorder]()
_HANGS_IN_A_ROW = 3
"""After so many cases one after the other in which the subject did not answer, it is asked no more: each of them takes
the whole time that one call may take."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options; those of a parent process take files."""
    group = parser.getgroup("nesproof")
    group.addoption("--subject", default="reference", help="the subject that the suite is run on")
    group.addoption("--subject-timeout", type=float, default=60.0, help="seconds that one call may take")
    group.addoption("--nesproof-cases", type=Path, help="JSON list of the case ids to run (default: all)")
    group.addoption("--nesproof-results", type=Path, help="file that gets one JSON line a case")
    group.addoption("--nesproof-frames", type=Path, help="folder that gets the cases' pictures")
    group.addoption("--nesproof-worker-logs", type=Path, help="folder that gets what workers print")
    group.addoption("--nesproof-leash", type=int, help="file descriptor: the session stops when it ends")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker and the session's state."""
    config.addinivalue_line("markers", "cases(kind, ...): the kinds of case that this function tests")
    config.stash[_SESSION] = session = SuiteSession(config)
    config.pluginmanager.register(session, "nesproof-suite-session")
    leash: int | None = config.getoption("nesproof_leash")
    if leash is not None:
        watch_leash(leash)


class SuiteSession:
    """State and hooks of one session."""

    def __init__(self, config: pytest.Config) -> None:
        option = config.getoption
        self.results: Path | None = option("nesproof_results")
        self.frames: Path | None = option("nesproof_frames")
        cases: Path | None = option("nesproof_cases")
        self.selected: list[str] | None = None if cases is None else json.loads(cases.read_text(encoding="utf-8"))
        self.keeper = SubjectKeeper(
            option("subject"), timeout_s=option("subject_timeout"), log_dir=option("nesproof_worker_logs")
        )
        self._others: dict[str, SubjectKeeper] = {}
        self._option = option
        self.resolver = Resolver()
        self._outcomes: dict[str, tuple[CaseOutcome, str, float]] = {}
        self._hangs = 0
        self._written = 0

    def keeper_of(self, name: str) -> SubjectKeeper:
        """Keeps the second subject of that name: a process of its own, even where it is the first one's namesake."""
        if name not in self._others:
            self._others[name] = SubjectKeeper(
                name,
                timeout_s=self._option("subject_timeout"),
                log_dir=self._option("nesproof_worker_logs"),
                log_stem=f"{name}-beside",
            )
        return self._others[name]

    # --- Which cases run -----------------------------------------------------------------------------------------

    @pytest.hookimpl
    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Turn the cases of the function's kinds into parameters, in the order asked for."""
        if "case" not in metafunc.fixturenames:
            return
        definition = _definition_of(metafunc.definition.path)
        marker = metafunc.definition.get_closest_marker("cases")
        kinds = marker.args if marker is not None else ("case",)
        cases = [case for case in definition.cases if case.kind in kinds]
        if self.selected is not None:
            order = {case_id: position for position, case_id in enumerate(self.selected)}
            cases = sorted((c for c in cases if c.id in order), key=lambda c: order[c.id])
        metafunc.parametrize("case", cases, ids=[case.id for case in cases])

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out functions that no selected case belongs to; pytest would show them as skipped."""
        kept = [item for item in items if "case" not in getattr(item, "fixturenames", ()) or _case_of(item) is not None]
        if len(kept) != len(items):
            config.hook.pytest_deselected(items=[item for item in items if item not in kept])
            items[:] = kept

    # --- How each case ended -------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[Any]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Keep the worst that happened in set-up, call and tear-down."""
        report = yield
        case = _case_of(item)
        if case is None:
            return report
        if call.when == "call":
            is_hang = call.excinfo is not None and isinstance(call.excinfo.value, SubjectHung)
            self._hangs = self._hangs + 1 if is_hang else 0
        outcome, message, duration = self._outcomes.get(item.nodeid, ("passed", "", 0.0))
        duration += call.duration
        if call.excinfo is not None:
            self._consider_subject(call.excinfo)
            if outcome in {"passed", "skipped"}:
                outcome, message = _outcome_of(call, report)
            if outcome == "error" and report.skipped:
                report.outcome, report.longrepr = "failed", message
        self._outcomes[item.nodeid] = (outcome, message, duration)
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Give each case its recorder; write its line once set-up, call and tear-down are all over."""
        case = _case_of(item)
        if case is not None:
            name = frame_file_name(_definition_of(item.path).name, self.keeper.name, case.id)
            item.stash[_RECORDER] = Recorder(self.frames, name)
        result = yield
        if case is not None:
            self._write_case(item, case)
        if self._hangs >= _HANGS_IN_A_ROW:
            said = f"The subject did not answer in {self._hangs} cases one after the other; the rest was not asked."
            self.problem(said)
            pytest.exit(said, returncode=4)
        return result

    def _write_case(self, item: pytest.Item, case: SuiteCase) -> None:
        ended = self._outcomes.pop(item.nodeid, None)
        if ended is None:
            return
        self._written += 1
        if self.results is None:
            return
        outcome, message, duration = ended
        recorder = item.stash[_RECORDER]
        result = CaseResult(
            id=case.id,
            outcome=outcome,
            message=plain(message),
            duration_s=round(duration, 4),
            details=recorder.details,
            frame=recorder.frame_path,
            reproduction=recorder.reproduction_path,
        )
        write_line(self.results, CaseLine(result=result))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Close the worker, and say that the session came to its own end."""
        self._discard_subjects()
        if self.results is not None:
            write_line(self.results, EndLine(exit_status=int(exitstatus), cases=self._written))

    @pytest.hookimpl
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A test file that cannot be collected is a problem of the whole run."""
        if report.failed:
            self.problem(f"Collecting {report.nodeid or 'the suite'} failed: {report.longreprtext}")

    def problem(self, text: str) -> None:
        """Tell the parent about a problem of the whole run."""
        if self.results is not None:
            write_line(self.results, ProblemLine(text=plain(text)))

    def _consider_subject(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        if isinstance(excinfo.value, SubjectFailed):
            self._discard_subjects()

    def _discard_subjects(self) -> None:
        for keeper in (self.keeper, *self._others.values()):
            keeper.discard()


def _outcome_of(call: pytest.CallInfo[Any], report: pytest.TestReport) -> tuple[CaseOutcome, str]:
    assert call.excinfo is not None
    fault = call.excinfo.value
    if isinstance(fault, pytest.skip.Exception):
        # A skip in the middle of a case would be a case that chose not to be judged.
        return ("skipped", str(fault)) if call.when == "setup" else ("error", f"skipped itself half way: {fault}")
    if call.when == "call" and isinstance(fault, (AssertionError, pytest.fail.Exception)):
        return "failed", str(fault) or report.longreprtext
    if isinstance(fault, HarnessError):
        return "error", str(fault)
    return "error", report.longreprtext


@lru_cache(maxsize=8)
def _definition_of(path: Path) -> SuiteDefinition:
    """The definition beside a test file, read once a session: every case asks for it."""
    return read_definition(path.parent)


def _case_of(item: pytest.Item) -> SuiteCase | None:
    callspec = getattr(item, "callspec", None)
    case = None if callspec is None else callspec.params.get("case")
    return case if isinstance(case, SuiteCase) else None


# --- Fixtures --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def _suite_session(pytestconfig: pytest.Config) -> SuiteSession:
    return pytestconfig.stash[_SESSION]


@pytest.fixture
def record(request: pytest.FixtureRequest) -> Recorder:
    """Takes figures (`detail`) and the case's picture (`frame`)."""
    return request.node.stash[_RECORDER]  # type: ignore[no-any-return]


@pytest.fixture
def roms(case: SuiteCase, _suite_session: SuiteSession) -> Mapping[str, bytes]:
    """The bytes of the case's ROMs by id; the case is skipped where one is missing."""
    try:
        return {rom: _suite_session.resolver.read(rom) for rom in case.roms}
    except RomMissing as fault:
        pytest.skip(str(fault))


@pytest.fixture
def resolver(_suite_session: SuiteSession) -> Resolver:
    """Where ROMs, logs and vectors are."""
    return _suite_session.resolver


@pytest.fixture
def subject(request: pytest.FixtureRequest, case: SuiteCase, _suite_session: SuiteSession) -> Subject:
    """The session's subject; the case is skipped where it declares that it cannot do what the case asks."""
    try:
        opened = _suite_session.keeper.get()
    except HarnessError as fault:
        # Without a subject every further case would say the same.
        _suite_session.problem(str(fault))
        pytest.exit(str(fault), returncode=4)
    _skip_where_incapable(request, case, opened)
    return opened


@pytest.fixture
def other_subject(request: pytest.FixtureRequest, case: SuiteCase, _suite_session: SuiteSession) -> Subject:
    """The second subject, which the case names; the case is skipped where it is not here or cannot do what is asked."""
    assert case.against is not None, "a case that takes a second subject names it as `against`"
    try:
        opened = _suite_session.keeper_of(case.against).get()
    except SubjectUnavailable as fault:
        pytest.skip(str(fault))
    _skip_where_incapable(request, case, opened)
    return opened


def _skip_where_incapable(request: pytest.FixtureRequest, case: SuiteCase, opened: Subject) -> None:
    lacks = lacking(_definition_of(request.path), case, opened.capabilities, manifest=load_manifest())
    if lacks:
        pytest.skip(f"The subject {opened.name} declares that it cannot do: {', '.join(lacks)}.")


@pytest.fixture
def fresh_subject(
    subject: Subject,  # noqa: ARG001 - asked for so that its capabilities are checked first
    _suite_session: SuiteSession,
) -> Callable[[], AbstractContextManager[Subject]]:
    """Opens another worker of the same subject, in a process of its own."""
    return _suite_session.keeper.fresh
