"""Planted faults as a matrix: faults by area down the page, claims by suite across it, and what came of each pair."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from nesproof.harness.claims import Claim
from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.falsification import Falsification, FaultRecord, PairOutcome, PairRecord
from nesproof.reports.figures import duration
from nesproof.reports.plain_text import shortened

__all__ = ["OUTCOME_MARKS", "ClaimColumn", "FaultRow", "Matrix", "PairCell", "matrix", "pair_reason"]

OUTCOME_MARKS: dict[PairOutcome, tuple[str, str, str]] = {
    "survived": ("FAIL", "survived", "The fault was on, and the claim did not fail."),
    "broken": ("ERROR", "broken", "The trial crashed, hung or was refused, which is no kill."),
    "not-tried": ("NOT_APPLICABLE", "not tried", "It could not be tried here, or was not reached."),
    "killed": ("PASS", "killed", "The claim failed by its own assertion."),
}
"""Outcome to the shape that marks it, the word for it and what it means, most urgent first."""

_AREAS = ("cpu", "ppu", "apu", "dma", "board", "drawing", "state", "batch", "kernel", "speed", "harness")
_MESSAGE_SHOWN = 600
_HOVER_SHOWN = 300


@dataclass(frozen=True)
class PairCell:
    """One pair: what the cell of the matrix shows, and the row of the list that explains it."""

    fault: str
    claim: str
    claim_anchor: str
    outcome: str
    mark: str
    word: str
    case: str | None
    reason: str
    hover: str
    duration: str


@dataclass(frozen=True)
class FaultRow:
    """One fault: its cells in the order of the columns (None where the claim does not name it)."""

    anchor: str
    id: str
    sentence: str
    means: str
    only_suite: str | None
    also: tuple[str, ...]
    """Claims of other suites that failed as well, where one suite alone should see the fault."""
    is_sole: bool
    """True where it was tried that no other suite sees it, and none does."""
    cells: tuple[PairCell | None, ...]
    pairs: tuple[PairCell, ...]
    killed: int
    tried: int


@dataclass(frozen=True)
class ClaimColumn:
    """One claim: how many of the faults that were tried on it it killed."""

    id: str
    anchor: str
    killed: int
    tried: int


@dataclass(frozen=True)
class Matrix:
    """The whole matrix. `groups` are (suite or kind, number of columns); `areas` are (area, its rows)."""

    summary: str
    counts: tuple[tuple[str, str, str, int], ...]
    """(shape, word, meaning, how many) for every outcome, zeros too."""
    groups: tuple[tuple[str, int], ...]
    columns: tuple[ClaimColumn, ...]
    areas: tuple[tuple[str, tuple[FaultRow, ...]], ...]
    attention: tuple[PairCell, ...]
    """Pairs that were tried and not killed."""
    failing_controls: tuple[tuple[str, str], ...]
    """(claim, reason) of the claims that do not stand with no fault on."""
    hooks_key: str | None
    hooks_missing: str | None
    states_only: tuple[str, ...]
    duration: str


def matrix(evidence: Evidence) -> Matrix | None:
    """The matrix of the run; None where no fault was to be planted."""
    trials = evidence.falsification
    if trials is None:
        return None
    anchors = {record.claim.id: f"claim-{n}" for n, record in enumerate(evidence.claims, start=1)}
    named = {pair.claim for pair in trials.pairs}
    claims = sorted((r.claim for r in evidence.claims if r.claim.id in named), key=_group_of)
    cells = {(pair.fault, pair.claim): _cell(pair, anchors.get(pair.claim, "")) for pair in trials.pairs}
    rows: dict[str, list[FaultRow]] = defaultdict(list)
    for number, fault in enumerate(trials.faults, start=1):
        rows[fault.area].append(_row(number, fault, tuple(claims), cells, trials))
    order = [*_AREAS, *sorted(set(rows) - set(_AREAS))]
    counts = trials.counts()
    groups: dict[str, int] = defaultdict(int)
    for claim in claims:
        groups[_group_of(claim)] += 1
    return Matrix(
        summary=trials.in_short(),
        counts=tuple((mark, word, meaning, counts[o]) for o, (mark, word, meaning) in OUTCOME_MARKS.items()),
        groups=tuple(groups.items()),
        columns=tuple(_column(claim, anchors, cells) for claim in claims),
        areas=tuple((area, tuple(rows[area])) for area in order if rows[area]),
        attention=tuple(cell for cell in cells.values() if cell.outcome in {"survived", "broken"}),
        failing_controls=tuple((c.claim, c.reason) for c in trials.controls if not c.holds),
        hooks_key=None if trials.hooks is None else trials.hooks.key,
        hooks_missing=trials.hooks_missing,
        states_only=trials.states_only,
        duration=duration(trials.duration_s),
    )


def pair_reason(pair: PairRecord) -> str:
    """What the trial said: the assertion that failed, what broke, or the judge's reason."""
    if pair.outcome == "broken" and pair.assertion:
        return f"{pair.reason}\n{pair.assertion}"
    return pair.assertion or pair.reason


def _group_of(claim: Claim) -> str:
    return claim.suite or claim.kind


def _row(
    number: int,
    fault: FaultRecord,
    claims: tuple[Claim, ...],
    cells: dict[tuple[str, str], PairCell],
    trials: Falsification,
) -> FaultRow:
    own = tuple(cells.get((fault.id, claim.id)) for claim in claims)
    pairs = tuple(cell for cell in own if cell is not None)
    statement = next((s for s in trials.sole if s.fault == fault.id), None)
    return FaultRow(
        anchor=f"fault-{number}",
        id=fault.id,
        sentence=fault.sentence,
        means=fault.means,
        only_suite=fault.only_suite,
        also=() if statement is None else statement.also,
        is_sole=statement is not None and statement.holds,
        cells=own,
        pairs=pairs,
        killed=sum(1 for cell in pairs if cell.outcome == "killed"),
        tried=sum(1 for cell in pairs if cell.outcome != "not-tried"),
    )


def _column(claim: Claim, anchors: dict[str, str], cells: dict[tuple[str, str], PairCell]) -> ClaimColumn:
    own = [cell for (_, claim_id), cell in cells.items() if claim_id == claim.id]
    killed = sum(1 for cell in own if cell.outcome == "killed")
    return ClaimColumn(claim.id, anchors[claim.id], killed, sum(1 for cell in own if cell.outcome != "not-tried"))


def _cell(pair: PairRecord, anchor: str) -> PairCell:
    mark, word, _ = OUTCOME_MARKS[pair.outcome]
    reason = pair_reason(pair)
    where = f" in {pair.case}" if pair.case is not None else ""
    one_line = " ".join(reason.split())
    return PairCell(
        fault=pair.fault,
        claim=pair.claim,
        claim_anchor=anchor,
        outcome=pair.outcome,
        mark=mark,
        word=word,
        case=pair.case,
        reason=shortened(reason, _MESSAGE_SHOWN),
        hover=f"{pair.fault}, {pair.claim}: {word}{where}. {one_line[:_HOVER_SHOWN]}",
        duration=duration(pair.duration_s) if pair.outcome != "not-tried" else "",
    )
