"""Which build every console of the project's own is started from, for a while."""

from __future__ import annotations

from contextlib import AbstractContextManager

from nesproof.harness.gate.order import GateOrder
from nesproof.harness.judge.order import Side
from nesproof.harness.subjects.in_force import variables_set
from nesproof.harness.subjects.status import EMULATOR_VARIABLE

__all__ = ["consoles_of", "reference_of"]


def consoles_of(order: GateOrder, side: Side) -> AbstractContextManager[None]:
    """During the block, consoles that are no variant come from this side's build, where the project is nesproof."""
    return variables_set({EMULATOR_VARIABLE: order.folders[side]} if order.is_own else {})


def reference_of(order: GateOrder, side: Side) -> AbstractContextManager[None]:
    """During the block, the reference is the one that this side's runs are held to (`references.py`)."""
    return consoles_of(order, side if order.own_references else "baseline")
