"""Breaks of the harness itself: each makes the judge say something that does not follow from the samples.

They replace functions of the judge in this process: in a worker that is asked for verdicts they stay, and in a test
`broken_judge` takes them back.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date
from typing import Any
from unittest.mock import patch

from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.judge import change, claim, ratio
from nesproof.harness.judge.before_after import BeforeAfter, judge_change_effects
from nesproof.harness.judge.blocks import Replicate, effects_of
from nesproof.harness.judge.confirmation import BlockTimes, Confirmation, confirm
from nesproof.harness.judge.correctness import Correctness
from nesproof.harness.judge.floor import Floor, floor_of
from nesproof.harness.judge.judgement import Judgement
from nesproof.harness.judge.suite import judge_suite

__all__ = ["JUDGE_BREAKS", "broken_judge", "plant"]

Replacements = list[tuple[Any, str, Callable[..., Any]]]
"""(module, name of the function as that module knows it, what takes its place)."""


def plant(adapter: Any, fault_id: str) -> Any:
    """The adapter, its process's judge broken for good.

    Raises:
        ValueError: the adapter gives no verdicts, or there is no such break.
    """
    if "judge" not in adapter.capabilities:
        raise ValueError(f"{adapter.name} gives no verdicts, so that {fault_id} cannot be planted in it")
    if fault_id not in JUDGE_BREAKS:
        raise ValueError(f"there is no way to plant {fault_id} in a judge")
    for module, name, replacement in JUDGE_BREAKS[fault_id]():
        setattr(module, name, replacement)
    return adapter


@contextmanager
def broken_judge(fault_id: str) -> Iterator[None]:
    """The judge of this process, broken within the block."""
    with ExitStack() as stack:
        for module, name, replacement in JUDGE_BREAKS[fault_id]():
            stack.enter_context(patch.object(module, name, replacement))
        yield


def _always_passes() -> Replacements:
    def passed(judged: Judgement) -> Judgement:
        return dataclasses.replace(judged, verdict=Verdict.PASS, reason="All is well.")

    judge_one, judge_a_change = claim._judge, change.judge_change
    return [
        (claim, "_judge", lambda *given: passed(judge_one(*given))),
        (change, "judge_change", lambda measurement: passed(judge_a_change(measurement))),
    ]


def _sides_swapped() -> Replacements:
    def swapped(replicates: Sequence[Replicate], **given: Any) -> list[float]:
        other = {"candidate": "baseline", "baseline": "candidate"}
        return effects_of([dataclasses.replace(r, side=other[r.side]) for r in replicates], **given)

    return [(ratio, "effects_of", swapped), (change, "effects_of", swapped)]


def _stale_samples_accepted() -> Replacements:
    return [(module, "check_freshness", lambda *_: None) for module in (ratio, change)]


def _zero_cases_pass() -> Replacements:
    def judged(promise: Any, run: Any) -> Judgement:
        found = judge_suite(promise, run)
        nothing_bad = not any(c.outcome != "passed" for c in run.cases)
        is_empty = found.verdict is Verdict.NOT_MEASURED and nothing_bad
        return dataclasses.replace(found, verdict=Verdict.PASS) if is_empty else found

    return [(claim, "judge_suite", judged)]


def _digest_ignored() -> Replacements:
    def right(_: Any) -> Correctness:
        return Correctness(None, "", None)

    return [(ratio, "check_correctness", right), (change, "check_change_correctness", right)]


def _skipped_counts_as_passed() -> Replacements:
    def judged(promise: Any, run: Any) -> Judgement:
        cases = tuple(c.model_copy(update={"outcome": "passed"}) if c.outcome == "skipped" else c for c in run.cases)
        return judge_suite(promise, run.model_copy(update={"cases": cases}))

    return [(claim, "judge_suite", judged)]


def _cannot_run_counts_as_passed() -> Replacements:
    def judged(promise: Any, run: Any) -> Judgement:
        return judge_suite(promise, run.model_copy(update={"cannot_run": ()}))

    return [(claim, "judge_suite", judged)]


def _confirmation_skipped() -> Replacements:
    def confirmed(blocks: Sequence[BlockTimes]) -> Confirmation:
        return dataclasses.replace(confirm(blocks), is_confirmed=True)

    return [(change, "confirm", confirmed)]


def _floor_ignored() -> Replacements:
    return [(change, "floor_of", _always_low)]


def _always_low(effects: Sequence[float], *, delta: float) -> Floor:
    return dataclasses.replace(floor_of(effects, delta=delta), is_low=True)


def _expired_waiver_holds() -> Replacements:
    judge_claim = claim.judge_claim

    def on_any_day(*given: Any, **_: Any) -> Judgement:
        return judge_claim(*given, on=date.min)

    return [(claim, "judge_claim", on_any_day)]


def _tolerance_grows_with_noise() -> Replacements:
    def tolerant(effects: Sequence[float], *, delta: float, comparisons: int) -> BeforeAfter:
        middle = math.fsum(effects) / len(effects)
        spread = math.sqrt(math.fsum((e - middle) ** 2 for e in effects) / len(effects))
        return judge_change_effects(effects, delta=max(delta, 2 * spread), comparisons=comparisons)

    return [(change, "judge_change_effects", tolerant), (change, "floor_of", _always_low)]


JUDGE_BREAKS: dict[str, Callable[[], Replacements]] = {
    "judge-always-passes": _always_passes,
    "sides-swapped": _sides_swapped,
    "stale-samples-accepted": _stale_samples_accepted,
    "zero-cases-pass": _zero_cases_pass,
    "digest-ignored": _digest_ignored,
    "skipped-case-counts-as-passed": _skipped_counts_as_passed,
    "cannot-run-counts-as-passed": _cannot_run_counts_as_passed,
    "confirmation-skipped": _confirmation_skipped,
    "floor-ignored": _floor_ignored,
    "expired-waiver-holds": _expired_waiver_holds,
    "tolerance-grows-with-noise": _tolerance_grows_with_noise,
}
"""What each fault of means "judge" replaces."""
