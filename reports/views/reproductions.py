"""Reproductions as rows of words: claim by claim, machine by machine. Which runs agree is not decided here."""

from __future__ import annotations

from dataclasses import dataclass

from nesproof.harness.evidence.reproductions import Agreement, Answer, ClaimReproductions, OnMachine, Reproductions
from nesproof.reports.figures import counted, moment, number
from nesproof.reports.plain_text import one_line, plain
from nesproof.reports.views.comparisons import OUTCOME_MARKS, OUTCOME_WORDS
from nesproof.reports.wording import ABSENT, VERDICT_WORDS

__all__ = [
    "AGREEMENT_MARKS",
    "AGREEMENT_WORDS",
    "AnswerRow",
    "CellRow",
    "ReproductionRow",
    "ReproductionTable",
    "RunRow",
    "reproduction_table",
]

AGREEMENT_WORDS: dict[Agreement, str] = {"agree": "agree", "differ": "DIFFER", "alone": "one run"}
"""Whether runs agree, in a word or two."""
AGREEMENT_MARKS: dict[Agreement, str] = {"agree": "PASS", "differ": "FAIL", "alone": "NOT_MEASURED"}
"""The verdict whose shape and colour stand for it."""


@dataclass(frozen=True)
class RunRow:
    """One run: when and where, and what about it is out of the ordinary."""

    label: str
    created: str
    machine: str
    """The machine's title."""
    commit: str | None
    marks: tuple[str, ...]
    counts: bool


@dataclass(frozen=True)
class AnswerRow:
    """One run's answer: what was measured with its interval, the verdict (of a comparison: the one whose colour stands
    for its outcome) with its word, and marks."""

    run: str
    measured: str
    verdict: str
    verdict_word: str
    marks: tuple[str, ...]
    counts: bool


@dataclass(frozen=True)
class CellRow:
    """One claim on one machine: "2 of 3 hold", and the answers, oldest first."""

    machine: str
    machine_key: str
    held: str
    agreement: str
    agreement_mark: str
    answers: tuple[AnswerRow, ...]


@dataclass(frozen=True)
class ReproductionRow:
    """One claim."""

    claim: str
    variant: int
    """Which of several ways of measuring under one id; 1 where there is one."""
    sentence: str
    held: str
    agreement: str
    agreement_mark: str
    cells: tuple[CellRow, ...]


@dataclass(frozen=True)
class ReproductionTable:
    """All of it, and the line that sums it up."""

    runs: tuple[RunRow, ...]
    rows: tuple[ReproductionRow, ...]
    headline: str


def reproduction_table(found: Reproductions) -> ReproductionTable:
    """The table; every text in it is inert and on one line."""
    titles = {machine.key: _line(machine.title) for machine in found.machines}
    return ReproductionTable(
        runs=tuple(
            RunRow(_line(r.label), moment(r.created_utc), titles[r.machine], r.commit, r.marks, r.counts)
            for r in found.runs
        ),
        rows=tuple(_row(row, titles) for row in found.claims),
        headline=_headline(found),
    )


def _row(row: ClaimReproductions, titles: dict[str, str]) -> ReproductionRow:
    return ReproductionRow(
        claim=row.claim,
        variant=row.variant,
        sentence=_line(row.sentence),
        held=_held(row.holds, row.tried),
        agreement=AGREEMENT_WORDS[row.agreement],
        agreement_mark=AGREEMENT_MARKS[row.agreement],
        cells=tuple(_cell(cell, titles) for cell in row.machines),
    )


def _cell(cell: OnMachine, titles: dict[str, str]) -> CellRow:
    return CellRow(
        machine=titles[cell.machine],
        machine_key=cell.machine,
        held=_held(cell.holds, cell.tried),
        agreement=AGREEMENT_WORDS[cell.agreement],
        agreement_mark=AGREEMENT_MARKS[cell.agreement],
        answers=tuple(_answer(answer) for answer in cell.answers),
    )


def _answer(answer: Answer) -> AnswerRow:
    if answer.verdict is not None:
        mark, word = answer.verdict.value, VERDICT_WORDS[answer.verdict]
    else:
        mark, word = OUTCOME_MARKS[str(answer.outcome)], OUTCOME_WORDS[str(answer.outcome)]
    return AnswerRow(
        run=_line(answer.run),
        measured=_measured(answer),
        verdict=mark,
        verdict_word=word,
        marks=tuple(_line(mark) for mark in answer.marks),
        counts=answer.counts,
    )


def _measured(answer: Answer) -> str:
    if answer.value is not None and answer.interval is not None:
        low, high = answer.interval
        return f"{number(answer.value)} ({number(low)} to {number(high)})"
    if answer.outcome is not None and answer.value is not None:
        return number(answer.value)
    return ABSENT if answer.measured is None else _line(answer.measured)


def _held(holds: int, tried: int) -> str:
    return f"{holds} of {tried}"


def _headline(found: Reproductions) -> str:
    counted_runs = sum(1 for run in found.runs if run.counts)
    left = len(found.runs) - counted_runs
    parts = [f"{counted(counted_runs, 'run')} on {counted(len(found.machines), 'machine')}"]
    if left:
        parts.append(f"{left} more shown and not counted")
    if found.compared:
        parts.append(f"{counted(found.compared, 'claim')} answered more than once")
        parts.append(f"{len(found.differing)} of them differ" if found.differing else "all of them agree")
    else:
        parts.append("no claim was answered twice, so that there is nothing to compare")
    return "; ".join(parts) + "."


def _line(text: str) -> str:
    return one_line(plain(text))
