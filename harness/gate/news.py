"""Progress from the measuring process to the driver: a JSON object a line, so that it can be shown as any other is."""

from __future__ import annotations

import json
import sys

from nesproof.harness.runner.progress import Progress

__all__ = ["LineNews", "is_news", "relay"]


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


def _parsed(line: str) -> tuple[str, str, int | None, bool] | None:
    """Event, text, total and whether it went well; None where the line says something else."""
    try:
        news = json.loads(line)
        event, text, total, well = str(news["event"]), str(news["text"]), news["total"], bool(news["well"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return event, text, total if isinstance(total, int) and 0 < total < 1_000_000 else None, well


def is_news(line: str) -> bool:
    """True for a line that `LineNews` wrote."""
    return _parsed(line) is not None


def relay(line: str, progress: Progress) -> None:
    """Tell `progress` what a line says; a line that is none of ours is told as it stands."""
    news = _parsed(line)
    if news is None:
        if line.strip():
            progress.note(line)
        return
    event, text, total, well = news
    if event == "begin":
        progress.begin(text, total)
    elif event == "advance":
        progress.advance(text, well=well, total=total)
    elif event == "end":
        progress.end()
    else:
        progress.note(text)
