"""A waiver: a claim that would fail is let through for a while, for a stated reason, and no further than stated."""

from __future__ import annotations

from datetime import date
from fnmatch import fnmatchcase

from pydantic import BaseModel, ConfigDict, Field, model_validator

__all__ = ["Waiver"]


class Waiver(BaseModel):
    """What is let through, why, what would settle it, and until when.

    `within` is the figure up to (for `at_most`; down to, for `at_least`) which a claim about a figure is let through: a
    ratchet, so that it can become no worse meanwhile. `cases` are globs of the cases of an exact claim that may fail.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    reason: str = Field(min_length=10, max_length=400)
    settled_by: str = Field(min_length=10, max_length=400)
    expires: date
    """The last day on which it holds."""
    within: float | None = None
    cases: tuple[str, ...] = Field(default=(), max_length=200)

    @model_validator(mode="after")
    def _limited(self) -> Waiver:
        if (self.within is None) == (not self.cases):
            raise ValueError("a waiver gives exactly one of within and cases: it never lets everything through")
        return self

    def covers_figure(self, value: float | None, *, at_most: bool) -> bool:
        """Whether a figure is one that it lets through."""
        if value is None or self.within is None:
            return False
        return value <= self.within if at_most else value >= self.within

    def covers_cases(self, failed: list[str]) -> bool:
        """Whether every failed case, of which there is one, is one that it lets through."""
        return bool(failed) and all(any(fnmatchcase(case, glob) for glob in self.cases) for case in failed)
