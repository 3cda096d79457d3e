"""Reads a GPU's clocks, heat, power and throttle reasons while something runs on it, by NVML, from this process.

A subject is not asked: it is what is being judged.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from nesproof.harness.evidence.gpu_samples import GpuCondition

__all__ = ["THROTTLE_REASONS", "GpuWatch", "Reading", "condition_of"]

THROTTLE_REASONS = {
    0x004: "software power cap",
    0x008: "hardware slowdown",
    0x010: "sync boost",
    0x020: "software thermal slowdown",
    0x040: "hardware thermal slowdown",
    0x080: "hardware power brake",
    0x200: "board limit",
    0x400: "reliability",
}
"""NVML's bits that mean slower than the GPU would run. Not among them: idle (0x1), clocks that the user chose (0x2) or
that a display asks for (0x100): these are as they are for every sample."""
IDLE = 0x001
_EVERY_S = 0.02


@dataclass(frozen=True, kw_only=True)
class Reading:
    """One look at one GPU; None is what its driver does not say."""

    sm_clock_mhz: int | None = None
    memory_clock_mhz: int | None = None
    temperature_c: int | None = None
    power_w: float | None = None
    reasons: int = 0


class GpuWatch:
    """Watches all GPUs of this machine from `__enter__` to `__exit__`; `condition` says then what was seen.

    Without NVML, a driver or a GPU there is nothing to see, and `condition` is None.

    Args:
        read: in the place of NVML, for tests.
    """

    def __init__(self, read: Callable[[], list[Reading]] | None = None) -> None:
        self._nvml = None if read is not None else _nvml()
        self._read = read if read is not None else self._read_all
        self._readings: list[Reading] = []
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def condition(self) -> GpuCondition | None:
        """What was seen in the last span."""
        return condition_of(self._readings)

    def __enter__(self) -> GpuWatch:
        self._readings = []
        self._over.clear()
        if self._look():
            self._thread = threading.Thread(target=self._watch, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
            self._look()

    def close(self) -> None:
        """Let go of NVML."""
        if self._nvml is not None:
            self._nvml.nvmlShutdown()
            self._nvml = None

    def _watch(self) -> None:
        while not self._over.wait(_EVERY_S):
            self._look()

    def _look(self) -> bool:
        found = self._read()
        self._readings += found
        return bool(found)

    def _read_all(self) -> list[Reading]:
        if self._nvml is None:
            return []
        try:
            return [self._read_one(self._nvml, index) for index in range(self._nvml.nvmlDeviceGetCount())]
        except self._nvml.NVMLError:
            return []

    @staticmethod
    def _read_one(nvml: Any, index: int) -> Reading:
        handle = nvml.nvmlDeviceGetHandleByIndex(index)

        def asked(name: str, *arguments: int) -> int | None:
            try:
                return int(getattr(nvml, name)(handle, *arguments))
            except nvml.NVMLError:
                return None

        milliwatts = asked("nvmlDeviceGetPowerUsage")
        return Reading(
            sm_clock_mhz=asked("nvmlDeviceGetClockInfo", nvml.NVML_CLOCK_SM),
            memory_clock_mhz=asked("nvmlDeviceGetClockInfo", nvml.NVML_CLOCK_MEM),
            temperature_c=asked("nvmlDeviceGetTemperature", nvml.NVML_TEMPERATURE_GPU),
            power_w=None if milliwatts is None else milliwatts / 1000,
            reasons=asked("nvmlDeviceGetCurrentClocksThrottleReasons") or 0,
        )


def condition_of(readings: list[Reading]) -> GpuCondition | None:
    """Several readings in one: the worst of each; None where there is none.

    An idle GPU lowers its clocks, which says nothing of how it ran: of clocks only those at work count, if any are.
    """
    if not readings:
        return None
    at_work = [reading for reading in readings if not reading.reasons & IDLE] or readings
    bits = 0
    for reading in readings:
        bits |= reading.reasons
    powers = [reading.power_w for reading in readings if reading.power_w is not None]
    return GpuCondition(
        readings=len(readings),
        sm_clock_mhz=min((r.sm_clock_mhz for r in at_work if r.sm_clock_mhz is not None), default=None),
        memory_clock_mhz=min((r.memory_clock_mhz for r in at_work if r.memory_clock_mhz is not None), default=None),
        temperature_c=max((r.temperature_c for r in readings if r.temperature_c is not None), default=None),
        power_w=round(max(powers), 1) if powers else None,
        throttle_reasons=tuple(name for bit, name in THROTTLE_REASONS.items() if bits & bit),
    )


def _nvml() -> Any:
    """NVML, started; None where there is no driver."""
    import pynvml

    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        return None
    return pynvml
