"""Asking one commit: build it, measure it, judge, and keep the step before anything else is done.

What was asked before and is in the document is answered from there, so that a bisection that was killed goes through
the same steps and ends as it would have.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol

from nesproof.harness.bisect.history import Commit
from nesproof.harness.bisect.method import in_words
from nesproof.harness.bisect.probe import told_by, told_by_timing
from nesproof.harness.builds import BuildFailed
from nesproof.harness.claims.model import Claim
from nesproof.harness.evidence.bisection import Bisection, BisectionStep, BuildOrigin, StepAnswer, StepRole
from nesproof.harness.evidence.model import ChangeMeasurement, Measurement, SuiteRun
from nesproof.harness.plain_text import plain_line, plain_text

__all__ = ["Asking", "Laboratory", "Measured"]

_TAIL_CHARACTERS = 60_000


@dataclass(frozen=True)
class Measured:
    """A measurement, free of what belongs to this machine, and the suite runs that it names."""

    measurement: Measurement
    suites: tuple[SuiteRun, ...] = ()


class Laboratory(Protocol):
    """What builds and measures commits."""

    def build(self, commit: Commit) -> Literal["made", "cached"]:
        """See that the commit's build is there.

        Raises:
            BuildFailed: it does not build.
        """
        ...

    def measure(self, commit: Commit, claim: Claim) -> Measured:
        """Measure the claim on the commit's build."""
        ...

    def time(self, baseline: Commit, candidate: Commit, claim: Claim) -> Measured:
        """Time the candidate's build against the baseline's, as the claim's own side is run."""
        ...


class Asking:
    """`document` is what there is so far; `keep` writes it to the disk; `tell` hears what is done."""

    def __init__(
        self,
        document: Bisection,
        laboratory: Laboratory,
        *,
        keep: Callable[[Bisection], None],
        tell: Callable[[str], None],
    ) -> None:
        self.document = document
        self.tell = tell
        self._laboratory = laboratory
        self._keep = keep

    @property
    def day(self) -> date:
        """The day on which the bisection began, which decides whether a waiver holds."""
        return self.document.created_utc.date()

    def update(self, **fields: object) -> None:
        """Change fields of the document, and keep it."""
        self.document = self.document.model_copy(update=fields)
        self._keep(self.document)

    def asked(
        self,
        role: StepRole,
        commit: Commit,
        judged: Claim,
        *,
        against: Commit | None = None,
        among: Sequence[Commit] = (),
    ) -> BisectionStep:
        """The step of this role about this commit: kept before, or done now. With `against` the two are timed.

        `among` are the commits that could be the first bad one so far, oldest first.
        """
        against_sha = None if against is None else against.sha
        for step in self.document.steps:
            if (step.role, step.sha, step.against) == (role, commit.sha, against_sha):
                self.tell(f"  {commit.sha[:12]}: {step.answer}, as was found before.")
                return step
        started = time.monotonic()
        step = (self._equal(commit) if role == "probe" else None) or self._measured(role, commit, judged, against)
        about: dict[str, object] = {"duration_s": round(time.monotonic() - started, 3)}
        if among:
            among_them = {"oldest_candidate": among[0].sha, "youngest_candidate": among[-1].sha}
            about |= {"candidates": len(among), **among_them}
        step = step.model_copy(update=about)
        self.update(steps=(*self.document.steps, step))
        self.tell(f"  {commit.sha[:12]}: {step.answer}. {plain_line(step.reason, limit=300)}")
        return step

    def _equal(self, commit: Commit) -> BisectionStep | None:
        """The answer of another commit of equal content, where there is one."""
        contents = {c.sha: c.content for c in (self.document.good, *self.document.commits)}
        ends: dict[StepRole, StepAnswer] = {"good end": "good", "bad end": "bad"}
        for step in self.document.steps:
            if step.role in {"good end", "bad end", "probe"} and contents[step.sha] == commit.content:
                answer = ends.get(step.role, step.answer)
                reason = f"What is built equals that of {step.sha[:12]}."
                return BisectionStep(role="probe", sha=commit.sha, answer=answer, reason=reason, build="none")
        return None

    def _measured(self, role: StepRole, commit: Commit, judged: Claim, against: Commit | None) -> BisectionStep:
        try:
            if against is not None:
                self._laboratory.build(against)
            origin: BuildOrigin = self._laboratory.build(commit)
        except BuildFailed as fault:
            reason = f"It does not build.\n{plain_text(fault.tail)}"[:_TAIL_CHARACTERS]
            return BisectionStep(role=role, sha=commit.sha, answer="skip", reason=reason, build="failed")
        measured = (
            self._laboratory.measure(commit, judged)
            if against is None
            else self._laboratory.time(against, commit, judged)
        )
        found = measured.measurement
        told = (
            told_by_timing(found)
            if isinstance(found, ChangeMeasurement)
            else told_by(judged, found, measured.suites, on=self.day)
        )
        return BisectionStep(
            role=role,
            sha=commit.sha,
            answer=told.answer.value,
            reason=in_words(self.document.method, told),
            verdict=told.verdict,
            measured=told.measured,
            figure=told.figure,
            build=origin,
            against=None if against is None else against.sha,
            judged=judged,
            measurement=found,
            suites=measured.suites,
        )
