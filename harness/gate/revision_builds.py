"""Builds of revisions, kept in the cache of builds, and the subject file through which they are measured."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from nesproof.harness.builds.build import build_emulator
from nesproof.harness.builds.cache import BuildFailed, Built, cached_build, full_disk_is_said
from nesproof.harness.builds.commands import commands_key, run_commands
from nesproof.harness.builds.isolation import Limits
from nesproof.harness.builds.recipe import emulator_recipe
from nesproof.harness.errors import ConfigurationError, first_fault
from nesproof.harness.gate.checkout import checked_out
from nesproof.harness.gate.project import OWN_CONSOLES, Project
from nesproof.harness.gate.repository import Repository, Revision, under_any
from nesproof.harness.plain_text import plain_line
from nesproof.harness.subjects.in_force import subjects_as_toml
from nesproof.harness.subjects.registry import SubjectDefinition

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["RevisionBuild", "build_revision", "subject_names", "subjects_of", "write_subjects"]


@dataclass(frozen=True)
class RevisionBuild:
    """A revision's build. Two revisions whose sources are equal share `key` and `folder`."""

    revision: Revision
    folder: Path
    key: str
    was_cached: bool


def build_revision(
    repository: Repository,
    revision: Revision,
    project: Project,
    *,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    note: Callable[[str], None] = lambda _: None,
) -> RevisionBuild:
    """The build of the revision, as `project` (what the revision says of itself) has it built, cached or made now.

    The build sees the project's `sources` alone, so that nothing else can change what comes out.

    Raises:
        BuildFailed: it does not build; `tail` is the end of what the compiler said.
        NoSpaceForBuild: the disk is full.
        BuildToolsMissing: a tool is absent.
        CheckoutRefused: the revision's files cannot be written here.
    """
    what = f"{revision.short} ({revision.subject})" if revision.subject else revision.short
    for path in repository.submodules(revision):
        if under_any(path, project.sources):
            note(f"The submodule {plain_line(path, limit=200)} of {revision.short} is left empty in its build.")
    builder = _Builder(repository, revision, project, what, limits)
    with full_disk_is_said(what):
        built = builder.own(note) if project.is_own else builder.by_commands(note)
    return RevisionBuild(revision, built.folder, built.key, built.was_cached)


@dataclass(frozen=True)
class _Builder:
    repository: Repository
    revision: Revision
    project: Project
    what: str
    limits: Limits

    def own(self, note: Callable[[str], None]) -> Built:
        """The emulator of that revision."""
        if not self.repository.exists(self.revision.sha, "emulator/CMakeLists.txt"):
            raise BuildFailed(
                self.what, "It has no emulator/CMakeLists.txt: the emulator of that time does not build by itself."
            )
        with checked_out(self.repository, self.revision, paths=self.project.sources) as files:
            recipe = emulator_recipe(files / "emulator")
            return build_emulator(recipe, what=self.what, note=note, limits=self.limits)

    def by_commands(self, note: Callable[[str], None]) -> Built:
        """What the project's commands make."""
        commands = self.project.build or ()

        def make(place: Path) -> None:
            with checked_out(self.repository, self.revision, paths=self.project.sources) as files:
                run_commands(commands, sources=files, out=place / "out", what=self.what, limits=self.limits, note=note)

        key = commands_key(self.repository.tree_key(self.revision.sha, self.project.sources), commands)
        return cached_build(key, make, what=self.what, note=note)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    subject: tuple[SubjectDefinition, ...] = ()


def subjects_of(project: Project) -> dict[str, SubjectDefinition]:
    """The project's own subjects by name as its subject file has them; none for nesproof's own, which are shipped.

    Raises:
        ConfigurationError: the file is malformed, or asks for what the gate does not give.
    """
    where = f"The subject file {project.subject_file}"
    if project.is_own:
        return {}
    try:
        subjects = _File.model_validate(tomllib.loads(project.subjects_toml)).subject
    except ValidationError as fault:
        raise ConfigurationError(f"{where}: {first_fault(fault)}.") from fault
    except (ValueError, RecursionError) as fault:
        raise ConfigurationError(f"{where} is not TOML: {fault}.") from fault
    for subject in subjects:
        if subject.command is None:
            raise ConfigurationError(f"{where}: subject {subject.name} must be started by a command.")
        if subject.pass_environment:
            raise ConfigurationError(
                f"{where}: subject {subject.name} wants environment variables of the user's, which the gate keeps "
                "back; remove pass_environment."
            )
        if any(word.startswith(("./", "../", "~/")) for word in subject.command):
            raise ConfigurationError(
                f"{where}: subject {subject.name} names its files from {{out}}, the build's folder."
            )
    return {subject.name: subject for subject in subjects}


def subject_names(project: Project) -> tuple[str, ...]:
    """The names of the subjects that a build of the project makes."""
    return OWN_CONSOLES if project.is_own else tuple(subjects_of(project))


def write_subjects(
    path: Path, builds: Mapping[str, RevisionBuild], project: Project, names: Iterable[str] | None = None
) -> dict[tuple[str, str], str]:
    """Write the subject file in which each subject of `names` (None: all) is `<name>-<label>` of each build by label.

    How subjects are started is as `project` says, which is BASE's, for every build. The answer gives the name in the
    file by (name, label). The file goes where NESPROOF_SUBJECT_FILE says.

    Raises:
        ConfigurationError: a name that is none of the project's subjects, or its subject file is malformed.
    """
    own = subjects_of(project)
    known = subject_names(project)
    wanted = tuple(dict.fromkeys(known if names is None else names))
    tables, found = [], {}
    for name in wanted:
        if name not in known:
            raise ConfigurationError(f"{name!r} is no subject of the project; there are: {', '.join(known)}.")
        for label, build in builds.items():
            table: dict[str, object] = {"name": f"{name}-{label}"}
            if project.is_own:
                table.update(variant_of=name, emulator=str(build.folder))
            else:
                told = own[name].model_dump(exclude_defaults=True, exclude={"name", "title"})
                command = [word.replace("{out}", str(build.folder)) for word in own[name].command or ()]
                table.update({**told, "command": command})
            table["title"] = f"{own[name].title or name if name in own else name} of {build.revision.short}"[:200]
            tables.append(table)
            found[name, label] = f"{name}-{label}"
    path.write_text(subjects_as_toml(tables), encoding="utf-8")
    return found
