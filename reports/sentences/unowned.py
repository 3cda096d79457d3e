"""Numbers in a Markdown file that no claim owns: those of its prose, outside every marked place.

A number in prose is a promise, so it must be rendered from a claim. By rule and not by a list of exceptions, these are
none: code; what is part of a name (H200, sm_90, C++20); a version, which follows a name and which no unit follows
(Python 3.10, NES 2.0); a date, a year; what says which one and not how many (exit code 2, the number of a heading).
Numbers in words are promises where a measure follows ("ten minutes", "twice as fast", "a hundred times"), and are
structure elsewhere ("two consoles").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nesproof.reports.sentences.markers import blanked, find_places

__all__ = ["UnownedNumber", "unowned_numbers"]


@dataclass(frozen=True)
class UnownedNumber:
    """A number that nobody renders, with the words around it."""

    line: int
    words: str


_SYMBOLS = r"[x×%‰]|[µumn]?s|min|h|[kMGT](?:i?B)?|B|fps|[kMG]?Hz|bit/s"
_MEASURES = (
    r"times|fold|percent|per\ cent|(?:nano|micro|milli)?seconds?|minutes?|hours?|days?|(?:kilo|mega|giga)?bytes?|bits?"
)
_RATES = (
    r"(?:frames?|steps?|env-steps?|instructions?|games?|consoles?|episodes?)"
    r"\s*(?:/|a|per)\s*(?:s\b|second|minute|hour|frame)"
)
_COUNTED = (
    r"(?:frames?|steps?|instructions?|cycles|dots|scanlines|registers|consoles?|lanes?|threads?|cores?|GPUs?|CPUs?|ROMs?"
    r"|tests?|cases?|programs?|games?|subjects?|peers?|emulators?|claims?|faults?|machines?|process(?:es)?|samples?|blocks?"
    r"|runs?|lines?|opcodes?|vectors?|mappers?|pixels?|environments?|envs?|workers?|commits?|states?|snapshots?|users?)"
)
_COMPARED = r"(?:as\s+(?:fast|slow|many|much|large|small|long)|faster|slower|of\s+(?:the\s+)?\d)"
_GAP = r"[ \t\u00a0\u202f]*\n?[ \t>\u00a0\u202f]*"
_FUNCTION_WORDS = r"(?:and|or|to|of|with|for|from|in|on|at|by|is|are|has|have|runs?|needs?|than|so|that|which|as)\b"
_MEASURE = rf"(?:{_SYMBOLS}|{_MEASURES})(?!\w)|{_RATES}|{_COMPARED}"
_IN_A_UNIT = re.compile(rf"{_GAP}-?(?:{_MEASURE})")
_OF_SOMETHING = re.compile(rf"{_GAP}-?(?:(?!{_FUNCTION_WORDS})[a-z][\w-]*{_GAP}){{0,2}}{_COUNTED}\b")
"""A noun that is counted, with up to two words before it: 100 hardware tests."""
_GLUED_UNIT = re.compile(rf"-?(?:{_SYMBOLS}|{_MEASURES}|{_COUNTED})(?!\w)")
"""A unit without a gap: 40x, 12ms, 10-fold; a `64-bit` machine is a kind of machine."""

_NUMBER = re.compile(r"\d+(?:[.,:/\u2013-]\d+)*")
_VERSION = re.compile(r"\d{1,2}(?:[.\u2013-]\d{1,3}){0,3}")
_DATE = re.compile(r"\d{4}-\d\d-\d\d|(?:19|20)\d\d")
_NAME_BEFORE = re.compile(
    r"(?:[A-Z][\w+.]*|[a-z]\w*(?:[-+][\w+]+)+|\+\+|[Vv]ersions?|v|@)[ \u00a0\n]?"
    r"(?:\d[\d.]*(?:,| to| and| or|,? or newer,)\s+)?$"
)
_PART_OF_A_NAME = re.compile(r"(?:[A-Za-z_]|\w\+\+|[#$@])$")
_PREFIX_OF_A_NAME = re.compile(r"[A-Za-z]-$")
_NUMBERED = re.compile(
    r"\b(?:code|controller|case|dot|frame|lane|level|line|mapper|page|player|scanline|section|step)[ \u00a0\n]$"
)
"""Which one of them, and not how many."""
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t>]*(?:#+[ \t]+)?$")

_DIGIT_WORD = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy"
    r"|eighty|ninety|half\s+an?)"
)
_LARGE_WORD = r"(?:dozens?|hundreds?|thousands?|millions?|billions?)"
_NUMBER_WORDS = re.compile(
    rf"\b(?:{_DIGIT_WORD}[ -])?{_LARGE_WORD}\b"
    rf"|\b{_DIGIT_WORD}(?:[ -]{_DIGIT_WORD})*[ -](?:{_MEASURES})\b"
    rf"|\b{_DIGIT_WORD}(?:[ -]{_DIGIT_WORD})*\s+{_RATES}"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|hundred|thousand|many)-?fold\b"
    r"|\b(?:twice|thrice|double|triple|half|a\s+(?:third|quarter|tenth))\s+"
    r"(?:as\b|(?:of\s+)?(?:the|its)\s+(?:speed|time|memory|size))"
    r"|\borders?\s+of\s+magnitude\b",
    re.IGNORECASE,
)
_A_WAY_OF_SPEAKING = re.compile(r"one\s+(?:bit|byte)", re.IGNORECASE)
"""These speak of one thing, not of how much: one bit of a register, one byte at an address."""

_NO_PROSE = re.compile(
    r"\[\d+\]\([^)\n]*\)|\]\([^)\n]*\)|\]\[[^\]\n]*\]|^\[[^\]\n]*\]:[^\n]*|<[^<>\n]+>|\bhttps?://\S+", re.MULTILINE
)


def unowned_numbers(text: str, *, name: str) -> tuple[UnownedNumber, ...]:
    """The numbers in a Markdown text that no marked place holds, in their order.

    Raises:
        MarkerFault: a marker is malformed.
    """
    prose = blanked(text, find_places(text, name=name))
    prose = _NO_PROSE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), prose)
    spans = sorted({*_figures(prose), *_in_words(prose)})
    return tuple(UnownedNumber(prose.count("\n", 0, start) + 1, _around(prose, start, end)) for start, end in spans)


def _figures(prose: str) -> Iterator[tuple[int, int]]:
    for found in _NUMBER.finditer(prose):
        before, after = prose[max(0, found.start() - 60) : found.start()], prose[found.end() : found.end() + 80]
        if not _is_no_promise(found.group(), before, after):
            yield found.span()


def _is_no_promise(number: str, before: str, after: str) -> bool:
    if _PART_OF_A_NAME.search(before):
        return True
    if _GLUED_UNIT.match(after):
        return after.startswith(("-bit", "bit"))
    if after[:1].isalpha():  # 2A03, 3rd
        return True
    if _IN_A_UNIT.match(after) or (number.isdigit() and _OF_SOMETHING.match(after)):
        return False
    if _LIST_NUMBER.search(before) and re.match(r"[.)]\s", after):
        return True
    if _DATE.fullmatch(number) or _PREFIX_OF_A_NAME.search(before) or _NUMBERED.search(before):
        return True
    return _VERSION.fullmatch(number) is not None and _NAME_BEFORE.search(before) is not None


def _in_words(prose: str) -> Iterator[tuple[int, int]]:
    for found in _NUMBER_WORDS.finditer(prose):
        if not _A_WAY_OF_SPEAKING.fullmatch(found.group()):
            yield found.span()


def _around(prose: str, start: int, end: int) -> str:
    words = " ".join(prose[max(0, start - 30) : end + 30].split())
    return words if len(words) <= 80 else words[:80] + "…"
