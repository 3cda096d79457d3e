"""The frozen list of must-pass cases, as evidence holds it: whole, so that a document can be counted by it anywhere."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from nesproof.harness.evidence.fields import Name, Record, Sha256, Text

__all__ = ["MustPassCase", "MustPassRecord"]


class MustPassCase(Record):
    """One case of the list, and the programs that it plays with the hash of each."""

    suite: Name
    case: Annotated[str, Field(max_length=300)]
    roms: dict[Name, Sha256] = Field(default_factory=dict, max_length=20)


class MustPassRecord(Record):
    """The list that a run's conformance is counted by: `nes-1.0`, the hash of its file, and its cases."""

    name: Name
    sha256: Sha256
    title: Text = ""
    cases: tuple[MustPassCase, ...] = Field(default=(), max_length=5_000)
