"""`nesproof kernel`: the GPU's kernels on a machine without a GPU, in figures of the compiler and of a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from nesproof.emulator.cartridge import Cartridge
from nesproof.emulator.cartridge.source import Source, read_source
from nesproof.emulator.gpu.compile import CompiledKernels, compile_kernels
from nesproof.emulator.gpu.specialisation import SCHEDULES, Specialisation
from nesproof.harness.cli.stderr import say
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.plain_text import plain_line
from nesproof.roms_manifest import Resolver, load_manifest

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False)

ARCHITECTURES = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")
"""Every architecture that the kernels are held to."""


@app.callback()
def _kernel() -> None:
    """A group even while it has one command."""


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
    as_json: Annotated[bool, typer.Option("--json", help="JSON on stdout instead of a table.")] = False,
) -> None:
    """Compile the kernels and print registers, stack, spills and code size; no GPU is needed, and none is looked for.

    Exit code 2 where the compiler is not installed or an architecture is unknown, 5 where the kernels do not compile.
    """
    specialisation = _specialisation(rom, schedule)
    compiled = []
    for architecture in arch or ARCHITECTURES:
        say(f"{architecture}: compiling")
        compiled.append(compile_kernels(specialisation, architecture))
    if as_json:
        print(json.dumps([_as_dict(kernels) for kernels in compiled], indent=2))
    else:
        _print(compiled)


def _specialisation(rom: str, schedule: str) -> Specialisation:
    if schedule not in SCHEDULES:
        raise ConfigurationError(
            f"There is no schedule {plain_line(schedule)!r}; the schedules are {', '.join(SCHEDULES)}."
        )
    try:
        return Specialisation.of(_cartridge(rom), schedule=schedule)  # type: ignore[arg-type]
    except ValueError as fault:
        if type(fault).__module__.startswith("nesproof."):
            raise
        raise ConfigurationError(f"{plain_line(str(fault))}.") from fault


def _cartridge(rom: str) -> Cartridge:
    if rom in load_manifest() and not Path(rom).is_file():
        return Cartridge.from_source(Source(rom, Resolver().read(rom)))
    return Cartridge.from_source(read_source(rom))


def _as_dict(kernels: CompiledKernels) -> dict[str, Any]:
    return {
        "architecture": kernels.architecture,
        "compiler": kernels.compiler,
        "specialisation": kernels.specialisation.as_dict(),
        "registers": kernels.registers,
        "spill_bytes": kernels.spill_bytes,
        "cubin_bytes": len(kernels.cubin),
        "compile_seconds": round(kernels.compile_seconds, 3),
        "was_cached": kernels.was_cached,
        "functions": [vars(figures) for figures in kernels.functions],
    }


def _print(compiled: list[CompiledKernels]) -> None:
    console = Console(highlight=False)
    for kernels in compiled:
        how = "from the cache; took" if kernels.was_cached else "in"
        console.print(
            Text(f"{kernels.architecture}: NVRTC {kernels.compiler}, {how} {kernels.compile_seconds:.1f} s"),
            style="bold",
        )
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("kernel or function", overflow="fold")
        for column in ("registers", "stack B", "spill stores B", "spill loads B", "code B"):
            table.add_column(column, justify="right")
        for f in kernels.functions:
            numbers = (f.registers, f.stack_bytes, f.spill_store_bytes, f.spill_load_bytes, f.code_bytes)
            table.add_row(
                Text(plain_line(f.name if f.is_kernel else f"  {f.name}")),
                *(Text("" if number is None else str(number)) for number in numbers),
            )
        console.print(table)
        console.print()
