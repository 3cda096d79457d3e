"""A divergence as a file: the state before the frame, the inputs, and where in the frame to look.

`python -m nesproof.suites.parity.replay FILE` runs it again.
"""

from __future__ import annotations

import base64
import zlib
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nesproof.harness.errors import ConfigurationError, first_fault

__all__ = ["Reproduction", "packed_state", "read_reproduction"]

_SCHEMA_ID: Final = "nesproof.divergence"
_LARGEST_FILE_BYTES = 8 << 20
_LARGEST_STATE_BYTES = 1 << 20

_Packed = Annotated[str, Field(max_length=2 << 20, pattern=r"^[A-Za-z0-9+/]*={0,2}$")]
_Bytes = Annotated[str, Field(max_length=4 << 20, pattern=r"^([0-9a-f]{4})*$")]


class Reproduction(BaseModel):
    """What it takes to see two subjects part again.

    - The cartridge: `rom` is its id in the manifest, or `program` is the number of a random program; `rom_sha256` is
      the whole file's in either case.
    - `states` are what both subjects had saved before the frame (zlib, then base64), `buttons` is held in it.
    - `history` is every frame's buttons from power-on to there, two bytes a frame: another way to the same place. It is
      empty where the way was not by whole frames.
    - `unit`: after how many units of the frame more they differ; None where only whole frames show it. `blocks`: after
      how many of the first subject's blocks, where only these show it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_id: Literal["nesproof.divergence"] = _SCHEMA_ID
    schema_version: Literal[1] = 1
    rom: Annotated[str, Field(max_length=200)] | None
    program: int | None = Field(default=None, ge=0)
    rom_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    subjects: tuple[Annotated[str, Field(max_length=80)], Annotated[str, Field(max_length=80)]]
    lane: int = Field(default=0, ge=0)
    frame: int = Field(ge=0)
    buttons: tuple[Annotated[int, Field(ge=0, le=255)], Annotated[int, Field(ge=0, le=255)]]
    unit: int | None = Field(default=None, ge=0)
    blocks: int | None = Field(default=None, ge=0)
    states: tuple[_Packed, _Packed]
    history: _Bytes

    def unpacked_states(self) -> tuple[bytes, bytes]:
        """Both states, as the subjects had saved them.

        Raises:
            ConfigurationError: they are damaged, or larger than any state is.
        """
        return _unpacked(self.states[0]), _unpacked(self.states[1])


def packed_state(state: bytes) -> str:
    """A state as it stands in the file."""
    return base64.b64encode(zlib.compress(state, 9)).decode("ascii")


def _unpacked(text: str) -> bytes:
    try:
        unpacking = zlib.decompressobj()
        state = unpacking.decompress(base64.b64decode(text), _LARGEST_STATE_BYTES)
    except (ValueError, zlib.error) as fault:
        raise ConfigurationError(f"A state in the file is damaged: {fault}.") from fault
    if not unpacking.eof:
        raise ConfigurationError("A state in the file is cut short, or larger than any state is.")
    return state


def read_reproduction(data: bytes) -> Reproduction:
    """The file's content, checked.

    Raises:
        ConfigurationError: it is no such file.
    """
    if len(data) > _LARGEST_FILE_BYTES:
        raise ConfigurationError("The file is larger than any divergence is.")
    try:
        return Reproduction.model_validate_json(data)
    except ValidationError as fault:
        raise ConfigurationError(f"The file is no divergence of this version: {first_fault(fault)}.") from fault
