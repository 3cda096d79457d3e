"""The options of every command that loads a ROM: what its cartridge is, where its file says otherwise or nothing."""

from __future__ import annotations

from typing import Annotated, get_args

import typer

from nesproof.emulator.cartridge import Cartridge
from nesproof.emulator.cartridge.asked import Region
from nesproof.emulator.cartridge.chips import Mmc3Irq, Mmc3PrgRam
from nesproof.emulator.cartridge.source import Source
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.plain_text import plain_line
from nesproof.roms_manifest import CartridgeFile, CartridgeSettings, settings_of

__all__ = [
    "IrqOption",
    "MapperOption",
    "PrgRamOption",
    "RegionOption",
    "SubmapperOption",
    "asked_settings",
    "cartridge_of",
    "with_settings",
]

_PANEL = "What the cartridge is, in place of what its file says"

RegionOption = Annotated[
    str | None,
    typer.Option(
        "--region",
        metavar="ntsc",
        help="Run a PAL or Dendy cartridge as NTSC.",
        rich_help_panel=_PANEL,
    ),
]
MapperOption = Annotated[
    int | None, typer.Option("--mapper", min=0, max=4095, help="The mapper number.", rich_help_panel=_PANEL)
]
SubmapperOption = Annotated[
    int | None,
    typer.Option("--submapper", min=0, max=15, help="The NES 2.0 submapper number.", rich_help_panel=_PANEL),
]
IrqOption = Annotated[
    str | None,
    typer.Option(
        "--irq",
        metavar="sharp|nec",
        help="An MMC3's IRQ counter: sharp is the newer one, nec the older.",
        rich_help_panel=_PANEL,
    ),
]
PrgRamOption = Annotated[
    str | None,
    typer.Option(
        "--prg-ram",
        metavar="mmc3|mmc6",
        help="An MMC3's PRG-RAM: its own, or the MMC6's 1 KiB at $7000.",
        rich_help_panel=_PANEL,
    ),
]

_WORDS = {"region": get_args(Region), "irq": get_args(Mmc3Irq), "prg_ram": get_args(Mmc3PrgRam)}


def asked_settings(
    *, region: str | None, mapper: int | None, submapper: int | None, irq: str | None, prg_ram: str | None
) -> CartridgeSettings:
    """What the options say.

    Raises:
        ConfigurationError: a word that an option does not take.
    """
    asked = {"region": region, "mapper": mapper, "submapper": submapper, "irq": irq, "prg_ram": prg_ram}
    for name, words in _WORDS.items():
        if asked[name] is not None and asked[name] not in words:
            option = f"--{name.replace('_', '-')}"
            raise ConfigurationError(
                f"{option} takes {' or '.join(words)}, not {plain_line(str(asked[name]), limit=20)!r}."
            )
    return CartridgeSettings.model_validate(asked)


def with_settings(source: Source, asked: CartridgeSettings) -> Source:
    """The file with what was asked for, and for the rest with what the manifest says of it."""
    settings = asked.over(settings_of(source.data))
    return Source(source.name, CartridgeFile(source.data, settings)) if settings.given() else source


def cartridge_of(source: Source) -> Cartridge:
    """The cartridge of a file, with the settings that the file carries.

    Raises:
        CartridgeError: it is refused.
    """
    return Cartridge.from_source(source, **settings_of(source.data).given())
