"""The end of two traces as text, disassembled, where they part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.subjects.client import Subject
from nesproof.suites.parity.disassembly import LONGEST_BYTES, disassembled

__all__ = ["instruction_at", "trace_window"]

_BEFORE, _AFTER = 10, 6


def instruction_at(subject: Subject, pc: int) -> str:
    """What the subject would execute at `pc` now."""
    return disassembled(pc, subject.peek([pc + offset & 0xFFFF for offset in range(LONGEST_BYTES)]).tolist())


def trace_window(
    names: tuple[str, str], subjects: tuple[Subject, Subject], rows: Sequence[NDArray[np.void]], first: int, last: int
) -> str:
    """Both traces around units `first` to `last`, after which they part: a line where they agree, else one of each.

    Bytes are those that memory holds now, where the subjects stand. `>` marks the units in question: those that
    went wrong, or the one in which the frame ends.
    """
    lines = []
    width = max(map(len, names))
    count = min(len(trace) for trace in rows)
    for unit in range(max(0, first - _BEFORE), min(count, last + 1 + _AFTER)):
        mark = ">" if first <= unit <= last else " "
        shown = [_line(subject, trace[unit]) for subject, trace in zip(subjects, rows, strict=True)]
        if shown[0] == shown[1]:
            lines.append(f"{mark} {'both':<{width}} {shown[0]}")
        else:
            lines += [f"{mark} {name:<{width}} {line}" for name, line in zip(names, shown, strict=True)]
    return "\n".join(lines)


def _line(subject: Subject, row: np.void) -> str:
    pc = int(row["pc"])
    registers = " ".join(f"{name.upper()}:{int(row[name]):02X}" for name in ("a", "x", "y", "p", "sp"))
    place = f"line {int(row['scanline']):>3} dot {int(row['dot']):>3} cycle {int(row['cycle'])}"
    return f"{pc:04X}  {instruction_at(subject, pc):<24} {registers}  {place}"
