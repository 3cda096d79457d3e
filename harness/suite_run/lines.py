"""What the pytest process tells its parent: JSON lines, one a case, written as soon as the case has ended."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from nesproof.harness.evidence.model import CaseResult
from nesproof.harness.plain_text import plain_text

__all__ = ["CaseLine", "EndLine", "Line", "LineFault", "LineReader", "ProblemLine", "plain", "write_line"]

_MESSAGE_CHARACTERS = 16_000
_LINE_BYTES = 1_000_000


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CaseLine(_Line):
    """A case has ended."""

    kind: Literal["case"] = "case"
    result: CaseResult


class ProblemLine(_Line):
    """The run as a whole met a problem: the subject cannot be had, collecting failed."""

    kind: Literal["problem"] = "problem"
    text: str = Field(max_length=_MESSAGE_CHARACTERS)


class EndLine(_Line):
    """The session ended by itself, with pytest's exit status. A run without this line broke."""

    kind: Literal["end"] = "end"
    exit_status: int
    cases: int


Line = Annotated[CaseLine | ProblemLine | EndLine, Field(discriminator="kind")]
_ADAPTER: TypeAdapter[CaseLine | ProblemLine | EndLine] = TypeAdapter(Line)


class LineFault(ValueError):
    """A line that is not one of ours."""


def write_line(path: Path, line: CaseLine | ProblemLine | EndLine) -> None:
    """Append one line in a single write, so that a reader never sees half of it and a crash loses none before it."""
    with path.open("ab", buffering=0) as file:
        file.write(line.model_dump_json().encode() + b"\n")


class LineReader:
    """Reads a growing file of lines; `poll()` gives what was completed since the last time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._position = 0

    def poll(self) -> Iterator[CaseLine | ProblemLine | EndLine | LineFault]:
        """Whole lines since the last poll; what is no line of ours comes as a `LineFault`, and reading goes on."""
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            file.seek(self._position)
            while True:
                raw = file.readline(_LINE_BYTES)
                if not raw.endswith(b"\n") and len(raw) < _LINE_BYTES:
                    return
                self._position += len(raw)
                yield _parse(raw)

    @property
    def leftover_bytes(self) -> int:
        """How many bytes of an unfinished last line lie in the file."""
        return self._path.stat().st_size - self._position if self._path.exists() else 0


def _parse(raw: bytes) -> CaseLine | ProblemLine | EndLine | LineFault:
    try:
        return _ADAPTER.validate_python(json.loads(raw))
    except (ValueError, ValidationError, RecursionError):
        return LineFault(plain(raw[:120].decode("utf-8", "replace")))


def plain(text: str, *, limit: int = _MESSAGE_CHARACTERS) -> str:
    """`text` without anything that could steer a terminal, and of bounded length."""
    shown = plain_text(text)
    return shown if len(shown) <= limit else shown[: limit - 20] + "\n[... cut short]"
