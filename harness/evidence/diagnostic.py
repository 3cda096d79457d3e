"""A diagnostic: figures that another tool measured. No claim is judged by them, and they are never published.

It is a document of its own, with a schema of its own, so that nothing that reads evidence takes it for evidence.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from nesproof.harness.evidence.fields import Hex, Moment, Name, Record, Sha256, Text

__all__ = ["DIAGNOSTIC_REMARK", "DIAGNOSTIC_SCHEMA_ID", "Diagnostic", "DiagnosticFigure"]

DIAGNOSTIC_SCHEMA_ID: Final = "nesproof.diagnostic"
DIAGNOSTIC_REMARK: Final = (
    "Diagnostic: measured by another tool, in one process, with nothing beside it and without a check of what was "
    "computed. It is no evidence for any claim."
)

_Seconds = Annotated[float, Field(ge=0, le=1e9)]


class DiagnosticFigure(Record):
    """One benchmark: seconds a call, over `rounds` of `iterations` calls each."""

    name: Name
    group: Name | None
    rounds: int = Field(ge=1)
    iterations: int = Field(ge=1)
    min_s: _Seconds
    median_s: _Seconds
    mean_s: _Seconds
    max_s: _Seconds
    stddev_s: _Seconds
    iqr_s: _Seconds

    @model_validator(mode="after")
    def _in_order(self) -> DiagnosticFigure:
        # The mean is a rounded sum, which may lie a rounding error beyond equal rounds.
        if not self.min_s <= self.median_s <= self.max_s:
            raise ValueError(f"the median does not lie between the fastest and the slowest round of {self.name}")
        return self


class Diagnostic(Record):
    """What was imported of one file. `commit` and what follows are the file's own words, which nobody checked."""

    schema_id: Literal["nesproof.diagnostic"] = DIAGNOSTIC_SCHEMA_ID
    schema_version: Literal[1] = 1
    remark: Text = DIAGNOSTIC_REMARK
    tool: Literal["pytest-benchmark"]
    tool_version: Name
    file_sha256: Sha256
    """Over the file that was imported."""
    measured_utc: Moment | None
    commit: Hex | None
    dirty: bool | None
    processor: Name
    arch: Name
    python: Name
    figures: tuple[DiagnosticFigure, ...] = Field(max_length=2_000)
