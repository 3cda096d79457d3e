"""One gate from a repository to a document: revisions, yardstick, builds, then the measuring process under the base's
rooms. Nothing is measured or judged here.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from nesproof.harness.builds.isolation import Ended, Limits
from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.counting import counted
from nesproof.harness.errors import ConfigurationError, HarnessError
from nesproof.harness.evidence.capture import usable_cores
from nesproof.harness.evidence.scrub import scrubber_for_this_machine
from nesproof.harness.gate.checkout import export
from nesproof.harness.gate.document import GateDocument, GateFlags, RevisionRecord
from nesproof.harness.gate.news import is_news, relay
from nesproof.harness.gate.order import GateOrder, GateRefusal
from nesproof.harness.gate.project import PROJECT_FILE, Project, load_project
from nesproof.harness.gate.repository import FileAbsent, Repository, Revision
from nesproof.harness.gate.revision_builds import RevisionBuild, build_revision, write_subjects
from nesproof.harness.gate.under_base import knows_own_references, rooms_of, run_under_base
from nesproof.harness.gate.yardstick import changes_reference, yardstick_changes
from nesproof.harness.judge.order import Side
from nesproof.harness.plain_text import plain_line
from nesproof.harness.runner.progress import Progress
from nesproof.harness.runner.workdir import work_folder
from nesproof.harness.subjects.registry import SUBJECT_FILE_VARIABLE

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["Compared", "GateBroken", "GateRequest", "YardstickChanged", "new_seed", "run_gate"]

_BESIDE_TIMING_S = 7_200.0
"""What suites and counted figures may take beside the budget for timing."""
_QUIET_WAIT_S = 60.0
_MOST_DOCUMENT_BYTES = 64 << 20
_HELD_TO_OWN = (
    "The reference is among them: with the flag each build is held to its own, and the head's must pass what the base "
    "claims of a reference."
)
_GATE_TOO_OLD = (
    "reference: the gate of {} is from before a build could be held to its own reference, so that both must end where "
    "the base's does and a changed state FAILs; docs/gating.md shows how to give that base this gate"
)


class YardstickChanged(ConfigurationError):
    """The head changes what the project is measured by; `lines` say what."""

    def __init__(self, lines: Sequence[str], *, own_references: bool = False) -> None:
        held_to = f" {_HELD_TO_OWN}" if own_references else ""
        super().__init__(
            f"The head changes the yardstick ({counted(len(lines), 'change')}, listed above); the base's is what "
            f"counts here. Look at them, then add --accept-yardstick.{held_to}"
        )
        self.lines = tuple(lines)


@dataclass(frozen=True, kw_only=True)
class GateRequest:
    """What a person asked for. `base` and `head` are revisions as they were given; `flags` holds the rest.

    `subject_files` are the user's own, by which peers or other programs come into the base's claims.
    """

    repository: Path
    base: str
    head: str
    flags: GateFlags
    command: str
    subject_files: tuple[str, ...] = ()
    quiet_wait_s: float = _QUIET_WAIT_S


@dataclass(frozen=True)
class Compared:
    """The two revisions: the base as it was asked for, where the head's branch left it, and the head."""

    asked: Revision
    base: Revision
    head: Revision


