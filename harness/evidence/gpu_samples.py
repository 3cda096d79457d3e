"""What the evidence document holds of a GPU while something ran on it: clocks, heat, power, and what slowed it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from nesproof.harness.evidence.fields import Name, Record

__all__ = ["GpuCondition", "GpuSample"]


class GpuCondition(Record):
    """A GPU over one timed run, of readings before it, while it ran and after it.

    Clocks are the lowest that were read while the GPU was at work, temperature and power the highest; None where the
    driver does not say. Of several GPUs the worst of each is taken.
    """

    readings: int = Field(ge=1)
    sm_clock_mhz: int | None = None
    memory_clock_mhz: int | None = None
    temperature_c: int | None = None
    power_w: float | None = None
    throttle_reasons: tuple[Name, ...] = Field(default=(), max_length=20)
    """What held the clocks down at any reading, in NVML's names; a choice of the user's or idleness is none."""


class GpuSample(Record):
    """One timed run on a GPU. `labels` are those of the row of figures that it belongs to."""

    labels: dict[Name, str | int | bool] = Field(max_length=20)
    elapsed_ns: int = Field(gt=0)
    clock: Literal["host", "cuda-events"]
    cold_ns: int | None = Field(default=None, gt=0)
    """One call alone on the idle GPU, from the host's call until its work is done."""
    condition: GpuCondition | None = None
    """None where the driver tells nothing."""
    was_discarded: bool = False
    """It was throttled, and counts for no figure."""
