"""Each claim over time: one series for each machine and each way of measuring, with its steps."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from nesproof.harness.claims import Claim, Verdict
from nesproof.harness.evidence.model import ClaimRecord, SuiteMeasurement
from nesproof.reports.site.moved import ANSWERS, Direction, moved
from nesproof.reports.site.runs import MachineGroup, Run, by_machine
from nesproof.reports.site.surroundings import differences_of_surroundings
from nesproof.reports.views.claims import claimed
from nesproof.reports.views.runs import choice_words
from nesproof.reports.wording import ABSENT, VERDICT_WORDS

__all__ = ["ClaimHistory", "Point", "Series", "Step", "claim_slug", "histories"]

_SAFE_ID = re.compile(r"[a-z0-9][a-z0-9.@-]{0,180}")


@dataclass(frozen=True)
class Step:
    """Where a series stepped, and what to ask `bisect`. `command` is None where there is nothing to ask."""

    direction: Direction
    why: str
    before: Run
    after: Run
    command: str | None
    also_changed: tuple[str, ...]
    """What else differs between the two runs, which may be why."""


@dataclass(frozen=True)
class Point:
    """One run's answer."""

    number: int
    run: Run
    record: ClaimRecord
    step: Step | None

    @property
    def verdict(self) -> str:
        """The verdict's name."""
        return self.record.verdict.value

    @property
    def word(self) -> str:
        """The verdict's word."""
        return VERDICT_WORDS[self.record.verdict]

    @property
    def measured(self) -> str:
        """What was measured, for people."""
        return self.record.measured if self.record.measured is not None else ABSENT

    @property
    def short_caveat(self) -> str:
        """The caveat up to its first colon: what it is, without why."""
        return (self.record.caveat or "").partition(":")[0]


