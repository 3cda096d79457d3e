"""Planting a fault in a subject's worker: runs there, after the adapter is made and before it is asked anything."""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["plant"]


def plant(adapter: Any, fault_id: str) -> Any:
    """The adapter with the fault on.

    Raises:
        ValueError: there is no such fault, or it cannot be planted in this adapter.
    """
    from nesproof.harness.faults.registry import find_fault

    fault = find_fault(fault_id)
    if fault.means == "hook":
        _turn_on_hook(fault_id)
    return adapter


def _turn_on_hook(fault_id: str) -> None:
    """In every compiled part at once; only the build with hooks has the function."""
    for name in ("_reference", "_core", "_gpu"):
        extension = importlib.import_module(f"nesproof.emulator.{name}")
        if not hasattr(extension, "plant_fault"):
            raise ValueError(f"this build of the emulator has no hooks, so that {fault_id} cannot be planted in it")
        extension.plant_fault(fault_id.replace("-", "_"))
