"""`nesproof publish`: a static site from evidence, built from scratch each time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from nesproof.harness.counting import counted
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.plain_text import plain_line

if TYPE_CHECKING:
    from nesproof.harness.cli.site_evidence import SiteEvidence
    from nesproof.harness.runner.progress import Progress

__all__ = ["command"]


def command(
    evidence: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Bundles, published documents, documents of gates and bisections, or folders of them "
            "(default: reports/published of the checkout that this is called in)."
        ),
    ] = None,
    *,
    out: Annotated[Path, typer.Option(help="The folder to put the site into; one that we wrote is replaced.")] = Path(
        "site"
    ),
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Leave out what cannot be read, and publish the rest.")
    ] = False,
    draft: Annotated[
        bool, typer.Option("--draft", help="Show what must not be published as well, labelled as a draft.")
    ] = False,
) -> None:
    """Build a static site from evidence: claims over time, scaling, peers, conformance, badges.

    No server, no network, the same bytes for the same evidence. What cannot be read or must not be published is named,
    a sentence each, and then nothing is written (exit code 2): a site that silently lost a run would tell another
    story. `--keep-going` publishes the rest.
    """
    from nesproof.harness.cli.live import progress_on
    from nesproof.harness.cli.site_evidence import find_evidence, read_evidence
    from nesproof.harness.cli.site_folder import replace_site, require_replaceable

    require_replaceable(out)
    errors = Console(stderr=True)
    paths, missing = find_evidence(_named(evidence))
    with progress_on(errors) as progress:
        progress.begin("reading evidence", len(paths))
        read = read_evidence(paths, draft=draft, on_step=lambda note, well: progress.advance(note, well=well))
        progress.end()
        read.refused[:0] = missing
        for sentence in read.refused:
            progress.note(sentence)
        _require_enough(read, keep_going=keep_going)
        progress.begin("writing the site", None)
        written = replace_site(out, _told(read, progress, draft=draft))
        progress.end()
    parts = (
        counted(len(read.runs), "run"),
        counted(len(read.gates), "gate"),
        counted(len(read.bisections), "bisection"),
    )
    left_out = f"; {counted(len(read.refused), 'thing')} left out" if read.refused else ""
    told = f"{counted(written.files, 'file')}, {written.size_bytes / 1e6:.1f} MB, from {', '.join(parts)}{left_out}."
    errors.print(told, markup=False, highlight=False, soft_wrap=True)
    if written.kept is not None:
        typer.echo(
            f"Something that is not ours came into the old site meanwhile; it lies in {plain_line(str(written.kept))}.",
            err=True,
        )
    typer.echo(str(out / "index.html"))


def _named(evidence: list[Path] | None) -> list[Path]:
    from nesproof.harness.cli.site_evidence import default_folder

    if evidence:
        return evidence
    folder = default_folder()
    if folder is None:
        raise ConfigurationError(
            "Name the evidence to publish: bundles, published documents or folders of them "
            "(there is no reports/published here to take by default)."
        )
    return [folder]


def _require_enough(read: SiteEvidence, *, keep_going: bool) -> None:
    if read.refused and not keep_going:
        raise ConfigurationError(
            f"Nothing was written: {counted(len(read.refused), 'input')} cannot be published, as said above; mend or "
            "leave out what is named there, or publish the rest by --keep-going."
        )
    if not (read.runs or read.gates or read.bisections):
        raise ConfigurationError("There is nothing to publish, and nothing was written; name evidence that may be.")


def _told(read: SiteEvidence, progress: Progress, *, draft: bool) -> Iterator[tuple[str, bytes]]:
    from nesproof.reports.site import site_files

    for path, data in site_files(read.inputs, draft=draft):
        progress.advance(path)
        yield path, data
