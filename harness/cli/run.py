"""`nesproof run`: play a ROM without a screen, with buttons from a file, and look at what came of it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from nesproof.emulator.cartridge import CartridgeError
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
from nesproof.harness.cli.pictures import FrameSink, contact_sheet, write_gif, write_png
from nesproof.harness.cli.stderr import say
from nesproof.harness.cli.subject_files import SubjectFile, use_subject_files
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.plain_text import plain_line
from nesproof.harness.subjects.cartridge_settings import SETTINGS_CAPABILITY
from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.subjects.registry import find_subject
from nesproof.harness.whole_file import require_place_for
from nesproof.roms_manifest import CartridgeSettings, Resolver, load_manifest, settings_of

__all__ = ["command"]

MOST_FRAMES = 10_000_000
CHUNK_FRAMES = 600
"""Frames stepped in one request where nobody looks in between: short enough for progress and for the deadline."""
MOST_PICTURES = 2_000
OUR_ADAPTERS = ("reference_adapter.py", "core_adapter.py")


def command(
    rom: Annotated[str, typer.Argument(help="A ROM file (iNES, NES 2.0, zip), or a ROM's id in the manifest.")],
    *,
    frames: Annotated[int, typer.Option("--frames", "-n", min=1, max=MOST_FRAMES, help="Frames to run.")] = 60,
    buttons: Annotated[
        Path | None,
        typer.Option(
            help="Buttons of controller 1, one byte a frame (A 01, B 02, Select 04, Start 08, Up 10, Down 20, Left 40, "
            "Right 80); a shorter file is continued with no button, a longer one is cut."
        ),
    ] = None,
    hold: Annotated[str, typer.Option(help="Hold this byte on every frame instead, in hexadecimal.")] = "",
    png: Annotated[
        Path | None, typer.Option(help="Write the last frame here; with --every, a numbered series.")
    ] = None,
    every: Annotated[int, typer.Option(min=0, help="Take a picture every so many frames, not at the end alone.")] = 0,
    gif: Annotated[Path | None, typer.Option(help="Write the pictures as an animation.")] = None,
    sheet: Annotated[Path | None, typer.Option(help="Write the pictures side by side on one contact sheet.")] = None,
    subject: Annotated[str, typer.Option(help="The emulator that plays; see `nesproof subjects list`.")] = "reference",
    subject_file: SubjectFile = None,
    fill: Annotated[str, typer.Option(help="Byte that RAM holds at power-on, in hexadecimal.")] = "00",
    region: RegionOption = None,
    mapper: MapperOption = None,
    submapper: SubmapperOption = None,
    irq: IrqOption = None,
    prg_ram: PrgRamOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Run a ROM without a screen and print where it ends: frames, RAM hash, state digest.

    Exit code 2 where a file is not what it should be.
    """
    use_subject_files(subject_file)
    asked = asked_settings(region=region, mapper=mapper, submapper=submapper, irq=irq, prg_ram=prg_ram)
    source = with_settings(_source(rom), asked)
    _note_what_the_manifest_says(source)
    if find_subject(subject).adapter in OUR_ADAPTERS:
        # Refused here, the sentence names the file; the worker sees bytes alone.
        for warning in cartridge_of(source).warnings:
            say(f"warning: {source.name}: {warning}.")
    for picture in (png, gif, sheet):
        require_place_for(picture)
    stream = _stream(buttons, hold, frames)
    fill_byte = _hex_byte(fill, "--fill")
    if every and frames // every > MOST_PICTURES:
        raise ConfigurationError(
            f"--every {every} over {frames} frames makes more than {MOST_PICTURES} pictures; give a larger number."
        )
    if (gif or sheet) and not every:
        every = max(1, frames // 16)
    with open_subject(subject) as player:
        if png or gif or sheet:
            player.require("frame")
        file = _file_for(player, source.data, asked)
        player.load(file)
        player.power_on(fill=fill_byte)
        sink = FrameSink(png=png, every=every, keep=gif is not None or sheet is not None)
        _play(player, stream, sink)
        result = _result(player, source, file, frames)
    if gif is not None:
        write_gif(gif, sink.kept, every_frames=every)
    if sheet is not None:
        write_png(sheet, contact_sheet(sink.kept))
    written = [*sink.written, *(p for p in (gif, sheet) if p is not None)]
    if as_json:
        print(json.dumps({**result, "written": [str(p) for p in written]}, indent=2))
        return
    for key, value in result.items():
        if value is not None:
            print(f"{key.replace('_', ' '):<12} {plain_line(str(value))}")
    if len(written) > 4:
        print(f"{'wrote':<12} {len(written)} files, {plain_line(str(written[0]))} to {plain_line(str(written[-1]))}")
    else:
        for path in written:
            print(f"{'wrote':<12} {plain_line(str(path))}")


def _note_what_the_manifest_says(source: Source) -> None:
    """Say what a file that is known by its hash would be run with under its id, and is not.

    What its header says already is not missing, and a file that is refused is not run.
    """
    entry = load_manifest().by_sha256(hashlib.sha256(source.data).hexdigest())
    if entry is None or not entry.cartridge.given():
        return
    try:
        cartridge = cartridge_of(source)
    except CartridgeError:
        return
    wanted = {name: value for name, value in entry.cartridge.given().items() if getattr(cartridge, name) != value}
    if wanted:
        said = ", ".join(f"{name}={value}" for name, value in sorted(wanted.items()))
        say(f"note: this is {entry.id}, which wants {said}.")


def _file_for(player: Subject, data: bytes, asked: CartridgeSettings) -> bytes:
    """The file as the subject can take it: what the manifest says beyond it is left out where it cannot be told.

    Raises:
        NotCapable: it cannot be told what the options ask for.
    """
    settings = settings_of(data)
    if not settings.given() or SETTINGS_CAPABILITY in player.capabilities:
        return data
    if asked.given():
        player.require(SETTINGS_CAPABILITY)
    say(f"note: the program wants {settings}, which {player.name} cannot be told.")
    return bytes(data)


def _play(player: Subject, stream: NDArray[np.uint8], sink: FrameSink) -> None:
    """Step through `stream`, handing the sink a frame wherever it wants one."""
    total = len(stream)
    at = 0
    while at < total:
        stop = min(total, at + CHUNK_FRAMES)
        if sink.every:
            stop = min(stop, (at // sink.every + 1) * sink.every)
        player.step(stream[at:stop])
        at = stop
        if sink.wants(at, total):
            sink.take(at, player.read_frame())
        if total > 4 * CHUNK_FRAMES and at % (2 * CHUNK_FRAMES) == 0:
            say(f"{at} of {total} frames")


def _result(player: Subject, source: Source, file: bytes, frames: int) -> dict[str, str | int | None]:
    ram = hashlib.sha256(player.read_ram().tobytes()).hexdigest() if "ram" in player.capabilities else None
    return {
        "rom": source.name,
        "rom_sha256": hashlib.sha256(source.data).hexdigest(),
        "cartridge": str(settings_of(file)) or None,
        "subject": f"{player.name} {player.version}",
        "frames": frames,
        "ram_sha256": ram,
        "digest": player.digest() if "digest" in player.capabilities else None,
    }


def _source(rom: str) -> Source:
    """The bytes of a manifest id or of a file, out of its zip.

    Raises:
        RomMissing: a known id whose file is not at hand.
        CartridgeError: the file cannot be read, or is no zip with one ROM in it.
    """
    if rom in load_manifest() and not Path(rom).is_file():
        return Source(rom, Resolver().read(rom))
    source = read_source(rom)
    return unpack(source) if is_zip(source.data) else source


def _stream(buttons: Path | None, hold: str, frames: int) -> NDArray[np.uint8]:
    """The buttons of every frame, uint8 [frames]."""
    if buttons is not None and hold:
        raise ConfigurationError("--buttons and --hold exclude each other; give one of them.")
    if buttons is None:
        return np.full(frames, _hex_byte(hold or "00", "--hold"), np.uint8)
    if not buttons.is_file():
        raise ConfigurationError(f"The buttons file {plain_line(str(buttons))} is not a file; it holds a byte a frame.")
    try:
        with buttons.open("rb") as file:
            data = np.frombuffer(file.read(frames + 1), np.uint8)
    except OSError as fault:
        raise ConfigurationError(
            f"The buttons file {plain_line(str(buttons))} cannot be read: {fault.strerror}."
        ) from fault
    if len(data) < frames:
        say(f"note: the buttons file holds {len(data)} frames; no button is held for the {frames - len(data)} after.")
    elif len(data) > frames:
        say(f"note: the buttons file goes on after frame {frames}; the rest is not used.")
    stream = np.zeros(frames, np.uint8)
    stream[: min(frames, len(data))] = data[:frames]
    return stream


def _hex_byte(text: str, option: str) -> int:
    try:
        value = int(text, 16)
    except ValueError:
        value = -1
    if not 0 <= value <= 0xFF:
        raise ConfigurationError(f"{option} takes a byte in hexadecimal, 00 to FF, not {plain_line(text, limit=20)!r}.")
    return value
