"""When a machine counts as busy: noise must end in INCONCLUSIVE, never in a verdict."""

from __future__ import annotations

from nesproof.harness.evidence.measurements import Load

__all__ = ["BUSY_CPU_SHARE", "BUSY_STEAL_SHARE", "busy_caveat", "is_busy", "load_words"]

BUSY_CPU_SHARE = 0.10
"""Other processes may take this share of all processors; above it the machine is busy."""
BUSY_STEAL_SHARE = 0.05
"""The host of a virtual machine may take this share."""


def is_busy(other_cpu_share: float | None, steal_share: float | None) -> bool:
    """Whether a share (0 to 1) is above what timing bears; one that could not be seen (None) is not."""
    return (other_cpu_share or 0.0) > BUSY_CPU_SHARE or (steal_share or 0.0) > BUSY_STEAL_SHARE


def load_words(load: Load) -> str:
    """What was seen, as the end of a sentence."""
    parts = [
        f"other processes took {load.other_cpu_share:.0%} of the processors"
        if load.other_cpu_share is not None
        else "",
        f"{load.steal_share:.0%} was stolen by the host" if load.steal_share is not None else "",
        f"after a wait of {load.waited_s:.0f} s",
    ]
    return ", ".join(part for part in parts if part)


def busy_caveat(load: Load) -> str | None:
    """What is said beside a verdict that was measured on a busy machine because somebody insisted."""
    return (
        f"diagnostic only: measured on a busy machine ({load_words(load)})" if load.busy and load.overridden else None
    )
