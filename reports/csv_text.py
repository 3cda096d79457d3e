"""Tables as CSV (RFC 4180) that no spreadsheet takes for more than text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

__all__ = ["csv_bytes"]

_FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")
"""A spreadsheet reads a cell that begins so as a formula, which may run a program or send the table elsewhere."""


def csv_bytes(header: Sequence[str], rows: Iterable[Sequence[str | int | float | bool | None]]) -> bytes:
    """The table, UTF-8, lines ended by a line feed.

    Texts that a spreadsheet would take for a formula get an apostrophe before them, which it shows as text; their
    carriage returns become line feeds. None is an empty cell; numbers are written in full.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_cell(name) for name in header])
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue().encode()


def _cell(value: str | int | float | bool | None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str):
        return repr(value)
    text = f"'{value}" if value.lstrip(" ").startswith(_FORMULA_STARTS) else value
    return text.replace("\r\n", "\n").replace("\r", "\n")
