"""Live progress on stderr: bars on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from nesproof.harness.plain_text import plain_line
from nesproof.harness.runner.progress import Progress

__all__ = ["BarProgress", "LineProgress", "progress_on"]

_QUIET_S = 5.0


def progress_on(console: Console) -> LineProgress | BarProgress:
    """Bars where `console` is a terminal, lines where not."""
    return BarProgress(console) if console.is_terminal else LineProgress(console)


class LineProgress(Progress):
    """A line at each stage's start and end, at each thing that went wrong, and now and then between."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._stage = ""
        self._total: int | None = None
        self._done = 0
        self._not_well = 0
        self._started = self._spoke = time.monotonic()

    def __enter__(self) -> LineProgress:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def plan(self, lines: list[str]) -> None:
        """Print the plan."""
        for line in lines:
            self._say(line)

    def begin(self, stage: str, total: int | None) -> None:
        """Say what starts."""
        self._stage, self._total, self._done, self._not_well = stage, total, 0, 0
        self._started = self._spoke = time.monotonic()
        self._say(f"{stage}: begins" if total is None else f"{stage}: {total} to go")

    def advance(self, note: str, *, well: bool = True, total: int | None = None) -> None:
        """Count, and speak where it went wrong or was silent for long."""
        self._done += 1
        self._total = total or self._total
        if not well:
            self._not_well += 1
            self._say(f"{self._stage}: {note}")
        elif time.monotonic() - self._spoke > _QUIET_S:
            of = f" of {self._total}" if self._total else f" done, the last was {note}"
            self._say(f"{self._stage}: {self._done}{of}")

    def note(self, sentence: str) -> None:
        """Print the sentence."""
        self._say(sentence)

    def end(self) -> None:
        """Say how the stage went."""
        trouble = f", {self._not_well} not well" if self._not_well else ""
        self._say(f"{self._stage}: {self._done} done{trouble} in {time.monotonic() - self._started:.1f} s")

    def _say(self, text: str) -> None:
        self._spoke = time.monotonic()
        self._console.print(plain_line(text, limit=400), markup=False, highlight=False, soft_wrap=True)


class BarProgress(Progress):
    """One bar a stage, and a line for what went wrong."""

    def __init__(self, console: Console) -> None:
        self._bars = Bars(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[note]}"),
            console=console,
            refresh_per_second=4,
        )
        self._task: int | None = None

    def __enter__(self) -> BarProgress:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def plan(self, lines: list[str]) -> None:
        """Print the plan above the bars."""
        for line in lines:
            self.note(line)

    def begin(self, stage: str, total: int | None) -> None:
        """Add a bar."""
        self._task = self._bars.add_task(escape(plain_line(stage, limit=60)), total=total, note="")

    def advance(self, note: str, *, well: bool = True, total: int | None = None) -> None:
        """Move the bar."""
        if self._task is None:
            return
        if total is not None:
            self._bars.update(self._bars.task_ids[-1], total=total)
        self._bars.update(self._bars.task_ids[-1], advance=1, note=escape(plain_line(note, limit=50)))
        if not well:
            self.note(note)

    def note(self, sentence: str) -> None:
        """Print above the bars."""
        self._bars.console.print(plain_line(sentence, limit=400), markup=False, highlight=False)

    def end(self) -> None:
        """The bar stays as it is."""
        if self._task is not None:
            self._bars.update(self._bars.task_ids[-1], note="")
        self._task = None
