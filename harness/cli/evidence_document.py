"""`nesproof evidence document`: the document of a bundle alone, as it can be published."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nesproof.harness.cli.evidence_sources import load_bundle
from nesproof.harness.plain_text import plain_line

__all__ = ["command"]


def command(
    name: Annotated[str, typer.Argument(help="A bundle's folder, its name in the store, or `latest`.")],
    out: Annotated[Path, typer.Option(help="The folder to write it into; it is made where it is absent.")],
    where: Annotated[Path | None, typer.Option("--in", help="Folder of bundles (default: the store).")] = None,
) -> None:
    """Write a bundle's document alone, compressed and named by its hash, so that it can be published.

    Refused are documents of a changed source tree, of an interrupted run, of a busy machine, with UNPROVEN claims, made
    up, contradicting their own samples, or of more than 100 KB.
    """
    from nesproof.harness.cli.evidence_consistency import consistency
    from nesproof.harness.evidence.publishing import publish_document
    from nesproof.harness.evidence.reading import EvidenceInconsistent

    _, bundle = load_bundle(name, where)
    if consistency(bundle.evidence).contradictions:
        raise EvidenceInconsistent(
            "This evidence cannot be published: its verdicts do not follow from its samples; "
            "`nesproof evidence verify` says which."
        )
    document = publish_document(bundle, out)
    size = document.path.stat().st_size
    typer.echo(f"{plain_line(str(document.path))}: {size:,} bytes, document SHA-256 {document.sha256}")
    typer.echo(f"It is the evidence.json of bundle {bundle.id}.")
