"""`nesproof kernel`: the GPU's kernels on a machine without a GPU, in figures of the compiler and of a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from nesproof.emulator.cartridge import Cartridge
from nesproof.emulator.cartridge.source import Source, read_source
from nesproof.emulator.gpu.compile import CompiledKernels, compile_all
from nesproof.emulator.gpu.specialisation import SCHEDULES, Specialisation
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
from nesproof.harness.cli.function_names import readable_name
from nesproof.harness.cli.name_tables import table_console
from nesproof.harness.cli.stderr import say
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.plain_text import plain_line
from nesproof.harness.workloads import load_workload
from nesproof.roms_manifest import CartridgeSettings, Resolver, load_manifest

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False)

_RANDOM_PLAY, _WORLD_1_1 = "scroller-random-buttons", "world-1-1"

ARCHITECTURES = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")
"""Every architecture that the kernels are held to."""


@app.command("compile")
def compile_command(
    *,
    arch: Annotated[
        list[str] | None,
        typer.Option("--arch", metavar="ARCH", help="An architecture such as sm_90; may be repeated. All by default."),
    ] = None,
    rom: Annotated[
        str, typer.Option(help="The cartridge to specialise for: a ROM file, or a ROM's id in the manifest.")
    ] = "house/scroller",
    schedule: Annotated[str, typer.Option(help=f"Which lanes run next: {', '.join(SCHEDULES)}.")] = "smallest-key",
    region: RegionOption = None,
    mapper: MapperOption = None,
    submapper: SubmapperOption = None,
    irq: IrqOption = None,
    prg_ram: PrgRamOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on stdout instead of a table.")] = False,
) -> None:
    """Compile the kernels and print registers, stack, spills and code size; no GPU is needed, and none is looked for.

    Exit code 2 where the compiler is not installed or an architecture is unknown, 5 where the kernels do not compile.
    """
    asked = asked_settings(region=region, mapper=mapper, submapper=submapper, irq=irq, prg_ram=prg_ram)
    specialisation = _specialisation(rom, asked, schedule)
    compiled: list[CompiledKernels] = []
    for architecture in arch or ARCHITECTURES:
        say(f"{architecture}: compiling")
        compiled += compile_all(specialisation, architecture)
    if as_json:
        print(json.dumps([_as_dict(kernels) for kernels in compiled], indent=2))
    else:
        _print(compiled)


@app.command("model")
def model_command(
    *,
    workloads: Annotated[
        list[str] | None,
        typer.Option(
            "--workload",
            help="A workload's id; may be repeated. By default random play in scroller, and World 1-1 if it is found.",
        ),
    ] = None,
    arch: Annotated[str, typer.Option(help="Whose machine code is counted; empty for none.")] = "sm_90",
    as_json: Annotated[bool, typer.Option("--json", help="JSON on stdout instead of tables.")] = False,
) -> None:
    """Run the kernels' schedules on this CPU and count: lanes that keep together, memory, and the speed that follows.

    Counts are the same on every machine; speeds are a model of a GPU.
    """
    from nesproof.harness.cli import kernel_model

    resolver = Resolver()
    wanted = [load_workload(workload) for workload in workloads or (_RANDOM_PLAY, _WORLD_1_1)]
    rows: list[kernel_model.Row] = []
    for workload in wanted:
        if not workloads and any(resolver.find(entry) is None for entry in workload.needed_files):
            say(f"note: {workload.key} is left out: {workload.rom} is not at hand")
            continue
        rows += kernel_model.count(workload, resolver, arch or None, say)
    if as_json:
        print(json.dumps([kernel_model.as_dict(row) for row in rows], indent=2))
    else:
        kernel_model.print_rows(rows)


def _specialisation(rom: str, asked: CartridgeSettings, schedule: str) -> Specialisation:
    if schedule not in SCHEDULES:
        raise ConfigurationError(
            f"There is no schedule {plain_line(schedule)!r}; the schedules are {', '.join(SCHEDULES)}."
        )
    try:
        return Specialisation.of(_cartridge(rom, asked), schedule=schedule)  # type: ignore[arg-type]
    except ValueError as fault:
        if type(fault).__module__.startswith("nesproof."):
            raise
        raise ConfigurationError(f"{plain_line(str(fault))}.") from fault


def _cartridge(rom: str, asked: CartridgeSettings) -> Cartridge:
    is_entry = rom in load_manifest() and not Path(rom).is_file()
    source = Source(rom, Resolver().read(rom)) if is_entry else read_source(rom)
    return cartridge_of(with_settings(source, asked))


def _as_dict(kernels: CompiledKernels) -> dict[str, Any]:
    return {
        "architecture": kernels.architecture,
        "part": kernels.part,
        "compiler": kernels.compiler,
        "specialisation": kernels.specialisation.as_dict(),
        "registers": kernels.registers,
        "spill_bytes": kernels.spill_bytes,
        "saved_bytes": kernels.saved_bytes,
        "cubin_bytes": len(kernels.cubin),
        "compile_seconds": round(kernels.compile_seconds, 3),
        "was_cached": kernels.was_cached,
        "functions": [vars(figures) for figures in kernels.functions],
    }


def _print(compiled: list[CompiledKernels]) -> None:
    console = table_console(highlight=False)
    for kernels in compiled:
        how = "from the cache; took" if kernels.was_cached else "in"
        console.print(
            Text(f"{kernels.architecture}, {kernels.part}: {how} {kernels.compile_seconds:.1f} s"),
            style="bold",
        )
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("kernel or function", overflow="fold")
        for column in ("registers", "stack B", "spill stores B", "spill loads B", "code B"):
            table.add_column(column, justify="right")
        shown = [f for f in kernels.functions if f.is_kernel or f.stack_bytes or f.spill_store_bytes]
        for f in shown:
            numbers = (f.registers, f.stack_bytes, f.spill_store_bytes, f.spill_load_bytes, f.code_bytes)
            table.add_row(
                Text(plain_line(f.name if f.is_kernel else f"  {readable_name(f.name)}")),
                *(Text("" if number is None else str(number)) for number in numbers),
            )
        console.print(table)
        if others := len(kernels.functions) - len(shown):
            console.print(Text(f"and {others} functions that keep nothing in memory", style="dim"))
        console.print()
