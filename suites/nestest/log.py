"""Reads nestest's log, and compares a trace with it line by line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

__all__ = ["FIELDS", "Difference", "LogLine", "first_difference", "parse_log"]

FIELDS = ("pc", "a", "x", "y", "p", "sp", "scanline", "dot", "cycle")
_CONTEXT_LINES = 4
_LINE = re.compile(
    r"^(?P<pc>[0-9A-F]{4})  .*A:(?P<a>..) X:(?P<x>..) Y:(?P<y>..) P:(?P<p>..) SP:(?P<sp>..) "
    r"PPU: *(?P<scanline>\d+), *(?P<dot>\d+) CYC:(?P<cycle>\d+)$"
)


@dataclass(frozen=True)
class LogLine:
    """One line: its text and its values by field."""

    text: str
    values: Mapping[str, int]


def parse_log(text: str) -> list[LogLine]:
    """Parse the whole log.

    Raises:
        ValueError: a line has another form.
    """
    lines = []
    for number, line in enumerate(text.splitlines(), start=1):
        match = _LINE.match(line)
        if match is None:
            raise ValueError(f"Line {number} of the log has another form: {line!r}")
        fields = match.groupdict()
        values = {name: int(fields[name], 10 if name in {"scanline", "dot", "cycle"} else 16) for name in FIELDS}
        lines.append(LogLine(line, values))
    return lines


@dataclass(frozen=True)
class Difference:
    """The first line that differs. `fields` are those that do; `shown` sets both beside each other, with context."""

    line: int
    fields: tuple[str, ...]
    shown: str


def first_difference(log: Sequence[LogLine], trace: NDArray[Any]) -> Difference | None:
    """Compare a structured array with fields `FIELDS` with the log; None where all lines are equal.

    A trace of another length differs at its end.
    """
    for index, (line, ours) in enumerate(zip(log, trace, strict=False)):
        wrong = tuple(name for name in FIELDS if int(ours[name]) != line.values[name])
        if wrong:
            return Difference(index + 1, wrong, _show(log, trace, index, wrong))
    if len(trace) != len(log):
        at = min(len(trace), len(log))
        return Difference(at + 1, (), f"The trace has {len(trace)} lines, the log {len(log)}.")
    return None


def _show(log: Sequence[LogLine], trace: NDArray[Any], index: int, wrong: tuple[str, ...]) -> str:
    before = [f"  {line.text}" for line in log[max(0, index - _CONTEXT_LINES) : index]]
    # "PC" stands first in a line of the log; the instruction's text, which a trace does not have, stays blank.
    ours = _format(trace[index])
    return "\n".join([*before, f"L {log[index].text}", f"O {ours}", f"  differs in: {', '.join(wrong)}"])


def _format(row: Any) -> str:
    v = {name: int(row[name]) for name in FIELDS}
    return (
        f"{v['pc']:04X}{'':44}A:{v['a']:02X} X:{v['x']:02X} Y:{v['y']:02X} P:{v['p']:02X} SP:{v['sp']:02X} "
        f"PPU:{v['scanline']:3d},{v['dot']:3d} CYC:{v['cycle']}"
    )
