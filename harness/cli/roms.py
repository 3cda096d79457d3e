"""`nesproof roms`: which test ROMs exist, which are at hand, what a file is, and how to get those that are missing."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from nesproof.emulator.cartridge import Cartridge, CartridgeError
from nesproof.emulator.cartridge.archive import is_zip, unpack
from nesproof.emulator.cartridge.source import Source, read_source
from nesproof.harness.cli.cartridge_options import (
    IrqOption,
    MapperOption,
    PrgRamOption,
    RegionOption,
    SubmapperOption,
    asked_settings,
    cartridge_of,
    with_settings,
)
from nesproof.harness.counting import counted
from nesproof.harness.plain_text import plain_line
from nesproof.roms_manifest import FetchError, Manifest, ManifestError, Resolver, RomEntry, load_manifest
from nesproof.roms_manifest.fetch import (
    DEFAULT_TIMEOUT_S,
    FetchItem,
    FetchReport,
    fetch,
    is_offline,
    plan_fetch,
)
from nesproof.roms_manifest.identify import file_hashes, identify
from nesproof.roms_manifest.vectors import VECTORS, vector_file_name

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False)

Collections = Annotated[
    list[str] | None,
    typer.Option("--collection", "-c", help="Only this collection (may be repeated); `vectors` is one."),
]


@app.command("list")
def list_roms(
    collection: Collections = None,
    missing: Annotated[bool, typer.Option("--missing", help="Only what is not at hand.")] = False,
) -> None:
    """List every ROM of the manifest: board, how it reports, licence, and whether it is at hand."""
    resolver = Resolver()
    names = _collection_names(collection)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("ROM", "board", "reports by", "licence", "at hand"):
        table.add_column(column, no_wrap=True)
    counts: Counter[str] = Counter()
    fetchable = False
    for name in names:
        if name == VECTORS:
            continue
        for rom in resolver.manifest.collection(name):
            state = _state(resolver, rom.id)
            counts[state] += 1
            fetchable |= state != "found" and resolver.manifest.source_url(rom.id) is not None
            if not (missing and state == "found"):
                reports = ", ".join(dict.fromkeys(run.protocol.kind for run in rom.run))
                cells = (rom.id, rom.board, reports, rom.licence, state)
                table.add_row(*(Text(plain_line(cell)) for cell in cells))
    console = _stdout()
    if table.row_count:
        console.print(table)
    if VECTORS in names:
        console.print(Text(_vectors_line(resolver)))
    console.print(Text(f"{counts.total()} ROMs: {_counted(counts)}."))
    if fetchable:
        console.print(Text("`nesproof roms fetch` gets what is missing."))


@app.command()
def info(
    rom: Annotated[str, typer.Argument(help="A ROM's id in the manifest, or the path of a file.")],
    *,
    region: RegionOption = None,
    mapper: MapperOption = None,
    submapper: SubmapperOption = None,
    irq: IrqOption = None,
    prg_ram: PrgRamOption = None,
) -> None:
    """Show a ROM's header, hashes and warnings, and which manifest entry it is or almost is."""
    asked = asked_settings(region=region, mapper=mapper, submapper=submapper, irq=irq, prg_ram=prg_ram)
    manifest = load_manifest()
    console = _stdout()
    if rom in manifest:
        source = Source(rom.rsplit("/", 1)[-1], Resolver().read(rom))
        _print_entry(console, manifest[rom], _origin(manifest, rom))
    else:
        source = _source_of_file(rom)
    source = with_settings(source, asked)
    whole = file_hashes(source.data)
    cartridge, refusal = _load(source)
    if cartridge is None:
        rows = [("File", source.name), ("Size", f"{len(source.data)} bytes")]
        rows += [("SHA-256", whole.sha256), ("SHA-1", whole.sha1)]
    else:
        rows = _cartridge_rows(cartridge)
    _print_rows(console, rows)
    body_sha1 = cartridge.body_sha1 if cartridge is not None else None
    matches = identify(manifest, file_name=source.name, sha256=whole.sha256, body_sha1=body_sha1)
    for match in matches:
        console.print(Text(plain_line(match.sentence)))
    if not matches:
        console.print(Text("The manifest has no entry for this file."))
    if refusal is not None and not (rom in manifest and manifest[rom].body_sha1 is None):
        raise refusal


