"""A git repository, read: revisions, what lies between them, what they changed. Nothing in it is ever written."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nesproof.harness.gate.git import GitFailed, run_git
from nesproof.harness.gate.repository_errors import (
    DirtyTree,
    FileAbsent,
    IncompleteClone,
    NoMergeBase,
    NotAnAncestor,
    NotARepository,
    ShallowClone,
    UnknownRevision,
)
from nesproof.harness.plain_text import plain_line

__all__ = [
    "DirtyTree",
    "FileAbsent",
    "IncompleteClone",
    "NoMergeBase",
    "NotARepository",
    "NotAnAncestor",
    "Repository",
    "Revision",
    "ShallowClone",
    "UnknownRevision",
    "under_any",
]

_SHA = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_LARGEST_FILE_BYTES = 16 << 20
_UNSHALLOW = "git fetch --unshallow"

Fate = Literal["added", "removed", "changed"]


@dataclass(frozen=True)
class Revision:
    """One commit: its hash, the hash of its tree, the first line of its message made plain, its parents' hashes."""

    sha: str
    tree: str
    subject: str
    parents: tuple[str, ...] = ()

    @property
    def short(self) -> str:
        """Twelve digits of the hash, to be shown."""
        return self.sha[:12]


@dataclass(frozen=True)
class Repository:
    """`root` is the top folder of the working tree."""

    root: Path

    @classmethod
    def at(cls, path: Path) -> Repository:
        """The repository in whose working tree `path` lies.

        Raises:
            GitMissing: there is no git.
            NotARepository: it lies in none, or git does not trust its owner.
        """
        if not path.is_dir():
            raise NotARepository(f"There is no folder {plain_line(str(path))}.")
        try:
            _, top = run_git(path, "rev-parse", "--show-toplevel")
        except GitFailed as fault:
            if "dubious ownership" in fault.words:
                raise NotARepository(
                    f"Git does not trust {plain_line(str(path))}, which belongs to another user; "
                    f"git config --global --add safe.directory {plain_line(str(path.resolve()))}"
                ) from fault
            raise NotARepository(
                f"{plain_line(str(path))} is in no working tree of git's; change to a clone of the project."
            ) from fault
        return cls(Path(_decoded(top.removesuffix(b"\n"))))

    @property
    def is_shallow(self) -> bool:
        """True where a part of the history was not fetched."""
        return self._line("rev-parse", "--is-shallow-repository") == "true"

    def resolve(self, text: str) -> Revision:
        """The commit that a name, a hash or an expression such as `HEAD~2` means.

        Raises:
            UnknownRevision: none; also for what looks like an option.
        """
        shown = plain_line(text, limit=100)
        if not text or text.startswith("-") or any(c in text for c in "\0\n\r"):
            raise UnknownRevision(f"{shown!r} is no revision: a name, a hash or an expression such as HEAD~2.")
        try:
            # In two steps: what follows a `:/text` would be part of the text.
            found = self._line("rev-parse", "--verify", "--quiet", "--end-of-options", text)
            sha = self._line("rev-parse", "--verify", "--quiet", "--end-of-options", f"{found}^{{commit}}")
        except GitFailed as fault:
            remedy = f"the clone is shallow: {_UNSHALLOW}" if self.is_shallow else "git fetch, or correct the name"
            raise UnknownRevision(
                f"There is no revision {shown!r} in {plain_line(str(self.root))}; {remedy}"
            ) from fault
        (revision,) = self._revisions("log", "--no-walk", sha)
        return revision

    def merge_base(self, a: Revision, b: Revision) -> Revision:
        """The youngest commit that is an ancestor of both.

        Raises:
            ShallowClone: none is known because history is missing here.
            NoMergeBase: there is none.
        """
        status, out = run_git(self.root, "merge-base", a.sha, b.sha, accept=(0, 1))
        if status == 0:
            return self.resolve(out.decode("ascii").strip())
        what = f"{a.short} and {b.short} have no commit in common"
        if self.is_shallow:
            raise ShallowClone(f"{what} in this shallow clone; {_UNSHALLOW} (or git fetch --deepen=200)")
        raise NoMergeBase(f"{what}: they belong to separate histories; name a BASE that HEAD descends from.")

    def is_ancestor(self, older: Revision, younger: Revision) -> bool:
        """True where `younger` is `older` or descends from it, as far as this clone knows."""
        status, _ = run_git(self.root, "merge-base", "--is-ancestor", older.sha, younger.sha, accept=(0, 1))
        return status == 0

    def commits_between(self, good: Revision, bad: Revision, *, first_parent: bool = True) -> list[Revision]:
        """The commits after `good` up to and with `bad`, oldest first, that descend from `good`.

        With `first_parent` only those of the line that `bad` is on: a branch that was merged counts as its merge.

        Raises:
            NotAnAncestor: `bad` does not descend from `good`.
            ShallowClone: it may, but history is missing here.
        """
        if not self.is_ancestor(good, bad):
            what = f"{bad.short} does not descend from {good.short}"
            if self.is_shallow:
                raise ShallowClone(f"{what} in this shallow clone; {_UNSHALLOW}")
            raise NotAnAncestor(f"{what}; name a good revision that is its ancestor, such as their merge base.")
        _, out = run_git(self.root, "rev-list", "--ancestry-path", f"{good.sha}..{bad.sha}")
        on_path = set(out.decode("ascii").split())
        line = ["--first-parent"] if first_parent else []
        chain = self._revisions("log", "--topo-order", "--reverse", *line, f"{good.sha}..{bad.sha}")
        return [revision for revision in chain if revision.sha in on_path]

    def changes(self, a: Revision, b: Revision) -> dict[str, Fate]:
        """What became of every path that is not the same in both, sorted by path."""
        _, out = run_git(
            self.root, "diff-tree", "-r", "-z", "--no-renames", "--name-status", "--no-ext-diff", "--no-textconv",
            a.tree, b.tree,
        )  # fmt: skip
        words = out.split(b"\0")
        fates: dict[bytes, Fate] = {b"A": "added", b"D": "removed"}
        found = {
            _decoded(path): fates.get(status, "changed") for status, path in zip(words[::2], words[1::2], strict=False)
        }
        return dict(sorted(found.items()))

    def changed_paths(self, a: Revision, b: Revision) -> list[str]:
        """Every path that was added, removed or changed between the two, sorted."""
        return list(self.changes(a, b))

    def dirty_paths(self) -> list[str]:
        """The paths of tracked files whose changes no commit has, staged or not, sorted.

        The clean filters of the configuration do not run: a file that was touched since it was checked out and goes
        through one is called dirty.
        """
        _, out = run_git(
            self.root, "status", "--porcelain=v1", "-z", "--untracked-files=no", "--ignore-submodules=dirty",
            "--no-renames", settings=self._without_filters(),
        )  # fmt: skip
        return sorted({_decoded(entry[3:]) for entry in out.split(b"\0") if entry})

    def require_clean(self) -> None:
        """See that the working tree is what HEAD is.

        Raises:
            DirtyTree: it is not.
        """
        dirty = self.dirty_paths()
        if dirty:
            more = f" and {len(dirty) - 1} more" if len(dirty) > 1 else ""
            raise DirtyTree(
                f"{plain_line(dirty[0], limit=200)}{more} differ from HEAD, and the gate measures commits; "
                "commit them, or measure HEAD without them by --allow-dirty"
            )

    def submodules(self, revision: Revision) -> list[str]:
        """The paths of the revision's submodules, whose files the gate does not check out; sorted."""
        _, out = run_git(self.root, "ls-tree", "-r", "-z", "--full-tree", revision.tree)
        return sorted(_decoded(e.partition(b"\t")[2]) for e in out.split(b"\0") if e.startswith(b"160000 "))

    def tree_key(self, sha: str, paths: Iterable[str]) -> str:
        """A hash over everything that lies at these paths in that commit or tree: equal where and only where all of it
        is, with its modes. A path that is absent counts as absent.
        """
        digest = hashlib.sha256()
        for path in sorted(set(paths)):
            entry = b"absent"
            if path:
                _, entry = run_git(self.root, "ls-tree", "-z", "--full-tree", _checked(sha), "--", path)
            digest.update(_encoded(path) + b"\0" + entry + b"\0\0")
        return digest.hexdigest()[:40]

    def exists(self, sha: str, path: str) -> bool:
        """True where the commit or tree has a file or folder at that path."""
        _, out = run_git(self.root, "ls-tree", "-z", "--full-tree", _checked(sha), "--", path.rstrip("/"))
        return bool(out)

    def files_under(self, sha: str, path: str) -> list[str]:
        """The paths of every file at or under `path` in the commit or tree, sorted; none where there is none."""
        _, out = run_git(self.root, "ls-tree", "-r", "-z", "--name-only", "--full-tree", _checked(sha), "--", path)
        return sorted(_decoded(entry) for entry in out.split(b"\0") if entry)

    def read_file(self, sha: str, path: str) -> bytes:
        """The bytes of a file as the commit or tree has it, at most 16 MiB of them.

        Raises:
            FileAbsent: there is no file of that name (a link is none), or it is larger.
            IncompleteClone: this clone lacks it.
        """
        shown = plain_line(path, limit=200)
        if not path or "\0" in path or ".." in path.split("/") or path.startswith("/"):
            raise FileAbsent(f"{shown!r} is no path inside the repository.")
        _, entry = run_git(self.root, "ls-tree", "-z", "--full-tree", _checked(sha), "--", path)
        mode, _, blob = entry.partition(b"\t")[0].partition(b" blob ")
        if mode not in {b"100644", b"100755"}:
            raise FileAbsent(f"Revision {sha[:12]} has no file {shown}.")
        name = blob.decode("ascii")
        try:
            if int(self._line("cat-file", "-s", name)) > _LARGEST_FILE_BYTES:
                raise FileAbsent(f"{shown} of {sha[:12]} is larger than {_LARGEST_FILE_BYTES >> 20} MiB.")
            return run_git(self.root, "cat-file", "blob", name)[1]
        except GitFailed as fault:
            raise IncompleteClone(name) from fault

    def _without_filters(self) -> dict[str, str]:
        """Settings that leave every filter of the configuration without a command."""
        asked = ("config", "--null", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process|required)$")
        _, out = run_git(self.root, *asked, accept=(0, 1))
        names = {_decoded(name).rpartition(".")[0] for name in out.split(b"\0") if name}
        told = {"clean": "", "process": "", "required": "false"}
        return {f"{name}.{key}": value for name in sorted(names) for key, value in told.items()}

    def _line(self, *arguments: str) -> str:
        return _decoded(run_git(self.root, *arguments)[1]).strip()

    def _revisions(self, *arguments: str) -> list[Revision]:
        command, *rest = arguments
        _, out = run_git(
            self.root, command, "-z", "--no-color", "--no-show-signature", "--no-notes", "--encoding=UTF-8",
            "--format=%H%x1f%T%x1f%P%x1f%s", *rest,
        )  # fmt: skip
        found = []
        for record in out.split(b"\0"):
            if record:
                sha, tree, parents, subject = record.decode("utf-8", "replace").split("\x1f", 3)
                found.append(Revision(sha, tree, plain_line(subject, limit=200), tuple(parents.split())))
        return found


def _checked(sha: str) -> str:
    """The hash, seen to be one: it comes before the paths on git's command line."""
    if not _SHA.fullmatch(sha):
        raise UnknownRevision(f"{plain_line(sha, limit=100)!r} is no full hash of a commit.")
    return sha


def _decoded(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def _encoded(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def under_any(path: str, folders: Sequence[str]) -> bool:
    """True where the path is one of these or lies in one of them."""
    return any(path == folder or path.startswith(f"{folder.rstrip('/')}/") for folder in folders)
