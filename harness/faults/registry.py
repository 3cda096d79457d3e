"""The catalogue of faults: every `*.toml` beside this file, and what a user's files add for their own subjects."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import ValidationError

from nesproof.harness.errors import ConfigurationError, first_fault
from nesproof.harness.faults.model import Fault
from nesproof.harness.text_file import read_text_file

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["FAULT_FILE_VARIABLE", "fault_catalogue", "find_fault", "users_faults"]

FAULT_FILE_VARIABLE = "NESPROOF_FAULT_FILE"
"""Names further fault files, separated as in PATH: faults of a user's own subjects, which are told of them by the
`{fault}` in their command."""


@cache
def fault_catalogue() -> dict[str, Fault]:
    """Every fault by id, in the order of the files, shipped ones first.

    Raises:
        ConfigurationError: a file is missing or malformed, or two faults have one id.
    """
    found: dict[str, Fault] = {}
    for origin, text in (*_shipped_files(), *_users_files()):
        for fault in _parsed(origin, text):
            if fault.id in found:
                raise ConfigurationError(f"Two faults have the id {fault.id}; rename one of them.")
            found[fault.id] = fault
    return found


@cache
def users_faults() -> frozenset[str]:
    """Ids of the faults that the user's files add.

    Raises:
        ConfigurationError: a file is missing or malformed.
    """
    return frozenset(fault.id for origin, text in _users_files() for fault in _parsed(origin, text))


def _parsed(origin: str, text: str) -> list[Fault]:
    try:
        tables = tomllib.loads(text).get("fault", [])
        return [Fault.model_validate(table) for table in tables]
    except ValidationError as wrong:
        raise ConfigurationError(f"The faults file {origin}: {first_fault(wrong)}.") from wrong
    except (ValueError, TypeError, RecursionError) as wrong:
        raise ConfigurationError(f"The faults file {origin} is not valid TOML: {wrong}.") from wrong


def _shipped_files() -> Iterator[tuple[str, str]]:
    for entry in sorted(files("nesproof.harness.faults").iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".toml"):
            yield entry.name, entry.read_text(encoding="utf-8")


def _users_files() -> Iterator[tuple[str, str]]:
    for part in filter(None, os.environ.get(FAULT_FILE_VARIABLE, "").split(os.pathsep)):
        yield Path(part).name, read_text_file(Path(part), what=f"The faults file {part}")


def find_fault(fault_id: str) -> Fault:
    """The fault of that id.

    Raises:
        ConfigurationError: there is none.
    """
    try:
        return fault_catalogue()[fault_id]
    except KeyError:
        raise ConfigurationError(
            f"There is no fault {fault_id!r} in the catalogue; `nesproof faults list` lists them."
        ) from None
