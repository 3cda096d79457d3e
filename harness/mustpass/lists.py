"""The lists that ship (`suites/mustpass/*.toml`): their shape and their loader.

A list is frozen: its file never changes, and what is to change becomes a list of another version. Its hash is over the
file's bytes.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from nesproof.harness.errors import ConfigurationError, first_fault
from nesproof.harness.evidence.model import MustPassCase, MustPassRecord
from nesproof.harness.suite_run.definition import SuiteCase

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = [
    "CURRENT",
    "ListedCase",
    "MustPassList",
    "counts_within",
    "definition_sha256",
    "list_names",
    "load_list",
    "record_of",
]

CURRENT = "nes-1.1"
"""The list that runs are counted by."""

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ListedCase(_Data):
    """One case. `roms` are the programs and logs that it needs, each with its SHA-256; `wants` is what a subject must
    declare ("peek or frame": either will do); `definition` is the hash of what the case does with them."""

    suite: Annotated[str, Field(pattern=r"^[a-z0-9_]+$", max_length=60)]
    id: Annotated[str, Field(max_length=120)]
    roms: dict[str, Sha256] = Field(min_length=1, max_length=20)
    wants: tuple[str, ...] = ()
    definition: Sha256

    @property
    def key(self) -> str:
        """`suite:case`."""
        return f"{self.suite}:{self.id}"


class MustPassList(_Data):
    """A list, whole. `sha256` is that of its file."""

    name: Annotated[str, Field(pattern=r"^[a-z]+-[0-9]+\.[0-9]+$", max_length=60)]
    title: str = Field(min_length=3, max_length=100)
    frozen: date
    about: str = Field(min_length=10, max_length=4_000)
    case: tuple[ListedCase, ...] = Field(min_length=1, max_length=5_000)
    sha256: str = Field(default="", exclude=True)

    @model_validator(mode="after")
    def _cases_are_distinct(self) -> MustPassList:
        if len({case.key for case in self.case}) != len(self.case):
            raise ValueError("a case is listed twice")
        return self

    @property
    def suites(self) -> tuple[str, ...]:
        """The suites that its cases are of."""
        return tuple(dict.fromkeys(case.suite for case in self.case))


def _shipped() -> Mapping[str, bytes]:
    folder = files("nesproof.suites") / "mustpass"
    found = {}
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".toml"):
            found[entry.name.removesuffix(".toml")] = entry.read_bytes()
    return found


def list_names() -> tuple[str, ...]:
    """The names of the lists that ship."""
    return tuple(_shipped())


@lru_cache(maxsize=8)
def load_list(name: str = CURRENT) -> MustPassList:
    """The list of that name.

    Raises:
        ConfigurationError: there is none, or its file is malformed.
    """
    shipped = _shipped()
    if name not in shipped:
        raise ConfigurationError(f"There is no must-pass list {name!r}; there are: {', '.join(shipped)}.")
    return parse_list(shipped[name], name=name)


def parse_list(data: bytes, *, name: str) -> MustPassList:
    """Read the bytes of a list's file.

    Raises:
        ConfigurationError: they are malformed, or call the list otherwise than `name`.
    """
    try:
        found = MustPassList.model_validate(tomllib.loads(data.decode("utf-8")))
    except ValidationError as fault:
        raise ConfigurationError(f"The must-pass list {name} is malformed: {first_fault(fault)}.") from fault
    except (ValueError, RecursionError) as fault:  # no UTF-8, no TOML; a number of 5,000 digits, brackets of that depth
        raise ConfigurationError(f"The must-pass list {name} is malformed: {fault}.") from fault
    if found.name != name:
        raise ConfigurationError(f"The must-pass list in {name}.toml calls itself {found.name}.")
    return found.model_copy(update={"sha256": hashlib.sha256(data).hexdigest()})


def record_of(listed: MustPassList) -> MustPassRecord:
    """The list as evidence holds it."""
    return MustPassRecord(
        name=listed.name,
        sha256=listed.sha256,
        title=listed.title,
        cases=tuple(MustPassCase(suite=case.suite, case=case.id, roms=case.roms) for case in listed.case),
    )


def counts_within(record: MustPassRecord, listed: MustPassList) -> bool:
    """True where `record` is another list that ships, whole, with every case of `listed` among its own, the same in
    programs and definition: who is counted by that one is counted by this one, too."""
    if record.name == listed.name or record.name not in _shipped():
        return False
    wider = load_list(record.name)
    return record == record_of(wider) and set(map(_meaning, listed.case)) <= set(map(_meaning, wider.case))


def _meaning(case: ListedCase) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    return case.key, case.definition, tuple(sorted(case.roms.items()))


def definition_sha256(case: SuiteCase) -> str:
    """The hash of what a case does: its kind, its programs, its second subject and its settings."""
    said = {"kind": case.kind, "roms": case.roms, "against": case.against, "settings": case.settings}
    return hashlib.sha256(json.dumps(said, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
