"""Planting a fault in a subject's worker: runs there, after the adapter is made and before it is asked anything."""

from __future__ import annotations

import importlib
from typing import Any

from nesproof.harness.faults.model import Means

__all__ = ["plant"]

_PLANTED_BY: dict[Means, str] = {
    "hook": "nesproof.harness.faults.hooks",
    "adapter": "nesproof.harness.faults.adapters",
    "judge": "nesproof.harness.faults.judge_breaks",
}
"""The module of each means; it has a function `plant(adapter, fault_id)`."""


def plant(adapter: Any, fault_id: str) -> Any:
    """The adapter with the fault on.

    Raises:
        ConfigurationError: there is no such fault.
        ValueError: it cannot be planted in this adapter.
    """
    from nesproof.harness.faults.registry import find_fault

    module = importlib.import_module(_PLANTED_BY[find_fault(fault_id).means])
    return module.plant(adapter, fault_id)
