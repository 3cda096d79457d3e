"""What no noise can blur, of both builds: counted figures, the kernels' machine code, and where workloads end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from nesproof.harness.claims.runs import RunChoice
from nesproof.harness.evidence.model import FiguresMeasurement
from nesproof.harness.gate.document import Absence, EndState, KernelCode, Table
from nesproof.harness.gate.order import GateOrder
from nesproof.harness.gate.plan import SIDES, TablePlan
from nesproof.harness.gate.sides import reference_of
from nesproof.harness.judge.order import Side
from nesproof.harness.probes.figures import measure_figures
from nesproof.harness.probes.kernels import machine_code
from nesproof.harness.probes.lanes import expected_state
from nesproof.harness.probes.throughput import options_of, run_of
from nesproof.harness.runner.measuring import failed_measurement
from nesproof.harness.subjects.client import open_subject
from nesproof.harness.workloads import Workload
from nesproof.roms_manifest import Resolver

__all__ = ["end_state", "kernels_of", "measure_table"]


def measure_table(
    plan: TablePlan, order: GateOrder, *, resolver: Resolver, work_dir: Path, on_step: Callable[[str], None]
) -> Table:
    """The table of both builds; a side that broke says so."""
    sides = {}
    for side in SIDES:
        with reference_of(order, side):
            sides[side] = _side(plan, side, resolver, work_dir, partial(_told, on_step, side))
    workload = plan.figures["baseline"].workload
    return Table(
        id=plan.id,
        kind=plan.claims[0].kind,
        subject=plan.subject,
        workload=None if workload is None else workload.key,
        claims=tuple(claim.id for claim in plan.claims),
        baseline=sides["baseline"],
        candidate=sides["candidate"],
    )


def kernels_of(table: Table, side: Side) -> tuple[KernelCode, ...]:
    """The hashes over the kernels' machine code that a table of the compiler's figures carries."""
    measured = table.baseline if side == "baseline" else table.candidate
    if not isinstance(measured, FiguresMeasurement):
        return ()
    return tuple(KernelCode(arch=arch, sha256=parts) for arch, parts in machine_code(measured).items())


def end_state(subject: str, order: GateOrder, workload: Workload, *, resolver: Resolver, log: Path) -> EndState:
    """Where one pass over a workload's window, without drawing where that can be chosen, ends in either build.

    Raises:
        HarnessError, RomError: a subject broke, or refuses the cartridge.
    """
    rom, stream = resolver.read(workload.rom), workload.input_stream(resolver=resolver)
    found: dict[Side, str | None] = {}
    clock = "host"
    for side, name in order.subjects[subject].items():
        with open_subject(name, log_path=log) as opened:
            draw = "none" if "draw:none" in opened.capabilities and "none" in workload.draws else workload.draw
            run = run_of(RunChoice(draw=draw), workload)
            (timed,) = opened.time_workload(
                rom,
                stream,
                warmup_frames=workload.warmup_frames,
                frames=workload.frames,
                draw=draw,
                runs=1,
                warmup_runs=0,
                frame_counter=(workload.frame_counter_address, workload.frame_counter_bytes),
                options=options_of(run, workload),
            )
            found[side], clock = timed.digest, timed.clock
    expected: dict[Side, str] = {}
    for side in SIDES if order.own_references else SIDES[:1]:
        with reference_of(order, side):
            expected[side] = expected_state(workload, rom, resolver=resolver).digest
    return EndState(
        subject=subject,
        workload=workload.key,
        expected=expected["baseline"],
        expected_of_candidate=expected.get("candidate"),
        baseline=found["baseline"],
        candidate=found["candidate"],
        clock=clock,
    )


def _side(
    plan: TablePlan, side: Side, resolver: Resolver, work_dir: Path, on_step: Callable[[str], None]
) -> FiguresMeasurement | Absence:
    try:
        measured = measure_figures(plan.figures[side], resolver=resolver, work_dir=work_dir, on_step=on_step)
        return measured.model_copy(update={"subject": plan.subject})
    except Exception as fault:  # whatever broke this table must not take the others down
        return failed_measurement(f"Counting ({plan.kind}) in the {side}", fault)


def _told(on_step: Callable[[str], None], side: Side, step: str) -> None:
    on_step(f"{side}, {step}")
