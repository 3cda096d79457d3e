"""`nesproof gate`: compare two commits, claim by claim, with the yardstick of the older one."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer
from rich.console import Console
from rich.text import Text

from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.cli.amounts import minutes
from nesproof.harness.cli.name_tables import table_console
from nesproof.harness.cli.subject_files import SubjectFile
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.plain_text import plain_line

if TYPE_CHECKING:
    from nesproof.harness.gate.document import GateDocument
    from nesproof.harness.gate.gate import GateRequest

__all__ = ["command"]

_SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY"


def command(
    base: Annotated[
        str | None, typer.Argument(help="The revision to compare with; compared is where HEAD's branch left it.")
    ] = None,
    head: Annotated[str, typer.Argument(help="The revision that is judged.")] = "HEAD",
    *,
    claim: Annotated[
        list[str] | None, typer.Option("--claim", help="Only claims whose id matches this glob; may be repeated.")
    ] = None,
    profile: Annotated[str, typer.Option(help="quick or full.")] = "quick",
    budget: Annotated[float, typer.Option(parser=minutes, help="Minutes for all timing together.")] = 10.0,
    device: Annotated[str, typer.Option(help="cpu, or cuda to time the kernels on this machine's GPU.")] = "cpu",
    force_timing: Annotated[
        bool, typer.Option("--force-timing", help="Measure also what nothing that decides it has changed.")
    ] = False,
    no_deterministic: Annotated[
        bool, typer.Option("--no-deterministic", help="Count nothing and compare no code: time alone.")
    ] = False,
    accept_yardstick: Annotated[
        bool,
        typer.Option(
            "--accept-yardstick", help="Go on where HEAD changes the yardstick: claims, workloads, the reference."
        ),
    ] = False,
    allow_busy: Annotated[
        bool, typer.Option("--allow-busy", help="Time on a busy machine all the same; the result is diagnostic.")
    ] = False,
    allow_dirty: Annotated[
        bool, typer.Option("--allow-dirty", help="Measure the commit although the working tree has changes.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Folder that receives gate.json, gate.html and gate.md (default: a new one).")
    ] = None,
    json: Annotated[str | None, typer.Option(help="Write the document to this file, or - for stdout.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Write Markdown to this file.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write the HTML page to this file.")] = None,
    subject_file: SubjectFile = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the order of timed processes.")] = None,
    repository: Annotated[
        Path, typer.Option("--repository", "-C", help="A folder in the clone whose commits are compared.")
    ] = Path(),
    check: Annotated[
        Path | None, typer.Option(help="Derive the verdicts of a document (gate.json) anew, and compare nothing.")
    ] = None,
) -> None:
    """Compare two commits, claim by claim, by the older one's yardstick: what got worse, what did not.

    Both are built, what can be counted is compared, the suites are run on HEAD, and what is left open is timed.
    """
    from nesproof.harness.cli.output_target import require_target
    from nesproof.harness.gate.document import GateFlags
    from nesproof.harness.gate.gate import GateRequest, new_seed
    from nesproof.harness.whole_file import require_folder, require_place_for

    if check is not None:
        if base is not None:
            raise ConfigurationError("--check FILE looks at a document alone; leave out the revisions.")
        raise typer.Exit(_check(check))
    if base is None:
        raise ConfigurationError("Name the revision to compare with: nesproof gate BASE [HEAD].")
    if profile not in {"quick", "full"}:
        raise ConfigurationError(f"There is no profile {profile!r}; there are: quick, full.")
    if device not in {"cpu", "cuda"}:
        raise ConfigurationError(f"There is no device {device!r}; there are: cpu, cuda.")
    require_target(json)
    for path in (markdown, html):
        require_place_for(path)
    summary = os.environ.get(_SUMMARY_VARIABLE)
    require_place_for(Path(summary) if summary else None)
    require_folder(out)
    for file in subject_file or ():
        if not file.is_file():
            raise ConfigurationError(f"There is no subject file {plain_line(str(file), limit=300)}.")
    flags = GateFlags(
        profile=profile,
        claim_globs=tuple(claim or ()),
        device=cast("Literal['cpu', 'cuda']", device),
        budget_s=budget * 60,
        force_timing=force_timing,
        deterministic=not no_deterministic,
        accept_yardstick=accept_yardstick,
        allow_busy=allow_busy,
        allow_dirty=allow_dirty,
        order_seed=new_seed() if seed is None else seed,
    )
    request = GateRequest(
        repository=repository,
        base=base,
        head=head,
        flags=flags,
        command=shlex.join(["nesproof", *sys.argv[1:]]),
        subject_files=tuple(str(path.absolute()) for path in subject_file or ()),
    )
    raise typer.Exit(_run(request, out=out, json=json, markdown=markdown, html=html))


def _run(request: GateRequest, *, out: Path | None, json: str | None, markdown: Path | None, html: Path | None) -> int:
    from nesproof.harness.cli.gate_table import print_gate, print_yardstick
    from nesproof.harness.cli.live import progress_on
    from nesproof.harness.cli.streams import reader_may_leave
    from nesproof.harness.gate.gate import run_gate
    from nesproof.harness.runner.interrupts import Interrupts

    errors = Console(stderr=True)
    interrupts = Interrupts()
    with interrupts.handled():
        with _failed_build_told(errors), progress_on(errors) as progress, interrupts.measuring():
            document = run_gate(request, progress=progress, on_yardstick=lambda lines: print_yardstick(lines, errors))
        console = errors if json == "-" else table_console()
        folder = _folder(request, document) if out is None else out
        files = _rendered(document)
        try:
            _keep(files, folder)
        except OSError as fault:
            if out is None:
                # The verdicts are in; that they cannot be kept must not hide them.
                print_gate(document, console, place=None)
                raise
            folder = _folder(request, document)
            shown = plain_line(str(out), limit=300)
            typer.echo(f"Nothing can be written into {shown}: {fault.strerror}; the result goes to {folder}.", err=True)
            _keep(files, folder)
        try:
            _hand_out(files, json=json, markdown=markdown, html=html)
        except OSError:
            print_gate(document, console, place=str(folder / "gate.html"))
            raise
        with reader_may_leave():
            print_gate(document, console, place=str(folder / "gate.html"))
    return int(document.exit_code)


@contextmanager
def _failed_build_told(errors: Console) -> Iterator[None]:
    """What the compiler said, line by line, before the sentence that it failed."""
    from nesproof.harness.builds import BuildFailed
    from nesproof.harness.gate.gate import GateBroken

    try:
        yield
    except BuildFailed as failed:
        for line in failed.tail.splitlines():
            errors.print(Text(f"  {plain_line(line)}"), soft_wrap=True)
        raise GateBroken(f"The build of {failed.what} failed; the end of what was said stands above.") from failed


def _folder(request: GateRequest, document: GateDocument) -> Path:
    """A new folder in nesproof's data folder."""
    from nesproof.harness.home import nesproof_home

    stamp = document.created_utc.strftime("%Y%m%dT%H%M%S")
    name = f"{stamp}-{document.baseline.commit[:8]}-{document.candidate.commit[:8]}-{request.flags.order_seed:x}"
    return nesproof_home() / "gates" / name


