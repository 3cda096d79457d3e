"""The looks: their p-values, their interval, and how often they are right."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nesproof.harness.judge.sequential import (
    LOOKS,
    Decision,
    judge_effects,
    next_look,
)
from nesproof.harness.judge.signed_rank import hodges_lehmann, signed_rank_p

effects_of_a_run = st.integers(10, 48).flatmap(
    lambda n: st.lists(
        st.floats(-1, 1, allow_nan=False).filter(lambda x: abs(x) > 1e-6), min_size=n, max_size=n, unique_by=abs
    )
)


def test_the_error_budget_adds_up_to_one_percent() -> None:
    assert sum(alpha for _, alpha in LOOKS) == pytest.approx(0.01)


@pytest.mark.parametrize(("n", "alpha", "cut"), [(6, 0.025, 0), (8, 0.025, 3), (10, 0.025, 8), (20, 0.025, 52)])
def test_interval_cuts_off_what_the_tables_say(n: int, alpha: float, cut: int) -> None:
    # Critical values of the signed-rank test as printed in any table of it.
    values = np.arange(1.0, n + 1)
    first, second = np.triu_indices(n)
    walsh = np.sort((values[first] + values[second]) / 2)
    _, (low, high) = hodges_lehmann(values, alpha=alpha)
    assert (low, high) == (walsh[cut], walsh[-1 - cut])


def test_p_value_is_the_exact_one() -> None:
    everything_above = np.linspace(0.01, 0.1, 10)
    assert signed_rank_p(everything_above, above=True) == pytest.approx(2**-10)
    assert signed_rank_p(everything_above, above=False) == pytest.approx(1.0)


def test_effects_of_exactly_zero_decide_nothing() -> None:
    assert judge_effects([0.0] * 48).decision is Decision.UNDECIDED


@given(effects_of_a_run)
def test_met_means_that_the_interval_lies_above_the_threshold(effects: list[float]) -> None:
    result = judge_effects(effects)
    at_look = (
        effects[: result.decided_at] if result.decided_at else effects[: max(b for b, _ in LOOKS if b <= len(effects))]
    )
    alpha = dict(LOOKS)[len(at_look)]
    _, (low, high) = hodges_lehmann(np.array(at_look), alpha=alpha)
    assert (result.decision is Decision.MET) == (low > 0)
    assert (result.decision is Decision.MISSED) == (high < 0)


@given(effects_of_a_run)
def test_mirrored_effects_give_the_mirrored_answer(effects: list[float]) -> None:
    mirrored = {Decision.MET: Decision.MISSED, Decision.MISSED: Decision.MET, Decision.UNDECIDED: Decision.UNDECIDED}
    assert judge_effects([-e for e in effects]).decision is mirrored[judge_effects(effects).decision]


def test_estimate_is_the_median_of_the_pairs_means() -> None:
    values = np.array([0.1, 0.5, 0.2, 0.9, 0.3])
    means = sorted((a + b) / 2 for i, a in enumerate(values) for b in values[i:])
    assert hodges_lehmann(values, alpha=0.05)[0] == pytest.approx(means[len(means) // 2])


def test_interval_agrees_with_the_test_it_inverts() -> None:
    values = np.random.default_rng(3).normal(0.1, 0.2, 24)
    _, (low, high) = hodges_lehmann(values, alpha=0.01)
    assert stats.wilcoxon(values - (low - 1e-9), alternative="greater").pvalue <= 0.01
    assert stats.wilcoxon(values - (low + 1e-9), alternative="greater").pvalue > 0.01
    assert stats.wilcoxon(values - (high + 1e-9), alternative="less").pvalue <= 0.01
    assert stats.wilcoxon(values - (high - 1e-9), alternative="less").pvalue > 0.01


def test_a_look_that_cannot_reach_its_alpha_is_skipped() -> None:
    # 2^-10 is above .002 / 3, so that ten blocks cannot accuse among three comparisons; sixteen can.
    below = list(np.linspace(-0.1, -0.05, 16))
    assert judge_effects(below[:10], comparisons=1).decision is Decision.MISSED
    assert judge_effects(below[:10], comparisons=3).decision is Decision.UNDECIDED
    assert judge_effects(below, comparisons=3).decided_at == 16


def test_a_promise_kept_is_not_adjusted_for_comparisons() -> None:
    assert judge_effects(list(np.linspace(0.05, 0.1, 10)), comparisons=50).decision is Decision.MET


def test_fewer_blocks_than_the_first_look_decide_nothing() -> None:
    assert judge_effects([1.0] * 9).decision is Decision.UNDECIDED


@pytest.mark.parametrize("bad", [[], [math.nan], [math.inf]])
def test_effects_that_are_no_numbers_are_refused(bad: list[float]) -> None:
    with pytest.raises(ValueError, match="finite"):
        judge_effects(bad)


def test_next_look() -> None:
    assert [next_look(n) for n in (0, 9, 10, 24, 47, 48)] == [10, 10, 16, 48, 48, None]
    assert next_look(24, last=24) is None


# --- How often it is right. Seeds are fixed; bounds are the binomial's, not wishes. ----------------------------------

RUNS = 500
NOISE = 0.022


def _decisions(effect: float, *, noise: float = NOISE, tails: str = "normal", seed: int = 11) -> Counter[Decision]:
    rng = np.random.default_rng(seed)
    drawn = rng.normal(0, noise, (RUNS, 48))
    if tails == "heavy":
        drawn = rng.standard_t(2, (RUNS, 48)) * noise
    elif tails == "bursts":
        drawn = drawn * np.where(rng.random((RUNS, 48)) < 0.15, 8.0, 1.0)
    return Counter(judge_effects(row + effect).decision for row in drawn)


@pytest.mark.parametrize("tails", ["normal", "heavy", "bursts"])
def test_noise_on_the_threshold_is_inconclusive(tails: str) -> None:
    decisions = _decisions(0.0, tails=tails)
    # Each answer is false with probability 1 % at most; 500 runs may show up to 14 of each (p < .001).
    assert decisions[Decision.MET] <= 14
    assert decisions[Decision.MISSED] <= 14
    assert decisions[Decision.UNDECIDED] >= 475


def test_two_percent_above_passes_and_two_percent_below_fails() -> None:
    assert _decisions(math.log(1.02))[Decision.MET] >= 465
    assert _decisions(math.log(0.98))[Decision.MISSED] >= 465


def test_wrong_answers_stay_rare_under_every_noise() -> None:
    for tails in ("normal", "heavy", "bursts"):
        assert _decisions(math.log(1.02), tails=tails, seed=5)[Decision.MISSED] == 0
        assert _decisions(math.log(0.98), tails=tails, seed=5)[Decision.MET] == 0


def test_more_noise_never_becomes_a_pass() -> None:
    passes = [_decisions(math.log(0.99), noise=noise)[Decision.MET] for noise in (0.01, 0.05, 0.2)]
    assert max(passes) <= 14
