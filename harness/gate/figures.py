"""Counted figures of two builds beside each other: pure, tables in, one comparison out.

What may rise by how much: instructions by 2 % (`max_increase` of the claim says otherwise), and unless timing shows the
change faster by delta; memory and spills by nothing; every other figure as far as the claim's own threshold goes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.model import FiguresMeasurement
from nesproof.harness.gate.outcome import GateVerdict
from nesproof.harness.judge.figures import MissingFigure, claimed_rows, judge_figures

__all__ = ["INSTRUCTIONS_INCREASE", "REPORTED_INCREASE", "FigureComparison", "allowed_increase", "compare_figures"]

INSTRUCTIONS_INCREASE = 0.02
"""By how much machine instructions may rise where a claim does not say."""
REPORTED_INCREASE = 0.002
"""From which rise on it is told of."""
_ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True)
class FigureComparison:
    """The verdict, why, and the figures of the row that fares worst. `change` is after over before, minus 1."""

    verdict: GateVerdict
    reason: str
    before: float | None = None
    after: float | None = None
    change: float | None = None
    caveat: str | None = None


def allowed_increase(claim: Claim) -> float | None:
    """By what share of the base's figure it may get worse; None where the claim's threshold alone decides."""
    if claim.max_increase is not None:
        return claim.max_increase
    if claim.kind == "instructions":
        return INSTRUCTIONS_INCREASE
    return 0.0 if claim.kind == "memory" or claim.metric == "spill_bytes" else None


def compare_figures(
    claim: Claim, baseline: FiguresMeasurement, candidate: FiguresMeasurement, *, is_faster: bool | None, on: date
) -> FigureComparison:
    """Judge the candidate's table beside the baseline's.

    `is_faster` says whether timing shows the candidate faster by delta; None where it was not timed.
    """
    judged = {"base": judge_figures(claim, baseline), "head": judge_figures(claim, candidate)}
    for side, table in (("base", baseline), ("head", candidate)):
        if any(check.expected != check.found for check in table.checks):
            verdict = GateVerdict.FAIL if side == "head" else GateVerdict.ERROR
            return FigureComparison(verdict=verdict, reason=f"In the {side}, {judged[side].reason}")
    try:
        before, after, row = _worst(claim, baseline, candidate)
    except MissingFigure as fault:
        return FigureComparison(verdict=GateVerdict.NOT_MEASURED, reason=f"The table of figures lacks {fault}.")
    change = _change(before, after)
    worse = change if claim.at_most is not None else -change

    def found(verdict: GateVerdict, reason: str, caveat: str | None = None) -> FigureComparison:
        shown = change if math.isfinite(change) else None
        return FigureComparison(verdict=verdict, reason=reason, before=before, after=after, change=shown, caveat=caveat)

    limit = allowed_increase(claim)
    name = (claim.metric or "").replace("_", " ")
    moved = f"{name}{row}: {_shown(before)} before, {_shown(after)} after ({_percent(change)})"
    broken = judged["head"].verdict is Verdict.FAIL
    caveat = None
    if limit is not None and worse > limit + _ROUNDING:
        if claim.kind == "instructions" and is_faster:
            reason = f"{moved}: above {limit:.3g}, but timing shows the change faster by more than delta."
            return found(GateVerdict.PASS, reason)
        allowed = f"at most {_percent(limit)} is let through" if limit else "no rise is let through"
        return found(*_failed(claim, f"{moved}; {allowed}.", after=judged["head"].value, on=on))
    if limit is None and broken and (judged["base"].verdict is not Verdict.FAIL or worse > 0):
        return found(*_failed(claim, f"{moved}. {judged['head'].reason}", after=judged["head"].value, on=on))
    if broken:
        caveat = "the base breaks the claim's own threshold already" if judged["base"].verdict is Verdict.FAIL else (
            "`nesproof verify` holds the claim's own threshold, which the head breaks"
        )  # fmt: skip
    elif worse > REPORTED_INCREASE:
        caveat = "worse, within what is let through"
    same = "The figures are the same." if change == 0 else f"{moved}."
    return found(GateVerdict.PASS, same, caveat)


def _failed(claim: Claim, reason: str, *, after: float | None, on: date) -> tuple[GateVerdict, str]:
    waiver = claim.waiver
    if waiver is not None and on <= waiver.expires and waiver.covers_figure(after, at_most=claim.at_most is not None):
        why = f"{reason} Waived until {waiver.expires}: {waiver.reason} What would settle it: {waiver.settled_by}"
        return GateVerdict.WAIVED, why
    return GateVerdict.FAIL, reason


def _worst(claim: Claim, baseline: FiguresMeasurement, candidate: FiguresMeasurement) -> tuple[float, float, str]:
    """Before and after of the row that fares worst, and in brackets which it is, where there are several."""
    befores = {_key(row.labels): value for row, value in claimed_rows(claim, baseline.rows)}
    afters = claimed_rows(claim, candidate.rows)
    pairs = []
    for row, after in afters:
        if _key(row.labels) not in befores:
            raise MissingFigure("rows of the base for " + ", ".join(map(str, row.labels.values())))
        pairs.append((befores[_key(row.labels)], after, row))
    sign = 1 if claim.at_most is not None else -1
    before, after, row = max(pairs, key=lambda p: (sign * _change(p[0], p[1]), sign * p[1]))
    names = [n for n in row.labels if len({str(other.labels.get(n)) for other, _ in afters}) > 1]
    where = f" ({', '.join(str(row.labels[n]) for n in names)})" if names else ""
    return before, after, where


def _key(labels: dict[str, str | int | bool]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, repr(value)) for name, value in labels.items()))


def _change(before: float, after: float) -> float:
    if before == after:
        return 0.0
    return after / before - 1 if before else math.copysign(math.inf, after)


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 1000 else f"{value:.4g}"


def _percent(change: float) -> str:
    return f"{change:+.2%}" if math.isfinite(change) else "from nothing"
