"""What times a batch's calls.

It is the host's clock where a call returns when its work is done, the device's own where a call returns when its work
is queued.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Literal, Protocol

__all__ = ["Clock", "DeviceStopwatch", "HostStopwatch", "Stopwatch", "alone_ns", "stopwatch_of"]

Clock = Literal["host", "cuda-events"]


class Stopwatch(Protocol):
    """Started and stopped any number of times; then read."""

    clock: Clock

    def start(self) -> None:
        """From here on the time counts; what was asked for before is done by now."""

    def stop(self) -> None:
        """Up to here it counts."""

    def elapsed_ns(self) -> int:
        """The sum of all spans. All work is done when it returns."""
        ...


class HostStopwatch:
    """`time.perf_counter_ns`."""

    clock: Clock = "host"

    def __init__(self) -> None:
        self._elapsed_ns = 0
        self._started = 0

    def start(self) -> None:
        """As `Stopwatch.start`."""
        self._started = time.perf_counter_ns()

    def stop(self) -> None:
        """As `Stopwatch.stop`."""
        self._elapsed_ns += time.perf_counter_ns() - self._started

    def elapsed_ns(self) -> int:
        """As `Stopwatch.elapsed_ns`."""
        return self._elapsed_ns


class DeviceStopwatch:
    """Events in a CUDA batch's stream.

    A span begins on an idle device, so that the first launch's way to it counts, and ends with its last kernel. Nothing
    is waited for within a span: the device is asked once, after the last one.
    """

    clock: Clock = "cuda-events"

    def __init__(self, batch: Any) -> None:
        self._batch = batch
        self._spans: list[tuple[Any, Any]] = []
        self._begin: Any = None

    def start(self) -> None:
        """As `Stopwatch.start`."""
        self._batch.synchronize()
        self._begin = self._batch.mark()

    def stop(self) -> None:
        """As `Stopwatch.stop`."""
        self._spans.append((self._begin, self._batch.mark()))

    def elapsed_ns(self) -> int:
        """As `Stopwatch.elapsed_ns`; at least one, since an event's clock ticks in half microseconds."""
        milliseconds: float = sum(self._batch.milliseconds(begin, end) for begin, end in self._spans)
        return max(1, round(1e6 * milliseconds))


def stopwatch_of(batch: Any) -> Stopwatch:
    """The one that a batch needs."""
    return DeviceStopwatch(batch) if hasattr(batch, "mark") else HostStopwatch()


def alone_ns(batch: Any, call: Callable[[], None]) -> int:
    """How long one call takes by the host's clock on an idle device, until its work is done."""
    batch.synchronize()
    started = time.perf_counter_ns()
    call()
    batch.synchronize()
    return time.perf_counter_ns() - started
