"""The base's exact claims on the head's build: the same suites, by the same runner, as `nesproof verify` runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from nesproof.harness.claims.model import Claim
from nesproof.harness.evidence.model import Measurement, SuiteRun
from nesproof.harness.gate.order import GateOrder
from nesproof.harness.gate.sides import consoles_of
from nesproof.harness.runner.measuring import Measuring
from nesproof.harness.runner.options import VerifyOptions
from nesproof.harness.runner.plan import make_plan
from nesproof.harness.runner.preflight import Introductions
from nesproof.harness.runner.progress import Progress
from nesproof.harness.runner.requirements import Requirements
from nesproof.harness.runner.selection import Selected
from nesproof.roms_manifest import Resolver

__all__ = ["Receiver", "measure_exact"]


class Receiver(Protocol):
    """Where the results go."""

    resolver: Resolver
    work_dir: Path
    progress: Progress
    suites: dict[str, SuiteRun]
    measurements: dict[str, Measurement]


def measure_exact(claims: Sequence[Claim], order: GateOrder, receiver: Receiver) -> None:
    """Run the suites of these claims on the head's build.

    Of nesproof's own project every console is the head's, also those that a case is held against; of another project
    the subject alone is.

    Raises:
        KeyboardInterrupt: stopped half way; what was measured is with the receiver.
    """
    if not claims:
        return
    asked = {claim.id: claim if order.is_own else _on_candidate(claim, order) for claim in claims}
    with consoles_of(order, "candidate"):
        introductions = Introductions(receiver.work_dir / "logs")
        plan = make_plan(
            tuple(Selected(claim, False, "") for claim in asked.values()),
            requirements=Requirements(receiver.resolver),
            introductions=introductions,
        )
        measuring = Measuring(
            plan,
            VerifyOptions(profile="full" if order.flags.profile == "full" else "quick", jobs=order.jobs),
            introductions,
            receiver.resolver,
            receiver.work_dir,
            receiver.progress,
        )
        try:
            measuring.run_suites()
        finally:
            names = {claim.subject: own.subject for claim, own in zip(asked.values(), claims, strict=True)}
            for run in measuring.suites.values():
                clean = run.model_copy(update={"subject": names.get(run.subject, run.subject)})
                receiver.suites[run.id] = clean
            receiver.measurements.update(measuring.measurements)


def _on_candidate(claim: Claim, order: GateOrder) -> Claim:
    return claim.model_copy(update={"subject": order.subjects[claim.subject]["candidate"]})
