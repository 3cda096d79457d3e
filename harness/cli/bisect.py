"""`nesproof bisect`: the first commit that breaks a claim, proved against its parent."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.cli.amounts import minutes, seconds
from nesproof.harness.cli.name_tables import table_console
from nesproof.harness.cli.subject_files import SubjectFile, use_subject_files

if TYPE_CHECKING:
    from nesproof.harness.evidence.bisection import Bisection
    from nesproof.harness.runner.progress import Progress

__all__ = ["command"]


def command(
    claim: Annotated[str, typer.Argument(help="The claim's id; `nesproof claims list` lists them.")],
    *,
    good: Annotated[str, typer.Option(help="A revision at which the claim holds.")],
    bad: Annotated[str, typer.Option(help="A later revision at which it does not.")] = "HEAD",
    repository: Annotated[Path, typer.Option(help="A folder of the project's clone.")] = Path(),
    first_parent: Annotated[
        bool, typer.Option("--first-parent", help="Take a branch that was merged for one step: its merge.")
    ] = False,
    claims: Annotated[
        list[Path] | None, typer.Option("--claims", help="A further claims file or folder; may be repeated.")
    ] = None,
    subject_file: SubjectFile = None,
    most_builds: Annotated[
        int | None, typer.Option(min=2, help="Report a range when so many builds were made or failed.")
    ] = None,
    budget: Annotated[float, typer.Option(parser=minutes, help="Minutes for the timing of one commit.")] = 10,
    suite_timeout: Annotated[float | None, typer.Option(parser=seconds, help="Seconds for one run of a suite.")] = None,
    allow_busy: Annotated[
        bool, typer.Option("--allow-busy", help="Time on a busy machine all the same; the result is diagnostic.")
    ] = False,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes for suites (default: one a core).")] = None,
    restart: Annotated[
        bool, typer.Option("--restart", help="Throw away what an earlier run of this bisection kept.")
    ] = False,
    html: Annotated[Path | None, typer.Option(help="Write the report here as well.")] = None,
    json: Annotated[str | None, typer.Option(help="Write the document as JSON to this file, or - for stdout.")] = None,
) -> None:
    """Find the first commit that breaks a claim: ends proved, culprit confirmed.

    The clone's working tree is left as it is. A run that was stopped or killed goes on when the same command is given
    again. Exit codes: 0 found and confirmed, 2 usage or wrong ends, 3 a range or too much noise, 5 an end does not
    build, 6 the claim cannot be measured here, 130 interrupted.
    """
    from nesproof.harness.cli.bisect_result import print_bisection
    from nesproof.harness.cli.live import progress_on
    from nesproof.harness.cli.output_target import require_target, write_target
    from nesproof.harness.cli.streams import reader_may_leave
    from nesproof.harness.evidence.capture import usable_cores
    from nesproof.harness.runner.interrupts import Interrupts
    from nesproof.harness.whole_file import require_place_for, write_whole
    from nesproof.reports.bisect import render_bisection

    use_subject_files(subject_file)
    require_place_for(html)
    require_target(json)
    errors = Console(stderr=True)
    interrupts = Interrupts()
    try:
        with interrupts.handled(), progress_on(errors) as progress, interrupts.measuring():
            document, folder = _bisected(
                claim,
                good=good,
                bad=bad,
                repository=repository,
                first_parent=first_parent,
                claims=list(claims or ()),
                most_builds=most_builds,
                budget_s=budget * 60,
                suite_timeout_s=suite_timeout,
                allow_busy=allow_busy,
                jobs=jobs or min(usable_cores(), 8),
                restart=restart,
                progress=progress,
            )
    except KeyboardInterrupt:
        again = shlex.join(["nesproof", *(word for word in sys.argv[1:] if word != "--restart")])
        typer.echo(f"Interrupted. The same command goes on from here: {again}", err=True)
        raise typer.Exit(int(ExitCode.INTERRUPTED)) from None
    page = render_bisection(document)
    write_whole(folder / "report.html", page)
    with reader_may_leave():
        print_bisection(document, errors if json == "-" else table_console(), place=html or folder / "report.html")
    if html is not None:
        write_whole(html, page)
    if json is not None:
        with reader_may_leave():
            write_target(json, document.model_dump_json(indent=1).encode() + b"\n")
    raise typer.Exit(int(ExitCode.ERROR if document.exit_code is None else document.exit_code))


def _bisected(
    claim_id: str,
    *,
    good: str,
    bad: str,
    repository: Path,
    first_parent: bool,
    claims: list[Path],
    most_builds: int | None,
    budget_s: float,
    suite_timeout_s: float | None,
    allow_busy: bool,
    jobs: int,
    restart: bool,
    progress: Progress,
) -> tuple[Bisection, Path]:
    """The document and the folder in which it is kept."""
    from nesproof.harness.bisect.ends import EndsUnproven
    from nesproof.harness.bisect.laboratory import RevisionLaboratory, require_subject
    from nesproof.harness.bisect.path import find_path
    from nesproof.harness.bisect.run import bisect
    from nesproof.harness.bisect.setting_up import Asked, begun_or_new, the_claim
    from nesproof.harness.bisect.state import bisection_key, held_journal
    from nesproof.harness.gate.repository import Repository

    clone = Repository.at(repository)
    path = find_path(clone, good, bad, first_parent=first_parent, tell=progress.note)
    claim = the_claim(claim_id, clone, path, claims)
    require_subject(path, claim)
    key = bisection_key(claim, good=path.good.sha, bad=path.bad.sha, first_parent=first_parent, repository=clone.root)
    with held_journal(key) as journal:
        asked = Asked(claim, path, first_parent, shlex.join(["nesproof", *sys.argv[1:]]))
        document = begun_or_new(asked, journal, restart=restart, tell=progress.note)
        laboratory = RevisionLaboratory(
            clone,
            path,
            progress=progress,
            jobs=jobs,
            budget_s=budget_s,
            allow_busy=allow_busy,
            suite_timeout_s=suite_timeout_s,
        )
        try:
            document = bisect(document, laboratory, keep=journal.write, tell=progress.note, most_builds=most_builds)
        except EndsUnproven:
            # Measured again the next time: what stood in the way may have gone.
            journal.discard()
            raise
        return document, journal.folder
