"""One console of cynes 0.1.2, with what cynes leaves to chance taken out; `cynes_adapter.py` says what cynes does.

Loaded by its path in the worker's own environment, beside the adapter.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from .timed_window import wait_for_ram, without_collection

RAM_BYTES = 2048
STATE_TAG = b"cynes-state\0"
REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
"""A controller's byte in cynes' bit order, for each of ours."""


class Slot:
    """A cartridge, in a file of its own, since cynes reads it from there for every new console."""

    def __init__(self, cynes: Any, path: str) -> None:
        self._cynes = cynes
        self._path = path
        self.identity = b""
        self._board = ""

    def insert(self, rom: bytes) -> None:
        """Put a cartridge in."""
        with open(self._path, "wb") as out:  # noqa: PTH123
            out.write(rom)
        self.identity = hashlib.sha256(rom).digest()
        self._board = f" (mapper {rom[6] >> 4 | rom[7] & 0xF0})" if rom[:4] == b"NES\x1a" and len(rom) >= 8 else ""

    def console(self) -> Console:
        """A new console with it. Raises ValueError where cynes refuses it."""
        try:
            return Console(self._cynes.NES(self._path), self.identity)
        except RuntimeError as fault:
            raise ValueError(f"cynes does not take this cartridge{self._board}: {_legible(fault)}") from fault


class Console:
    """One console; `nes` is cynes' own, `frame` the array that it draws into."""

    def __init__(self, nes: Any, cartridge: bytes) -> None:
        self.nes = nes
        self.frame: Any = None
        self._cartridge = cartridge
        self._never_stepped = True

    def step(self, pads: int) -> None:
        """One frame; `pads` is cynes' word for both controllers."""
        nes = self.nes
        nes.controller = pads
        if self._never_stepped:
            self._never_stepped = False
            before = nes.save()
            self.frame = nes.step()
            # The flag that ends a step is never initialised: where chance has set it, the first step only clears it.
            if (nes.save() != before).sum() > 1:
                return
        self.frame = nes.step()

    def ram(self) -> bytes:
        """The 2 KiB of work RAM."""
        nes = self.nes
        return bytes([nes[address] for address in range(RAM_BYTES)])

    def picture(self) -> bytes:
        """The last frame, RGB [240, 256, 3]."""
        if self.frame is None:
            raise ValueError("no frame has been drawn since power-on")
        return bytes(self.frame.tobytes())

    def save(self) -> bytes:
        """cynes' own state with the cartridge's hash and a checksum."""
        body = STATE_TAG + self._cartridge + bytes(self.nes.save().tobytes())
        return body + hashlib.sha256(body).digest()

    def checked(self, sealed: bytes) -> bytes:
        """cynes' own state out of what `save` gave. Raises ValueError where it is foreign or damaged."""
        body, checksum = sealed[:-32], sealed[-32:]
        head = STATE_TAG + self._cartridge
        if not body.startswith(head):
            raise ValueError("this is no state of cynes with this cartridge")
        if hashlib.sha256(body).digest() != checksum or len(body) - len(head) != len(self.nes.save()):
            raise ValueError("the state is damaged")
        return body[len(head) :]

    def restore(self, state: bytes) -> None:
        """Go to what `checked` gave."""
        self.nes.load(np.frombuffer(bytearray(state), np.uint8))
        self._never_stepped = False

    def wait_for(self, wanted: dict[str, Any] | None) -> None:
        """Frames without a button until RAM holds what is wanted."""
        wait_for_ram(wanted, lambda: self.nes, lambda: self.step(0))


def _legible(fault: Exception) -> str:
    """What cynes says: it writes a board's number as a character."""
    return "".join(character for character in str(fault) if character.isprintable())


def words(buttons: bytes, players: int) -> list[int]:
    """cynes' words for our bytes: one a frame."""
    turned = buttons.translate(REVERSED)
    if players == 1:
        return list(turned)
    return [first | second << 8 for first, second in zip(turned[::2], turned[1::2], strict=True)]


def timed(consoles: Sequence[Console], windows: Sequence[Sequence[int]]) -> int:
    """Every console through its window, frame by frame; nanoseconds."""
    all_nes = [console.nes for console in consoles]
    alone = all_nes[0] if len(all_nes) == 1 else None
    rows = list(zip(*windows, strict=True))
    with without_collection():
        if alone is not None:
            step = alone.step
            started = time.perf_counter_ns()
            for pads in windows[0]:
                alone.controller = pads
                step()
            return time.perf_counter_ns() - started
        started = time.perf_counter_ns()
        for row in rows:
            for nes, pads in zip(all_nes, row, strict=True):
                nes.controller = pads
                nes.step()
        return time.perf_counter_ns() - started
