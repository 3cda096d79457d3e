"""The last door: a comment that could notify, link, embed or run anything is not posted, whoever rendered it."""

from __future__ import annotations

import re
import unicodedata

from gate_comment.errors import Refused

__all__ = ["LARGEST_COMMENT_CHARACTERS", "require_inert"]

LARGEST_COMMENT_CHARACTERS = 65_000
"""GitHub takes 65,536."""

_TAG = re.compile(r"<(?!/?(?:details|summary|sub)>)")
_ACTIVE = (
    (re.compile(r"@[A-Za-z0-9]"), "a mention"),
    (re.compile(r"https?://|www\.[A-Za-z0-9]", re.IGNORECASE), "a link"),
    (re.compile(r"\]\(|\]\[|!\["), "a link or a picture"),
    (re.compile(r"(?<![A-Za-z0-9_&])#[0-9]|\bGH-[0-9]"), "a reference to an issue"),
    (_TAG, "HTML"),
)
_CODE = re.compile(r"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")
"""A code span on one line: GitHub reads nothing within one, and neither does this."""


def require_inert(body: str) -> str:
    """`body` itself.

    Raises:
        Refused: it holds what GitHub would act on, or is too long.
    """
    if len(body) > LARGEST_COMMENT_CHARACTERS:
        raise Refused(f"The comment is longer than {LARGEST_COMMENT_CHARACTERS} characters.")
    if any((c != "\n" and unicodedata.category(c) in {"Cc", "Cs"}) or c in _OVERRIDES for c in body):
        raise Refused("The comment holds control characters.")
    outside = _CODE.sub("", body)
    for pattern, what in _ACTIVE:
        if pattern.search(outside):
            raise Refused(f"The comment holds {what}.")
    return body


_OVERRIDES = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
