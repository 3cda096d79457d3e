"""Counted figures as tables: one for each measurement, however many claims rest on it."""

from __future__ import annotations

from dataclasses import dataclass

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.model import FigureRow, FiguresMeasurement
from nesproof.reports.figures import amount

__all__ = ["FigureTable", "ModelBar", "figure_tables", "model_bars"]

_ROWS_SHOWN = 300
_LABEL_SHOWN = 60
"""Characters of a label; a function's name in a binary can be ten times as long."""
_TITLES = {
    "memory": "Bytes a console",
    "static": "The compiled kernels",
    "model": "The kernels' schedules, counted on a CPU",
    "instructions": "Machine instructions a frame",
    "absolute": "Speed by number of consoles",
}


@dataclass(frozen=True)
class ModelBar:
    """One figure of one schedule on one set of lanes."""

    set: str
    schedule: str
    value: float


@dataclass(frozen=True)
class FigureTable:
    """One table. `cells` of a row are its labels, then its figures, in the order of `columns`; "" where it has none."""

    anchor: str
    kind: str
    title: str
    subject: str
    workload: str | None
    settings: tuple[tuple[str, str], ...]
    label_columns: tuple[str, ...]
    figure_columns: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    left_out: int
    claims: tuple[tuple[str, str], ...]
    """(anchor, id) of the claims that rest on it."""
    checks: int
    checks_failed: int
    bars: tuple[ModelBar, ...]


def figure_tables(evidence: Evidence) -> tuple[FigureTable, ...]:
    """Every table of figures, in the order of the evidence; claims that share one are listed with it."""
    found: dict[int, tuple[FiguresMeasurement, list[tuple[str, str]]]] = {}
    for index, record in enumerate(evidence.claims, start=1):
        if isinstance(record.measurement, FiguresMeasurement):
            same = next((n for n, (m, _) in found.items() if m == record.measurement), index)
            found.setdefault(same, (record.measurement, []))[1].append((f"claim-{index}", record.claim.id))
    return tuple(_table(n, measurement, tuple(claims)) for n, (measurement, claims) in found.items())


def _table(index: int, measurement: FiguresMeasurement, claims: tuple[tuple[str, str], ...]) -> FigureTable:
    labels = tuple(dict.fromkeys(name for row in measurement.rows for name in row.labels))
    figures = tuple(dict.fromkeys(name for row in measurement.rows for name in row.figures))
    shown = measurement.rows[:_ROWS_SHOWN]
    return FigureTable(
        anchor=f"table-{index}",
        kind=measurement.of,
        title=_TITLES.get(measurement.of, measurement.of),
        subject=measurement.subject,
        workload=measurement.workload,
        settings=tuple((name.replace("_", " "), _label(value)) for name, value in measurement.settings.items()),
        label_columns=tuple(name.replace("_", " ") for name in labels),
        figure_columns=tuple(name.replace("_", " ") for name in figures),
        rows=tuple(
            (
                tuple(_label(row.labels[name]) if name in row.labels else "" for name in labels),
                tuple(amount(row.figures[name]) if name in row.figures else "" for name in figures),
            )
            for row in shown
        ),
        left_out=len(measurement.rows) - len(shown),
        claims=claims,
        checks=len(measurement.checks),
        checks_failed=sum(1 for check in measurement.checks if check.expected != check.found),
        bars=model_bars(shown, "active_lanes") if measurement.of == "model" else (),
    )


def model_bars(rows: tuple[FigureRow, ...], figure: str) -> tuple[ModelBar, ...]:
    """A figure of the warp model by schedule and set of lanes."""
    return tuple(
        ModelBar(str(row.labels["set"]), str(row.labels["schedule"]), row.figures[figure])
        for row in rows
        if {"set", "schedule"} <= row.labels.keys() and figure in row.figures
    )


def _label(value: str | int | float | bool) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if not isinstance(value, str):
        return amount(value)
    return value if len(value) <= _LABEL_SHOWN else f"{value[:_LABEL_SHOWN]}\N{HORIZONTAL ELLIPSIS}"
