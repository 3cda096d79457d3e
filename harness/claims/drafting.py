"""A new claim as TOML: the table of one claim, and a claims file with it at the end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from nesproof.harness.claims.model import Claim, ClaimId
from nesproof.harness.claims.registry import parse_claims
from nesproof.harness.errors import ConfigurationError, first_fault
from nesproof.harness.plain_text import plain_line

__all__ = ["appended", "claim_table", "drafted", "require_id", "same_promise", "why_no_sentence"]

_LINE = 110


def require_id(claim_id: str) -> None:
    """Refuse what no claim can be called.

    Raises:
        ConfigurationError: another character than an id has, or an @, which names the subject of a run.
    """
    try:
        TypeAdapter(ClaimId).validate_python(claim_id)
    except ValidationError as fault:
        raise ConfigurationError(
            f"{plain_line(claim_id, limit=200)!r} is no id; one has lower case, digits, points and hyphens: mine.speed."
        ) from fault
    if "@" in claim_id:
        raise ConfigurationError("What follows an @ in an id names the subject of a run; leave it out.")


def why_no_sentence(text: str, *, promises_a_number: bool = False, is_a_reason: bool = False) -> str | None:
    """Why the text cannot be a claim's sentence (its `breaks_when`, where it `is_a_reason`), or None where it can."""
    if not 10 <= len(text) <= 400:
        return f"It has {len(text)} characters; a sentence has 10 to 400."
    if plain_line(text) != text:
        return "It is not one line of printable text."
    if is_a_reason or promises_a_number == ("{value}" in text):
        return None
    if promises_a_number:
        return "It does not say the threshold; write {value} where the number belongs."
    return "It has {value} in it, and this claim promises no number."


def drafted(fields: Mapping[str, Any]) -> Claim:
    """The claim of these fields, held to what a new claim is asked for beyond the schema.

    Raises:
        ConfigurationError: a field is missing, unknown or out of range; a sentence is no line of plain text, or does
            not say its threshold by `{value}`.
    """
    try:
        claim = Claim.model_validate(dict(fields))
    except ValidationError as fault:
        raise ConfigurationError(f"This is no claim: {first_fault(fault)}.") from fault
    require_id(claim.id)
    number = claim.at_least is not None or claim.at_most is not None
    for name, complaint in (
        ("sentence", why_no_sentence(claim.sentence, promises_a_number=number)),
        ("breaks_when", why_no_sentence(claim.breaks_when, is_a_reason=True)),
    ):
        if complaint is not None:
            raise ConfigurationError(f"{name}: {complaint}")
    return claim


def same_promise(claim: Claim, others: Mapping[str, Claim]) -> str | None:
    """The id of a claim that promises the same about the same, or None."""
    mine = (claim.at_least, claim.at_most, claim.question())
    return next((i for i, other in others.items() if (other.at_least, other.at_most, other.question()) == mine), None)


def claim_table(claim: Claim) -> str:
    """The claim as a TOML table; what is as where left out is left out.

    Raises:
        ConfigurationError: a text that no TOML file can hold.
    """
    lines = ["[[claim]]"]
    for name, value in claim.model_dump(mode="json", exclude_defaults=True).items():
        line = f"{name} = {_value(value)}"
        lines += [line] if len(line) <= _LINE or not isinstance(value, list) else _broken(name, value)
    text = "\n".join(lines) + "\n"
    if parse_claims(text, origin="this claim") != [claim]:
        raise ConfigurationError("This claim holds a text that cannot be written down.")
    return text


def appended(before: str, claim: Claim) -> str:
    """A claims file's text with the claim at its end; what was there stays as it was."""
    if not before:
        return claim_table(claim)
    newline = "\r\n" if "\r\n" in before else "\n"
    gap = newline if before.endswith("\n") else newline * 2
    return before + gap + claim_table(claim).replace("\n", newline)


def _broken(name: str, values: list[Any]) -> list[str]:
    return [f"{name} = [", *(f"  {_value(value)}," for value in values), "]"]


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, float):
        return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
    return str(value) if isinstance(value, int) else _text(value)


def _text(value: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as fault:
        raise ConfigurationError("A text of this claim is not Unicode.") from fault
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