@dataclass(frozen=True)
class Series:
    """One machine, one way of measuring, oldest first."""

    anchor: str
    machine: MachineGroup
    what: str
    """The workload with its version, or the suite."""
    points: tuple[Point, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """Its steps, oldest first."""
        return tuple(point.step for point in self.points if point.step is not None)

    @property
    def has_figures(self) -> bool:
        """True where there is something to draw: figures of several runs, other than shares of cases."""
        return sum(p.record.value is not None and p.record.claim.kind != "exact" for p in self.points) > 1


@dataclass(frozen=True)
class ClaimHistory:
    """One claim. Its words are those of the newest run that has it."""

    slug: str
    claim: Claim
    sentence: str
    claimed: str
    series: tuple[Series, ...]
    not_applicable: tuple[tuple[MachineGroup, str], ...]
    """The machines on which no run could ask it, with the newest run's reason."""
    unproven: tuple[Run, ...]
    """Runs in which no planted fault is known to make it fail: what they say of it is not published."""

    @property
    def newest(self) -> dict[MachineGroup, Point]:
        """The newest point of each machine."""
        found: dict[MachineGroup, Point] = {}
        for series in self.series:
            last = series.points[-1]
            kept = found.get(series.machine)
            if kept is None or (last.run.when, last.run.slug) > (kept.run.when, kept.run.slug):
                found[series.machine] = last
        return found


def claim_slug(claim_id: str) -> str:
    """The name of the claim's files: its id where that is a plain file name on every system, else a hash of it."""
    if _SAFE_ID.fullmatch(claim_id):
        return claim_id
    return f"claim-{hashlib.sha256(claim_id.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def histories(runs: Iterable[Run]) -> tuple[ClaimHistory, ...]:
    """Every claim that some run was asked for, in the order of the newest run that has it."""
    ordered = tuple(runs)
    found: dict[str, list[tuple[Run, ClaimRecord]]] = {}
    for run in reversed(ordered):
        for record in run.evidence.claims:
            found.setdefault(record.claim.id, []).append((run, record))
    histories_ = (_history(claim_id, tuple(reversed(met))) for claim_id, met in found.items())
    return tuple(history for history in histories_ if history is not None)


def _history(claim_id: str, met: tuple[tuple[Run, ClaimRecord], ...]) -> ClaimHistory | None:
    asked = [(run, record) for run, record in met if record.verdict is not Verdict.NOT_SELECTED]
    if not asked:
        return None
    unproven = tuple(run for run, record in asked if claim_id in run.evidence.unproven_claims())
    proven = [(run, record) for run, record in asked if run not in unproven]
    series: list[tuple[MachineGroup, str, tuple[Point, ...]]] = []
    not_applicable: list[tuple[MachineGroup, str]] = []
    for machine, its_runs in by_machine(run for run, _ in proven).items():
        records = [(run, record) for run, record in proven if run in its_runs]
        answered = [(run, record) for run, record in records if record.verdict is not Verdict.NOT_APPLICABLE]
        if not answered:
            not_applicable.append((machine, records[-1][1].reason))
        ways: dict[str, list[tuple[Run, ClaimRecord]]] = {}
        for run, record in answered:
            ways.setdefault(_identity(record.claim, run), []).append((run, record))
        series += [(machine, _measured_on(way[-1][1].claim), _points(way)) for way in ways.values()]
    newest = asked[-1][1].claim
    return ClaimHistory(
        slug=claim_slug(claim_id),
        claim=newest,
        sentence=newest.spoken(),
        claimed=claimed(newest),
        series=tuple(Series(f"series-{n}", *parts) for n, parts in enumerate(series, start=1)),
        not_applicable=tuple(not_applicable),
        unproven=unproven,
    )


def _identity(claim: Claim, run: Run) -> str:
    """Which way of measuring it is: figures of claims that differ in it are not compared."""
    identities = {w.key: w.identity_sha256 for w in run.evidence.workloads}
    contents = [identities.get(key) for key in claim.workloads]
    return json.dumps([claim.question(), contents], sort_keys=True)


def _measured_on(claim: Claim) -> str:
    if claim.kind == "exact":
        return f"suite {claim.suite}, cases {claim.cases}, on {claim.subject}"
    parts = [f"workload {claim.workload}" if claim.workload else claim.kind, claim.subject]
    parts += [how] if (how := choice_words(claim.candidate_run)) else []
    if claim.baseline is not None:
        parts.append(f"against {claim.baseline}")
        parts += [f"on {claim.baseline_workload}"] if claim.baseline_workload is not None else []
        parts += [how] if (how := choice_words(claim.baseline_run)) else []
    if claim.metric is not None and claim.kind != "ratio":
        parts.append(claim.metric.replace("_", " "))
    parts += [f"{name.replace('_', ' ')} {_label(value)}" for name, value in claim.where.items()]
    return ", ".join(parts)


def _label(value: object) -> str:
    return " and ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _points(way: list[tuple[Run, ClaimRecord]]) -> tuple[Point, ...]:
    """The points with their steps: each answer is held against the one before it, and against the first one since the
    last step, so that many small moves in one direction are found as well."""
    points: list[Point] = []
    before: Point | None = None
    level: Point | None = None
    for number, (run, record) in enumerate(way, start=1):
        point = Point(number, run, record, None)
        if record.verdict in ANSWERS:
            step = None
            for reference in (before, level):
                if step is None and reference is not None:
                    step = _step(reference, point)
            point = replace(point, step=step)
            before = point
            level = point if step is not None or level is None else level
        points.append(point)
    return tuple(points)


def _step(before: Point, after: Point) -> Step | None:
    found = moved(before.record, after.record)
    if found is None:
        return None
    direction, why = found
    return Step(
        direction=direction,
        why=why,
        before=before.run,
        after=after.run,
        command=_bisect(before, after) if direction == "worse" else None,
        also_changed=(
            *_suite_changes(before, after),
            *differences_of_surroundings(before.run.evidence, after.run.evidence),
        ),
    )


def _suite_changes(before: Point, after: Point) -> tuple[str, ...]:
    """A claim about a suite is about other cases once the suite has others."""
    old, new = (_cases_asked(point) for point in (before, after))
    if old == new:
        return ()
    return (f"the suite asks other cases ({len(new - old)} more, {len(old - new)} no longer)",)


def _cases_asked(point: Point) -> frozenset[str]:
    measurement = point.record.measurement
    if not isinstance(measurement, SuiteMeasurement):
        return frozenset()
    run = next((run for run in point.run.evidence.suites if run.id == measurement.run), None)
    cases = () if run is None else run.expected
    return frozenset(case for case in cases if fnmatchcase(case, point.record.claim.cases))


def _bisect(before: Point, after: Point) -> str | None:
    """What to ask: nothing where no two commits are known, or where the subject is built from none of ours."""
    good, bad, claim = before.run.commit, after.run.commit, after.record.claim
    if good is None or bad is None or good == bad or claim.id != claim.base_id:
        return None
    return shlex.join(["nesproof", "bisect", claim.id, "--good", good, "--bad", bad])
