"""What a project tells the gate about itself: `[tool.nesproof.gate]` in the pyproject.toml of a revision."""

from __future__ import annotations

import sys
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from nesproof.harness.errors import ConfigurationError, first_fault
from nesproof.harness.gate.repository import FileAbsent, Repository, Revision

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["OWN_CONSOLES", "PROJECT_FILE", "Project", "load_project"]

PROJECT_FILE = "pyproject.toml"
OWN_CONSOLES = ("reference", "core", "core-hostsim", "core-cuda")
_OWN_SOURCES = ("emulator",)
_OWN_CLAIMS = ("harness/claims",)
_OWN_YARDSTICK = ("harness", "reports", "ci", "emulator/faults", "benchmarks", "suites", "roms_manifest")
"""What measures, judges, ends with an exit code, shows it and comments on it."""
_OWN_REFERENCE = ("emulator/reference", "emulator/state", "emulator/cartridge", "emulator/bindings/reference.cpp")
"""What says where a run must end: the reference console, the list of a state's fields with their digest, and the loader
that tells it what a cartridge is."""


def _inside(path: str) -> str:
    parts = PurePosixPath(path).parts
    if not path or path.startswith(("/", "-")) or ".." in parts or "\0" in path:
        raise ValueError(f"{path!r} is no path inside the repository")
    if not parts:
        raise ValueError(f"{path!r} is the whole repository; name the files and folders in it that count")
    return "/".join(parts)


InRepository = Annotated[str, Field(max_length=300), AfterValidator(_inside)]
Word = Annotated[str, Field(max_length=2_000)]
Command = Annotated[tuple[Word, ...], Field(min_length=1, max_length=200)]


class _Table(BaseModel):
    """What the table in the file may say."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    build: Annotated[tuple[Command, ...], Field(min_length=1, max_length=50)] | None = None
    """Commands, run in the revision's files; `{out}` stands for the folder that receives the build, `{python}` for
    nesproof's Python and `{jobs}` for the number of processes to use. None: nesproof's own emulator."""
    sources: Annotated[tuple[InRepository, ...], Field(min_length=1, max_length=200)] = _OWN_SOURCES
    """Paths that a build is made of; a revision that changes none of them is not built anew."""
    claims: Annotated[tuple[InRepository, ...], Field(max_length=50)] = ()
    """Claims files, or folders of them."""
    yardstick: Annotated[tuple[InRepository, ...], Field(max_length=200)] = ()
    """Further paths whose change moves what the project is measured by."""
    subject_file: InRepository | None = None
    """A subject file in which `{out}` stands for the build's folder."""


class Project(_Table):
    """A project as one revision describes it; `is_own`: nesproof itself. `subjects_toml` is its subject file's text."""

    is_own: bool = False
    subjects_toml: str = ""

    @property
    def yardstick_paths(self) -> tuple[str, ...]:
        """Every path whose change moves the yardstick."""
        told = (self.subject_file,) if self.subject_file else ()
        return tuple(dict.fromkeys((*self.reference, *self.yardstick, *self.claims, *told)))

    @property
    def reference(self) -> tuple[str, ...]:
        """Every path whose change may move the state that runs must end in; another project is held to nesproof's."""
        return _OWN_REFERENCE if self.is_own else ()


def load_project(repository: Repository, revision: Revision) -> Project:
    """What the revision says of itself.

    Raises:
        ConfigurationError: its table is malformed, or there is none and it is not nesproof's own project.
    """
    where = f"{PROJECT_FILE} of {revision.short}"
    table = _table(repository, revision, where)
    if table is None:
        if repository.exists(revision.sha, "emulator/CMakeLists.txt"):
            return Project(is_own=True, sources=_OWN_SOURCES, claims=_OWN_CLAIMS, yardstick=_OWN_YARDSTICK)
        raise ConfigurationError(
            f"{where} has no [tool.nesproof.gate], which says how the project is built and measured; "
            "docs/gating.md shows one."
        )
    try:
        told = _Table.model_validate(table)
    except ValidationError as fault:
        raise ConfigurationError(f"{where}, [tool.nesproof.gate]: {first_fault(fault)}.") from fault
    fields = told.model_dump()
    if told.build is None:
        defaults = {"sources": _OWN_SOURCES, "claims": _OWN_CLAIMS, "yardstick": _OWN_YARDSTICK}
        given = told.model_fields_set
        return Project(**{**fields, **{k: v for k, v in defaults.items() if k not in given}}, is_own=True)
    if told.subject_file is None:
        raise ConfigurationError(f"{where}, [tool.nesproof.gate]: a project with a build names its subject_file.")
    text = repository.read_file(revision.sha, told.subject_file).decode("utf-8", "replace")
    return Project(**fields, subjects_toml=text)


def _table(repository: Repository, revision: Revision, where: str) -> object | None:
    try:
        text = repository.read_file(revision.sha, PROJECT_FILE).decode("utf-8")
        document = tomllib.loads(text)
    except FileAbsent:
        return None
    except (ValueError, RecursionError) as fault:
        raise ConfigurationError(f"{where} is not TOML: {fault}.") from fault
    tool = document.get("tool")
    ours = tool.get("nesproof") if isinstance(tool, dict) else None
    return ours.get("gate") if isinstance(ours, dict) else None
