"""What a suite holds, as data: `suite.toml` in the suite's folder fixes every case before anything runs."""

from __future__ import annotations

import os
import sys
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

from nesproof.harness.errors import ConfigurationError, first_fault

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = [
    "SUITE_PATH_VARIABLE",
    "SuiteCase",
    "SuiteDefinition",
    "expected_cases",
    "load_suite",
    "read_definition",
    "suite_folder",
    "suite_names",
]

SUITE_PATH_VARIABLE = "NESPROOF_SUITE_PATH"
"""Folders that hold further suites' folders, separated as in PATH."""

CaseId = Annotated[str, Field(pattern=r"^[a-z0-9][A-Za-z0-9 #$(),._/+-]*$", max_length=120)]
Capability = Annotated[str, Field(pattern=r"^[a-z0-9-]+(:[A-Za-z0-9-]+)?$")]


class SuiteCase(BaseModel):
    """One case. `kind` selects the suite's test function; `settings` are the case's data, checked by the suite itself.

    A subject can be asked a case where it declares all `capabilities`, all of at least one of the `ways`, nothing of
    `unless`, and the board of every cartridge of the case that `unless` does not name.
    `cost` says how long the case takes beside its siblings, so that processes can share a suite evenly.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: CaseId
    kind: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")] = "case"
    roms: tuple[str, ...] = ()
    capabilities: tuple[Capability, ...] = ()
    """What this case asks of a subject, beyond what the whole suite asks."""
    ways: tuple[tuple[Capability, ...], ...] = ()
    """Ways to reach it, in the order in which the suite prefers them: what each asks of a subject."""
    unless: tuple[Capability, ...] = ()
    """What makes the case void where a subject offers it: that a board is refused cannot be asked of whoever has it."""
    against: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")] | None = None
    """A second subject that the first one is held against; it is asked for the same capabilities."""
    cost: float = Field(default=1.0, gt=0)
    settings: dict[str, JsonValue] = Field(default_factory=dict)


class SuiteDefinition(BaseModel):
    """A suite, whole. `requires` uses the words of claims (`roms:<collection>`, `vectors`)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(pattern=r"^[a-z0-9_]+$", max_length=60)]
    title: str = Field(min_length=3, max_length=200)
    oracle: str = Field(min_length=10, max_length=2000)
    """Who says what is right, and where that knowledge comes from."""
    requires: tuple[str, ...] = ()
    capabilities: tuple[Capability, ...] = ()
    case: tuple[SuiteCase, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _ids_are_distinct(self) -> SuiteDefinition:
        seen: set[str] = set()
        for case in self.case:
            if case.id in seen:
                raise ValueError(f"two cases have the id {case.id!r}")
            seen.add(case.id)
        return self

    @property
    def cases(self) -> tuple[SuiteCase, ...]:
        """Every case, in the order in which it runs."""
        return self.case

    def __getitem__(self, case_id: str) -> SuiteCase:
        for case in self.case:
            if case.id == case_id:
                return case
        raise KeyError(case_id)


def _package_folder() -> Path:
    # Suites are run by pytest, which wants files: the package is never installed zipped.
    return Path(str(files("nesproof.suites")))


def _folders() -> dict[str, Path]:
    extra = [Path(part) for part in os.environ.get(SUITE_PATH_VARIABLE, "").split(os.pathsep) if part]
    found: dict[str, Path] = {}
    for root in (_package_folder(), *extra):
        if not root.is_dir():
            continue
        for folder in sorted(root.iterdir()):
            if (folder / "suite.toml").is_file():
                found.setdefault(folder.name, folder)
    return found


def suite_names() -> list[str]:
    """The names of every suite that ships, and of those under the folders of `NESPROOF_SUITE_PATH`, sorted."""
    return sorted(_folders())


def suite_folder(name: str) -> Path:
    """The folder of a suite.

    Raises:
        ConfigurationError: there is no such suite.
    """
    folders = _folders()
    if name not in folders:
        raise ConfigurationError(f"There is no suite {name!r}; there are: {', '.join(sorted(folders))}.")
    return folders[name]


def read_definition(folder: Path) -> SuiteDefinition:
    """Read the `suite.toml` of a folder.

    Raises:
        ConfigurationError: the file is malformed, or names another suite than its folder.
    """
    try:
        definition = _parsed((folder / "suite.toml").read_text(encoding="utf-8"))
    except ValidationError as fault:
        raise ConfigurationError(f"Suite {folder.name} is malformed: {first_fault(fault)}.") from fault
    except (ValueError, RecursionError) as fault:  # no UTF-8, no TOML; a number of 5,000 digits, brackets of that depth
        raise ConfigurationError(f"Suite {folder.name} is malformed: {fault}.") from fault
    if definition.name != folder.name:
        raise ConfigurationError(f"The suite in folder {folder.name} calls itself {definition.name}.")
    return definition


@lru_cache(maxsize=32)
def _parsed(text: str) -> SuiteDefinition:
    # Kept by what the file says: a run over every subject asks for the same few suites hundreds of times.
    return SuiteDefinition.model_validate(tomllib.loads(text))


def load_suite(name: str) -> SuiteDefinition:
    """The definition of a suite by its name.

    Raises:
        ConfigurationError: unknown name or malformed file.
    """
    return read_definition(suite_folder(name))


def expected_cases(suite: SuiteDefinition | str, glob: str = "*") -> tuple[str, ...]:
    """The ids that `glob` selects, in the suite's order. `*` crosses `/`, as in claims; nothing selected is `()`."""
    definition = load_suite(suite) if isinstance(suite, str) else suite
    return tuple(case.id for case in definition.case if fnmatchcase(case.id, glob))
