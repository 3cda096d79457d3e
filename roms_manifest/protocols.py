"""How a test program reports: one model a protocol, told apart by `kind`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "Eye",
    "FlatBinary",
    "NestestLog",
    "Protocol",
    "Refusal",
    "ResultRam",
    "ScreenCrc",
    "ScreenText",
    "Status6000",
]

Crc = Annotated[str, Field(pattern=r"^[0-9A-F]{8}$")]


class _Protocol(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Status6000(_Protocol):
    """Status byte at `$6000`, valid while `$6001-$6003` hold DE B0 61. All of it is at `$7000` on an MMC6.

    80 means running, 81 that the program wants the reset button pressed at least 100 ms from now, and anything below
    80 that it is done; 00 is a pass. Text for people starts at `$6004` and ends with a zero. The button is pressed once
    for each change of the byte to 81: the 81 stays there for a while after the reset.
    """

    kind: Literal["status-6000"]
    address: Literal[0x6000, 0x7000] = 0x6000


class ResultRam(_Protocol):
    """A result code at one CPU RAM address once the program has stopped changing it; other codes are in its readme."""

    kind: Literal["result-ram"]
    address: int = Field(ge=0, lt=0x800)
    passed: int = Field(default=1, ge=0, le=255)


class ScreenText(_Protocol):
    """Text in the first nametable says how it went, and no other place does: tile numbers are ASCII codes.

    `failed` are texts that end the wait early.
    """

    kind: Literal["screen-text"]
    expected: str = Field(min_length=1)
    failed: tuple[str, ...] = ()


class ScreenCrc(_Protocol):
    """A CRC-32 in hexadecimal on the screen; several are right, by how CPU and PPU are aligned at power-on."""

    kind: Literal["screen-crc"]
    accepted: tuple[Crc, ...] = Field(min_length=1)


class NestestLog(_Protocol):
    """A log of every instruction from a forced start, equal line by line; two RAM bytes end at 0.

    `log` is the id of the log's own entry; `lines` is how many of its lines count.
    """

    kind: Literal["nestest-log"]
    log: str
    start: int = Field(ge=0, le=0xFFFF)
    lines: int = Field(ge=1)
    zero_at_end: tuple[int, ...]


class FlatBinary(_Protocol):
    """A raw image of a flat 64 KiB address space; reaching the success trap (a jump to itself) is a pass.

    `trap_2a03` is where a CPU without decimal mode must stop: the first check of decimal arithmetic.
    """

    kind: Literal["flat-binary"]
    load_address: int = Field(ge=0, le=0xFFFF)
    start: int = Field(ge=0, le=0xFFFF)
    trap_6502: int = Field(ge=0, le=0xFFFF)
    trap_2a03: int = Field(ge=0, le=0xFFFF)
    instructions_6502: int = Field(ge=1)
    cycles_6502: int = Field(ge=1)


class Eye(_Protocol):
    """Interactive, or for the eye: it runs, its last frame is looked at, and nothing but a person is the judge."""

    kind: Literal["eye"]


class Refusal(_Protocol):
    """A file that must be refused as long as its board is not supported."""

    kind: Literal["refusal"]
    reason: str = Field(min_length=1)


Protocol = Annotated[
    Status6000 | ResultRam | ScreenText | ScreenCrc | NestestLog | FlatBinary | Eye | Refusal,
    Field(discriminator="kind"),
]
