"""Claims about counted figures: every row that the claim names must keep the threshold, and every one must be there."""

from __future__ import annotations

import math

from nesproof.harness.claims.model import Claim, Label
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.counting import counted
from nesproof.harness.evidence.model import FigureRow, FiguresMeasurement
from nesproof.harness.judge.judgement import Judgement

__all__ = ["MissingFigure", "claimed_rows", "judge_figures"]


class MissingFigure(ValueError):
    """The table does not hold what the claim names; the message is a clause without a full stop."""


def judge_figures(claim: Claim, measurement: FiguresMeasurement) -> Judgement:
    """The verdict on a claim about figures.

    In this order: a table of something else is ERROR; a state other than the expected one is FAIL, since the figures
    are of other work; a row, a figure or a value that the claim lists but the table lacks is NOT_MEASURED; then the
    worst row decides.
    """
    if (measurement.of, measurement.subject, measurement.workload) != (claim.kind, claim.subject, claim.workload):
        return Judgement(verdict=Verdict.ERROR, reason="The figures are of another subject, workload or kind.")
    for check in measurement.checks:
        if check.expected != check.found:
            reason = f"{check.what}: it ended with digest {check.found}, the reference with {check.expected}."
            return Judgement(verdict=Verdict.FAIL, reason=f"{reason} No digest, no figure.")
    try:
        values = claimed_rows(claim, measurement.rows)
    except MissingFigure as fault:
        return Judgement(verdict=Verdict.NOT_MEASURED, reason=f"The table of figures lacks {fault}.")
    at_most = claim.at_most is not None
    worst_row, worst = (max if at_most else min)(values, key=lambda pair: pair[1])
    kept = worst <= claim.threshold if at_most else worst >= claim.threshold
    promised = f"{'at most' if at_most else 'at least'} {claim.threshold:g}"
    name = (claim.metric or "").replace("_", " ")
    where = _named(worst_row, values)
    figure = (
        f"{_shown(worst)} x the {name} of {', '.join(map(str, claim.over.values()))}"
        if claim.over
        else (f"{_shown(worst)} {name}")
    )
    return Judgement(
        verdict=Verdict.PASS if kept else Verdict.FAIL,
        reason=f"Promised {promised}; counted are {figure}{where}, {'' if kept else 'not '}within that.",
        measured=f"{figure}{where}",
        value=worst,
    )


def claimed_rows(claim: Claim, rows: tuple[FigureRow, ...]) -> list[tuple[FigureRow, float]]:
    """The rows that the claim names, each with its figure.

    Raises:
        MissingFigure: a row or a figure that it names is not there.
    """
    chosen = [row for row in rows if all(_matches(row, name, value) for name, value in claim.where.items())]
    for name, value in claim.where.items():
        for one in value if isinstance(value, tuple) else (value,):
            if not any(_same(row.labels.get(name), one) for row in chosen):
                raise MissingFigure(f"rows with {name} {one}")
    if not chosen:
        raise MissingFigure("rows")
    return [
        (row, _figure(claim, row) / (_figure(claim, _other(claim, row, rows)) if claim.over else 1)) for row in chosen
    ]


def _other(claim: Claim, row: FigureRow, rows: tuple[FigureRow, ...]) -> FigureRow:
    wanted = {**row.labels, **claim.over}
    found = [
        r for r in rows if r.labels.keys() == wanted.keys() and all(_same(r.labels[n], v) for n, v in wanted.items())
    ]
    if len(found) != 1:
        raise MissingFigure("the one row to divide by: " + ", ".join(f"{n} {v}" for n, v in claim.over.items()))
    if _figure(claim, found[0]) <= 0:
        raise MissingFigure("a figure above 0 to divide by")
    return found[0]


def _figure(claim: Claim, row: FigureRow) -> float:
    value = row.figures.get(claim.metric or "")
    if value is None or not math.isfinite(value):
        raise MissingFigure(f"the figure {claim.metric}")
    return value


def _matches(row: FigureRow, name: str, value: Label | tuple[Label, ...]) -> bool:
    return any(_same(row.labels.get(name), one) for one in (value if isinstance(value, tuple) else (value,)))


def _same(first: Label | None, second: Label) -> bool:
    """Equal and of one type: Python takes True for 1."""
    return type(first) is type(second) and first == second


def _named(row: FigureRow, values: list[tuple[FigureRow, float]]) -> str:
    """Which row it is, by the labels in which the rows differ."""
    if len(values) == 1:
        return ""
    differing = [n for n in row.labels if len({str(r.labels.get(n)) for r, _ in values}) > 1]
    words = ", ".join(str(row.labels[name]) for name in differing)
    return f" ({words}, the worst of {counted(len(values), 'row')})"


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 1000 else f"{value:.4g}"
