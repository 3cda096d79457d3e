"""`nesproof evidence`: list, show and verify bundles; what else is done with evidence lies in `evidence_*.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from nesproof.harness.claims.model import Claim
from nesproof.harness.cli import evidence_compare, evidence_document, evidence_export, evidence_import, evidence_matrix
from nesproof.harness.cli.evidence_sources import LoadedEvidence, load_evidence, store_in
from nesproof.harness.cli.name_tables import table_console
from nesproof.harness.counting import counted
from nesproof.harness.errors import HarnessError
from nesproof.harness.evidence.bundle import Bundle, BundleInconsistent, open_bundle
from nesproof.harness.evidence.model import Evidence
from nesproof.harness.plain_text import plain_line

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False)
app.command("compare")(evidence_compare.command)
app.command("export")(evidence_export.command)
app.command("document")(evidence_document.command)
app.command("matrix")(evidence_matrix.command)
app.add_typer(evidence_import.app, name="import")

_CLAIMS_NAMED = 10

Where = Annotated[Path | None, typer.Option("--in", help="Folder of bundles (default: the evidence store).")]
Name = Annotated[
    str, typer.Argument(help="A bundle's folder, its name in the store, `latest`, or a published document.")
]


@app.command("list")
def list_bundles(where: Where = None) -> None:
    """List the bundles, oldest first: folder, bundle id, and how the claims fared."""
    store = store_in(where)
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
    mark = "FIXTURE " if bundle.evidence.fixture is not None else ""
    return f"{bundle.id[:16]}  {mark}{headline(bundle.evidence)}"


@app.command()
def show(
    name: Name = "latest",
    where: Where = None,
    html: Annotated[Path | None, typer.Option(help="Render the HTML report anew into this file.")] = None,
    json: Annotated[str | None, typer.Option(help="Write the summary as JSON to this file, or - for stdout.")] = None,
) -> None:
    """Print a bundle's table, or render its reports anew."""
    from nesproof.harness.cli.bundle_reports import render_reports
    from nesproof.harness.cli.evidence_consistency import consistency
    from nesproof.harness.cli.headline import print_evidence
    from nesproof.harness.cli.output_target import require_target, write_target
    from nesproof.harness.whole_file import require_place_for, write_whole

    require_place_for(html)
    require_target(json)
    loaded = load_evidence(name, where)
    files, bundle_id = loaded.files, loaded.bundle_id
    rendered = render_reports(loaded.evidence, files, bundle_id=bundle_id) if html or json else {}
    if consistency(loaded.evidence).contradictions:
        typer.echo(
            "Note: these verdicts do not follow from the bundle's samples; `nesproof evidence verify` says which.",
            err=True,
        )
    if json != "-":
        place = None if loaded.bundle is None else str(loaded.place / "report.html")
        print_evidence(loaded.evidence, table_console(), bundle_id=bundle_id, place=place)
    if html is not None:
        write_whole(html, rendered["report.html"])
    if json is not None:
        write_target(json, rendered["report.json"])


@app.command()
def verify(
    path: Name,
    where: Where = None,
    expect: Annotated[
        str | None, typer.Option(help="The bundle id (or document's SHA-256) that was published.")
    ] = None,
) -> None:
    """Check that evidence is whole and consistent: hashes, and every verdict derived anew from the raw samples."""
    from nesproof.harness.cli.evidence_consistency import consistency, rewordings

    loaded = load_evidence(path, where)
    found = consistency(loaded.evidence)
    for contradiction in found.contradictions:
        who = "The document" if contradiction.claim is None else contradiction.claim
        typer.echo(f"{plain_line(who)}: {contradiction.sentence}", err=True)
    for rewording in rewordings(loaded.evidence, found.reworded):
        typer.echo(f"Note: {rewording}.", err=True)
    if found.contradictions:
        what = "document" if loaded.bundle is None else "bundle"
        raise BundleInconsistent(f"The {what} is not consistent: its verdicts do not follow from its samples.")
    _require_expected(loaded, expect)
    named = "the one expected" if expect is not None else "compare it with a published one by --expect"
    if loaded.bundle is not None:
        _compare_reports(loaded.bundle)
    _compare_claims(loaded.evidence)
    verdicts = _derived(loaded.evidence)
    if loaded.bundle is None:
        typer.echo(f"Document {loaded.sha256} ({named}), without the rest of its bundle.")
        typer.echo(f"It is what its name says; {verdicts} derived anew.")
    else:
        typer.echo(f"Bundle {loaded.bundle.id} ({named}).")
        typer.echo(f"{counted(len(loaded.files), 'file')} as in the manifest; {verdicts} derived anew.")
    typer.echo("consistent; origin unsigned")


def _derived(evidence: Evidence) -> str:
    """How much was derived anew, in words."""
    verdicts = counted(len(evidence.claims), "verdict")
    if not evidence.comparisons:
        return verdicts
    return f"{verdicts} and {counted(len(evidence.comparisons), 'comparison')}"


def _require_expected(loaded: LoadedEvidence, expect: str | None) -> None:
    """Hold it against the id that was published: a bundle's, or of a document alone its SHA-256."""
    here = loaded.bundle_id or loaded.sha256
    if expect is not None and expect.lower() != here:
        what = "document" if loaded.bundle is None else "bundle"
        raise BundleInconsistent(f"This is {what} {here}, not the one that was expected.")


def _compare_reports(bundle: Bundle) -> None:
    """A report is what most people look at: where this installation can render it, it must be the document's own."""
    from nesproof.harness.cli.bundle_reports import render_reports
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


def _compare_claims(evidence: Evidence) -> None:
    """A promise can be rewritten as easily as a figure: say where one is not the claim that ships here."""
    from nesproof.harness.claims.registry import load_claims
    from nesproof.harness.runner.stand_ins import stand_in

    shipped = load_claims()
    others: list[tuple[bool, str]] = []
    for record in evidence.claims:
        own = shipped.get(record.claim.base_id)
        is_stand_in = record.claim.id != record.claim.base_id
        promised = stand_in(own, record.claim.subject) if own is not None and is_stand_in else own
        if promised != record.claim:
            same_promise = promised is not None and _promise(promised) == _promise(record.claim)
            others.append((same_promise, plain_line(record.claim.id)))
    # Those that promise something else come first: they are what a reader must see.
    for _, claim in sorted(others, key=lambda other: other[0])[:_CLAIMS_NAMED]:
        typer.echo(f"Note: {claim} is not, as it stands there, a claim that ships here.", err=True)
    if len(others) > _CLAIMS_NAMED:
        more = len(others) - _CLAIMS_NAMED
        typer.echo(f"Note: nor are {more} more (`nesproof claims show` prints what ships here).", err=True)


def _promise(claim: Claim) -> dict[str, Any]:
    """What is promised and how it is measured, without what is said about it."""
    return claim.model_dump(exclude={"breaks_when", "killed_by", "max_increase", "profiles", "requires"})
