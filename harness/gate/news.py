"""Progress from the measuring process to the driver: a JSON object a line, so that it can be shown as any other is."""

from __future__ import annotations

import json
import sys

from nesproof.harness.runner.progress import Progress

__all__ = ["LineNews", "relay"]


class LineNews(Progress):
    """Writes what it hears to stderr."""

    def plan(self, lines: list[str]) -> None:
        """The plan."""
        for line in lines:
            self.note(line)

    def begin(self, stage: str, total: int | None) -> None:
        """A stage begins."""
        _write("begin", stage, total=total)

    def advance(self, note: str, *, well: bool = True, total: int | None = None) -> None:
        """A step of it is done."""
        _write("advance", note, total=total, well=well)

    def note(self, sentence: str) -> None:
        """A sentence."""
        _write("note", sentence)

    def end(self) -> None:
        """The stage is over."""
        _write("end", "")


def _write(event: str, text: str, *, total: int | None = None, well: bool = True) -> None:
    print(json.dumps({"event": event, "text": text[:600], "total": total, "well": well}), file=sys.stderr, flush=True)


def relay(line: str, progress: Progress) -> None:
    """Tell `progress` what a line says; a line that is none of ours is told as it stands."""
    try:
        news = json.loads(line)
        event, text, total, well = str(news["event"]), str(news["text"]), news["total"], bool(news["well"])
        total = total if isinstance(total, int) and 0 < total < 1_000_000 else None
    except (ValueError, TypeError, KeyError, RecursionError):
        if line.strip():
            progress.note(line)
        return
    if event == "begin":
        progress.begin(text, total)
    elif event == "advance":
        progress.advance(text, well=well, total=total)
    elif event == "end":
        progress.end()
    else:
        progress.note(text)
