"""How often the judge is right: the whole procedure on simulated processes, so that its error rates are seen.

Every run times processes one after another as the probe does: A/A and A/B blocks in their drawn orders, looks, floor,
confirmation. Nothing but the times is simulated. The same seed gives the same rates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.judge.before_after import DELTA, judge_change_effects
from nesproof.harness.judge.conclusion import conclude
from nesproof.harness.judge.confirmation import CONFIRMATION_BLOCKS, BlockTimes, confirm
from nesproof.harness.judge.floor import FLOOR_LOOKS, floor_of
from nesproof.harness.judge.noise import NOISES, Noise
from nesproof.harness.judge.order import BLOCK_REPLICATES
from nesproof.harness.judge.procedure import next_block
from nesproof.harness.judge.sequential import LOOKS, Decision, judge_effects

__all__ = ["CHANGE_CASES", "THRESHOLD_CASES", "Rates", "SimulationCase", "simulate", "simulate_case"]

_MOST_BLOCKS = LOOKS[-1][0] + FLOOR_LOOKS[-1] + CONFIRMATION_BLOCKS


@dataclass(frozen=True)
class SimulationCase:
    """One row: a question, what is true, and the noise. `effect` is ln of the true ratio (of times for "change", of
    speed over the threshold for "threshold").
    """

    question: str
    truth: str
    effect: float
    noise: Noise
    comparisons: int = 1

    @property
    def key(self) -> str:
        """A name that no other case has; it decides the case's random numbers together with the seed."""
        return f"{self.question}/{self.truth}/{self.noise.key}/{self.comparisons}"


@dataclass(frozen=True)
class Rates:
    """How many of `runs` runs ended in which verdict, and how many processes a run took on average."""

    case: SimulationCase
    runs: int
    passed: int
    failed: int
    processes: float

    @property
    def inconclusive(self) -> int:
        """Runs without an answer."""
        return self.runs - self.passed - self.failed


_TRUTHS = (("identical", 0.0), ("+5 %", math.log(1.05)), ("+3 %", math.log(1.03)), ("-5 %", math.log(0.95)))
_THRESHOLDS = (("on the threshold", 0.0), ("2 % above", math.log(1.02)), ("2 % below", math.log(0.98)))

CHANGE_CASES: tuple[SimulationCase, ...] = tuple(
    SimulationCase("change", truth, effect, noise) for truth, effect in _TRUTHS for noise in NOISES
) + tuple(
    SimulationCase("change", truth, effect, noise, comparisons)
    for truth, effect in _TRUTHS[:2]
    for noise in NOISES[1:2]
    for comparisons in (5, 20)
)
THRESHOLD_CASES: tuple[SimulationCase, ...] = tuple(
    SimulationCase("threshold", truth, effect, noise) for truth, effect in _THRESHOLDS for noise in NOISES
)


def simulate(
    cases: Iterable[SimulationCase], *, runs: int, seed: int, on_case: Callable[[SimulationCase], None] | None = None
) -> list[Rates]:
    """The rates of every case, in order. `on_case` hears of each before it is simulated."""
    found = []
    for case in cases:
        if on_case is not None:
            on_case(case)
        found.append(simulate_case(case, runs=runs, seed=seed))
    return found


def simulate_case(case: SimulationCase, *, runs: int, seed: int) -> Rates:
    """The rates of one case; its random numbers depend on the seed and the case alone."""
    rng = np.random.default_rng([seed, *case.key.encode()])
    one = _change if case.question == "change" else _threshold
    passed = failed = processes = 0
    for _ in range(runs):
        verdict, blocks = one(case, rng)
        passed += verdict is Verdict.PASS
        failed += verdict is Verdict.FAIL
        processes += BLOCK_REPLICATES * blocks
    return Rates(case, runs, passed, failed, processes / runs)


def _block_times(case: SimulationCase, rng: np.random.Generator, blocks: int) -> NDArray[np.float64]:
    """ln of the times of `blocks` blocks of processes in their order, of two sides that are the same: [blocks, 4], two
    of the baseline and two of the candidate, ABBA or BAAB at random.
    """
    times = case.noise.draw(rng, BLOCK_REPLICATES * blocks).reshape(blocks, BLOCK_REPLICATES)
    outer, inner = times[:, [0, 3]], times[:, [1, 2]]
    is_abba = (rng.random(blocks) < 0.5)[:, None]
    return np.hstack([np.where(is_abba, outer, inner), np.where(is_abba, inner, outer)])


def _effects(times: NDArray[np.float64]) -> list[float]:
    effects: list[float] = ((times[:, 2] + times[:, 3] - times[:, 0] - times[:, 1]) / 2).tolist()
    return effects


def _change(case: SimulationCase, rng: np.random.Generator) -> tuple[Verdict, int]:
    times = _block_times(case, rng, _MOST_BLOCKS)
    noise = _effects(times)
    ab: list[float] = []
    aa: list[float] = []
    fresh: list[BlockTimes] = []
    used = 0
    while (arm := next_block(ab, aa, fresh, delta=DELTA, comparisons=case.comparisons)) is not None:
        if arm == "ab":
            ab.append(noise[used] + case.effect)
        elif arm == "aa":
            aa.append(noise[used])
        else:
            first, second, third, fourth = times[used].tolist()
            fresh.append(BlockTimes((first, second), (third + case.effect, fourth + case.effect)))
        used += 1
    verdict, _ = conclude(
        judge_change_effects(ab, delta=DELTA, comparisons=case.comparisons),
        floor_of(aa, delta=DELTA),
        confirm(fresh) if fresh else None,
        delta=DELTA,
    )
    return verdict, used


def _threshold(case: SimulationCase, rng: np.random.Generator) -> tuple[Verdict, int]:
    most = LOOKS[-1][0]
    effects = [effect + case.effect for effect in _effects(_block_times(case, rng, most))]
    result = judge_effects(effects, comparisons=case.comparisons)
    verdict = {Decision.MET: Verdict.PASS, Decision.MISSED: Verdict.FAIL, Decision.UNDECIDED: Verdict.INCONCLUSIVE}
    return verdict[result.decision], result.decided_at or most
