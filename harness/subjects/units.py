"""A subject followed closer than by frames: unit by unit, in strides of its own, and its state field by field.

A *unit* is an instruction, an interrupt sequence or a cycle of a jammed CPU: what lies between two boundaries at which
a console can be asked. A *block* is a stride in which the subject does not look at its chips, where it has such.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from nesproof.harness.subjects.conversation import Conversation
from nesproof.harness.subjects.replies import EmptyResult
from nesproof.harness.subjects.trace import TRACE_DTYPE

__all__ = ["FieldPlace", "StateFields", "SubjectUnits"]

_Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,79}$")]


class FieldPlace(BaseModel):
    """One field of a saved state, in the state's order: `count` values of NumPy's `dtype`."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: _Name
    dtype: Annotated[str, Field(pattern=r"^([<|]?[ui][1248])$")]
    count: int = Field(ge=0, le=1 << 20)


class StateFields(BaseModel):
    """What a saved state of the loaded cartridge consists of: a header, then the fields without a gap."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    header_bytes: int = Field(ge=0, le=4096)
    fields: list[FieldPlace] = Field(max_length=4_000)

    @property
    def dtype(self) -> np.dtype[np.void]:
        """A structured type of the whole state: `header`, then the fields that have values."""
        columns: list[tuple[str, str] | tuple[str, str, tuple[int]]] = [("header", f"V{self.header_bytes}")]
        columns += [(f.name, f.dtype, (f.count,)) for f in self.fields if f.count]
        return np.dtype(columns)


class _Blocks(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    blocks: int = Field(ge=0)


class SubjectUnits:
    """The close-up operations of a subject's one console; `Subject.units` is one.

    Raises, from every method, what `Subject` raises.
    """

    def __init__(self, talk: Conversation) -> None:
        self._talk = talk

    def run(
        self, units: int, *, buttons: tuple[int, int] | None = None, digest_every: int = 0
    ) -> tuple[NDArray[np.void], NDArray[np.uint64]]:
        """Run that many units, holding `buttons` where given; no frame's end stops it.

        Returns the state before each, a structured array of `TRACE_DTYPE`, and the digests after every `digest_every`
        units (0: none), uint64 [units // digest_every]. A pending reset sequence is run before, without a row.
        """
        args = {"units": units, "buttons": None if buttons is None else list(buttons), "digest_every": digest_every}
        _, (rows, digests) = self._talk.ask_both("run_units", args, model=EmptyResult, count=2)
        due = units // digest_every if digest_every else 0
        if len(rows) != units * TRACE_DTYPE.itemsize or len(digests) != 8 * due:
            raise self._talk.garbage("run_units", f"it holds no {units} rows and {due} digests")
        return np.frombuffer(rows, TRACE_DTYPE), np.frombuffer(digests, "<u8")

    def run_blocks(self, blocks: int, *, buttons: tuple[int, int]) -> int:
        """Run at most that many blocks of a frame with `buttons`, and then one unit; how many blocks there were.

        The frame's end stops it. The state is looked at only afterwards: what a block leaves undone is done then.
        """
        args = {"blocks": blocks, "buttons": list(buttons)}
        return self._talk.ask("run_blocks", args, model=_Blocks).blocks

    def state_fields(self) -> StateFields:
        """What the bytes of a saved state of the loaded cartridge mean."""
        return self._talk.ask("state_fields", model=StateFields)
