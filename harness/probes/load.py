"""The load gate: how busy the machine is before timing begins. Noise must end in INCONCLUSIVE, so it is looked for."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import psutil

from nesproof.harness.evidence.model import Load
from nesproof.harness.judge.load import is_busy

__all__ = ["wait_for_quiet"]

_SAMPLE_S = 1.0
_TOLD_EVERY_S = 15.0


def wait_for_quiet(
    *,
    limit_s: float,
    allow_busy: bool = False,
    tell: Callable[[str], None] | None = None,
    sample: Callable[[], tuple[float, float | None]] | None = None,
) -> Load:
    """Sample load and steal until the machine is quiet or `limit_s` has passed; `tell` hears of it now and then.

    Nothing of this run may be working meanwhile. `allow_busy` does not wait, and is recorded. `sample` returns the
    shares (0 to 1) that other processes and the host took in the last second; None where there is no steal to see.
    """
    started, told_s = time.monotonic(), -_TOLD_EVERY_S
    while True:
        other, steal = (sample or _sample)()
        waited = time.monotonic() - started
        other = round(min(max(other, 0.0), 1.0), 4)
        steal = None if steal is None else round(steal, 4)
        busy = is_busy(other, steal)
        load = Load(
            load_average_1min=_load_average(),
            other_cpu_share=other,
            steal_share=steal,
            waited_s=round(waited, 2),
            busy=busy,
            overridden=busy and allow_busy,
        )
        if not busy or allow_busy or waited >= limit_s:
            return load
        if tell is not None and waited - told_s >= _TOLD_EVERY_S:
            told_s = waited
            tell(
                f"Waiting for a quiet machine, {limit_s:.0f} s at most: other processes take {other:.0%} of the "
                "processors."
            )


def _sample() -> tuple[float, float | None]:
    shares = psutil.cpu_times_percent(interval=_SAMPLE_S)
    steal = getattr(shares, "steal", None)
    unused = shares.idle + getattr(shares, "iowait", 0.0) + (steal or 0.0)
    return 1 - unused / 100, None if steal is None else steal / 100


def _load_average() -> float | None:
    try:
        return round(os.getloadavg()[0], 2)
    except (AttributeError, OSError):
        return None
