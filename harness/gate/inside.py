"""The measuring process: `python -m nesproof.harness.gate.inside ORDER RESULT`, run with the base's rooms.

Everything that measures and judges a change runs here. It reads the order, tells of its progress in lines on stderr,
and writes the gate's document, or why there is none. Interrupted, it writes what was measured.
"""

from __future__ import annotations

import sys
import time
from datetime import datetime, timezone
from pathlib import Path

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.errors import HarnessError
from nesproof.harness.evidence.capture import capture_machine, capture_packages, capture_source
from nesproof.harness.evidence.model import SuiteRun
from nesproof.harness.evidence.scrub import scrubber_for_this_machine
from nesproof.harness.gate.document import GateClaim, GateDocument
from nesproof.harness.gate.measuring import GateMeasuring
from nesproof.harness.gate.news import LineNews
from nesproof.harness.gate.order import GateOrder, GateRefusal
from nesproof.harness.gate.outcome import GateVerdict, gate_exit_code
from nesproof.harness.gate.plan import GatePlan, make_gate_plan
from nesproof.harness.gate.selection import claims_of_base, select_claims
from nesproof.harness.gate.sides import consoles_of
from nesproof.harness.gate.verdicts import rejudged
from nesproof.harness.runner.interrupts import Interrupts
from nesproof.harness.runner.preflight import Introductions
from nesproof.harness.runner.progress import Progress
from nesproof.harness.runner.requirements import Requirements
from nesproof.harness.whole_file import write_whole
from nesproof.roms_manifest import Resolver
from nesproof.roms_manifest.errors import RomError

__all__ = ["compare", "main"]


def compare(order: GateOrder, *, interrupts: Interrupts, progress: Progress) -> GateDocument:
    """Measure and judge one comparison.

    Raises:
        HarnessError, RomError: the claims or what was asked for is at fault; nothing was measured.
    """
    created, started = datetime.now(timezone.utc), time.monotonic()
    work_dir = Path(order.work_dir)
    (work_dir / "logs").mkdir(parents=True, exist_ok=True)
    selected, others = select_claims(
        claims_of_base(order.claim_files), order.flags, order.subjects, own_references=order.own_references
    )
    resolver = Resolver()
    introductions = Introductions(work_dir / "logs")
    measuring = GateMeasuring(order, GatePlan(), introductions, resolver, work_dir, progress, on=created.date())
    try:
        with interrupts.measuring():
            progress.note("Looking for what the claims need.")
            with consoles_of(order, "baseline"):
                measuring.plan = make_gate_plan(
                    selected, order, requirements=Requirements(resolver), introductions=introductions
                )
            measuring.lines += measuring.plan.lines()
            progress.plan(measuring.lines)
            measuring.run()
        interrupted = False
    except KeyboardInterrupt:
        interrupted = True
    return _composed(measuring, selected, others, created=created, started=started, interrupted=interrupted)


def _composed(
    measuring: GateMeasuring,
    selected: list[Claim],
    others: list[Claim],
    *,
    created: datetime,
    started: float,
    interrupted: bool,
) -> GateDocument:
    order = measuring.order
    tables = {claim: table.id for table in measuring.tables for claim in table.claims}
    timings = {claim: timing.id for timing in measuring.timings for claim in timing.claims}
    records = [
        GateClaim(
            claim=claim,
            verdict=GateVerdict.NOT_MEASURED,
            reason="Nothing was measured.",
            rerun=order.rerun.replace("{claim}", claim.id),
            table=tables.get(claim.id),
            timing=timings.get(claim.id),
            measurement=measuring.measurement_of(claim, interrupted=interrupted),
            measurement_of_base=measuring.exact_of_base.measurements.get(claim.id),
        )
        for claim in selected
    ]
    document = GateDocument(
        created_utc=created,
        duration_s=round(time.monotonic() - started, 2),
        command=order.command,
        repeat=order.repeat,
        judge=order.judge,
        flags=order.flags,
        baseline=order.baseline,
        candidate=order.candidate,
        merge_base_of=order.merge_base_of,
        yardstick=order.yardstick,
        own_references=order.own_references,
        source=capture_source(),
        machine=capture_machine(),
        packages=capture_packages(),
        plan=tuple(measuring.lines),
        on_path=measuring.on_path,
        baseline_code=measuring.code.get("baseline"),
        candidate_code=measuring.code.get("candidate"),
        end_states=tuple(measuring.end_states),
        timings=tuple(measuring.timings),
        tables=tuple(measuring.tables),
        suites=tuple(_without_files(run) for run in measuring.exact.suites.values()),
        suites_of_base=tuple(_without_files(run) for run in measuring.exact_of_base.suites.values()),
        claims=(*records, *(_not_selected(claim, order) for claim in others)),
        interrupted=interrupted,
        exit_code=ExitCode.NOT_MEASURED,
    )
    # Scrubbed first, then judged, so that the words beside a verdict can be derived again from the document alone.
    scrubber = scrubber_for_this_machine(
        [(Path(order.work_dir), "<work>"), *((Path(folder), f"<{side}>") for side, folder in order.folders.items())]
    )
    clean = GateDocument.model_validate(scrubber.document(document.model_dump(mode="json")))
    claims = rejudged(clean)
    code = gate_exit_code((record.verdict for record in claims), interrupted=interrupted)
    return clean.model_copy(update={"claims": claims, "exit_code": code})


def _not_selected(claim: Claim, order: GateOrder) -> GateClaim:
    return GateClaim(
        claim=claim,
        verdict=GateVerdict.NOT_SELECTED,
        reason="Outside what this gate was asked for.",
        rerun=order.rerun.replace("{claim}", claim.id),
    )


def _without_files(run: SuiteRun) -> SuiteRun:
    """The run without the names of pictures and logs, which stay in the folder of the run."""
    cases = tuple(case.model_copy(update={"frame": None, "reproduction": None}) for case in run.cases)
    return run.model_copy(update={"cases": cases, "log": None})


def main(arguments: list[str]) -> int:
    """Measure what the order asks for, and write the result; 0 once there is one."""
    order_path, result_path = map(Path, arguments)
    interrupts = Interrupts()
    try:
        with interrupts.handled():
            order = GateOrder.model_validate_json(order_path.read_bytes())
            written = compare(order, interrupts=interrupts, progress=LineNews()).model_dump_json()
    except (HarnessError, RomError) as fault:
        written = GateRefusal(sentence=str(fault), exit_code=int(getattr(fault, "exit_code", 5))).model_dump_json()
    write_whole(result_path, written.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
