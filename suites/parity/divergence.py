"""Where two subjects part, for people and for a machine that is to see it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nesproof.suites.parity.field_differences import FieldDifference
from nesproof.suites.parity.reproduction import Reproduction

__all__ = ["Divergence", "Place"]

_FIELDS_SHOWN = 12


@dataclass(frozen=True)
class Place:
    """After what two subjects, that were equal until then, differ.

    `found_by` says how close it is known: "unit", that unit alone; "block", one of the units of a stride in which the
    first subject looked at no chip (its units one by one are right); "frame", the frame as a whole.

    `unit` and `last_unit` count from the frame's start, and `scanline`, `dot`, `cycle` and `pc` are where the first of
    them begins. For a frame as a whole they are where it ends, or where the first differing pixel lies.
    """

    found_by: Literal["unit", "block", "frame"]
    lane: int
    frame: int
    scanline: int
    dot: int
    unit: int | None = None
    last_unit: int | None = None
    cycle: int | None = None
    pc: int | None = None


@dataclass(frozen=True)
class Divergence:
    """One divergence. `picture` is both frames and their difference, uint8 [240, W, 3]; `pixel` the first differing
    pixel as (row, column), None where the pictures agree."""

    subjects: tuple[str, str]
    place: Place
    instruction: str
    fields: tuple[FieldDifference, ...]
    window: str
    pixel: tuple[int, int] | None
    picture: NDArray[np.uint8]
    reproduction: Reproduction

    def text(self) -> str:
        """All of it but the picture and the file, in lines."""
        return "\n".join([self.headline(), *self._facts(), *([self.window] if self.window else [])])

    def headline(self) -> str:
        """One sentence."""
        place, (one, other) = self.place, self.subjects
        where = f"lane {place.lane}, frame {place.frame}, scanline {place.scanline}, dot {place.dot}"
        if place.pc is None:
            return f"{one} and {other} part: {where}; their units one by one agree."
        cycle = f"cycle {place.cycle}"
        if place.found_by == "block":
            return f"{one} and {other} part: {where}, {cycle}, in the block that begins with {self.instruction}."
        return f"{one} and {other} part: {where}, {cycle}, at {place.pc:04X}  {self.instruction}."

    def _facts(self) -> list[str]:
        facts = []
        if self.fields:
            more = len(self.fields) - _FIELDS_SHOWN
            shown = "; ".join(map(str, self.fields[:_FIELDS_SHOWN]))
            facts.append(f"Differing: {shown}" + (f"; and {more} more." if more > 0 else "."))
        if self.pixel is not None:
            facts.append(f"The pictures differ from row {self.pixel[0]}, column {self.pixel[1]} on.")
        return facts
