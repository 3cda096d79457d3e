"""When a machine counts as busy: noise must end in INCONCLUSIVE, never in a verdict."""

from __future__ import annotations

__all__ = ["BUSY_CPU_SHARE", "BUSY_STEAL_SHARE", "is_busy"]

BUSY_CPU_SHARE = 0.10
"""Other processes may take this share of all processors; above it the machine is busy."""
BUSY_STEAL_SHARE = 0.05
"""The host of a virtual machine may take this share."""


def is_busy(other_cpu_share: float | None, steal_share: float | None) -> bool:
    """Whether a share (0 to 1) is above what timing bears; one that could not be seen (None) is not."""
    return (other_cpu_share or 0.0) > BUSY_CPU_SHARE or (steal_share or 0.0) > BUSY_STEAL_SHARE
