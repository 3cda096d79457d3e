"""`nesproof evidence export`: evidence in the formats of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nesproof.harness.cli.evidence_sources import load_evidence
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.plain_text import plain_line

__all__ = ["FORMATS_NAMED", "command"]

FORMATS_NAMED = (
    "bencher, benchmark-action (two files), benchmark-action-bigger, benchmark-action-smaller, in-toto, "
    "shields (a file a badge), junit, markdown, json"
)
"""What the help says; the formats themselves are loaded only when one is made."""
_ATTESTING = frozenset({"in-toto"})


def command(
    name: Annotated[str, typer.Argument(help="A bundle's folder, its name in the store, `latest`, or a document.")],
    form: Annotated[str, typer.Option("--format", help=f"One of: {FORMATS_NAMED}.")],
    where: Annotated[Path | None, typer.Option("--in", help="Folder of bundles (default: the store).")] = None,
    out: Annotated[
        Path | None, typer.Option(help="The file to write; of several files their folder (default: stdout).")
    ] = None,
) -> None:
    """Write evidence in the format of another program."""
    from nesproof.harness.cli.evidence_consistency import consistency
    from nesproof.reports.export import EXPORTS, NotExportable, export
    from nesproof.reports.format import Material
    from nesproof.reports.plain_text import plain_evidence

    if form not in EXPORTS:
        raise ConfigurationError(f"There is no format {plain_line(form, limit=60)!r}; there are {', '.join(EXPORTS)}.")
    loaded = load_evidence(name, where)
    if consistency(loaded.evidence).contradictions:
        said = "these verdicts do not follow from the samples; `nesproof evidence verify` says which"
        if form in _ATTESTING:
            raise ConfigurationError(f"Nothing can be attested: {said}.")
        typer.echo(f"Note: {said}.", err=True)
    material = Material(plain_evidence(loaded.evidence), frames_dir=None, bundle_id=loaded.bundle_id)
    try:
        files = export(material, form)
    except NotExportable as fault:
        raise ConfigurationError(str(fault)) from fault
    _write(files, out, several=form in {"benchmark-action", "shields"})


def _write(files: dict[str, bytes], out: Path | None, *, several: bool) -> None:
    from nesproof.harness.cli.output_target import require_target, write_target
    from nesproof.harness.whole_file import write_whole

    if several:
        if out is None or (out.exists() and not out.is_dir()):
            raise ConfigurationError(f"This format makes {len(files)} files; name a folder for them by --out.")
        out.mkdir(parents=True, exist_ok=True)
        for file_name, data in files.items():
            write_whole(out / file_name, data)
        typer.echo(f"{len(files)} files in {plain_line(str(out))}", err=True)
        return
    (data,) = files.values()
    target = "-" if out is None else str(out)
    require_target(target)
    write_target(target, data)
