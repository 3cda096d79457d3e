"""The base's exact claims on the head's build, and where they fail on the base's: the same suites, by the same runner,
as `nesproof verify` runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from nesproof.harness.claims.model import Claim
from nesproof.harness.evidence.model import Measurement, SuiteRun
from nesproof.harness.gate.order import GateOrder
from nesproof.harness.gate.sides import consoles_of
from nesproof.harness.judge.order import Side
from nesproof.harness.runner.measuring import Measuring
from nesproof.harness.runner.options import VerifyOptions
from nesproof.harness.runner.plan import make_plan
from nesproof.harness.runner.preflight import Introductions
from nesproof.harness.runner.progress import Progress
from nesproof.harness.runner.requirements import Requirements
from nesproof.harness.runner.selection import Selected
from nesproof.roms_manifest import Resolver

__all__ = ["ExactResults", "Surroundings", "measure_exact"]


@dataclass
class ExactResults:
    """What one build's suites said: runs by their id, and each claim's measurement."""

    suites: dict[str, SuiteRun] = field(default_factory=dict)
    measurements: dict[str, Measurement] = field(default_factory=dict)


class Surroundings(Protocol):
    """What the runs need."""

    resolver: Resolver
    work_dir: Path
    progress: Progress


def measure_exact(
    claims: Sequence[Claim], order: GateOrder, side: Side, surroundings: Surroundings, results: ExactResults
) -> None:
    """Run the suites of these claims on one side's build.

    Of nesproof's own project every console is that build's, also those that a case is held against; of another project
    the subject alone is.

    Raises:
        KeyboardInterrupt: stopped half way; what was measured is in the results.
    """
    if not claims:
        return
    asked = {claim.id: claim if order.is_own else _on(side, claim, order) for claim in claims}
    with consoles_of(order, side):
        introductions = Introductions(surroundings.work_dir / "logs")
        plan = make_plan(
            tuple(Selected(claim, False, "") for claim in asked.values()),
            requirements=Requirements(surroundings.resolver),
            introductions=introductions,
        )
        measuring = Measuring(
            plan,
            VerifyOptions(profile="full" if order.flags.profile == "full" else "quick", jobs=order.jobs),
            introductions,
            surroundings.resolver,
            surroundings.work_dir,
            surroundings.progress,
        )
        try:
            measuring.run_suites()
        finally:
            names = {claim.subject: own.subject for claim, own in zip(asked.values(), claims, strict=True)}
            for run in measuring.suites.values():
                clean = run.model_copy(update={"subject": names.get(run.subject, run.subject)})
                results.suites[run.id] = clean
            results.measurements.update(measuring.measurements)


def _on(side: Side, claim: Claim, order: GateOrder) -> Claim:
    return claim.model_copy(update={"subject": order.subjects[claim.subject][side]})
