"""`nesproof compare A B`: how two subjects play beside each other, then how fast each is; `compare all`: a table."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import ValidationError

from nesproof.harness.claims.runs import RunChoice
from nesproof.harness.cli.amounts import minutes
from nesproof.harness.cli.subject_files import SubjectFile, use_subject_files
from nesproof.harness.errors import ConfigurationError, first_fault
from nesproof.harness.subjects.registry import ALL_SUBJECTS

if TYPE_CHECKING:
    from nesproof.harness.compare.pairs import Pair
    from nesproof.harness.compare.running import CompareOptions
    from nesproof.harness.runner.interrupts import Interrupts
    from nesproof.harness.runner.progress import Progress

__all__ = ["command"]

_BUDGET_MINUTES = 5.0
_TABLE_BUDGET_MINUTES = 20.0


def command(
    *,
    candidate: Annotated[str, typer.Argument(metavar="A", help="A subject; or `all`, for a table of every subject.")],
    baseline: Annotated[
        str | None, typer.Argument(metavar="[B]", help="The subject beside it; its speed is 1 (with `all`: nes-py).")
    ] = None,
    workload: Annotated[
        list[str] | None, typer.Option("--workload", "-w", help="What is played (with `all` it may be repeated).")
    ] = None,
    draw: Annotated[
        str | None, typer.Option(help="What is drawn while timed: none, every, last-of-4 (default: the workload's).")
    ] = None,
    num_envs: Annotated[
        str | None, typer.Option("--num-envs", help="Consoles side by side: a number, cores, or 8*cores.")
    ] = None,
    threads: Annotated[str | None, typer.Option(help="Threads that step them: a number, or cores.")] = None,
    baseline_alone: Annotated[
        bool, typer.Option("--baseline-alone", help="B is one console that draws every frame, however A is run.")
    ] = False,
    budget: Annotated[
        float | None,
        typer.Option(
            parser=minutes, help="Minutes for all timing (default 5; with `all` 20; 0 compares behaviour alone)."
        ),
    ] = None,
    allow_busy: Annotated[
        bool, typer.Option("--allow-busy", help="Time on a busy machine all the same; the result is diagnostic.")
    ] = False,
    subject_file: SubjectFile = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder that receives the bundle (default: the evidence store).")
    ] = None,
    json: Annotated[str | None, typer.Option(help="Write the summary as JSON to this file, or - for stdout.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write the comparisons as CSV to this file.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the order of timed processes.")] = None,
) -> None:
    """Hold two subjects, or all of them, beside each other: how they play, then how fast.

    Exit codes: 0 alike, with a ratio; 1 they differ in behaviour; 3 alike, but too noisy or busy for a narrow interval;
    5 a subject broke; 6 nothing was measured.
    """
    from nesproof.harness.compare.running import CompareOptions

    use_subject_files(subject_file)
    is_table = candidate == ALL_SUBJECTS
    choice = _choice(draw, num_envs, threads)
    budget_minutes = budget if budget is not None else _TABLE_BUDGET_MINUTES if is_table else _BUDGET_MINUTES
    timing: dict[str, Any] = {"budget_s": budget_minutes * 60, "allow_busy": allow_busy, "order_seed": seed}
    if is_table:
        if choice != RunChoice() or baseline_alone:
            raise ConfigurationError("`compare all` runs each subject in every way that it declares: choose no other.")
        options = CompareOptions(**_table(baseline, workload or []), **timing)
    else:
        options = CompareOptions(pair=_pair(candidate, baseline, workload or [], choice, baseline_alone), **timing)
    raise typer.Exit(_run(options, out=out, json=json, csv=csv))


def _choice(draw: str | None, num_envs: str | None, threads: str | None) -> RunChoice:
    given = {
        "draw": draw,
        "num_envs": int(num_envs) if num_envs is not None and num_envs.isdecimal() else num_envs,
        "threads": int(threads) if threads is not None and threads.isdecimal() else threads,
    }
    try:
        return RunChoice.model_validate({name: value for name, value in given.items() if value is not None})
    except ValidationError as fault:
        raise ConfigurationError(
            "--draw is none, every or last-of-4; --num-envs a number, cores or 8*cores; --threads a number or cores "
            f"({first_fault(fault)})."
        ) from fault


def _table(baseline: str | None, workloads: list[str]) -> dict[str, Any]:
    from nesproof.harness.compare.table import BASELINE, TABLE_WORKLOADS, consoles_for_tables
    from nesproof.harness.subjects.registry import find_subject
    from nesproof.harness.workloads import load_workload

    find_subject(baseline or BASELINE)
    chosen = tuple(dict.fromkeys(load_workload(key).key for key in workloads or TABLE_WORKLOADS))
    return {"subjects": tuple(consoles_for_tables()), "baseline": baseline or BASELINE, "workloads": chosen}


def _pair(candidate: str, baseline: str | None, workloads: list[str], choice: RunChoice, baseline_alone: bool) -> Pair:
    from nesproof.harness.compare.pairs import ALWAYS_DRAWN, Pair
    from nesproof.harness.subjects.registry import find_subject
    from nesproof.harness.workloads import load_workload, workload_ids

    if baseline is None:
        raise ConfigurationError("Name two subjects, or `all`; `nesproof subjects list` lists them.")
    if len(workloads) != 1:
        raise ConfigurationError(f"Name one workload with --workload; there are: {', '.join(workload_ids())}.")
    for name in (candidate, baseline):
        find_subject(name)
    workload = load_workload(workloads[0])
    if choice.drawing(workload.draw) not in workload.draws:
        raise ConfigurationError(
            f"Workload {workload.id} is not drawn as {choice.draw!r}; there are: {', '.join(workload.draws)}."
        )
    return Pair(
        candidate=candidate,
        baseline=baseline,
        workload=workload,
        candidate_choice=choice,
        baseline_choice=ALWAYS_DRAWN if baseline_alone else choice,
    )


def _run(options: CompareOptions, *, out: Path | None, json: str | None, csv: Path | None) -> int:
    from nesproof.harness.cli.comparison_table import print_comparisons
    from nesproof.harness.cli.run_and_keep import run_and_keep
    from nesproof.harness.compare.running import CompareResult, compare
    from nesproof.harness.whole_file import require_place_for, write_whole
    from nesproof.reports.comparisons_csv import comparisons_csv
    from nesproof.reports.plain_text import plain_evidence
    from nesproof.reports.views.comparisons import comparison_rows

    def measure(interrupts: Interrupts, progress: Progress, folder: Path) -> CompareResult:
        return compare(
            options,
            command=shlex.join(["nesproof", *sys.argv[1:]]),
            interrupts=interrupts,
            progress=progress,
            private_paths=[(folder, "<evidence>")],
        )

    require_place_for(csv)
    evidence = run_and_keep(measure, print_comparisons, out=out, json=json)
    if csv is not None:
        write_whole(csv, comparisons_csv(comparison_rows(plain_evidence(evidence))))
    return int(evidence.exit_code)
