"""What is known to be wrong in the vectors, and how it is put right.

The vectors of the seven unofficial NOPs with an absolute address (0C, 1C, 3C, 5C, 7C, DC, FC) lack the read of the
operand itself: SingleStepTests/ProcessorTests, issue 46, put right there by pull request 50 in August 2023. The binary
form that is used here does not have that correction. nestest's log and cpu_timing_test6 have the cycle, and both pass
on a console.
"""

from __future__ import annotations

import dataclasses

from nesproof.harness.subjects.flat_cpu import BusAccess
from nesproof.suites.single_step.vectors import Vector

__all__ = ["OPERAND_READ_MISSING", "ErratumGone", "add_operand_read"]

OPERAND_READ_MISSING = (0x0C, 0x1C, 0x3C, 0x5C, 0x7C, 0xDC, 0xFC)
_ABSOLUTE = 0x0C


class ErratumGone(ValueError):
    """A vector does not have the fault that it is known for: it was put right, so it must not be amended."""


def add_operand_read(vector: Vector) -> Vector:
    """The vector with the read of its operand's address, where it lacks it.

    With absolute addressing it always does. Indexed by X it does where the index crosses a page: the read at the
    address without the carry is there, the one at the right address is not.

    Raises:
        ErratumGone: the vector has the read.
    """
    opcode, low, high = (access.value for access in vector.accesses[:3])
    base = high << 8 | low
    if opcode == _ABSOLUTE:
        address, known = base, 3
    else:
        address, known = (base + vector.before.x) & 0xFFFF, 4
        if address >> 8 == base >> 8:
            return vector
    if len(vector.accesses) != known:
        raise ErratumGone(
            f"Vector {vector.name!r} has {len(vector.accesses)} accesses, not the {known} of the faulty form."
        )
    value = dict(vector.ram_before).get(address, 0)
    return dataclasses.replace(vector, accesses=(*vector.accesses, BusAccess(address, value, False)))
