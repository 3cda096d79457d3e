"""One suite on one subject with a fault in it: stopped as soon as every claim that it is tried on has failed."""

from __future__ import annotations

import shutil
import threading
from fnmatch import fnmatchcase
from pathlib import Path

from nesproof.harness.evidence.model import CaseResult, SuiteRun
from nesproof.harness.falsify.trials import SuiteTrial
from nesproof.harness.suite_run import run_suite

__all__ = ["Stopper", "run_suite_trial"]

_MESSAGE_CHARACTERS = 2_000
_STOPPED = "Stopped as soon as every claim that the fault is tried on had failed."


class Stopper:
    """Ends every run under way, and those that begin later."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._events: set[threading.Event] = set()
        self.is_set = False

    def event(self) -> threading.Event:
        """A run's own event: set by the run where it knows enough, or by `stop`."""
        event = threading.Event()
        with self._lock:
            self._events.add(event)
            if self.is_set:
                event.set()
        return event

    def stop(self) -> None:
        """Set every event."""
        with self._lock:
            self.is_set = True
            for event in self._events:
                event.set()


def run_suite_trial(trial: SuiteTrial, *, variant: str, work_dir: Path, limit_s: float, stopper: Stopper) -> SuiteRun:
    """Run the trial's cases on the subject named `variant`.

    The run that is returned holds no pictures; its log is kept in `work_dir/logs` where the run did not come to the end
    that it should.

    Raises:
        ConfigurationError, OSError: it could not be started.
    """
    enough = stopper.event()
    open_globs = {claim.cases for claim in trial.claims}

    def on_case(result: CaseResult) -> None:
        if result.outcome == "failed" and not trial.to_the_end:
            open_globs.difference_update([glob for glob in open_globs if fnmatchcase(result.id, glob)])
            if not open_globs:
                enough.set()

    folder = work_dir / f"trial-{variant}-{trial.definition.name}"
    try:
        run = run_suite(
            trial.definition.name,
            subject=variant,
            cases=trial.cases,
            work_dir=folder,
            timeout_s=limit_s,
            progress=on_case,
            stop=enough,
        )
        was_enough = not open_globs and not trial.to_the_end
        log = None
        if not was_enough and run.log is not None and any(case.outcome != "passed" for case in run.cases):
            log = f"logs/{Path(run.log).name}"
            shutil.copyfile(folder / run.log, work_dir / log)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return run.model_copy(
        update={
            "cases": tuple(_shortened(case) for case in run.cases),
            "problem": _STOPPED if was_enough and run.problem is not None else run.problem,
            "log": log,
        }
    )


def _shortened(case: CaseResult) -> CaseResult:
    """The case without pictures, and without figures where it passed; its message is cut."""
    message = case.message if len(case.message) <= _MESSAGE_CHARACTERS else case.message[:_MESSAGE_CHARACTERS]
    details = {} if case.outcome == "passed" else case.details
    return case.model_copy(update={"message": message, "details": details, "frame": None, "reproduction": None})
