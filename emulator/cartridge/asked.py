"""What a caller asks for in place of what a header says."""

from __future__ import annotations

import operator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal, SupportsIndex, get_args

from nesproof.emulator.cartridge.chips import Mmc3Irq, Mmc3PrgRam
from nesproof.emulator.cartridge.errors import CartridgeError
from nesproof.emulator.cartridge.plain_text import plain_text

__all__ = ["LARGEST_MAPPER", "LARGEST_SUBMAPPER", "Asked", "Region"]

Region = Literal["ntsc"]

LARGEST_MAPPER, LARGEST_SUBMAPPER = 4095, 15
"""What a NES 2.0 header can name."""

_WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("region", get_args(Region)),
    ("irq", get_args(Mmc3Irq)),
    ("prg_ram", get_args(Mmc3PrgRam)),
)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """None leaves a matter to the header."""

    region: Region | None = None
    mapper: int | None = None
    submapper: int | None = None
    irq: Mmc3Irq | None = None
    prg_ram: Mmc3PrgRam | None = None

    def checked(self) -> Asked:
        """The same with plain ints for numbers.

        Raises:
            CartridgeError: a word is none of those that there are, or a number none that a header can hold, whatever
                the file.
        """
        for name, words in _WORDS:
            value = getattr(self, name)
            if value is not None and not (isinstance(value, str) and value in words):
                known = ", ".join(repr(word) for word in words)
                raise CartridgeError(f"{name}={_shown(value)} is not supported; it can be {known} or None.")
        return replace(
            self,
            mapper=_number("mapper", self.mapper, LARGEST_MAPPER),
            submapper=_number("submapper", self.submapper, LARGEST_SUBMAPPER),
        )


def _number(name: str, value: object, largest: int) -> int | None:
    if value is None:
        return None
    number = -1
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        with suppress(TypeError):  # an array, say, of more than one number
            number = operator.index(value)
    if not 0 <= number <= largest:
        raise CartridgeError(f"{name}={_shown(value)} is not supported; it can be an int from 0 to {largest} or None.")
    return number


def _shown(value: object) -> str:
    """What was given, for a message: on one line, and by its type alone where it cannot be written out."""
    try:
        return plain_text(repr(value))
    except Exception:  # a number of more digits than Python writes; whatever a stranger's class does
        return f"<{plain_text(type(value).__name__)}>"
