"""The catalogue of faults: every `*.toml` beside this file."""

from __future__ import annotations

import sys
from functools import cache
from importlib.resources import files

from pydantic import ValidationError

from nesproof.harness.errors import ConfigurationError, first_fault
from nesproof.harness.faults.model import Fault

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["fault_catalogue", "find_fault"]


@cache
def fault_catalogue() -> dict[str, Fault]:
    """Every fault by id, in the order of the files.

    Raises:
        ConfigurationError: a file is malformed, or two faults have one id.
    """
    found: dict[str, Fault] = {}
    for entry in sorted(files("nesproof.harness.faults").iterdir(), key=lambda e: e.name):
        if not entry.name.endswith(".toml"):
            continue
        for table in tomllib.loads(entry.read_text(encoding="utf-8")).get("fault", []):
            try:
                fault = Fault.model_validate(table)
            except ValidationError as wrong:
                raise ConfigurationError(f"The faults file {entry.name}: {first_fault(wrong)}.") from wrong
            if fault.id in found:
                raise ConfigurationError(f"Two faults have the id {fault.id}; rename one of them.")
            found[fault.id] = fault
    return found


def find_fault(fault_id: str) -> Fault:
    """The fault of that id.

    Raises:
        ConfigurationError: there is none.
    """
    try:
        return fault_catalogue()[fault_id]
    except KeyError:
        raise ConfigurationError(f"There is no fault {fault_id!r} in the catalogue.") from None
