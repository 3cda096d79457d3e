"""The commits between a good and a bad one, with their ancestry: what a search may conclude from one answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Commit", "History"]


@dataclass(frozen=True)
class Commit:
    """One commit of the path.

    `parents` are all its parents' hashes. `content` is the hash of what a build is made of: commits of one content give
    one answer.
    """

    sha: str
    subject: str
    parents: tuple[str, ...]
    content: str

    @property
    def name(self) -> str:
        """The start of its hash and its subject, for people."""
        return f"{self.sha[:12]} ({self.subject})" if self.subject else self.sha[:12]


class History:
    """The commits after the good one that lead to the bad one, which is the last; each comes after its parents.

    A set of commits is an int, bit i for commit i.
    """

    def __init__(self, good: Commit, commits: Sequence[Commit]) -> None:
        self.good = good
        self.commits = tuple(commits)
        self.index = {commit.sha: number for number, commit in enumerate(self.commits)}
        if not self.commits or len(self.index) != len(self.commits) or good.sha in self.index:
            raise ValueError("a history is of distinct commits, of which at least one comes after the good one")
        self.ancestors: list[int] = []
        """Of each commit: itself and those of the path that it descends from."""
        for number in range(len(self.commits)):
            mask = 1 << number
            for parent in self.parents_of(number):
                if parent >= number:
                    raise ValueError("a commit comes after its parents")
                mask |= self.ancestors[parent]
            self.ancestors.append(mask)

    def __len__(self) -> int:
        return len(self.commits)

    def parents_of(self, number: int) -> tuple[int, ...]:
        """Those parents of a commit that are themselves on the path."""
        return tuple(self.index[sha] for sha in self.commits[number].parents if sha in self.index)

    def content_of_parents(self, number: int) -> set[str]:
        """The contents of the parents that are on the path, or are the good commit."""
        known = {self.commits[parent].content for parent in self.parents_of(number)}
        return known | ({self.good.content} if self.good.sha in self.commits[number].parents else set())

    def is_linear(self) -> bool:
        """True where each commit has the one before it as its only parent on the path."""
        return all(mask == (1 << (number + 1)) - 1 for number, mask in enumerate(self.ancestors))
