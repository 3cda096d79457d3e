"""Turns a hook on in the build of the consoles that has hooks."""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["plant"]


def plant(adapter: Any, fault_id: str) -> Any:
    """The adapter; the fault is on in every compiled part at once.

    Raises:
        ValueError: this build of the emulator has no hooks.
    """
    for name in ("_reference", "_core", "_gpu"):
        extension = importlib.import_module(f"nesproof.emulator.{name}")
        if not hasattr(extension, "plant_fault"):
            raise ValueError(f"this build of the emulator has no hooks, so that {fault_id} cannot be planted in it")
        extension.plant_fault(fault_id.replace("-", "_"))
    return adapter