def _rendered(document: GateDocument) -> dict[str, bytes]:
    """The document and its reports, by the names of their files."""
    from nesproof.reports.gate import gate_html, gate_json, gate_markdown

    return {
        "gate.json": gate_json(document),
        "gate.html": gate_html(document),
        "gate.md": gate_markdown(document).encode(),
    }


def _keep(files: Mapping[str, bytes], folder: Path) -> None:
    """Write the document and its reports into the folder."""
    from nesproof.harness.whole_file import write_whole

    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        write_whole(folder / name, data)


def _hand_out(files: Mapping[str, bytes], *, json: str | None, markdown: Path | None, html: Path | None) -> None:
    """Write them where else they were asked for."""
    from nesproof.harness.cli.output_target import write_target
    from nesproof.harness.cli.streams import reader_may_leave
    from nesproof.harness.whole_file import write_whole

    if markdown is not None:
        write_whole(markdown, files["gate.md"])
    if html is not None:
        write_whole(html, files["gate.html"])
    summary = os.environ.get(_SUMMARY_VARIABLE)
    if summary:
        with Path(summary).open("ab") as file:
            file.write(files["gate.md"] + b"\n")
    if json is not None:
        with reader_may_leave():
            write_target(json, files["gate.json"])


def _check(path: Path) -> int:
    """Say whether a document's verdicts follow from its samples; 0 where they do, 1 where they do not."""
    from nesproof.harness.gate.check import DocumentInconsistent, contradictions_of, read_document

    document = read_document(path)
    found = contradictions_of(document)
    for sentence in found:
        typer.echo(plain_line(sentence, limit=600), err=True)
    if found:
        raise DocumentInconsistent("The document is not consistent: its verdicts do not follow from its samples.")
    verdicts = sum(1 for record in document.claims if record.verdict.value != "NOT_SELECTED")
    typer.echo(f"{verdicts} verdicts derived anew from the raw samples; they are the document's.")
    typer.echo("consistent; origin unsigned")
    return int(ExitCode.OK)
