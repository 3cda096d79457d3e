"""Loads iNES 1, NES 2.0 and zip files into one frozen description of a cartridge.

File formats: https://www.nesdev.org/wiki/INES, https://www.nesdev.org/wiki/NES_2.0.
"""

from __future__ import annotations

import hashlib
import os
import warnings as python_warnings
from dataclasses import dataclass, field

from nesproof.emulator.cartridge.archive import is_zip, unpack
from nesproof.emulator.cartridge.asked import Asked, Region
from nesproof.emulator.cartridge.board_names import Parts
from nesproof.emulator.cartridge.chips import Mmc3Irq, Mmc3PrgRam
from nesproof.emulator.cartridge.choice import Choice, choose
from nesproof.emulator.cartridge.errors import CartridgeError, CartridgeWarning
from nesproof.emulator.cartridge.foreign import foreign_format
from nesproof.emulator.cartridge.header import HEADER_BYTES, MAGIC, TRAINER_BYTES, Format, Header, Mirroring, is_nes20
from nesproof.emulator.cartridge.ines1 import parse_ines1
from nesproof.emulator.cartridge.memory import Memory, memory_of
from nesproof.emulator.cartridge.nes20 import parse_nes20
from nesproof.emulator.cartridge.plain_text import shown_bytes
from nesproof.emulator.cartridge.source import MAX_FILE_BYTES, Source, read_source

