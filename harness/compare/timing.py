"""Timing of pairs of subjects without a threshold: blocks as for claims, until the interval is narrow or the time is
up. Several pairs take turns block by block, so that each row of a table is measured over the same stretch of time, and
the time is shared fairly."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from nesproof.harness.evidence.model import ExpectedState, Load, RatioMeasurement, Sample
from nesproof.harness.judge.blocks import effects_of, replicates_of
from nesproof.harness.judge.comparison import is_narrow
from nesproof.harness.judge.correctness import check_correctness
from nesproof.harness.judge.sequential import LOOKS
from nesproof.harness.probes.throughput import ThroughputPlan, measurement_of, time_block, with_passes

__all__ = ["PairTiming", "time_pairs"]


class PairTiming:
    """The timing of one pair, block by block. `plan.threshold` is 1: nothing is decided."""

    def __init__(self, plan: ThroughputPlan, expected: ExpectedState, *, load: Load) -> None:
        self._plan = plan
        self._expected = expected
        self._load = load
        self._samples: list[Sample] = []
        self._is_prepared = False
        self.blocks = 0
        self.spent_s = 0.0
        self.is_over = False
        self.budget_exhausted = False
        self.interrupted = False
        self.fault: Exception | None = None
        """What broke it; the samples before are kept nowhere then."""

    @property
    def name(self) -> str:
        """For people."""
        return f"{self._plan.candidate} beside {self._plan.baseline}"

    @property
    def block_s(self) -> float:
        """How long a block takes; 0 where that is not known yet."""
        return self.spent_s / self.blocks if self.blocks else 0.0

    def time_block(self) -> None:
        """Time one block. Where the subject breaks, `fault` says how, and it is over.

        Raises:
            KeyboardInterrupt: stopped within the block, which is lost.
        """
        started = time.monotonic()
        try:
            if not self._is_prepared:
                self._plan = with_passes(self._plan)
                self._is_prepared = True
                started = time.monotonic()
            block = time_block(self._plan, self.blocks)
        except Exception as fault:  # whatever broke this pair must not take the others down
            self.fault, self.is_over = fault, True
            return
        self.spent_s += time.monotonic() - started
        self._samples += block
        self.blocks += 1
        self.is_over = self._should_end()

    def measurement(self) -> RatioMeasurement:
        """What was measured until now."""
        return measurement_of(
            self._plan,
            self._samples,
            expected=self._expected,
            load=self._load,
            budget_exhausted=self.budget_exhausted,
            interrupted=self.interrupted,
        )

    def _should_end(self) -> bool:
        if check_correctness(self.measurement()).wrong_side is not None:
            return True
        if self.blocks not in dict(LOOKS):
            return False
        if self._load.busy and not self._load.overridden:
            # A busy machine yields a figure without an interval, which is worth no more time than this.
            self.budget_exhausted = True
            return True
        replicates = replicates_of(self._samples, order_seed=self._plan.order_seed)
        return self.blocks == LOOKS[-1][0] or is_narrow(effects_of(replicates, threshold=1.0))


def time_pairs(
    pairs: Sequence[PairTiming],
    *,
    deadline_s: float,
    on_block: Callable[[PairTiming, int], None] = lambda *_: None,
) -> None:
    """Time the pairs in turns until each is over or the time (on `time.monotonic()`'s clock) is up.

    `on_block(pair, remaining)` hears of each block and how many pairs go on.

    Raises:
        KeyboardInterrupt: a person stopped it; the whole blocks until then are kept, and the pairs say so.
    """
    try:
        while going_on := [pair for pair in pairs if not pair.is_over]:
            for pair in going_on:
                if time.monotonic() + pair.block_s > deadline_s:
                    pair.budget_exhausted = pair.is_over = True
                    continue
                pair.time_block()
                on_block(pair, sum(1 for one in pairs if not one.is_over))
    except KeyboardInterrupt:
        for pair in pairs:
            if not pair.is_over:
                pair.interrupted = pair.is_over = True
        raise
