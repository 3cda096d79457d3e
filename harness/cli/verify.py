"""`nesproof verify`: measure the claims here, keep the evidence, print claimed beside measured."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.cli.amounts import minutes, seconds
from nesproof.harness.cli.bisect_exit import BISECT_EXIT_OPTION, git_exit_code
from nesproof.harness.cli.subject_files import SubjectFile, use_emulator, use_subject_files
from nesproof.harness.errors import ConfigurationError

if TYPE_CHECKING:
    from nesproof.harness.runner.interrupts import Interrupts
    from nesproof.harness.runner.progress import Progress

__all__ = ["command"]


def command(
    *,
    profile: Annotated[str, typer.Option(help="quick (what is at hand, two minutes) or full.")] = "quick",
    claim: Annotated[
        list[str] | None, typer.Option("--claim", help="Only claims whose id matches this glob; may be repeated.")
    ] = None,
    claims: Annotated[
        list[Path] | None, typer.Option("--claims", help="A further claims file or folder; may be repeated.")
    ] = None,
    subject: Annotated[
        str | None,
        typer.Option(
            help="Put this subject in the place of each claim's own; several with commas, or `all` for every console."
        ),
    ] = None,
    subject_file: SubjectFile = None,
    emulator: Annotated[
        Path | None,
        typer.Option(help="A folder with another build of nesproof's emulator to measure (`emulator/` in it)."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder that receives the bundle (default: the evidence store).")
    ] = None,
    json: Annotated[str | None, typer.Option(help="Write the summary as JSON to this file, or - for stdout.")] = None,
    budget: Annotated[
        float | None,
        typer.Option(parser=minutes, help="Minutes for all timing together (default: quick 3, full 15)."),
    ] = None,
    suite_timeout: Annotated[float | None, typer.Option(parser=seconds, help="Seconds for one suite.")] = None,
    falsify: Annotated[
        bool,
        typer.Option(
            "--falsify", help="Plant the faults that the claims name; each claim must fail with each of its own."
        ),
    ] = False,
    fault: Annotated[
        list[str] | None,
        typer.Option("--fault", help="With --falsify: only faults whose id matches this glob; may be repeated."),
    ] = None,
    sole: Annotated[
        bool,
        typer.Option(
            "--sole",
            help="With --falsify: try that no other suite sees what one alone should see (always so with full).",
        ),
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Claims that no known fault can kill fail the run.")] = False,
    allow_busy: Annotated[
        bool, typer.Option("--allow-busy", help="Time on a busy machine all the same; the result is diagnostic.")
    ] = False,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes for suites (default: one a core).")] = None,
    bisect_exit: Annotated[
        bool,
        typer.Option(BISECT_EXIT_OPTION, help="Exit as `git bisect run` wants it: 0 good, 1 bad, 125 skip, 129 stop."),
    ] = False,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the order of timed processes.")] = None,
) -> None:
    """Measure every claim on this machine, keep the evidence and write a report."""
    from nesproof.harness.evidence.capture import usable_cores
    from nesproof.harness.runner.options import VerifyOptions
    from nesproof.harness.runner.subject_choice import chosen_subjects
    from nesproof.harness.subjects.registry import ALL_SUBJECTS

    if profile not in {"quick", "full"}:
        raise ConfigurationError(f"There is no profile {profile!r}; there are: quick, full.")
    if (fault or sole) and not falsify:
        raise ConfigurationError("--fault and --sole say which faults --falsify plants, and where; give it too.")
    use_subject_files(subject_file)
    use_emulator(emulator)
    subjects = chosen_subjects(subject)
    if falsify and len(subjects) > 1:
        raise ConfigurationError("--falsify plants faults in one subject at a time; name one with --subject, or none.")
    options = VerifyOptions(
        profile=cast("Literal['quick', 'full']", profile),
        claim_globs=tuple(claim or ()),
        claim_files=tuple(claims or ()),
        subject_files=tuple(subject_file or ()),
        subjects=subjects,
        every_subject=subject is not None and subject.strip() == ALL_SUBJECTS,
        budget_s=None if budget is None else budget * 60,
        strict=strict,
        allow_busy=allow_busy,
        jobs=jobs or min(usable_cores(), 8),
        order_seed=seed,
        suite_timeout_s=suite_timeout,
        falsify=falsify,
        fault_globs=tuple(fault or ()),
        tries_sole_killers=sole or profile == "full",
    )
    raise typer.Exit(_run(options, out=out, json=json, bisect_exit=bisect_exit))


def _run(options: Any, *, out: Path | None, json: str | None, bisect_exit: bool) -> int:
    from nesproof.harness.cli.headline import print_evidence
    from nesproof.harness.cli.run_and_keep import run_and_keep
    from nesproof.harness.runner.verify import VerifyResult, verify

    def measure(interrupts: Interrupts, progress: Progress, folder: Path) -> VerifyResult:
        return verify(
            options,
            command=shlex.join(["nesproof", *sys.argv[1:]]),
            interrupts=interrupts,
            progress=progress,
            private_paths=[(folder, "<evidence>"), *((path, "<claims>") for path in options.claim_files)],
        )

    evidence = run_and_keep(measure, print_evidence, out=out, json=json)
    if bisect_exit:
        return git_exit_code(evidence)
    return int(ExitCode.INTERRUPTED) if evidence.interrupted else int(evidence.exit_code)
