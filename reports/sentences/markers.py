"""Marked places in a Markdown file: pairs of comments between which the text is rendered.

    <!-- claim: throughput.core.threads -->
    … the sentence, and what was measured …
    <!-- end claim -->

A comment that ends its line opens a place of whole lines; any other opens a place within its line. What stands in code
is no marker. A comment that looks like a marker and is none is refused: a slip must not leave a number that nobody
renders.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

__all__ = ["KINDS", "Kind", "MarkerFault", "Place", "blanked", "find_places"]

Kind = Literal["claim", "claim-sentence", "claim-measured", "claim-value", "claims"]
"""The sentence with what was measured; the sentence alone; what was measured alone; the promised number alone; a table
of every claim that the globs match, in their order."""
KINDS: tuple[str, ...] = get_args(Kind)

_INERT = re.compile(
    r"(?P<fence>^[ \t>]*(?P<ticks>`{3,}(?=[^`\n]*$)|~{3,})[^\n]*(?:\n(?:.*?\n)?[ \t>]*(?P=ticks)[`~]*[ \t]*\r?$|.*\Z))"
    r"|(?P<comment><!--.*?(?:-->|\Z))"
    r"|(?P<span>(?<![`\\])(?P<run>`+)(?!`)(?:(?!\n[ \t\r]*\n).)*?(?<!`)(?P=run)(?!`))",
    re.DOTALL | re.MULTILINE,
)
_OPENING = re.compile(rf"({'|'.join(KINDS)}):\s*(\S[^<>]*)")
_CLOSING = re.compile(rf"end\s+({'|'.join(KINDS)})")
_LOOKS_LIKE_ONE = re.compile(r"end\s*$|end\s+claim|claims?\w*(?:-\w+)*\s*(?:[:=]|\S*\s*$)", re.IGNORECASE)
_LINE_START = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*")


class MarkerFault(ValueError):
    """A marker is malformed, or names what does not exist; one sentence with file and line."""


@dataclass(frozen=True)
class Place:
    """A marked place. `start` and `end` bound what lies between its comments; `whole` bounds these too."""

    kind: Kind
    argument: str
    """A claim's id, or globs separated by blanks."""
    line: int
    """The line of the opening comment, from 1."""
    start: int
    end: int
    whole: tuple[int, int]
    prefix: str | None
    """What begins each line of a place of whole lines (indentation, `>`); None for a place within its line."""

    @property
    def title(self) -> str:
        """The opening comment's words."""
        return f"{self.kind}: {self.argument}"


def find_places(text: str, *, name: str) -> tuple[Place, ...]:
    """The marked places of a Markdown text, in their order; `name` is the file's, for messages.

    Raises:
        MarkerFault: a comment looks like a marker and is malformed, is not ended, or stands where it cannot.
    """
    places: list[Place] = []
    opened: tuple[re.Match[str], re.Match[str]] | None = None
    for comment in _INERT.finditer(text):
        if comment["comment"] is None:
            continue
        line = _line_of(text, comment.start())
        words = comment.group().removeprefix("<!--").removesuffix("-->").strip()
        opening, closing = _OPENING.fullmatch(words), _CLOSING.fullmatch(words)
        if opening is None and closing is None:
            if _LOOKS_LIKE_ONE.match(words):
                raise MarkerFault(
                    f"{name}, line {line}: the comment {_shown(words)} looks like a marker and is none; "
                    f"write <!-- KIND: ID --> … <!-- end KIND -->, where KIND is one of {', '.join(KINDS)}."
                )
            continue
        if not comment.group().endswith("-->"):
            raise MarkerFault(f"{name}, line {line}: the comment {_shown(words)} is not ended by -->.")
        if opening is not None:
            if opened is not None:
                raise MarkerFault(
                    f"{name}, line {line}: {_shown(words)} begins before {_shown(opened[1].group())} has ended; "
                    f"put <!-- end {opened[1][1]} --> before it."
                )
            opened = comment, opening
        elif opened is None:
            raise MarkerFault(f"{name}, line {line}: {_shown(words)} ends what nothing has begun.")
        elif closing is not None:
            places.append(_place(text, *opened, comment, closing, name=name))
            opened = None
    if opened is not None:
        line, kind = _line_of(text, opened[0].start()), opened[1][1]
        raise MarkerFault(
            f"{name}, line {line}: {_shown(opened[1].group())} is not ended; put <!-- end {kind} --> behind it."
        )
    return tuple(places)


def _place(
    text: str,
    comment: re.Match[str],
    opening: re.Match[str],
    end: re.Match[str],
    closing: re.Match[str],
    *,
    name: str,
) -> Place:
    line, kind = _line_of(text, comment.start()), opening[1]
    if closing[1] != kind:
        raise MarkerFault(
            f"{name}, line {_line_of(text, end.start())}: {_shown(opening.group())} of line {line} is ended by "
            f"{_shown(closing.group())}; end it by <!-- end {kind} -->."
        )
    before = text[text.rfind("\n", 0, comment.start()) + 1 : comment.start()]
    begins_line = _LINE_START.fullmatch(before) is not None
    is_whole = re.match(r"[ \t\r]*\n", text[comment.end() :]) is not None
    if is_whole and not begins_line:
        raise MarkerFault(
            f"{name}, line {line}: {_shown(opening.group())} opens a place of whole lines in the middle of a line; "
            "begin a line with it."
        )
    if not is_whole and begins_line:
        raise MarkerFault(
            f"{name}, line {line}: {_shown(opening.group())} begins a line, which Markdown then takes for HTML as a "
            "whole; put a word before it, or the place on lines of its own."
        )
    if kind == "claims" and not is_whole:
        raise MarkerFault(f"{name}, line {line}: a table of claims stands on lines of its own.")
    return Place(
        kind=next(k for k in get_args(Kind) if k == kind),
        argument=" ".join(opening[2].split()),
        line=line,
        start=comment.end(),
        end=end.start(),
        whole=(comment.start(), end.end()),
        prefix=re.sub(r"[^\s>]", " ", before) if is_whole else None,
    )


def blanked(text: str, places: tuple[Place, ...]) -> str:
    """The text with marked places, code and comments blanked out; each line stays where it is."""
    for place in places:
        text = _blank(text, *place.whole)
    for found in list(_INERT.finditer(text)):
        text = _blank(text, *found.span())
    return text


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + "".join(_blanks(text[start:end])) + text[end:]


def _blanks(text: str) -> Iterator[str]:
    return (c if c in "\r\n" else " " for c in text)


def _line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _shown(words: str) -> str:
    line = " ".join(words.split())
    return repr(line if len(line) <= 100 else line[:100] + "…")
