"""Which subjects there are: those that nesproof ships (`subjects.toml`) and those that a user's files add."""

from __future__ import annotations

import os
import sys
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from nesproof.harness.errors import ConfigurationError, first_fault
from nesproof.harness.home import nesproof_home
from nesproof.harness.subjects.replies import is_capability
from nesproof.harness.text_file import read_text_file

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = [
    "ALL_SUBJECTS",
    "SUBJECT_FILE_VARIABLE",
    "SubjectDefinition",
    "find_subject",
    "subject_definitions",
    "subject_names",
]

ALL_SUBJECTS = "all"
"""Stands for every subject where one is named, and so is no name for one."""

SUBJECT_FILE_VARIABLE = "NESPROOF_SUBJECT_FILE"
"""Names further subject files, separated as in PATH; `--subject-file` sets it, so that child processes see them too."""


class SubjectDefinition(BaseModel):
    """One subject: an `adapter` of nesproof's in a Python environment, a `command` of the user's, or a variant of one
    of nesproof's own consoles: the same adapter with another build of the emulator, or with a fault planted in it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,79}$")
    title: str = Field(default="", max_length=200)
    adapter: str | None = None
    environment: Literal["own", "venv"] | None = None
    """Whose packages the adapter sees: nesproof's own, or a virtual environment made by `nesproof subjects install`."""
    options: dict[str, str | int | bool] = {}
    """What the adapter is made with."""
    extension: str = "_reference"
    """The compiled part of nesproof that an adapter with nesproof's own environment needs; "" where it needs none."""
    package: str | None = None
    """A Python package that it needs beside: the name that is imported."""
    extra: str | None = None
    """The extra of nesproof's that brings this package."""
    gpu: bool = False
    """True where it needs an NVIDIA GPU with a driver."""
    python: tuple[str, str] | None = None
    """Oldest and newest minor version of Python that can run it."""
    requirements: str | None = None
    build_requirements: str | None = None
    compiler: str | None = None
    """Program that must be on PATH to build it."""
    capabilities: tuple[str, ...] = ()
    """What to expect before it runs; the running worker's own declaration is what counts."""
    draws: str = ""
    cannot: str = ""
    only_program: str | None = None
    """The id of the one program that it runs, where it runs no other."""
    command: tuple[Annotated[str, Field(min_length=1)], ...] | None = None
    """Program and arguments. `{worker}` and `{python}` stand for nesproof's worker and Python; an element that starts
    with `./`, `../` or `~/` is a path, relative to the file that defines the subject. `{fault}` stands for the fault
    that a variant is to have, and for nothing in the subject itself."""
    pass_environment: tuple[str, ...] = ()
    """Names of the environment variables that the command needs beside the few that every worker gets."""
    plays_as: str | None = None
    """The subject whose console this one is, driven in another way: what is asked of one console, that one is asked."""
    variant_of: str | None = None
    """The subject of nesproof's own that this one is another form of."""
    emulator: str | None = None
    """The folder in which the variant's build lies: it holds `emulator/`, compiled."""
    fault: str | None = None
    """The fault of the catalogue that is planted in the variant."""
    defined_in: Path | None = Field(default=None, exclude=True)
    """The user's file that defines it; None for those that nesproof ships."""

    @field_validator("capabilities")
    @classmethod
    def _known(cls, capabilities: tuple[str, ...]) -> tuple[str, ...]:
        unknown = [c for c in capabilities if not is_capability(c)]
        if unknown:
            raise ValueError(f"unknown capabilities: {', '.join(unknown)}")
        return capabilities

    @model_validator(mode="after")
    def _one_way_to_start(self) -> SubjectDefinition:
        if self.variant_of is None and (self.emulator is not None or self.fault is not None):
            raise ValueError(f"subject {self.name}: emulator and fault belong to a variant_of")
        if self.variant_of is not None and self.adapter is None and self.command is None:
            return self  # as it stands in a file; what it is a variant of lends it the rest
        if (self.adapter is None) == (self.command is None):
            raise ValueError(f"subject {self.name}: give exactly one of adapter and command")
        if (self.adapter is None) != (self.environment is None):
            raise ValueError(f"subject {self.name}: an adapter names its environment, and a command has none")
        if (self.environment == "venv") != (self.requirements is not None and self.python is not None):
            raise ValueError(f"subject {self.name}: an environment of its own needs python and requirements")
        if self.command == ():
            raise ValueError(f"subject {self.name}: the command is empty")
        return self

    @property
    def takes_faults(self) -> bool:
        """True for a command that is told which fault to have."""
        return self.command is not None and any("{fault}" in part for part in self.command)

    @property
    def is_ours(self) -> bool:
        """True for the subjects that nesproof ships."""
        return self.defined_in is None


