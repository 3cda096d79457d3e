"""Options of the form NAME=VALUE, several in one word or several words: `draw=none,num_envs=64`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.plain_text import plain_line

__all__ = ["name_values"]


def name_values(given: Iterable[str]) -> dict[str, Any]:
    """The words as a table, numbers and true and false as such; a name that is given twice has all its values.

    Raises:
        ConfigurationError: a word is not of that form.
    """
    found: dict[str, Any] = {}
    for pair in (part for word in given for part in word.split(",")):
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not (name and equals and value):
            raise ConfigurationError(f"{plain_line(pair)!r} is not of the form NAME=VALUE.")
        before = found.get(name, ())
        values = (*(before if isinstance(before, tuple) else (before,)), _label(value))
        found[name] = values[0] if len(values) == 1 else values
    return found


def _label(word: str) -> str | int | bool:
    if word in {"true", "false"}:
        return word == "true"
    return int(word) if word.isascii() and word.isdigit() else word
