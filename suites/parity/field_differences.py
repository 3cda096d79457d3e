"""How two saved states of one cartridge differ, field by field."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nesproof.harness.subjects.units import StateFields

__all__ = ["FieldDifference", "field_differences"]


@dataclass(frozen=True)
class FieldDifference:
    """One value that differs; `index` is None where the field has one value."""

    name: str
    index: int | None
    one: int
    other: int

    def __str__(self) -> str:
        place = "" if self.index is None else f"[{self.index}]" if self.index < 16 else f"[${self.index:04X}]"
        return f"{self.name}{place}: {self.one:X} and {self.other:X}"


def field_differences(one: bytes, other: bytes, fields: StateFields) -> tuple[FieldDifference, ...]:
    """Every value that differs, in the fields' order.

    Raises:
        ValueError: a state has another size than the fields take.
    """
    dtype = fields.dtype
    if len(one) != dtype.itemsize or len(other) != dtype.itemsize:
        raise ValueError(f"states of {len(one)} and {len(other)} bytes do not hold {dtype.itemsize} bytes of fields")
    ours, theirs = np.frombuffer(one, dtype)[0], np.frombuffer(other, dtype)[0]
    found = []
    for field in fields.fields:
        if not field.count:
            continue
        left, right = np.atleast_1d(ours[field.name]), np.atleast_1d(theirs[field.name])
        for index in np.flatnonzero(left != right).tolist():
            place = None if field.count == 1 else index
            found.append(FieldDifference(field.name, place, int(left[index]), int(right[index])))
    return tuple(found)
