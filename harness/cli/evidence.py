"""`nesproof evidence`: list, show and verify bundles."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from nesproof.harness.counting import counted
from nesproof.harness.errors import ConfigurationError, HarnessError
from nesproof.harness.evidence.bundle import Bundle, BundleInconsistent, open_bundle
from nesproof.harness.evidence.store import Store, default_store
from nesproof.harness.plain_text import plain_line

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False)

Where = Annotated[Path | None, typer.Option("--in", help="Folder of bundles (default: the evidence store).")]
Name = Annotated[str, typer.Argument(help="Folder of a bundle, its name in the store, or `latest`.")]


@app.command("list")
def list_bundles(where: Where = None) -> None:
    """List the bundles, oldest first: folder, bundle id, and how the claims fared."""
    store = _store(where)
    folders = store.bundles()
    for folder in folders:
        typer.echo(f"{plain_line(folder.name)}  {_in_short(folder)}")
    if not folders:
        typer.echo(f"No evidence in {plain_line(str(store.root))} yet; `nesproof verify` makes some.", err=True)


def _in_short(folder: Path) -> str:
    from nesproof.harness.cli.headline import headline

    try:
        bundle = open_bundle(folder)
    except HarnessError as fault:
        return f"unreadable: {plain_line(str(fault), limit=200)}"
    return f"{bundle.id[:16]}  {headline(bundle.evidence)}"


@app.command()
def show(
    name: Name = "latest",
    where: Where = None,
    html: Annotated[Path | None, typer.Option(help="Render the HTML report anew into this file.")] = None,
    json: Annotated[str | None, typer.Option(help="Write the summary as JSON to this file, or - for stdout.")] = None,
) -> None:
    """Print a bundle's table, or render its reports anew."""
    from nesproof.harness.cli.headline import print_evidence
    from nesproof.harness.cli.publish import render_reports, write_json
    from nesproof.harness.judge import contradictions
    from nesproof.harness.whole_file import require_place_for, write_whole

    require_place_for(html)
    require_place_for(None if json in {None, "-"} else Path(json))
    folder = _folder(name, where)
    bundle = open_bundle(folder)
    rendered = render_reports(bundle.evidence, bundle.files, bundle_id=bundle.id) if html or json else {}
    if contradictions(bundle.evidence):
        typer.echo(
            "Note: these verdicts do not follow from the bundle's samples; `nesproof evidence verify` says which.",
            err=True,
        )
    if json != "-":
        print_evidence(bundle.evidence, Console(), bundle_id=bundle.id, place=str(folder / "report.html"))
    if html is not None:
        write_whole(html, rendered["report.html"])
    if json is not None:
        write_json(json, rendered["report.json"])


@app.command()
def verify(
    path: Name,
    where: Where = None,
    expect: Annotated[str | None, typer.Option(help="The bundle id that was published; it must be this one.")] = None,
) -> None:
    """Check that a bundle is whole and consistent: hashes, and every verdict derived anew from the raw samples."""
    from nesproof.harness.judge import contradictions

    bundle = open_bundle(_folder(path, where))
    found = contradictions(bundle.evidence)
    for contradiction in found:
        who = "The document" if contradiction.claim is None else contradiction.claim
        typer.echo(f"{plain_line(who)}: {contradiction.sentence}", err=True)
    if found:
        raise BundleInconsistent("The bundle is not consistent: its verdicts do not follow from its samples.")
    if expect is not None and expect.lower() != bundle.id:
        raise BundleInconsistent(f"This is bundle {bundle.id}, not the one that was expected.")
    _compare_reports(bundle)
    _compare_claims(bundle)
    named = "the one expected" if expect is not None else "compare it with a published one by --expect"
    typer.echo(f"Bundle {bundle.id} ({named}).")
    files, verdicts = counted(len(bundle.files), "file"), counted(len(bundle.evidence.claims), "verdict")
    typer.echo(f"{files} as in the manifest; {verdicts} derived anew.")
    typer.echo("consistent; origin unsigned")


def _compare_reports(bundle: Bundle) -> None:
    """A report is what most people look at: where this installation can render it, it must be the document's own."""
    from nesproof.harness.cli.publish import render_reports
    from nesproof.harness.evidence.capture import capture_packages, capture_source

    evidence = bundle.evidence
    rendered = render_reports(evidence, bundle.files, bundle_id=bundle.id)
    differing = sorted(name for name, data in rendered.items() if bundle.files.get(name) != data)
    if not differing:
        typer.echo("The reports are what the document renders to.")
        return
    if capture_source().tree_sha256 == evidence.source.tree_sha256 and capture_packages() == evidence.packages:
        raise BundleInconsistent(f"{differing[0]} is not what the document renders to.")
    typer.echo(
        f"Not compared: {', '.join(differing)} (rendered by other code or packages; "
        "`nesproof evidence show --html` renders anew).",
        err=True,
    )


def _compare_claims(bundle: Bundle) -> None:
    """A promise can be rewritten as easily as a figure: say where one is not the claim that ships here."""
    from nesproof.harness.claims.registry import load_claims

    shipped = load_claims()
    for record in bundle.evidence.claims:
        own = shipped.get(record.claim.base_id)
        if own is None or own != record.claim.model_copy(update={"id": own.id, "subject": own.subject}):
            typer.echo(
                f"Note: {plain_line(record.claim.id)} is not, as it stands there, a claim that ships here.", err=True
            )


def _store(where: Path | None) -> Store:
    return default_store() if where is None else Store(where)


def _folder(name: str, where: Path | None) -> Path:
    direct = Path(name)
    if where is None and (direct.is_dir() or direct.is_symlink()):
        return direct
    if where is None and direct.exists():
        raise ConfigurationError(f"{name} is not a folder; name the folder of an evidence bundle.")
    return _store(where).find(name)
