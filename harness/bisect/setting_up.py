"""Before anything is built: which claim, which commits, and whether this bisection was begun before."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from nesproof.harness.bisect.history import Commit
from nesproof.harness.bisect.path import CommitPath
from nesproof.harness.bisect.rejudge import contradictions
from nesproof.harness.bisect.state import Journal
from nesproof.harness.builds.commands import commands_key
from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.registry import load_claims
from nesproof.harness.counting import counted
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.evidence.bisection import Bisection, BisectionCommit
from nesproof.harness.evidence.capture import capture_machine, capture_source
from nesproof.harness.evidence.scrub import scrubber_for_this_machine
from nesproof.harness.evidence.surroundings import Machine, Source
from nesproof.harness.gate.checkout import checked_out
from nesproof.harness.gate.repository import Repository
from nesproof.harness.plain_text import plain_line

__all__ = ["Asked", "begun_or_new", "the_claim"]


@dataclass(frozen=True)
class Asked:
    """What a person asked for: the claim, the path between the ends, and the command."""

    claim: Claim
    path: CommitPath
    first_parent: bool
    command: str


def the_claim(claim_id: str, repository: Repository, path: CommitPath, files: Sequence[Path]) -> Claim:
    """The claim of that id: one that ships, one of the user's files, or one of the project's as the bad end has them.

    Raises:
        ConfigurationError: there is none, or a file is malformed.
    """
    project, bad = path.projects[path.bad.sha], path.revisions[path.bad.sha]
    if project.is_own or not project.claims:
        registry = load_claims(files)
    else:
        with checked_out(repository, bad, paths=project.claims) as folder:
            registry = load_claims([*(folder / name for name in project.claims), *files])
    if claim_id not in registry:
        shown = plain_line(claim_id, limit=100)
        globs = " A bisection is about one claim, without a glob." if any(c in claim_id for c in "*?[") else ""
        known = ", ".join(sorted(registry)[:8]) + (", ..." if len(registry) > 8 else "")
        raise ConfigurationError(f"There is no claim {shown!r}; there are: {known}.{globs}")
    return registry[claim_id]


def begun_or_new(asked: Asked, journal: Journal, *, restart: bool, tell: Callable[[str], None]) -> Bisection:
    """The bisection as it stands: what was kept of it, or a new one.

    Raises:
        ConfigurationError: what was kept was made by another nesproof, compiler or machine.
    """
    if restart:
        journal.discard()
    source, scrubber = capture_source(), scrubber_for_this_machine()
    machine = Machine.model_validate(scrubber.document(capture_machine().model_dump(mode="json")))
    surroundings = _surroundings(source, machine)
    kept = journal.read()
    if kept is None:
        return Bisection(
            created_utc=datetime.now(timezone.utc),
            source=source,
            machine=machine,
            surroundings_sha256=surroundings,
            command=scrubber.text(asked.command)[:4_000],
            claim=asked.claim,
            good=_record(asked.path.good, ()),
            bad=_record(asked.path.bad, asked.path.bad.parents),
            first_parent=asked.first_parent,
            commits=tuple(_record(commit, commit.parents) for commit in asked.path.commits),
        )
    if kept.surroundings_sha256 != surroundings:
        raise ConfigurationError(
            f"This bisection was begun on {kept.created_utc:%Y-%m-%d %H:%M} UTC with another nesproof, Python, "
            "compiler or machine, and figures of two do not belong into one; --restart begins anew."
        )
    if wrong := contradictions(kept):
        raise ConfigurationError(
            f"What was kept does not follow from what was measured. {wrong[0]} --restart begins anew."
        )
    if kept.result is not None:
        tell("This bisection was finished before; --restart begins anew.")
        return kept
    were = "that was kept" if len(kept.steps) == 1 else "that were kept"
    tell(f"Going on from {counted(len(kept.steps), 'step')} {were}; --restart begins anew.")
    return kept.model_copy(update={"resumed": kept.resumed + 1})


def _record(commit: Commit, parents: tuple[str, ...]) -> BisectionCommit:
    return BisectionCommit(sha=commit.sha, subject=commit.subject[:300], parents=parents, content=commit.content)


def _surroundings(source: Source, machine: Machine) -> str:
    """Over what decides figures and verdicts beside the commit itself."""
    # The compilers and the Python that builds are for, whatever is built.
    parts = [source.tree_sha256, commands_key("", ()), machine.cpu_model, str(machine.usable_cores)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