def run_gate(request: GateRequest, *, progress: Progress, on_yardstick: Callable[[list[str]], None]) -> GateDocument:
    """Compare the two revisions. `on_yardstick` hears what the head changes of the yardstick, before anything is built.

    Raises:
        ConfigurationError: a revision, the tree, the project or the claims are at fault; the yardstick changed and that
            was not accepted.
        BuildFailed: one of the two does not build.
        GateBroken: the measuring process ended without a document.
        KeyboardInterrupt: before the measuring process had anything to tell.
    """
    repository = Repository.at(request.repository)
    compared = _revisions(repository, request)
    project = load_project(repository, compared.base)
    lines = yardstick_changes(repository, compared.base, compared.head, project)
    own_references = changes_reference(lines)
    if own_references and not knows_own_references(repository, compared.base):
        own_references = False
        lines = [_GATE_TOO_OLD.format(compared.base.short), *lines]
    on_yardstick(lines)
    if lines and not request.flags.accept_yardstick:
        raise YardstickChanged(lines, own_references=own_references)
    builds: dict[Side, RevisionBuild] = {}
    for side, revision in (("baseline", compared.base), ("candidate", compared.head)):
        own = project if revision == compared.base else load_project(repository, revision)
        builds["baseline" if side == "baseline" else "candidate"] = build_revision(
            repository, revision, own, note=progress.note
        )
    rooms = rooms_of(repository, compared.base, project, note=progress.note)
    with work_folder() as folder:
        names = write_subjects(folder / "subjects.toml", {str(side): build for side, build in builds.items()}, project)
        order = _order(request, compared, project, builds, names, lines, folder, repository, rooms)
        order = order.model_copy(update={"own_references": own_references})
        return _measured(order, request, rooms, folder, progress)


def _revisions(repository: Repository, request: GateRequest) -> Compared:
    asked, head = repository.resolve(request.base), repository.resolve(request.head)
    if not request.flags.allow_dirty and head.sha == repository.resolve("HEAD").sha:
        repository.require_clean()
    return Compared(asked, repository.merge_base(asked, head), head)


def _order(  # noqa: PLR0917
    request: GateRequest,
    compared: Compared,
    project: Project,
    builds: dict[Side, RevisionBuild],
    names: dict[tuple[str, str], str],
    yardstick: list[str],
    folder: Path,
    repository: Repository,
    rooms: Path | None,
) -> GateOrder:
    scrubber = scrubber_for_this_machine([(request.repository, "<repository>")])
    subjects: dict[str, dict[Side, str]] = {}
    for (name, label), variant in names.items():
        subjects.setdefault(name, {})["baseline" if label == "baseline" else "candidate"] = variant
    repeat = _repeat(request, compared)
    if rooms is not None:
        judge = f"claims, workloads and judge of the base, {compared.base.short}"
    else:
        why = "the base has no gate of its own" if project.is_own else "the project brings claims alone"
        judge = f"the base's claims; workloads and judge of the installed nesproof, since {why}"
    return GateOrder(
        is_own=project.is_own,
        command=scrubber.text(request.command)[:4_000],
        repeat=repeat,
        rerun=f"{_repeat(request, compared, globs=False)} --claim {{claim}}",
        judge=judge,
        flags=request.flags,
        baseline=_record(request.base, builds["baseline"], repository, project),
        candidate=_record(request.head, builds["candidate"], repository, project),
        merge_base_of=compared.asked.sha,
        yardstick=tuple(yardstick[:2_000]),
        folders={side: str(build.folder) for side, build in builds.items()},
        subjects=subjects,
        claim_files=() if rooms is not None else _claim_files(repository, compared.base, project, folder),
        work_dir=str(folder),
        jobs=min(usable_cores(), 8),
        quiet_wait_s=request.quiet_wait_s,
    )


def _record(asked: str, build: RevisionBuild, repository: Repository, project: Project) -> RevisionRecord:
    revision = build.revision
    inputs = {"the dependencies": _dependencies_sha256(repository, revision)}
    if project.is_own:
        inputs |= {
            "the workloads": repository.tree_key(revision.sha, ("benchmarks", "harness/workloads.py")),
            "the list of programs": repository.tree_key(revision.sha, ("roms_manifest",)),
        }
    elif project.subject_file is not None:
        inputs |= {"how its subjects are started": repository.tree_key(revision.sha, (project.subject_file,))}
    return RevisionRecord(
        asked=plain_line(asked, limit=300),
        commit=revision.sha,
        subject=revision.subject,
        build_key=build.key,
        build_was_cached=build.was_cached,
        inputs_sha256=inputs,
    )


