"""What a caller asks for in place of what a header says."""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace
from typing import Literal, SupportsIndex, get_args

from nesproof.emulator.cartridge.chips import Mmc3Irq, Mmc3PrgRam
from nesproof.emulator.cartridge.errors import CartridgeError
from nesproof.emulator.cartridge.plain_text import plain_text

__all__ = ["Asked", "Region"]

Region = Literal["ntsc"]

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
            CartridgeError: a word is none of those that there are, or a number none, whatever the file.
        """
        for name, words in _WORDS:
            value = getattr(self, name)
            if value is not None and not (isinstance(value, str) and value in words):
                known = ", ".join(repr(word) for word in words)
                raise CartridgeError(f"{name}={plain_text(repr(value))} is not supported; it can be {known} or None.")
        return replace(self, mapper=_number("mapper", self.mapper), submapper=_number("submapper", self.submapper))


def _number(name: str, value: object) -> int | None:
    if value is None:
        return None
    if not isinstance(value, SupportsIndex) or isinstance(value, bool):
        raise CartridgeError(f"{name}={plain_text(repr(value))} is not supported; it can be an int or None.")
    try:
        return operator.index(value)
    except TypeError as fault:  # an array, say, of more than one number
        raise CartridgeError(f"{name}={plain_text(repr(value))} is not supported; it can be an int or None.") from fault
