"""Comparisons as CSV: a row each, figures in full, for a spreadsheet or a notebook."""

from __future__ import annotations

from nesproof.reports.csv_text import csv_bytes
from nesproof.reports.views.comparisons import ComparisonRow, ComparisonSide

__all__ = ["comparisons_csv"]

_SIDE = ("subject", "version", "drawn", "consoles", "threads", "frames_a_call", "idle_skipping", "frames_per_second")


def comparisons_csv(rows: tuple[ComparisonRow, ...]) -> bytes:
    """The table, UTF-8, a line a comparison; cells that nothing was measured for are empty."""
    header = ["workload", *(f"candidate_{name}" for name in _SIDE), *(f"baseline_{name}" for name in _SIDE)]
    header += ["ratio", "ratio_low", "ratio_high", "outcome", "behaviour", "words"]
    return csv_bytes(header, (_cells(row) for row in rows))


def _cells(row: ComparisonRow) -> list[str | int | float | bool | None]:
    low, high = row.interval_values or (None, None)
    figures = [row.ratio_value, low, high]
    return [
        row.workload,
        *_side(row.candidate),
        *_side(row.baseline),
        *figures,
        row.outcome,
        row.behaviour,
        row.words,
    ]


def _side(side: ComparisonSide) -> list[str | int | float | bool | None]:
    return [
        side.subject,
        side.version,
        side.drawing if side.consoles is not None else None,
        side.consoles,
        side.threads,
        side.frame_skip,
        side.idle_skipping if side.consoles is not None else None,
        side.frames_per_second_value,
    ]
