"""Reproductions: one claim in several runs, machine by machine, and whether the runs agree.

Two runs agree on a ratio where their intervals overlap, and on anything else where their verdicts are equal; on a
comparison of two subjects where they play alike in both or in neither, and what intervals there are overlap. Runs are
held against each other across machines as well, except for absolute figures, which belong to one machine.

What was made up, measured in a changed source tree or on a busy machine is shown and counts for nothing, and so does a
run that repeats another one's times: it was copied.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from nesproof.harness.evidence.machines import machine_key, machine_title
from nesproof.harness.evidence.model import Evidence
from nesproof.harness.evidence.run_answers import Answer, Asked, AskedKind, RunColumn, answers_of, run_column, times_ns

__all__ = [
    "Agreement",
    "Answer",
    "AskedKind",
    "ClaimReproductions",
    "MachineColumn",
    "OnMachine",
    "Reproductions",
    "RunColumn",
    "RunSource",
    "reproductions",
]

Agreement = Literal["agree", "differ", "alone"]
"""Whether the runs that count say the same; "alone" where fewer than two of them can be held against each other."""


@dataclass(frozen=True)
class RunSource:
    """One document that is held against others; `label` is what people call it (the first digits of its id)."""

    label: str
    evidence: Evidence


@dataclass(frozen=True)
class MachineColumn:
    """One machine, and how many of the runs took place on it."""

    key: str
    title: str
    runs: int


@dataclass(frozen=True)
class OnMachine:
    """One claim on one machine: `holds` of `tried` runs that count came out PASS (of a comparison: play alike)."""

    machine: str
    answers: tuple[Answer, ...]
    holds: int
    tried: int
    agreement: Agreement


@dataclass(frozen=True)
class ClaimReproductions:
    """One claim in all runs, or one comparison (`comparison:` and its id).

    `variant` tells apart what has one id and is not measured alike, from 1 on.
    """

    claim: str
    variant: int
    sentence: str
    kind: AskedKind
    subject: str
    workload: str | None
    machines: tuple[OnMachine, ...]
    """Those on which a run selected it, in the order of the columns."""
    holds: int
    tried: int
    agreement: Agreement


@dataclass(frozen=True)
class Reproductions:
    """Everything that `nesproof evidence compare` shows."""

    runs: tuple[RunColumn, ...]
    """Oldest first."""
    machines: tuple[MachineColumn, ...]
    claims: tuple[ClaimReproductions, ...]
    """Those that at least one run tried, by id; comparisons are among them."""
    never_tried: int
    """How many were selected, and tried by no run."""

    @property
    def differing(self) -> tuple[ClaimReproductions, ...]:
        """Those on which runs differ."""
        return tuple(row for row in self.claims if row.agreement == "differ")

    @property
    def compared(self) -> int:
        """How many were answered by two runs that count."""
        return sum(1 for row in self.claims if row.agreement != "alone")


def reproductions(sources: Iterable[RunSource]) -> Reproductions:
    """Hold runs against each other. A document that is given twice is one run."""
    ordered = sorted(_distinct(sources), key=lambda s: (s.evidence.created_utc, s.label))
    runs = _runs(ordered)
    titles = {machine_key(s.evidence.machine): machine_title(s.evidence.machine) for s in ordered}
    machines = tuple(
        MachineColumn(key, title, sum(1 for run in runs if run.machine == key)) for key, title in titles.items()
    )
    rows: dict[tuple[str, object], list[tuple[RunColumn, Asked]]] = {}
    for source, run in zip(ordered, runs, strict=True):
        for asked in answers_of(source.evidence, run):
            rows.setdefault((asked.name, asked.how), []).append((run, asked))
    tried = {key: found for key, found in rows.items() if any(asked.answer.was_tried for _, asked in found)}
    claims, variants = [], dict.fromkeys((name for name, _ in tried), 0)
    for (name, _), found in sorted(tried.items(), key=lambda item: item[0][0]):
        variants[name] += 1
        claims.append(_row(found, variants[name], list(titles)))
    never = {name for name, _ in rows} - {name for name, _ in tried}
    return Reproductions(runs=runs, machines=machines, claims=tuple(claims), never_tried=len(never))


def _distinct(sources: Iterable[RunSource]) -> list[RunSource]:
    found: list[RunSource] = []
    for source in sources:
        if not any(source.evidence == other.evidence for other in found):
            found.append(source)
    return found


def _runs(ordered: Sequence[RunSource]) -> tuple[RunColumn, ...]:
    first_with: dict[tuple[int, ...], str] = {}
    runs = []
    for source in ordered:
        times = times_ns(source.evidence)
        copied_from = next((label for timing, label in first_with.items() if timing in times), None)
        runs.append(run_column(source.label, source.evidence, copied_from=copied_from))
        for timing in times:
            first_with.setdefault(timing, source.label)
    return tuple(runs)


def _row(found: Sequence[tuple[RunColumn, Asked]], variant: int, machines: list[str]) -> ClaimReproductions:
    latest = found[-1][1]
    answers = [asked.answer for _, asked in found]
    cells = []
    for machine in machines:
        here = tuple(answer for (run, _), answer in zip(found, answers, strict=True) if run.machine == machine)
        if here:
            agreement = _agreement(latest.kind, here)
            cells.append(OnMachine(machine, here, holds=_holds(here), tried=_tried(here), agreement=agreement))
    if latest.kind == "absolute":
        within = {cell.agreement for cell in cells}
        overall: Agreement = "differ" if "differ" in within else "agree" if "agree" in within else "alone"
    else:
        overall = _agreement(latest.kind, answers)
    return ClaimReproductions(
        claim=latest.name,
        variant=variant,
        sentence=latest.sentence,
        kind=latest.kind,
        subject=latest.subject,
        workload=latest.workload,
        machines=tuple(cells),
        holds=_holds(answers),
        tried=_tried(answers),
        agreement=overall,
    )


def _holds(answers: Iterable[Answer]) -> int:
    return sum(1 for answer in answers if answer.counts and answer.holds)


def _tried(answers: Iterable[Answer]) -> int:
    return sum(1 for answer in answers if answer.counts and answer.was_tried)


def _agreement(kind: AskedKind, answers: Iterable[Answer]) -> Agreement:
    counted = [answer for answer in answers if answer.counts and answer.is_settled]
    if kind == "ratio":
        counted = [answer for answer in counted if answer.interval is not None]
    if len(counted) < 2:
        return "alone"
    if kind == "ratio":
        is_same = _overlap(counted)
    elif kind == "comparison":
        is_same = len({answer.outcome == "differs" for answer in counted}) == 1 and _overlap(counted)
    else:
        is_same = len({answer.verdict for answer in counted}) == 1
    return "agree" if is_same else "differ"


def _overlap(answers: Iterable[Answer]) -> bool:
    """Whether the intervals that there are have a point in common: on one line they have, where each two overlap."""
    intervals = [answer.interval for answer in answers if answer.interval is not None]
    return not intervals or max(low for low, _ in intervals) <= min(high for _, high in intervals)
