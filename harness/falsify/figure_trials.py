"""Figures and timings of a subject with a fault in it, or from the build with hooks and none on."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nesproof.harness.claims.model import Claim
from nesproof.harness.evidence.model import FiguresMeasurement, Load, RatioMeasurement
from nesproof.harness.judge.sequential import LOOKS
from nesproof.harness.probes.figures import FiguresPlan, measure_figures
from nesproof.harness.probes.load import wait_for_quiet
from nesproof.harness.probes.throughput import ThroughputPlan, measure_throughput
from nesproof.harness.runner.plan import TimingPlan
from nesproof.harness.runner.timings import Timings
from nesproof.roms_manifest import Resolver

__all__ = ["TimingTrials", "measure_table"]

_ONE_BLOCK_S = 600.0
_TIMED_S = 180.0


def measure_table(
    table: FiguresPlan, claims: Sequence[Claim], *, subject: str, resolver: Resolver, work_dir: Path
) -> FiguresMeasurement:
    """Fill a table for the subject of that name as for the claims' own.

    Raises:
        HarnessError, RomError: it could not be filled.
    """
    renamed = [claim.model_copy(update={"subject": subject}) for claim in claims]
    plan = FiguresPlan(table.kind, subject, table.workload, renamed)
    return measure_figures(plan, resolver=resolver, work_dir=work_dir, on_step=lambda _: None)


@dataclass
class TimingTrials:
    """Times a candidate in the place of a claim's own."""

    timings: Timings
    comparisons: int
    quiet_wait_s: float
    allow_busy: bool
    on_block: Callable[[int, int], None] = lambda _done, _look: None

    def one_block(self, timing: TimingPlan, *, candidate: str | None) -> RatioMeasurement:
        """One block: enough to see whether the frames are the right ones.

        Raises:
            TimingInterrupted, SubjectFailed, SubjectUnavailable: as `measure_throughput`.
        """
        plan = self.timings.plan(
            timing,
            deadline_s=time.monotonic() + _ONE_BLOCK_S,
            comparisons=self.comparisons,
            last_look=LOOKS[0][0],
            most_blocks=1,
            candidate=candidate,
        )
        load = wait_for_quiet(limit_s=0, allow_busy=True)
        return self._measured(plan, load)

    def until_decided(self, timing: TimingPlan, *, candidate: str) -> RatioMeasurement:
        """As many blocks as an answer needs, on a quiet machine."""
        plan = self.timings.plan(
            timing,
            deadline_s=time.monotonic() + _TIMED_S,
            comparisons=self.comparisons,
            last_look=24,
            candidate=candidate,
        )
        load = wait_for_quiet(limit_s=self.quiet_wait_s, allow_busy=self.allow_busy)
        return self._measured(plan, load, on_block=self.on_block)

    def _measured(
        self, plan: ThroughputPlan, load: Load, *, on_block: Callable[[int, int], None] | None = None
    ) -> RatioMeasurement:
        return measure_throughput(
            plan,
            expected=self.timings.expected(plan),
            baseline_expected=self.timings.baseline_expected(plan),
            load=load,
            on_block=on_block,
        )