@app.command()
def check(collection: Collections = None) -> None:
    """Hash every file at hand against the manifest; exit code 2 where one has other bytes."""
    resolver = Resolver()
    names = _collection_names(collection)
    console = _stdout()
    counts: Counter[str] = Counter()
    for name in names:
        if name == VECTORS:
            for opcode in sorted(resolver.manifest.vectors.sha256_by_opcode):
                state = resolver.vectors_state(opcode)
                counts[state] += 1
                if state == "mismatch":
                    console.print(Text(f"{VECTORS}/{vector_file_name(opcode)}: does not give the expected cases."))
            continue
        for entry in resolver.manifest.files_of(name):
            lookup = resolver.look_up(entry.id)
            counts["found" if lookup.path else "mismatch" if lookup.mismatches else "missing"] += 1
            for mismatch in lookup.mismatches:
                console.print(Text(plain_line(mismatch.sentence)))
    console.print(Text(f"{counts.total()} files: {_counted(counts)}."))
    if counts["mismatch"]:
        raise typer.Exit(2)


@app.command("fetch")
def fetch_roms(
    collection: Collections = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    timeout: Annotated[
        float, typer.Option(min=0.1, max=600, help="Seconds to wait for a server that says nothing.")
    ] = DEFAULT_TIMEOUT_S,
) -> None:
    """Download the ROMs that are missing into the user's cache, after showing where from and under which licence.

    Exit code 2 where something could not be had; what was had is kept, and the next run goes on from there.
    """
    if is_offline():
        raise FetchError("NESPROOF_OFFLINE is set, so that nothing is fetched; unset it to allow downloads.")
    resolver = Resolver()
    items = plan_fetch(resolver, _collection_names(collection))
    console = _stdout()
    if not items:
        console.print(Text("Nothing is missing."))
        return
    _print_plan(console, resolver, items)
    if not yes:
        if not sys.stdin.isatty():
            raise FetchError("Nothing was fetched: nobody is there to be asked; pass --yes to download.")
        typer.confirm("Download?", abort=True)
    report = _fetch_with_progress(items, timeout)
    _print_report(console, items, report)
    if report.failed or report.stopped:
        raise typer.Exit(2)


