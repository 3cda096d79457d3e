"""Reading what a stranger may have written: a regular file of bounded size, JSON of a known schema, the document."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any, Final, cast

import pydantic_core
from pydantic import ValidationError

from nesproof.harness.errors import ConfigurationError, HarnessError, first_fault
from nesproof.harness.evidence.model import SCHEMA_ID, SCHEMA_VERSIONS_READ, Evidence
from nesproof.harness.whole_numbers import NumberTooLarge, whole_number

__all__ = [
    "EvidenceInconsistent",
    "EvidenceRefused",
    "parse_evidence",
    "parse_json",
    "read_regular_file",
    "require_schema",
]

_SINCE_VERSION_2: Final = ("comparisons", "fixture", "mustpass")
"""Written again by this version, a document of version 1 names these, and they are empty."""


class EvidenceRefused(ConfigurationError):
    """What was handed in is no evidence, or none that this version reads."""


class EvidenceInconsistent(HarnessError):
    """Evidence contradicts itself, or is not the one that was expected."""

    exit_code = 1


def read_regular_file(path: Path, *, what: str, limit_bytes: int) -> bytes:
    """The bytes of a regular file of at most `limit_bytes`; `what` names it in a message.

    Raises:
        EvidenceRefused: a link, a pipe, a device, unreadable, or larger.
    """
    # Opened without following links and without waiting on a pipe, then checked on the open file: no gap for a swap.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, flags)
    except OSError as fault:
        raise EvidenceRefused(f"{what} cannot be read: {fault.strerror}.") from fault
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        os.close(handle)
        raise EvidenceRefused(f"{what} is no regular file.")
    with os.fdopen(handle, "rb") as stream:
        # One byte more than there should be: a file that grows meanwhile is no file that anybody described.
        data = stream.read(min(status.st_size, limit_bytes) + 1)
    if len(data) > limit_bytes:
        raise EvidenceRefused(f"{what} is larger than {limit_bytes} bytes.")
    return data


def parse_evidence(data: bytes, *, what: str) -> Evidence:
    """The evidence document in `data`; `what` names it in a message.

    Raises:
        EvidenceRefused: no JSON, a name twice, another schema, a version that is not read, or a malformed document.
    """
    document = require_schema(data, what=what, schema_id=SCHEMA_ID, versions=SCHEMA_VERSIONS_READ)
    later = [name for name in _SINCE_VERSION_2 if document.get(name) not in (None, [])]
    if document["schema_version"] == 1 and later:
        raise EvidenceRefused(f"{what} is malformed: {later[0]} is no field of version 1.")
    try:
        return Evidence.model_validate_json(data)
    except ValidationError as fault:
        raise EvidenceRefused(f"{what} is malformed: {first_fault(fault)[:300]}.") from fault


def require_schema(data: bytes, *, what: str, schema_id: str, versions: tuple[int, ...]) -> dict[str, Any]:
    """The JSON object in `data`, which must be of the schema in one of the versions.

    Raises:
        EvidenceRefused: it is not; the message says what it is and what is read here.
    """
    document = parse_json(data, what=what)
    found = (document.get("schema_id"), document.get("schema_version")) if isinstance(document, dict) else (None, None)
    # `True` and `1.0` equal 1 and are not what this version writes.
    if found[0] != schema_id or found[1] not in versions or type(found[1]) is not int:
        shown = json.dumps(found[1])[:40]
        read = " or ".join(map(str, versions))
        raise EvidenceRefused(
            f"{what} is of schema {json.dumps(found[0])[:60]}, version {shown}; "
            f"this nesproof reads {schema_id}, version {read}; read it with the one that wrote it."
        )
    return cast("dict[str, Any]", document)


def parse_json(data: bytes, *, what: str) -> Any:
    """The JSON value in `data`.

    Raises:
        EvidenceRefused: it is no JSON, is nested too deep, an object in it has one name twice, or a whole number in it
            is larger than 64 bits.
    """
    try:
        pydantic_core.from_json(data)  # bounds the depth of nesting, which the next does not
        return json.loads(data.decode(), object_pairs_hook=_without_repeated_names, parse_int=whole_number)
    except _RepeatedName as fault:
        raise EvidenceRefused(f"{what} has the name {str(fault)[:60]!r} twice in one object.") from fault
    except NumberTooLarge as fault:
        raise EvidenceRefused(f"{what} holds {fault}; none of a document has more than 64 bits.") from fault
    except ValueError as fault:
        raise EvidenceRefused(f"{what} is not JSON.") from fault


class _RepeatedName(ValueError):
    """An object with one name twice: one reader takes the first value, another the last."""


def _without_repeated_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        raise _RepeatedName(next(name for name, _ in pairs if name in seen or seen.add(name)))  # type: ignore[func-returns-value]
    return found
