"""What can be wrong with a repository or a revision; each message is one sentence with the remedy, and exit code 2."""

from __future__ import annotations

from nesproof.harness.errors import ConfigurationError

__all__ = [
    "DirtyTree",
    "FileAbsent",
    "IncompleteClone",
    "NoMergeBase",
    "NotARepository",
    "NotAnAncestor",
    "ShallowClone",
    "UnknownRevision",
]


class NotARepository(ConfigurationError):
    """The folder is in no working tree of git's."""


class UnknownRevision(ConfigurationError):
    """No commit is meant by what was given."""


class ShallowClone(ConfigurationError):
    """The history that is needed was not fetched."""


class IncompleteClone(ConfigurationError):
    """The clone lacks a file of a revision that it has."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"The clone lacks object {what[:12]}, as one that was made with a --filter does; "
            "git fetch --refetch --no-filter"
        )


class NoMergeBase(ConfigurationError):
    """Two revisions have no history in common."""


class NotAnAncestor(ConfigurationError):
    """The older of two revisions is no ancestor of the younger."""


class DirtyTree(ConfigurationError):
    """The working tree holds changes that no commit has."""


class FileAbsent(ConfigurationError):
    """A revision has no such file."""