__all__ = ["Cartridge"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Cartridge:
    """One cartridge. Sizes are in bytes; every size of RAM is a power of two, 0 where there is none.

    Attributes:
        prg_rom: whole banks of 8 KiB, not always a power of two: a console lays them out as the chips that it takes,
            the largest first.
        chr_rom: likewise, or 1, 2 or 4 KiB; empty where the board has CHR-RAM.
        chr_ram_bytes: 0 where the board has CHR-ROM; below 8 KiB it repeats.
        prg_ram_bytes: all RAM below `$8000`, battery-backed or not; below 8 KiB it repeats, above it has banks.
        prg_nvram_bytes: the part of `prg_ram_bytes` that a battery keeps. Nothing here ever writes a file.
        mirroring: of the nametables, by the header: "four-screen" has 4 KiB of them, and no board moves them; boards
            that choose the others themselves take no notice of it.
        mapper, submapper: as used, after junk was ignored or a number was forced.
        irq: of an MMC3's counter: "sharp", the newer one, or "nec", the older; "sharp" on other boards.
        prg_ram: "mmc6" where an MMC3 has the MMC6's 1 KiB of RAM at `$7000`, else "mmc3".
        declared_mapper: as in the file.
        board: the board's name, as far as the sizes on it tell.
        trainer: 512 bytes that belong at `$7000`, or empty.
        region: the console that it is run on; NTSC is the only one.
        format: of the header.
        source_name: the file's own name without its folder, safe to print; the member's name for a zip.
        file_sha256, file_sha1: of the whole iNES file, a tail included, unpacked where it came in a zip.
        body_sha256, body_sha1: of PRG-ROM and CHR-ROM alone, which is what most databases list.
        warnings: what was odd, one clause each, safe to print.
    """

    prg_rom: bytes = field(repr=False)
    chr_rom: bytes = field(repr=False)
    chr_ram_bytes: int
    prg_ram_bytes: int
    prg_nvram_bytes: int
    mirroring: Mirroring
    mapper: int
    submapper: int
    irq: Mmc3Irq
    prg_ram: Mmc3PrgRam
    declared_mapper: int
    board: str
    trainer: bytes = field(repr=False)
    has_battery: bool
    region: Region
    format: Format
    source_name: str
    file_bytes: int
    file_sha256: str
    file_sha1: str
    body_sha256: str
    body_sha1: str
    warnings: tuple[str, ...]

    @staticmethod
    def load(
        path_or_bytes: str | os.PathLike[str] | bytes | bytearray | memoryview,
        *,
        region: Region | None = None,
        mapper: int | None = None,
        submapper: int | None = None,
        irq: Mmc3Irq | None = None,
        prg_ram: Mmc3PrgRam | None = None,
    ) -> Cartridge:
        """Load a cartridge from a path, or from the bytes of a file.

        What is asked for takes the place of what the header says, with a warning where that differs.

        Args:
            path_or_bytes: an iNES 1 or NES 2.0 file, or a zip with exactly one `.nes` file in it; at most 16 MiB.
            region: "ntsc" runs a PAL or Dendy cartridge as NTSC; None refuses it.
            mapper: the mapper number; with another one than the header's, the header's submapper number is not used.
            submapper: the NES 2.0 submapper number, which iNES 1 cannot say.
            irq: of an MMC3's counter: "sharp", the newer one, or "nec", the older.
            prg_ram: "mmc6" gives an MMC3 the MMC6's RAM in place of its own, "mmc3" the other way round.

        Raises:
            CartridgeError: the file is refused, or something is asked for that its board does not have; the message
                says what was found and what is supported.
            UnsupportedBoardError: it is sound, but its board is not emulated.

        Warns:
            CartridgeWarning: once for each entry of `warnings`.
        """
        cartridge = Cartridge.from_source(
            read_source(path_or_bytes), region=region, mapper=mapper, submapper=submapper, irq=irq, prg_ram=prg_ram
        )
        for warning in cartridge.warnings:
            python_warnings.warn(f"{cartridge.source_name}: {warning}.", CartridgeWarning, stacklevel=2)
        return cartridge

    @staticmethod
    def from_source(
        source: Source,
        *,
        region: Region | None = None,
        mapper: int | None = None,
        submapper: int | None = None,
        irq: Mmc3Irq | None = None,
        prg_ram: Mmc3PrgRam | None = None,
    ) -> Cartridge:
        """As `load`, from bytes that have a name already, and without Python warnings: `warnings` has them.

        Raises:
            CartridgeError: the file is refused.
        """
        asked = Asked(region=region, mapper=mapper, submapper=submapper, irq=irq, prg_ram=prg_ram).checked()
        return _parse(unpack(source) if is_zip(source.data) else source, asked)


def _parse(source: Source, asked: Asked) -> Cartridge:
    name, data = source.name, source.data
    header = _header_of(source)
    warnings = list(header.warnings)
    _check_sizes(name, header, len(data))
    _check_region(name, header, asked.region, warnings)
    choice = choose(header, asked, name, warnings)
    memory = memory_of(choice.board, choice.chip, header, name, warnings)
    return _assemble(source, header, choice, memory=memory, warnings=warnings)


def _assemble(source: Source, header: Header, choice: Choice, *, memory: Memory, warnings: list[str]) -> Cartridge:
    data = source.data
    body_start = HEADER_BYTES + header.trainer_bytes
    chr_start = body_start + header.prg_rom_bytes
    body = data[body_start : header.declared_bytes]
    file_sha256 = hashlib.sha256(data).hexdigest()
    if len(data) > header.declared_bytes:
        declared_sha256 = hashlib.sha256(data[: header.declared_bytes]).hexdigest()
        warnings.append(
            f"the file has {len(data)} bytes where its header declares {header.declared_bytes}: the last "
            f"{len(data) - header.declared_bytes} are ignored (SHA-256 of the whole file {file_sha256}, without them "
            f"{declared_sha256})"
        )
    return Cartridge(
        prg_rom=data[body_start:chr_start],
        chr_rom=data[chr_start : header.declared_bytes],
        chr_ram_bytes=memory.chr_ram_bytes,
        prg_ram_bytes=memory.prg_ram_bytes,
        prg_nvram_bytes=memory.prg_nvram_bytes,
        mirroring=header.mirroring,
        mapper=choice.board.mapper,
        submapper=choice.submapper,
        irq=choice.chip.irq,
        prg_ram=choice.chip.prg_ram,
        declared_mapper=header.mapper,
        board=_name_of(header, choice),
        trainer=data[HEADER_BYTES : HEADER_BYTES + TRAINER_BYTES] if header.has_trainer else b"",
        has_battery=header.has_battery,
        region="ntsc",
        format=header.format,
        source_name=source.name,
        file_bytes=len(data),
        file_sha256=file_sha256,
        file_sha1=hashlib.sha1(data, usedforsecurity=False).hexdigest(),
        body_sha256=hashlib.sha256(body).hexdigest(),
        body_sha1=hashlib.sha1(body, usedforsecurity=False).hexdigest(),
        warnings=tuple(warnings),
    )


def _name_of(header: Header, choice: Choice) -> str:
    return choice.board.name_of(
        Parts(
            prg_rom_bytes=header.prg_rom_bytes,
            chr_rom_bytes=header.chr_rom_bytes,
            prg_ram_bytes=header.prg_ram_bytes,
            has_battery=header.has_battery,
            has_four_screens=header.mirroring == "four-screen",
            submapper=choice.submapper,
            chip=choice.chip,
        )
    )


def _header_of(source: Source) -> Header:
    name, data = source.name, source.data
    if not data:
        raise CartridgeError(f"{name}: is empty (0 bytes); an iNES file has at least {HEADER_BYTES} bytes of header.")
    if not data.startswith(MAGIC):
        foreign = foreign_format(data)
        if foreign is not None:
            raise CartridgeError(f"{name}: is {foreign}; iNES, NES 2.0 and zip files are supported.")
    if len(data) < HEADER_BYTES:
        raise CartridgeError(
            f"{name}: has {len(data)} bytes, {shown_bytes(data)}; an iNES header alone has {HEADER_BYTES}."
        )
    if not data.startswith(MAGIC):
        raise CartridgeError(
            f"{name}: begins with {shown_bytes(data)}; iNES and NES 2.0 files begin with {shown_bytes(MAGIC)}."
        )
    header = data[:HEADER_BYTES]
    return parse_nes20(header) if is_nes20(header) else parse_ines1(header)


def _check_sizes(name: str, header: Header, actual_bytes: int) -> None:
    if header.prg_rom_bytes == 0:
        raise CartridgeError(f"{name}: its header declares 0 bytes of PRG-ROM; a program needs some.")
    if header.declared_bytes > MAX_FILE_BYTES:
        raise CartridgeError(
            f"{name}: its header declares {_size_text(header.prg_rom_bytes)} of PRG-ROM and "
            f"{_size_text(header.chr_rom_bytes)} of CHR-ROM; at most {MAX_FILE_BYTES} bytes (16 MiB) are supported."
        )
    if actual_bytes < header.declared_bytes:
        raise CartridgeError(
            f"{name}: is truncated: its header declares {header.declared_bytes} bytes ({HEADER_BYTES} header, "
            f"{header.trainer_bytes} trainer, {header.prg_rom_bytes} PRG-ROM, {header.chr_rom_bytes} CHR-ROM), "
            f"but the file has {actual_bytes}."
        )


def _size_text(size: int) -> str:
    return f"{size} bytes" if size < 1 << 40 else f"about 2**{size.bit_length() - 1} bytes"


def _check_region(name: str, header: Header, region: Region | None, warnings: list[str]) -> None:
    if header.timing in ("pal", "dendy"):
        timing = "PAL" if header.timing == "pal" else "Dendy"
        if region is None:
            raise CartridgeError(
                f"{name}: is for {timing} consoles; only NTSC is emulated (region='ntsc' runs it as NTSC all the same)."
            )
        warnings.append(f"a {timing} cartridge is run as NTSC, as asked")
    if header.format == "NES 2.0" and header.console != "NES":
        raise CartridgeError(f"{name}: is for {header.console}; only the NES is emulated.")