def _fetch_with_progress(items: Sequence[FetchItem], timeout_s: float) -> FetchReport:
    columns = (
        TextColumn("Fetching"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[now]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(items), now="")

        def on_file(item: FetchItem) -> None:
            progress.advance(task)
            progress.update(task, now=item.id)

        return fetch(items, timeout_s=timeout_s, on_file=on_file)


def _print_plan(console: Console, resolver: Resolver, items: Sequence[FetchItem]) -> None:
    manifest = resolver.manifest
    for name in dict.fromkeys(item.collection for item in items):
        of_collection = [item for item in items if item.collection == name]
        licences = Counter(item.licence for item in of_collection)
        if name == VECTORS:
            where = f"{manifest.vectors.base_url} (of each file the first 100 cases; hashes are of these)"
        else:
            where = f"{manifest.collections[name].repository} at {manifest.collections[name].commit}"
        console.print(Text(f"{name}: {counted(len(of_collection), 'file')} from {where}"))
        for licence, count in licences.items():
            console.print(Text(f"  licence {plain_line(licence)}: {counted(count, 'file')}"))
        console.print(Text(f"  into {of_collection[0].folder}"))


def _print_report(console: Console, items: Sequence[FetchItem], report: FetchReport) -> None:
    shown = report.failed[-1:] if report.stopped else report.failed
    for entry_id, sentence in shown:
        console.print(Text(f"{entry_id}: {plain_line(sentence)}."))
    done = f"{len(report.fetched)} of {len(items)} files were fetched"
    if report.stopped:
        done += f"; {report.not_tried} were not tried. What was fetched is kept, and the next run goes on from there"
    console.print(Text(f"{done}."))


def _collection_names(asked: Sequence[str] | None) -> list[str]:
    known = [*load_manifest().collections, VECTORS]
    for name in asked or ():
        if name not in known:
            raise ManifestError(f"There is no collection {plain_line(name)!r}; there are: {', '.join(known)}.")
    return list(dict.fromkeys(asked)) if asked else known


def _state(resolver: Resolver, entry_id: str) -> str:
    lookup = resolver.look_up(entry_id)
    if lookup.path is not None:
        return "found"
    return "mismatch" if lookup.mismatches else "missing"


def _vectors_line(resolver: Resolver) -> str:
    vectors = resolver.manifest.vectors
    states: Counter[str] = Counter(resolver.vectors_state(opcode) for opcode in vectors.sha256_by_opcode)
    return f"{VECTORS}: {states.total()} files of single-step cases, licence {vectors.licence}: {_counted(states)}."


def _counted(counts: Counter[str]) -> str:
    words = {"found": "at hand", "mismatch": "with other bytes", "missing": "missing"}
    return ", ".join(f"{counts[key]} {text}" for key, text in words.items() if counts[key]) or "none"


def _source_of_file(path: str) -> Source:
    if not Path(path).exists() and "/" in path and not path.startswith((".", "/", "~")):
        raise ManifestError(
            f"{plain_line(path)} is neither an id of the manifest nor a file; see `nesproof roms list`."
        )
    source = read_source(path)
    return unpack(source) if is_zip(source.data) else source


def _load(source: Source) -> tuple[Cartridge | None, CartridgeError | None]:
    try:
        return cartridge_of(source), None
    except CartridgeError as refusal:
        return None, refusal


def _origin(manifest: Manifest, rom_id: str) -> str:
    """Where a program comes from, in words or as an address."""
    brought_by = manifest.collections[manifest[rom_id].collection].brought_by
    other = f"the Python package {brought_by}, which is not fetched" if brought_by else "ships with nesproof"
    return manifest.source_url(rom_id) or other


def _print_entry(console: Console, entry: RomEntry, origin: str) -> None:
    rows = [("ROM", entry.id), ("Title", entry.title), ("Licence", entry.licence)]
    rows.append(("Source", origin))
    rows.append(("Wants", str(entry.cartridge)))
    for run in entry.run:
        parts: list[str] = [run.protocol.kind]
        parts += [f"hold {'+'.join(hold.buttons)}" for hold in run.hold]
        parts += [f"at most {run.limit_frames} frames"] if run.limit_frames else []
        rows.append((f"Run {run.name}", ", ".join(parts)))
    _print_rows(console, rows)


def _cartridge_rows(cartridge: Cartridge) -> list[tuple[str, str]]:
    chr_text = f"{len(cartridge.chr_rom)} bytes ROM" if cartridge.chr_rom else f"{cartridge.chr_ram_bytes} bytes RAM"
    rows = [
        ("File", cartridge.source_name),
        ("Format", cartridge.format),
        ("Size", f"{cartridge.file_bytes} bytes"),
        ("Board", f"{cartridge.board} (mapper {cartridge.mapper}, submapper {cartridge.submapper})"),
        ("Chip", _chip(cartridge)),
        ("PRG-ROM", f"{len(cartridge.prg_rom)} bytes"),
        ("CHR", chr_text),
        ("PRG-RAM", f"{cartridge.prg_ram_bytes} bytes, {cartridge.prg_nvram_bytes} of them battery-backed"),
        ("Mirroring", cartridge.mirroring),
        ("Trainer", "512 bytes at $7000" if cartridge.trainer else "none"),
        ("Region", cartridge.region),
        ("SHA-256", cartridge.file_sha256),
        ("SHA-1", cartridge.file_sha1),
        ("Body SHA-256", cartridge.body_sha256),
        ("Body SHA-1", cartridge.body_sha1),
    ]
    rows += [("Warning", f"{warning}.") for warning in cartridge.warnings]
    return rows


def _chip(cartridge: Cartridge) -> str:
    """What an MMC3 is; nothing of another board."""
    if cartridge.mapper != 4:
        return ""
    ram = "the MMC6's RAM at $7000" if cartridge.prg_ram == "mmc6" else "RAM at $6000"
    return f"IRQ counter {cartridge.irq}, {ram}"


def _print_rows(console: Console, rows: Sequence[tuple[str, str]]) -> None:
    for label, value in rows:
        if value:
            console.print(Text(f"{label + ':':<14}{plain_line(value)}"))


def _stdout() -> Console:
    # Into a file or a pipe nothing is cut or wrapped, since a script may read it.
    console = Console(highlight=False, soft_wrap=True)
    return console if console.is_terminal else Console(highlight=False, soft_wrap=True, width=400, no_color=True)
