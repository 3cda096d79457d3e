"""Noise models for the simulation: what a shared machine does to the times of processes that run one after another."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

__all__ = ["NOISES", "Noise"]

_USUAL_SD = 0.022
"""Coefficient of variation of the shortest of several runs on an idle shared machine."""

Generator = Callable[[np.random.Generator, int], NDArray[np.float64]]


@dataclass(frozen=True)
class Noise:
    """One model. `draw(rng, count)` gives what is added to ln of the times of `count` processes, in their order."""

    key: str
    title: str
    draw: Generator


def _normal(sd: float) -> Generator:
    return lambda rng, count: rng.normal(0.0, sd, count)


def _drift(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    # 0.1 % a process: a job of 100 processes ends a tenth slower than it began.
    noise: NDArray[np.float64] = rng.normal(0.0, _USUAL_SD, count) + 0.001 * np.arange(count)
    return noise


def _slowed(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    slowed: NDArray[np.float64] = np.log1p(rng.uniform(0.1, 0.6, count))
    return slowed


def _bursts(share: float) -> Generator:
    def draw(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
        hit = rng.random(count) < share
        noise: NDArray[np.float64] = rng.normal(0.0, _USUAL_SD, count) + np.where(hit, _slowed(rng, count), 0.0)
        return noise

    return draw


def _correlated_bursts(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    # A neighbour comes and goes: a fifth of the time, for eight processes on average, with one strength while it stays.
    leaves, comes = 1 / 8, 1 / 32
    lengths = []
    is_burst = bool(rng.random() < 0.2)
    total = 0
    while total < count:
        length = int(rng.geometric(leaves if is_burst else comes))
        lengths.append((length, math.log1p(rng.uniform(0.1, 0.6)) if is_burst else 0.0))
        total += length
        is_burst = not is_burst
    level = np.concatenate([np.full(length, strength) for length, strength in lengths])[:count]
    noise: NDArray[np.float64] = rng.normal(0.0, _USUAL_SD, count) + level
    return noise


def _student(degrees: float) -> Generator:
    # Half of the processes lie as near to the middle as with the usual normal noise; the rest has heavy tails.
    scale = _USUAL_SD * float(stats.norm.ppf(0.75) / stats.t.ppf(0.75, degrees))
    return lambda rng, count: scale * rng.standard_t(degrees, count)


NOISES: tuple[Noise, ...] = (
    Noise("sd-1", "normal, SD 1 %", _normal(0.01)),
    Noise("sd-2.2", "normal, SD 2.2 %", _normal(_USUAL_SD)),
    Noise("sd-5", "normal, SD 5 %", _normal(0.05)),
    Noise("drift", "SD 2.2 %, each process 0.1 % slower than the last", _drift),
    Noise("bursts-5", "SD 2.2 %, 5 % of processes slowed by 10 to 60 %", _bursts(0.05)),
    Noise("bursts-20", "SD 2.2 %, 20 % of processes slowed by 10 to 60 %", _bursts(0.20)),
    Noise("correlated", "SD 2.2 %, 20 % of the time slowed by 10 to 60 %, 8 processes in a row", _correlated_bursts),
    Noise("t-3", "Student t with 3 degrees, scaled to SD 2.2 %", _student(3.0)),
    Noise("t-2", "Student t with 2 degrees, scaled to SD 2.2 %", _student(2.0)),
)
