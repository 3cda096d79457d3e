"""Running a suite in processes of its own: whatever happens, what was measured is kept and nothing turns green."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from PIL import Image

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.evidence.model import SuiteRun
from nesproof.harness.suite_run import SuiteInterrupted, run_suite

RunFake = Callable[..., SuiteRun]
WriteSuite = Callable[..., Path]


def outcomes(run: SuiteRun) -> list[str]:
    return [case.outcome for case in run.cases]


def test_passing_cases_pass_with_their_details_and_pictures(run_fake: RunFake, tmp_path: Path) -> None:
    seen: list[str] = []
    run = run_fake("pass", "pass", progress=lambda result: seen.append(result.id))
    assert run.problem is None
    assert outcomes(run) == ["passed", "passed"]
    assert run.expected == tuple(seen) == ("case-0", "case-1")
    assert run.cases[0].details == {"case": "case-0"}
    assert run.cases[0].duration_s > 0
    assert run.cases[0].frame is not None
    with Image.open(tmp_path / "work" / run.cases[0].frame) as picture:
        assert picture.size == (256, 240)
    assert run.log is not None
    assert "2 passed" in (tmp_path / "work" / run.log).read_text()


def test_nothing_but_pictures_and_logs_is_left_behind(run_fake: RunFake, tmp_path: Path) -> None:
    run_fake("pass")
    assert sorted(path.name for path in (tmp_path / "work").iterdir()) == ["frames", "logs"]


def test_a_second_subject_has_a_process_of_its_own(run_fake: RunFake) -> None:
    case = {"kind": "beside", "against": "fake"}
    run = run_fake(case, case)
    assert run.problem is None
    assert outcomes(run) == ["passed", "passed"]
    assert run.cases[0].details == {"other": "fake"}


def test_a_second_subject_that_cannot_do_it_or_is_not_here_skips_the_case(
    run_fake: RunFake, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NESPROOF_HOME", str(tmp_path / "empty"))  # so that no environment for it is there
    run = run_fake({"kind": "beside", "against": "nes-py"})
    assert run.problem is None
    assert outcomes(run) == ["skipped"]
    assert "nes-py" in run.cases[0].message


def test_a_second_subject_that_nobody_knows_is_an_error(run_fake: RunFake) -> None:
    run = run_fake({"kind": "beside", "against": "nobody"})
    assert outcomes(run) == ["error"]
    assert "There is no subject 'nobody'" in run.cases[0].message


@pytest.mark.parametrize(
    ("what", "outcome", "message"),
    [
        ("assert", "failed", "arithmetic is broken"),
        ("fail", "failed", "it says no red"),
        ("raise", "error", "unforeseen"),
        ("skip-half-way", "error", "skipped itself half way"),
        ("subject-dies", "error", "died at power_on"),
    ],
)
def test_how_a_case_ended(run_fake: RunFake, what: str, outcome: str, message: str) -> None:
    run = run_fake("pass", what, "pass")
    assert run.problem is None
    assert outcomes(run) == ["passed", outcome, "passed"]
    assert message in run.cases[1].message
    assert "\x1b" not in run.cases[1].message


def test_a_subject_that_hangs_again_and_again_is_asked_no_more(run_fake: RunFake) -> None:
    run = run_fake("subject-hangs", "pass", *["subject-hangs"] * 3, "pass", call_timeout_s=0.5)
    assert outcomes(run) == ["error", "passed", "error", "error", "error"]
    assert run.problem is not None
    assert "did not answer in 3 cases one after the other" in run.problem
    assert "No result came for case-5." in run.problem


def test_a_suite_that_takes_too_long_says_what_the_subject_printed_last(run_fake: RunFake) -> None:
    run = run_fake("pass", "subject-hangs", timeout_s=3)
    assert outcomes(run) == ["passed"]
    assert run.problem is not None
    assert "did not end within 3 seconds. The subject last printed:\n  the fake console hangs" in run.problem


def test_a_case_that_the_subject_cannot_do_is_skipped_not_passed(run_fake: RunFake) -> None:
    run = run_fake("pass", {"kind": "needs-more", "capabilities": ["flat-cpu"]})
    assert outcomes(run) == ["passed", "skipped"]
    assert "flat-cpu" in run.cases[1].message


def test_a_case_without_its_rom_is_skipped_with_the_remedy(run_fake: RunFake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NESPROOF_ROM_PATH", "")
    monkeypatch.setenv("XDG_CACHE_HOME", "/nonexistent")
    run = run_fake({"kind": "needs-rom", "roms": ["klaus/6502_functional_test"]})
    assert outcomes(run) == ["skipped"]
    assert "nesproof roms fetch" in run.cases[0].message


def test_no_case_is_a_problem(run_fake: RunFake) -> None:
    run = run_fake("pass", cases=())
    assert run.cases == ()
    assert run.problem == "No case was selected."


def test_a_case_without_a_test_is_missed(run_fake: RunFake) -> None:
    run = run_fake("pass", {"kind": "nobody-tests-this"})
    assert outcomes(run) == ["passed"]
    assert run.problem is not None
    assert "No result came for case-1" in run.problem


def test_only_cases_without_a_test(run_fake: RunFake) -> None:
    run = run_fake({"kind": "nobody-tests-this"})
    assert run.cases == ()
    assert run.problem is not None
    assert "ended with status 5" in run.problem


@pytest.mark.parametrize(
    ("what", "problem"),
    [
        ("die", "ended with status 7"),
        ("exit-0", "without saying that it was through"),
        ("kill", "ended by signal 9"),
        ("interrupt", "ended with status 2"),
        ("garbage", "a line that is no result"),
        ("twice", "Two results came for 'case-0'"),
        ("foreign", "'case-of-another-suite', which was not asked for"),
        ("lie", "Two results came for 'case-1'"),
    ],
)
def test_a_run_that_breaks_keeps_what_it_had_and_says_why(run_fake: RunFake, what: str, problem: str) -> None:
    run = run_fake("pass", what)
    assert run.problem is not None
    assert problem in run.problem
    assert run.cases[0].id == "case-0"
    assert run.cases[0].outcome == "passed"


def test_a_hang_ends_at_the_time_limit(run_fake: RunFake) -> None:
    started = time.monotonic()
    run = run_fake("pass", "hang", timeout_s=8)
    assert time.monotonic() - started < 25
    assert run.problem is not None
    assert run.problem.startswith("The suite did not end within 8 seconds.\nNo result came for case-")
    # How far it came in that time is the machine's business; what it had is kept.
    assert outcomes(run) in ([], ["passed"])


def test_a_test_file_that_cannot_be_collected(write_suite: WriteSuite, tmp_path: Path, fake_subject: str) -> None:
    folder = write_suite({"what": "pass"}, name="broken_suite")
    (folder / "test_broken_suite.py").write_text("import nothing_of_that_name\n")
    run = run_suite("broken_suite", subject=fake_subject, cases=("case-0",), work_dir=tmp_path / "w", timeout_s=60)
    assert run.cases == ()
    assert run.problem is not None
    assert "nothing_of_that_name" in run.problem


def test_an_unknown_subject_is_named(run_fake: RunFake) -> None:
    run = run_fake("pass", subject="nobody")
    assert run.problem is not None
    assert "There is no subject 'nobody'" in run.problem
    assert run.cases == ()


def test_unknown_suites_and_cases_are_refused(run_fake: RunFake, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="There is no suite 'nosuch'"):
        run_suite("nosuch", subject="fake", cases=("a",), work_dir=tmp_path, timeout_s=1)
    with pytest.raises(ConfigurationError, match="has no case 'nosuch'"):
        run_fake("pass", cases=("nosuch",))


def test_two_processes_share_the_cases(run_fake: RunFake, tmp_path: Path) -> None:
    run = run_fake("pass", "fail", "pass", "pass", "die", jobs=2)
    assert run.problem is not None
    assert [case.id for case in run.cases] == [c for c in run.expected if c in {case.id for case in run.cases}]
    assert "case-4" not in {case.id for case in run.cases}
    assert run.log is not None
    log = (tmp_path / "work" / run.log).read_text()
    assert "process 1" in log
    assert "process 2" in log


def test_the_callers_pytest_settings_do_not_reach_the_suite(
    run_fake: RunFake, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    (tmp_path / "conftest.py").write_text("raise RuntimeError('not here')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTEST_ADDOPTS", "--collect-only")
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")
    run = run_fake("pass", "assert")
    assert outcomes(run) == ["passed", "failed"]


def test_stop_from_another_thread_keeps_what_was_measured(run_fake: RunFake) -> None:
    stop = threading.Event()
    run = run_fake("pass", "hang", stop=stop, progress=lambda result: stop.set())
    assert run.problem == "Interrupted.\nNo result came for case-1."
    assert outcomes(run) == ["passed"]


def test_ctrl_c_keeps_what_was_measured(run_fake: RunFake) -> None:
    with pytest.raises(SuiteInterrupted) as caught:
        run_fake("pass", "hang", progress=lambda result: os.kill(os.getpid(), signal.SIGINT))
    assert outcomes(caught.value.run) == ["passed"]
    assert caught.value.run.problem == "Interrupted.\nNo result came for case-1."


def test_nothing_outlives_a_killed_parent(write_suite: WriteSuite, fake_subject: str, tmp_path: Path) -> None:
    write_suite({"what": "hang"})
    marker = f"outlives-{os.getpid()}"
    script = (
        "from pathlib import Path\n"
        "from nesproof.harness.suite_run import run_suite\n"
        f"folder = Path({str(tmp_path / marker)!r})\n"
        "run_suite('fake_suite', subject='fake', cases=('case-0',), work_dir=folder, timeout_s=60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script])
    try:
        _wait_until(lambda: len(_processes_with(marker)) > 0)
        parent.kill()
        parent.wait()
        _wait_until(lambda: not _processes_with(marker))
    finally:
        parent.kill()


def _processes_with(marker: str) -> list[int]:
    # A process that has gone meanwhile, or is another user's, has no command line here.
    lines = {process.pid: " ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])}
    return [pid for pid, line in lines.items() if "pytest" in line and marker in line]


def _wait_until(condition: object, limit_s: float = 20.0) -> None:
    assert callable(condition)
    deadline = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.1)
