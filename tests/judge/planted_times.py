"""Times for the planted cases: blocks of processes from stated effects and noise, the same on every machine."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

from nesproof.harness.judge.order import Arm, arm_order

__all__ = ["ENDS", "PEER_ENDS", "SEED", "arm", "burst", "noise"]

SEED = 11
RUNS = 5
STATE = {"digest": "0123456789abcdef", "ram_sha256": "a" * 64, "frame_counter": 720}
ENDS = {"A": STATE, "B": STATE}
PEER_ENDS = {"A": {"digest": None, "ram_sha256": "b" * 64, "frame_counter": 721}, "B": STATE}
"""A baseline that cannot give the digest."""

Noise = Callable[[random.Random, int], float]


def noise(sd: float) -> Noise:
    """Roughly normal: a sum of twelve uniform numbers, of which Python promises the same for ever."""
    return lambda rng, process: sd * (sum(rng.random() for _ in range(12)) - 6)


def burst(sd: float, processes: Sequence[int], slowed_by: float) -> Noise:
    """The same, and the processes of these numbers slowed."""
    calm = noise(sd)
    return lambda rng, process: calm(rng, process) + (math.log1p(slowed_by) if process in processes else 0.0)


def arm(
    key: str,
    blocks: int,
    *,
    of: Arm = "ab",
    slower: float = 0.0,
    base_ms: float = 120.0,
    wobble: Noise | None = None,
    ends: dict[str, Any] | None = None,
    strays: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """An arm in the pack's form. `slower` is ln(time of B / time of A); `key` decides the noise."""
    rng = random.Random(f"{key}/{of}")
    wobble = wobble or noise(0.005)
    rows = []
    for number in range(blocks):
        order = "".join("A" if side == "baseline" else "B" for side in arm_order(SEED, of, number))
        processes = []
        for position, letter in enumerate(order):
            process = 4 * number + position
            shortest = base_ms * 1e6 * math.exp(wobble(rng, process) + (slower if letter == "B" else 0.0))
            runs = [round(shortest * (1 + 0.03 * rng.random())) for _ in range(RUNS)]
            runs[rng.randrange(RUNS)] = round(shortest)
            processes.append(runs)
        rows.append({"order": order, "elapsed_ns": processes})
    found: dict[str, Any] = {"frames": 600, "blocks": rows, "ends": ends or ENDS}
    return {**found, "exceptions": list(strays)} if strays else found
