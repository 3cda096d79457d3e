"""From two revisions of a repository to the commits of a bisection, each with the content of what is built of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass

from nesproof.harness.bisect.history import Commit
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.gate.project import PROJECT_FILE, Project, load_project
from nesproof.harness.gate.repository import Repository, Revision

__all__ = ["CommitPath", "find_path"]


@dataclass(frozen=True)
class CommitPath:
    """The good end, the commits after it up to and with the bad one (each after its parents), and for each commit, by
    its hash, the revision and how the project is built there.
    """

    good: Commit
    commits: tuple[Commit, ...]
    revisions: dict[str, Revision]
    projects: dict[str, Project]

    @property
    def bad(self) -> Commit:
        """The bad end."""
        return self.commits[-1]


def find_path(
    repository: Repository, good: str, bad: str, *, first_parent: bool, tell: Callable[[str], None] = lambda _: None
) -> CommitPath:
    """The path between two revisions: commits that descend from the good one and lead to the bad one.

    With `first_parent` only those of the line that the bad one is on.

    Raises:
        UnknownRevision, NotAnAncestor, ShallowClone: there is no such path here.
        ConfigurationError: both are one commit, or nothing that is built differs between them.
    """
    first, last = repository.resolve(good), repository.resolve(bad)
    if first.sha == last.sha:
        raise ConfigurationError(
            f"--good and --bad are one commit, {first.short}; name a good one that is older than the bad one."
        )
    between = repository.commits_between(first, last, first_parent=first_parent)
    if len(between) > 200:
        tell(f"Reading {len(between)} commits.")
    standard = load_project(repository, last)
    reader = _Reader(repository, standard)
    revisions = {revision.sha: revision for revision in (first, *between)}
    projects = {sha: reader.project(revision) for sha, revision in revisions.items()}
    commits = {
        sha: Commit(sha, revision.subject, revision.parents, reader.content(revision, projects[sha]))
        for sha, revision in revisions.items()
    }
    path = CommitPath(commits[first.sha], tuple(commits[r.sha] for r in between), revisions, projects)
    if path.good.content == path.bad.content:
        what = ", ".join(standard.sources)
        raise ConfigurationError(
            f"What is built ({what}) is the same in {first.short} and {last.short}, so that no commit between them can "
            "have broken a claim about it; name other ends."
        )
    return path


class _Reader:
    """Reads what is built of each revision. A revision that says nothing of itself is built as the bad end says."""

    def __init__(self, repository: Repository, standard: Project) -> None:
        self._repository = repository
        self._standard = standard
        self._projects: dict[str, Project] = {}

    def project(self, revision: Revision) -> Project:
        key = self._repository.tree_key(revision.sha, (PROJECT_FILE,))
        if key not in self._projects:
            try:
                told = load_project(self._repository, revision)
            except ConfigurationError:
                told = self._standard
            # How its subjects are started and what is claimed of them is the bad end's to say.
            self._projects[key] = self._standard.model_copy(update={"build": told.build, "sources": told.sources})
        return self._projects[key]

    def content(self, revision: Revision, project: Project) -> str:
        sources = self._repository.tree_key(revision.sha, project.sources)
        return hashlib.sha256(json.dumps([sources, project.build, project.is_own]).encode()).hexdigest()[:40]
