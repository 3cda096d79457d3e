"""The parts of a before/after: looks, floor, confirmation, what is timed next, what could have been seen."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from nesproof.harness.judge.before_after import DELTA, Change, judge_change_effects
from nesproof.harness.judge.confirmation import BlockTimes, confirm
from nesproof.harness.judge.floor import FLOOR_LOOKS, floor_of
from nesproof.harness.judge.power import POWER_EFFECT, sensitivity_of
from nesproof.harness.judge.procedure import next_block
from nesproof.harness.judge.sequential import LOOKS
from nesproof.harness.judge.several import false_discovery_adjusted
from nesproof.harness.judge.signed_rank import null_tail, signed_rank_p

FIVE = math.log(1.05)


def noisy(blocks: int, middle: float = 0.0, sd: float = 0.005, seed: int = 0) -> list[float]:
    effects: list[float] = np.random.default_rng(seed).normal(middle, sd, blocks).tolist()
    return effects


# --- The signed-rank test --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("blocks", [1, 5, *(blocks for blocks, _ in LOOKS)])
def test_the_null_distribution_is_scipys(blocks: int) -> None:
    rng = np.random.default_rng(blocks)
    for shift in (-0.5, 0.0, 0.5):
        effects = rng.normal(shift, 1.0, blocks)
        for above, alternative in ((True, "greater"), (False, "less")):
            wanted = stats.wilcoxon(effects, alternative=alternative, method="exact").pvalue
            assert signed_rank_p(effects, above=above) == pytest.approx(float(wanted), rel=1e-9)


def test_the_tail_is_a_distribution() -> None:
    tail = null_tail(10)
    assert tail[0] == 2.0**-10
    assert tail[-1] == pytest.approx(1.0)
    assert (np.diff(tail) > 0).all()


@pytest.mark.parametrize("effects", [[0.0, 1.0, 2.0, 3.0], [1.0, -1.0, 2.0, 3.0]])
def test_ties_and_zeros_are_scipys(effects: list[float]) -> None:
    wanted = stats.wilcoxon(effects, zero_method="wilcox", alternative="greater", method="approx", correction=True)
    assert signed_rank_p(np.array(effects), above=True) == pytest.approx(float(wanted.pvalue))


# --- Looks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("middle", "change"),
    [(0.0, Change.NOT_SLOWER), (FIVE, Change.SLOWER), (-FIVE, Change.NOT_SLOWER), (0.01, Change.NOT_SLOWER)],
)
def test_clear_effects_are_decided_at_the_first_look(middle: float, change: Change) -> None:
    result = judge_change_effects(noisy(10, middle))
    assert (result.change, result.decided_at) == (change, 10)
    assert result.interval[0] < middle < result.interval[1]
    assert result.confidence == pytest.approx(0.996)


def test_slower_needs_an_estimate_of_delta() -> None:
    certain_but_small = [0.024 + 0.001 * i for i in range(10)]
    assert judge_change_effects(certain_but_small).change is Change.UNDECIDED
    assert judge_change_effects([e + 0.003 for e in certain_but_small]).change is Change.SLOWER


def test_an_accusation_is_adjusted_and_a_look_that_cannot_reach_it_is_skipped() -> None:
    slow = noisy(16, FIVE)
    assert judge_change_effects(slow, comparisons=2).decided_at == 10
    assert judge_change_effects(slow, comparisons=3).decided_at == 16
    assert judge_change_effects(noisy(10), comparisons=1000).change is Change.NOT_SLOWER


def test_delta_is_policy() -> None:
    assert judge_change_effects(noisy(10, FIVE), delta=0.1).change is Change.NOT_SLOWER


@settings(max_examples=60)
@given(st.lists(st.floats(-0.2, 0.2, allow_nan=False), min_size=10, max_size=10, unique_by=abs), st.floats(1.5, 20))
def test_noise_added_evenly_never_makes_a_pass(effects: list[float], factor: float) -> None:
    middle = float(np.median(effects))
    wilder = [middle + factor * (e - middle) for e in effects]
    before, after = (judge_change_effects(e).change for e in (effects, wilder))
    if middle >= DELTA:
        assert after is not Change.NOT_SLOWER
    if before is Change.UNDECIDED and middle <= 0:
        assert after is not Change.SLOWER


@pytest.mark.parametrize("effects", [[], [math.nan], [math.inf, 0.1]])
def test_nonsense_is_refused(effects: list[float]) -> None:
    for judge in (judge_change_effects, lambda e: floor_of(e, delta=DELTA)):
        with pytest.raises(ValueError, match="finite"):
            judge(effects)


# --- The floor -------------------------------------------------------------------------------------------------------


def test_the_floor_is_half_of_the_intervals_length() -> None:
    floor = floor_of(noisy(16, sd=0.01), delta=DELTA)
    assert floor.half_width == pytest.approx((floor.interval[1] - floor.interval[0]) / 2)
    assert floor.is_low
    assert not floor_of(noisy(16, sd=0.1), delta=DELTA).is_low
    assert not floor_of(noisy(15, sd=0.001), delta=DELTA).is_low


# --- Confirmation ----------------------------------------------------------------------------------------------------


def fresh(
    middle: float, *, blocks: int = 10, sd: float = 0.01, slowed: Sequence[tuple[int, int]] = ()
) -> list[BlockTimes]:
    times = np.random.default_rng(1).normal(0.0, sd, (blocks, 4))
    times[:, 2:] += middle
    for block, process in slowed:
        times[block, process] += 0.4
    return [BlockTimes((a, b), (c, d)) for a, b, c, d in times.tolist()]


def test_fresh_blocks_confirm_or_do_not() -> None:
    assert confirm(fresh(FIVE)).is_confirmed
    assert not confirm(fresh(0.0)).is_confirmed
    assert not confirm(fresh(-FIVE)).is_confirmed
    assert not confirm(fresh(FIVE, blocks=9)).is_confirmed


def test_a_slowed_neighbour_is_one_rank() -> None:
    hit = fresh(FIVE, slowed=[(2, 0), (7, 1)])  # two processes of the baseline: their blocks' effects turn
    effects = np.array([sum(b.candidate) / 2 - sum(b.baseline) / 2 for b in hit])
    assert (effects < 0).sum() == 2
    assert signed_rank_p(effects, above=True) > 0.05
    assert confirm(hit).is_confirmed


def test_the_confirmations_p_value_is_exact() -> None:
    blocks = fresh(0.005, blocks=6)

    def count(of: Sequence[BlockTimes]) -> float:
        times = np.array([(*b.baseline, *b.candidate) for b in of])
        aligned: NDArray[np.float64] = times - np.median(times, axis=1, keepdims=True)
        ranks = stats.rankdata(aligned).reshape(times.shape)
        return float(ranks[:, 2:].sum() - ranks[:, :2].sum())

    found = [
        count([BlockTimes(b.candidate, b.baseline) if flip else b for b, flip in zip(blocks, flips, strict=True)])
        for flips in itertools.product([False, True], repeat=6)
    ]
    wanted = sum(1 for value in found if value >= count(blocks)) / len(found)
    assert confirm(blocks).p_value == pytest.approx(wanted)


@pytest.mark.parametrize("blocks", [[], fresh(0.0, blocks=10) + fresh(0.0, blocks=1)])
def test_blocks_nobody_asked_for_are_refused(blocks: list[BlockTimes]) -> None:
    with pytest.raises(ValueError, match="1 to 10 blocks"):
        confirm(blocks)


# --- What is timed next ----------------------------------------------------------------------------------------------


def timed(effect: float, sd: float, *, aa_sd: float = 0.005, comparisons: int = 1, last_look: int | None = None) -> str:
    """The arms in the order in which they are timed, a letter a block."""
    noise, aa_noise = noisy(48, effect, sd), noisy(48, 0.0, aa_sd, seed=1)
    done = {"ab": 0, "aa": 0, "confirmation": 0}
    order = ""
    while True:
        arm = next_block(
            noise[: done["ab"]], aa_noise[: done["aa"]], range(done["confirmation"]),
            delta=DELTA, comparisons=comparisons, last_look=last_look,
        )  # fmt: skip
        if arm is None:
            return order
        done[arm] += 1
        order += {"ab": "x", "aa": "o", "confirmation": "c"}[arm]


def test_the_arms_alternate_and_the_floor_is_completed() -> None:
    assert timed(0.0, 0.005) == "ox" * 10 + "o" * 6


def test_an_accusation_is_confirmed() -> None:
    assert timed(FIVE, 0.005) == "ox" * 10 + "o" * 6 + "c" * 10


def test_a_noisy_floor_goes_on_and_then_gives_up_without_confirming() -> None:
    assert timed(FIVE, 0.005, aa_sd=0.2) == "ox" * 10 + "o" * (FLOOR_LOOKS[-1] - 10)


def test_undecided_blocks_go_on_to_the_last_look() -> None:
    order = timed(0.015, 0.2)
    assert (order.count("x"), order.count("o"), order.count("c")) == (48, 16, 0)
    capped = timed(0.015, 0.2, last_look=10)
    assert (capped.count("x"), capped.count("o")) == (10, 16)


# --- What could have been seen ---------------------------------------------------------------------------------------


def test_a_calm_job_sees_five_percent_and_a_wild_one_does_not() -> None:
    calm = sensitivity_of(noisy(16, sd=0.005), delta=DELTA, comparisons=1)
    wild = sensitivity_of(noisy(16, sd=0.2), delta=DELTA, comparisons=1)
    assert calm.power == 1.0
    assert wild.power < 0.2
    assert calm.smallest_effect is not None
    assert wild.smallest_effect is not None
    assert DELTA <= calm.smallest_effect < POWER_EFFECT < wild.smallest_effect


def test_what_could_have_been_seen_is_the_same_everywhere() -> None:
    effects = noisy(16, sd=0.03)
    first, second = (sensitivity_of(effects, delta=DELTA, comparisons=1) for _ in range(2))
    assert first == second
    assert sensitivity_of(effects, delta=DELTA, comparisons=50).power <= first.power


def test_a_job_that_sees_nothing_says_so() -> None:
    assert sensitivity_of(noisy(16, sd=5.0), delta=DELTA, comparisons=1).smallest_effect is None


# --- Several metrics -------------------------------------------------------------------------------------------------


def test_advisory_metrics_are_adjusted_by_benjamini_and_hochberg() -> None:
    # The example of their paper of 1995: four of fifteen are found at 5 %.
    p_values = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
                0.6528, 0.7590, 1.0000]  # fmt: skip
    adjusted = false_discovery_adjusted(p_values)
    assert sum(1 for p in adjusted if p <= 0.05) == 4
    assert adjusted == sorted(adjusted)
    assert false_discovery_adjusted([]) == []
    with pytest.raises(ValueError, match="0 and 1"):
        false_discovery_adjusted([1.5])
