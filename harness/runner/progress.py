"""What the runner tells while it works; the command line shows it, tests listen, and nothing depends on it."""

from __future__ import annotations

__all__ = ["Progress"]


class Progress:
    """Receives the news of a run; this one is silent."""

    def plan(self, lines: list[str]) -> None:
        """What will be measured, before anything is."""

    def begin(self, stage: str, total: int | None) -> None:
        """A stage starts: a suite with `total` cases, a timing with `total` blocks to its next look."""

    def advance(self, note: str, *, well: bool = True, total: int | None = None) -> None:
        """One step of the stage is done; `total` is given where it changed."""

    def note(self, sentence: str) -> None:
        """Something worth a line."""

    def end(self) -> None:
        """The stage is over."""
