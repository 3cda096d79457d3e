"""What a test card reports, and how the tests run one."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from nesproof.emulator.cartridge import Cartridge
from nesproof.emulator.console import Console, ConsoleKind
from nesproof.roms_manifest import load_manifest
from nesproof.roms_manifest.house.build import CARDS
from nesproof.roms_manifest.protocols import Status6000

SIGNATURE = b"\xde\xb0\x61"
TESTING, VERDICT, SHOW = range(3)
FRAME_COUNTER, PHASE, RESULT, TESTS, FAILURES, SCORE = 0x10, 0x12, 0x13, 0x14, 0x15, 0x16
CARD_IDS = tuple(f"house/{name}" for name in CARDS)


@dataclass(frozen=True)
class Report:
    """What lies in PRG-RAM once the verdict is there: status, 0 for a pass, and the text."""

    status: int
    signature: bytes
    text: str


def card_image(card: str) -> bytes:
    """The bytes of a card by the last part of its id."""
    return (files("nesproof.roms_manifest.house") / "cards" / f"{card}.nes").read_bytes()


def report_address(card: str) -> int:
    """Where a card reports, as the manifest says."""
    protocol = load_manifest()[f"house/cards/{card}"].run[0].protocol
    assert isinstance(protocol, Status6000)
    return protocol.address


def powered(image: bytes, kind: ConsoleKind = "reference", *, fill: int = 0, **settings: Any) -> Console:
    """A console with a card in it."""
    console = Console(Cartridge.load(image, **settings), kind=kind)
    console.power_on(fill=fill)
    return console


def run_to(console: Console, phase: int, limit_frames: int = 300) -> int:
    """Steps until the card is in a phase; returns the frames. AssertionError past the limit."""
    for frame in range(limit_frames):
        if phase <= console.ram[PHASE] <= SHOW:  # what RAM is filled with is more
            return frame
        console.step(0)
    raise AssertionError(f"after {limit_frames} frames the card is at test {console.ram[TESTS]}")


def report(console: Console, address: int) -> Report:
    """The report at an address."""
    head = bytes(console.peek(address + offset) for offset in range(4))
    text = bytearray()
    while len(text) < 256 and (byte := console.peek(address + 4 + len(text))):
        text.append(byte)
    return Report(status=head[0], signature=head[1:], text=text.decode("latin-1"))


def frame_counter(console: Console) -> int:
    """Frames of the show."""
    return int(struct.unpack("<H", bytes(console.ram[FRAME_COUNTER : FRAME_COUNTER + 2]))[0])