def _dependencies_sha256(repository: Repository, revision: Revision) -> str:
    """Over what the revision wants to be installed, as its pyproject.toml and lists of requirements say."""
    wanted: list[object] = []
    try:
        project = tomllib.loads(repository.read_file(revision.sha, PROJECT_FILE).decode("utf-8")).get("project", {})
        wanted += [project.get("dependencies"), project.get("optional-dependencies"), project.get("requires-python")]
    except (FileAbsent, ValueError, AttributeError, RecursionError):
        wanted.append("none that can be read")
    locks = [p for p in repository.files_under(revision.sha, "harness/subjects") if p.endswith("requirements.txt")]
    wanted.append(repository.tree_key(revision.sha, locks))
    return hashlib.sha256(json.dumps(wanted, sort_keys=True, default=str).encode()).hexdigest()


def _claim_files(repository: Repository, base: Revision, project: Project, folder: Path) -> tuple[str, ...]:
    """The base's claims, written beside the order: the rooms that judge are not the base's."""
    place = folder / "claims"
    place.mkdir()
    export(repository, base.tree, place, paths=project.claims)
    found = tuple(str(path) for path in sorted(place.rglob("*.toml")))
    if not found:
        raise ConfigurationError(f"The base, {base.short}, has no claims; a gate without any lets everything through.")
    return found


def _repeat(request: GateRequest, compared: Compared, *, globs: bool = True) -> str:
    """The command that compares the same two commits in any clone."""
    flags = request.flags
    parts = ["nesproof", "gate", compared.asked.sha, compared.head.sha, "--profile", flags.profile]
    parts += [part for glob in flags.claim_globs if globs for part in ("--claim", glob)]
    parts += ["--device", flags.device] if flags.device != "cpu" else []
    parts += ["--budget", f"{flags.budget_s / 60:g}", "--seed", str(flags.order_seed)]
    parts += [
        word
        for word, is_on in (
            ("--force-timing", flags.force_timing),
            ("--no-deterministic", not flags.deterministic),
            ("--accept-yardstick", flags.accept_yardstick),
            ("--allow-busy", flags.allow_busy),
            ("--allow-dirty", flags.allow_dirty),
        )
        if is_on
    ]
    return shlex.join(parts)


class GateBroken(HarnessError):
    """The measuring process ended without a document."""

    exit_code = ExitCode.ERROR


def _measured(
    order: GateOrder, request: GateRequest, rooms: Path | None, folder: Path, progress: Progress
) -> GateDocument:
    plan, result = folder / "order.json", folder / "result.json"
    plan.write_text(order.model_dump_json(exclude_defaults=True), encoding="utf-8")
    limits = Limits(seconds=order.flags.budget_s + _BESIDE_TIMING_S)
    files = ":".join([*request.subject_files, str(folder / "subjects.toml")])
    progress.note(f"Judging: {order.judge}.")
    ended: Ended | None = None
    try:
        ended = run_under_base(
            rooms,
            plan,
            result,
            cwd=folder,
            environment={SUBJECT_FILE_VARIABLE: files},
            limits=limits,
            note=lambda line: relay(line, progress),
            log=folder / "inside.txt",
        )
    except KeyboardInterrupt:
        if not result.is_file():
            raise
    return _document(result, ended, limits)


def _document(result: Path, ended: Ended | None, limits: Limits) -> GateDocument:
    if not result.is_file():
        assert ended is not None
        said = [line for line in ended.tail.splitlines() if not is_news(line)]
        tail = "".join(f"\n{line}" for line in said[-12:])
        raise GateBroken(f"The measuring process ended without a result: {ended.in_words(limits)}.{tail}")
    if result.stat().st_size > _MOST_DOCUMENT_BYTES:
        raise GateBroken(f"The measuring process wrote more than {_MOST_DOCUMENT_BYTES >> 20} MiB.")
    data = result.read_bytes()
    try:
        return GateDocument.model_validate_json(data)
    except ValidationError as fault:
        try:
            refusal = GateRefusal.model_validate_json(data)
        except ValidationError:
            raise GateBroken(
                "The base's gate wrote a document that this version does not read; install the base's nesproof."
            ) from fault
    refused = ConfigurationError if refusal.exit_code == ExitCode.USAGE else GateBroken
    raise refused(refusal.sentence)


def new_seed() -> int:
    """A seed for the order of timed processes."""
    return secrets.randbits(31)
