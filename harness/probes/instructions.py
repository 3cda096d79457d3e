"""Machine instructions per emulated frame, counted by Cachegrind over the very loop that timings time."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nesproof.harness.claims.model import Label
from nesproof.harness.claims.runs import Draw, RunChoice
from nesproof.harness.errors import ConfigurationError, HarnessError
from nesproof.harness.evidence.model import FigureRow, FiguresMeasurement, RunRecord, StateCheck
from nesproof.harness.probes.figures import FiguresPlan
from nesproof.harness.probes.lanes import expected_state
from nesproof.harness.probes.throughput import options_of, run_of
from nesproof.harness.subjects.client import open_subject
from nesproof.harness.subjects.replies import TimedRun
from nesproof.harness.workloads import Workload
from nesproof.roms_manifest import Resolver

__all__ = ["measure_instructions", "total_instructions"]

_PASSES = 40
"""Passes of the shorter run; the longer one makes twice as many."""
_CALL_S = 900.0
_ONE_THREAD = ("OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1", "MKL_NUM_THREADS=1")
"""The threads that NumPy's library of linear algebra starts wait by spinning, for a time and not for a count."""
_SUMMARY = re.compile(r"^summary: (\d+)", re.MULTILINE)


@dataclass(frozen=True)
class _Loop:
    subject: str
    workload: Workload
    rom: bytes
    stream: bytes
    work_dir: Path


def measure_instructions(
    plan: FiguresPlan, *, resolver: Resolver, work_dir: Path, on_step: Callable[[str], None]
) -> FiguresMeasurement:
    """Instructions of one console's frame, for each way of drawing and setting of idle skipping that claims name.

    Rows are labelled `draw` and `idle_skipping`. A figure is (I(2n) - I(n)) / n over n frames: two processes run the
    timed loop with so many passes and with twice as many, so that start-up, warm-up and the loading of the cartridge
    cancel; what is left is the loop with its calls, and the putting back of the state between passes. Addresses are not
    randomised where the system allows it, and no library has threads of its own.
    """
    if plan.workload is None:
        raise ConfigurationError("A claim about instructions names a workload.")
    workload = plan.workload
    loop = _Loop(
        plan.subject, workload, resolver.read(workload.rom), workload.input_stream(resolver=resolver), work_dir
    )
    expected = expected_state(workload, loop.rom, resolver=resolver)
    # The first process of an installation compiles Python's files, which is none of the loop's work.
    _timed(loop, run_of(RunChoice(), workload), under=())
    rows, checks = [], []
    for draw, idle in _variants(plan):
        run = run_of(RunChoice(draw=draw, idle_skipping=idle), workload)
        counts = []
        for passes in (_PASSES, 2 * _PASSES):
            count, timed = _counted(loop, run.model_copy(update={"passes": passes}))
            counts.append(count)
            what = f"{draw}, idle skipping {'on' if idle else 'off'}, {passes} passes"
            checks.append(StateCheck(what=what, expected=expected.digest, found=timed.digest or "0"))
            if draw != "none" and expected.pictures:
                right, shown = expected.pictures[0].picture, "".join(timed.pictures) or "0"
                checks.append(StateCheck(what=f"{what}, last picture", expected=right, found=shown))
            on_step(what)
        labels: dict[str, Label] = {"draw": draw, "idle_skipping": idle}
        each = (counts[1] - counts[0]) / (_PASSES * workload.frames)
        rows.append(FigureRow(labels=labels, figures={"instructions_per_frame": round(each, 1)}))
    return FiguresMeasurement(
        of="instructions",
        subject=plan.subject,
        workload=workload.key,
        settings={"passes": _PASSES, "frames_a_pass": workload.frames, "num_envs": 1, "tool": "cachegrind"},
        rows=tuple(rows),
        checks=tuple(checks),
    )


def _variants(plan: FiguresPlan) -> list[tuple[Draw, bool]]:
    """Way of drawing and idle skipping, as the claims name them; each pair once."""
    assert plan.workload is not None
    found: dict[tuple[Draw, bool], None] = {}
    for claim in plan.claims:
        drawn, idle = claim.where.get("draw"), claim.where.get("idle_skipping", True)
        draws = [d for d in plan.workload.draws if d == drawn or (isinstance(drawn, tuple) and d in drawn)]
        settings = idle if isinstance(idle, tuple) else (idle,)
        found.update({(draw, bool(one)): None for draw in draws or [plan.workload.draw] for one in settings})
    return list(found)


def _counted(loop: _Loop, run: RunRecord) -> tuple[int, TimedRun]:
    """All instructions of a process that runs the loop once, and where it ends."""
    out = loop.work_dir / f"cachegrind-{loop.subject}.out"
    out.unlink(missing_ok=True)
    under = [
        "env",
        *_ONE_THREAD,
        "setarch",
        platform.machine(),
        "--addr-no-randomize",
        "valgrind",
        "--tool=cachegrind",
        "--cache-sim=no",
        f"--cachegrind-out-file={out}",
    ]
    timed = _timed(loop, run, under=under)
    return total_instructions(out), timed


def _timed(loop: _Loop, run: RunRecord, *, under: Sequence[str]) -> TimedRun:
    """One process that runs the loop once and ends by itself."""
    log = loop.work_dir / "logs" / f"cachegrind-{loop.subject}.txt"
    workload = loop.workload
    subject = open_subject(loop.subject, timeout_s=_CALL_S, log_path=log, under=under)
    try:
        (timed,) = subject.time_workload(
            loop.rom,
            loop.stream,
            warmup_frames=workload.warmup_frames,
            frames=workload.frames,
            draw=run.draw,
            runs=1,
            warmup_runs=0,
            frame_counter=(workload.frame_counter_address, workload.frame_counter_bytes),
            options=options_of(run, workload),
        )
    finally:
        subject.close(leave_s=_CALL_S)
    return timed


def total_instructions(out: Path) -> int:
    """The total that Cachegrind wrote at the end of its file.

    Raises:
        HarnessError: there is no such file, or no total in it.
    """
    try:
        found = _SUMMARY.search(out.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        found = None
    if found is None:
        raise HarnessError("Cachegrind left no count: the counted process did not end by itself.")
    return int(found[1])