class _SubjectFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    subject: tuple[SubjectDefinition, ...] = ()


def subject_definitions() -> dict[str, SubjectDefinition]:
    """Every subject by name: those shipped, then those of the user's files, in that order.

    The user's files are `subjects.toml` in nesproof's data folder, where it exists, and those that the variable
    `NESPROOF_SUBJECT_FILE` names.

    Raises:
        ConfigurationError: a file is missing or malformed, or a name is taken.
    """
    shipped = (files("nesproof.harness.subjects") / "subjects.toml").read_text(encoding="utf-8")
    known = {s.name: s for s in _parsed(shipped, "the shipped subjects.toml").subject}
    for path in _user_files():
        for subject in _read(path).subject:
            if subject.name == ALL_SUBJECTS:
                raise ConfigurationError(f"{path}: {ALL_SUBJECTS!r} stands for every subject; name this one otherwise.")
            if subject.name in known:
                raise ConfigurationError(f"{path}: there is already a subject named {subject.name!r}; rename one.")
            known[subject.name] = _variant(subject, known, path) if subject.variant_of else _started(subject, path)
    return known


def _started(subject: SubjectDefinition, path: Path) -> SubjectDefinition:
    if subject.command is None:
        raise ConfigurationError(f"{path}: subject {subject.name} must be started by a command.")
    return subject.model_copy(update={"defined_in": path})


def _variant(subject: SubjectDefinition, known: dict[str, SubjectDefinition], path: Path) -> SubjectDefinition:
    origin = known.get(subject.variant_of or "")
    if origin is None or not (origin.environment == "own" or origin.takes_faults) or origin.variant_of is not None:
        raise ConfigurationError(
            f"{path}: {subject.name} is a variant of {subject.variant_of!r}, which is none of nesproof's own consoles."
        )
    if origin.command is not None and subject.emulator is not None:
        raise ConfigurationError(
            f"{path}: {subject.name} is started by a command, which knows no builds of nesproof's."
        )
    if subject.command is not None or subject.adapter is not None:
        raise ConfigurationError(f"{path}: subject {subject.name} is a variant and is started as its original is.")
    emulator = None if subject.emulator is None else str((path.parent / subject.emulator).absolute())
    return origin.model_copy(
        update={
            "name": subject.name,
            "title": subject.title or origin.title,
            "variant_of": subject.variant_of,
            "emulator": emulator,
            "fault": subject.fault,
            # The paths of a command are relative to the file that defines it.
            "defined_in": origin.defined_in or path,
        }
    )


def subject_names() -> list[str]:
    """The names of every subject, shipped ones first."""
    return list(subject_definitions())


def find_subject(name: str) -> SubjectDefinition:
    """The subject of that name.

    Raises:
        ConfigurationError: there is none; the message lists those there are.
    """
    known = subject_definitions()
    if name not in known:
        raise ConfigurationError(f"There is no subject {name!r}; there are: {', '.join(known)}.")
    return known[name]


def _user_files() -> list[Path]:
    standing = nesproof_home() / "subjects.toml"
    named = [Path(p).expanduser().absolute() for p in os.environ.get(SUBJECT_FILE_VARIABLE, "").split(os.pathsep) if p]
    return ([standing] if standing.is_file() else []) + named


def _read(path: Path) -> _SubjectFile:
    return _parsed(read_text_file(path, what=f"Subject file {path}"), str(path))


def _parsed(text: str, where: str) -> _SubjectFile:
    try:
        return _SubjectFile.model_validate(tomllib.loads(text))
    except ValidationError as fault:
        raise ConfigurationError(f"{where}: {first_fault(fault)}.") from fault
    except (ValueError, RecursionError) as fault:  # not TOML; a number of 5,000 digits, brackets of that depth
        raise ConfigurationError(f"{where} is not TOML: {fault}.") from fault
