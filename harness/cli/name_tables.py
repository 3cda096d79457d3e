"""Tables whose names can be copied: a name stays whole where there is room for it, and a pipe has no width."""

from __future__ import annotations

import shutil
from collections.abc import Iterable

from rich.cells import cell_len
from rich.console import Console
from rich.measure import measure_renderables
from rich.table import Column, Table

__all__ = ["share_width", "table_console"]

_WIDE = 200
"""Columns where no terminal says how many it has: every name fits, and a sentence still wraps."""
_LEAST = 12
"""Columns that are left to what stands beside a name."""


def table_console(*, highlight: bool = True) -> Console:
    """For stdout: as wide as the terminal, or as COLUMNS says; otherwise wide."""
    return Console(highlight=highlight, width=shutil.get_terminal_size(fallback=(_WIDE, 1)).columns)


def share_width(table: Table, console: Console, *, named: int, beside: int, names: Iterable[str]) -> None:
    """Let column `named`, in which each cell has a line that is one of `names`, keep them whole, at the cost of column
    `beside`. Nothing changes where the console has room for everything."""
    natural = [_natural(column, console) for column in table.columns]
    frame = 3 * len(natural) + 1  # a line and a blank at each side
    free = console.width - frame - sum(natural) + natural[named] + natural[beside]
    if natural[named] + natural[beside] <= free:
        return
    longest = max(map(cell_len, names), default=0)
    wanted = max(longest, min(natural[named], free * 5 // 9), free - natural[beside])
    width = max(1, min(wanted, free - _LEAST))
    table.columns[named].width = width
    table.columns[beside].width = max(1, free - width)


def _natural(column: Column, console: Console) -> int:
    options = console.options.update(max_width=100_000)
    return measure_renderables(console, options, [column.header, *column.cells]).maximum
