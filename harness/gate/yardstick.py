"""What a change does to the yardstick that it is measured by: claims and their waivers, faults, workloads, the judge,
the probes, the suites, the adapters, the manifest of programs, what the project says of itself, and before all else the
reference console with its state.

None of it is in force: a change is judged by what BASE has. It is listed first because once it is merged it judges the
changes that come after. The reference is the one exception, and only once it is accepted (`references.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.registry import parse_claims
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.faults.model import Fault
from nesproof.harness.gate.project import PROJECT_FILE, Project, load_project
from nesproof.harness.gate.repository import Repository, Revision, under_any
from nesproof.harness.plain_text import plain_line

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["changes_reference", "yardstick_changes"]

_REFERENCE = "reference: "

_GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("faults", ("harness/faults", "emulator/faults")),
    ("workloads", ("benchmarks", "harness/workloads.py")),
    ("judge", ("harness/judge",)),
    ("probes", ("harness/probes",)),
    ("suites", ("suites", "harness/suite_run")),
    ("adapters", ("harness/subjects",)),
    ("manifest", ("roms_manifest",)),
    ("harness", ("harness",)),
    ("reports", ("reports",)),
    ("ci", ("ci",)),
)
"""In the order in which they are listed, after the reference, claims and faults."""
_SHOWN_LATER = ("sentence", "breaks_when")


def yardstick_changes(repository: Repository, base: Revision, head: Revision, project: Project) -> list[str]:
    """One line for each change to the yardstick, made plain, grouped by its first word; none where there is none.

    `project` is what BASE says of itself. Claims and faults are compared by what they mean, all else by file.
    """
    changed = repository.changes(base, head)
    watched = [path for path in changed if under_any(path, project.yardstick_paths)]
    claim_files = [p for p in watched if under_any(p, project.claims) and p.endswith(".toml")]
    fault_files = [p for p in watched if project.is_own and under_any(p, ("harness/faults",)) and p.endswith(".toml")]
    tables = _Tables(repository, base, head)
    lines = [f"{_REFERENCE}{path} {changed[path]}" for path in watched if under_any(path, project.reference)]
    lines += tables.changes("claim", claim_files, _claims_in, _claim_change)
    lines += tables.changes("fault", fault_files, _faults_in, _fields)
    compared = {*claim_files, *fault_files}
    others = [
        path
        for path in watched
        if path not in compared and not path.endswith(".md") and not under_any(path, project.reference)
    ]
    grouped: dict[str, list[str]] = {name: [] for name, _ in _GROUPS}
    for path in others:
        name = "subjects" if path == project.subject_file else _group_of(path, project)
        grouped.setdefault(name, []).append(f"{name}: {path} {changed[path]}")
    lines += [line for group in grouped.values() for line in group]
    lines += _project_changes(repository, head, project, has_changed=PROJECT_FILE in changed)
    return [plain_line(line, limit=400) for line in lines]


def changes_reference(lines: Sequence[str]) -> bool:
    """Whether the reference, or the state that it defines, is among the changes."""
    return any(line.startswith(_REFERENCE) for line in lines)


def _group_of(path: str, project: Project) -> str:
    if not project.is_own:
        return "claims" if under_any(path, project.claims) else "yardstick"
    return next((name for name, folders in _GROUPS if under_any(path, folders)), "yardstick")


@dataclass(frozen=True)
class _Tables:
    """Compares the named tables of files at two revisions."""

    repository: Repository
    base: Revision
    head: Revision

    def changes(
        self,
        one: str,
        paths: Sequence[str],
        read: Callable[[str, str], Mapping[str, BaseModel]],
        describe: Callable[[BaseModel, BaseModel], list[str]],
    ) -> list[str]:
        """What was added, removed and changed; that a table moved from file to file is no change."""
        lines: list[str] = []
        before: dict[str, BaseModel] = {}
        after: dict[str, BaseModel] = {}
        for revision, found in ((self.base, before), (self.head, after)):
            for path in paths:
                if self.repository.exists(revision.sha, path):
                    text = self.repository.read_file(revision.sha, path).decode("utf-8", "replace")
                    try:
                        found.update(read(text, path))
                    except ConfigurationError as fault:
                        lines.append(f"{one}s: {path} of {revision.short} cannot be read: {fault}")
        lines += [f"{one}s: {one} {name} removed" for name in before if name not in after]
        lines += [f"{one}s: {one} {name} added" for name in after if name not in before]
        for name, was in before.items():
            if name in after and was != after[name]:
                lines += [f"{one}s: {one} {name}: {what}" for what in describe(was, after[name])]
        return lines


def _claims_in(text: str, path: str) -> dict[str, Claim]:
    return {claim.id: claim for claim in parse_claims(text, origin=path)}


def _faults_in(text: str, path: str) -> dict[str, Fault]:
    try:
        return {fault.id: fault for fault in map(Fault.model_validate, tomllib.loads(text).get("fault", []))}
    except (ValueError, TypeError, RecursionError) as fault:
        raise ConfigurationError(f"{path}: {fault}") from fault


def _claim_change(was: BaseModel, is_now: BaseModel) -> list[str]:
    """Field by field; a waiver's fields by themselves, for it lets a failure through."""
    assert isinstance(was, Claim)
    assert isinstance(is_now, Claim)
    lines = []
    if was.waiver != is_now.waiver:
        if was.waiver is None or is_now.waiver is None:
            lines.append("waiver added" if was.waiver is None else "waiver removed")
        else:
            lines += [f"waiver: {what}" for what in _fields(was.waiver, is_now.waiver)]
    return lines + _fields(was, is_now, but=("waiver",))


def _fields(was: BaseModel, is_now: BaseModel, but: tuple[str, ...] = ()) -> list[str]:
    before, after = was.model_dump(mode="json", exclude=set(but)), is_now.model_dump(mode="json", exclude=set(but))
    names = [name for name in before if before[name] != after.get(name)]
    return [
        f"{name} changed" if name in _SHOWN_LATER else f"{name} {_shown(before[name])} -> {_shown(after.get(name))}"
        for name in sorted(names, key=lambda name: name in _SHOWN_LATER)
    ]


def _shown(value: object) -> str:
    if value is None or value in ([], {}):
        return "none"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _project_changes(repository: Repository, head: Revision, project: Project, *, has_changed: bool) -> list[str]:
    """What HEAD says otherwise than BASE of how the project is built and measured."""
    if not has_changed:
        return []
    try:
        after = load_project(repository, head)
    except ConfigurationError as fault:
        return [f"project: {fault}"]
    return [f"project: {what}" for what in _fields(project, after, but=("subjects_toml",))]
