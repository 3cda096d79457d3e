"""`nesproof submission check`: hold a bundle from anywhere to a must-pass list."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Annotated

import typer

from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.cli.evidence_sources import load_evidence
from nesproof.harness.mustpass import CURRENT, load_list
from nesproof.harness.plain_text import plain_line

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.callback()
def _root() -> None:
    pass


@app.command()
def check(
    bundle: Annotated[
        str, typer.Argument(help="A bundle's folder, its name in the store, `latest`, or a published document.")
    ],
    subject: Annotated[
        str | None, typer.Option(help="The subject that is submitted, where the bundle is about several.")
    ] = None,
    name: Annotated[str, typer.Option("--list", help="The must-pass list; an older one as well.")] = CURRENT,
) -> None:
    """Hold a bundle to a must-pass list: consistent, the list's own programs, every case passed or waived."""
    from nesproof.harness.mustpass.submission import check_submission

    listed = load_list(name)
    opened = load_evidence(bundle, None)
    today = datetime.now(timezone.utc).date()
    found = check_submission(opened.evidence, listed, subject=subject, today=today)
    for note in found.notes:
        _say(f"Note: {note}")
    for refusal in found.refusals:
        _say(f"Refused: {refusal}")
    for sentence in found.open:
        _say(f"Open: {sentence}")
    typer.echo(f"{listed.name}, SHA-256 {listed.sha256}: {len(listed.case)} cases. {opened.label}.")
    if found.sentence is None:
        typer.echo("Nothing may be said of the subject by this bundle.")
    else:
        typer.echo(f"It may be said: {plain_line(found.sentence, limit=20_000)}")
    if not found.conforms:
        raise typer.Exit(int(ExitCode.FAIL))
    typer.echo("It conforms. Consistent; origin unsigned.")


def _say(sentence: str) -> None:
    typer.echo(plain_line(sentence, limit=2_000), err=True)
