"""Faulty subjects: an adapter of nesproof's own consoles whose class is put under one that does one thing wrong."""

from __future__ import annotations

from typing import Any

from nesproof.harness.faults.adapters import (
    batches,
    buttons,
    consoles,
    cpu_alone,
    kernels,
    lanes,
    memory,
    pictures,
    saved_states,
    timing,
)

__all__ = ["ADAPTER_FAULTS", "plant"]

ADAPTER_FAULTS: dict[str, type] = {
    **buttons.FAULTS,
    **consoles.FAULTS,
    **saved_states.FAULTS,
    **pictures.FAULTS,
    **cpu_alone.FAULTS,
    **lanes.FAULTS,
    **batches.FAULTS,
    **memory.FAULTS,
    **timing.FAULTS,
    **kernels.FAULTS,
}
"""The class of each fault by its id in the catalogue."""


def plant(adapter: Any, fault_id: str) -> Any:
    """The adapter with the fault on: the same object, whose class now has the fault's class before its own.

    Raises:
        ValueError: the adapter has nothing that this fault could spoil, so that it would be no fault at all.
    """
    fault = ADAPTER_FAULTS[fault_id]
    names = {name for cls in fault.__mro__[:-1] for name in vars(cls) if not name.startswith("__")}
    if not any(hasattr(type(adapter), name) for name in names):
        raise ValueError(f"{adapter.name} has nothing that the fault {fault_id} could spoil")
    adapter.__class__ = type(fault.__name__, (fault, type(adapter)), {})
    return adapter
