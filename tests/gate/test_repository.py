"""Reading a repository: what a revision is, what lies between two, and one clear sentence where there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.gate import git as git_module
from nesproof.harness.gate.checkout import checked_out
from nesproof.harness.gate.git import GitMissing, git_environment
from nesproof.harness.gate.repository import (
    DirtyTree,
    FileAbsent,
    IncompleteClone,
    NoMergeBase,
    NotAnAncestor,
    NotARepository,
    Repository,
    ShallowClone,
    UnknownRevision,
)


def one_sentence(fault: pytest.ExceptionInfo[ConfigurationError]) -> str:
    """What a person reads: one line, exit code 2."""
    words = str(fault.value)
    assert fault.value.exit_code == 2
    assert "\n" not in words
    return words


@pytest.fixture
def repository(toy: Any) -> Repository:
    return Repository.at(toy.root)


def test_a_repository_is_found_from_a_folder_in_it(toy: Any) -> None:
    (toy.root / "deep" / "er").mkdir(parents=True)
    assert Repository.at(toy.root / "deep" / "er").root == toy.root


def test_a_folder_outside_git_is_none(tmp_path: Path) -> None:
    with pytest.raises(NotARepository) as fault:
        Repository.at(tmp_path)
    assert "change to a clone" in one_sentence(fault)
    with pytest.raises(NotARepository):
        Repository.at(tmp_path / "absent")


def test_without_git_the_remedy_is_one_command(toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_module.shutil, "which", lambda _: None)
    with pytest.raises(GitMissing) as fault:
        Repository.at(toy.root)
    assert "git is not" not in one_sentence(fault)
    assert "install" in str(fault.value)


def test_a_revision_is_resolved_with_its_tree_subject_and_parents(toy: Any, repository: Repository) -> None:
    first = toy.head
    second = toy.commit("\x1b[31mRed\x1b[0m and\tbold\n\nand a body", {"a": "1"})
    found = repository.resolve("main")
    assert (found.sha, found.parents, found.subject) == (second, (first,), "Red and bold")
    assert repository.resolve("HEAD~1").sha == first
    assert found.tree == toy.git("rev-parse", "HEAD^{tree}")


@pytest.mark.parametrize(
    "text",
    ["absent", "", "-x", "--output=/tmp/x", "--help", "HEAD\nHEAD", "a\0b", "HEAD:toy.c", "main^{tree}", "HEAD..HEAD"],
)
def test_what_means_no_commit_is_refused(repository: Repository, text: str) -> None:
    with pytest.raises(UnknownRevision) as fault:
        repository.resolve(text)
    one_sentence(fault)


@pytest.mark.parametrize("name", ["$(touch${IFS}owned)", "a;touch${IFS}owned", "`id`", "名前", "x'y\"z"])
def test_hostile_branch_names_are_names(toy: Any, repository: Repository, name: str) -> None:
    toy.git("update-ref", f"refs/heads/{name}", "HEAD")
    assert repository.resolve(name).sha == toy.head
    assert not (toy.root / "owned").exists()


def test_an_annotated_tag_is_its_commit(toy: Any, repository: Repository) -> None:
    toy.git("tag", "--annotate", "--message", "v1", "v1")
    assert repository.resolve("v1").sha == toy.head


def test_the_merge_base_is_where_a_branch_began(toy: Any, repository: Repository) -> None:
    base = toy.head
    toy.git("checkout", "--quiet", "-b", "side")
    side = toy.commit("Side", {"side": "1"})
    toy.git("checkout", "--quiet", "main")
    toy.commit("Main", {"main": "1"})
    assert repository.merge_base(repository.resolve("main"), repository.resolve("side")).sha == base
    assert repository.resolve("side").sha == side


def test_separate_histories_have_no_merge_base(toy: Any, repository: Repository) -> None:
    toy.git("checkout", "--quiet", "--orphan", "other")
    toy.commit("Other", {"other": "1"})
    with pytest.raises(NoMergeBase) as fault:
        repository.merge_base(repository.resolve("main"), repository.resolve("other"))
    assert "separate histories" in one_sentence(fault)


def test_a_shallow_clone_says_how_it_is_deepened(toy: Any, tmp_path: Path) -> None:
    toy.git("checkout", "--quiet", "-b", "side")
    toy.commit("Side", {"side": "1"})
    toy.git("checkout", "--quiet", "main")
    toy.commit("Main", {"main": "1"})
    clone = tmp_path / "clone"
    toy.git("clone", "--quiet", "--depth=1", "--no-single-branch", f"file://{toy.root}", str(clone))
    repository = Repository.at(clone)
    assert repository.is_shallow
    a, b = repository.resolve("main"), repository.resolve("origin/side")
    for ask in (repository.merge_base, repository.commits_between):
        with pytest.raises(ShallowClone) as fault:
            ask(a, b)
        assert "git fetch --unshallow" in one_sentence(fault)
    with pytest.raises(UnknownRevision, match="git fetch --unshallow"):
        repository.resolve("HEAD~1")


def test_commits_between_follow_the_line_of_merges(toy: Any, repository: Repository) -> None:
    good = repository.resolve("HEAD")
    one = toy.commit("One", {"a": "1"})
    toy.git("checkout", "--quiet", "-b", "side", good.sha)
    side = toy.commit("Side", {"b": "1"})
    toy.git("checkout", "--quiet", "main")
    toy.git("merge", "--quiet", "--no-ff", "-m", "Merge", "side")
    merge = toy.head
    last = toy.commit("Last", {"c": "1"})
    bad = repository.resolve("main")
    assert [r.sha for r in repository.commits_between(good, bad)] == [one, merge, last]
    every = [r.sha for r in repository.commits_between(good, bad, first_parent=False)]
    assert set(every) == {one, side, merge, last}
    assert every[-2:] == [merge, last]
    # From within the branch that was merged, its merge is the next step of the line.
    assert [r.sha for r in repository.commits_between(repository.resolve(side), bad)] == [merge, last]
    assert repository.commits_between(bad, bad) == []
    with pytest.raises(NotAnAncestor) as fault:
        repository.commits_between(bad, good)
    assert "merge base" in one_sentence(fault)


def test_changes_name_every_path_and_its_fate(toy: Any, repository: Repository) -> None:
    base = repository.resolve("HEAD")
    toy.git("mv", "toy.c", "moved.c")
    (toy.root / "adapter.py").chmod(0o755)
    toy.commit("Change", {"new\nline": "x", "ü": "y"})
    head = repository.resolve("HEAD")
    assert repository.changes(base, head) == {
        "adapter.py": "changed", "moved.c": "added", "new\nline": "added", "toy.c": "removed", "ü": "added",
    }  # fmt: skip
    assert repository.changed_paths(base, base) == []


def test_a_message_resolves_to_the_youngest_commit_that_has_it(toy: Any, repository: Repository) -> None:
    sha = toy.commit("Say something singular", {"README": "x"})
    assert repository.resolve(":/something sing").sha == sha
    with pytest.raises(UnknownRevision):
        repository.resolve(":/nobody said this")


def test_filters_of_the_configuration_do_not_run(toy: Any, repository: Repository, tmp_path: Path) -> None:
    toy.commit("Filter it", {".gitattributes": "* filter=ev=il\n", "README": "x"})
    for key in ("clean", "smudge", "process"):
        toy.git("config", f"filter.ev=il.{key}", f"touch {tmp_path}/ran; cat")
    toy.git("config", "filter.ev=il.required", "true")
    (toy.root / "README").write_text("other")
    (toy.root / "pyproject.toml").touch()
    assert repository.dirty_paths() == ["README"]
    assert not (tmp_path / "ran").exists()


def test_dirty_is_what_no_commit_has(toy: Any, repository: Repository) -> None:
    (toy.root / "untracked").write_text("x")
    assert repository.dirty_paths() == []
    repository.require_clean()
    (toy.root / "toy.c").write_text("staged")
    toy.git("add", "toy.c")
    (toy.root / "adapter.py").write_text("not staged")
    assert repository.dirty_paths() == ["adapter.py", "toy.c"]
    with pytest.raises(DirtyTree) as fault:
        repository.require_clean()
    assert "--allow-dirty" in one_sentence(fault)


def test_a_tree_key_hangs_on_content_and_mode_alone(toy: Any, repository: Repository) -> None:
    sources = ["toy.c", "settings.h", "absent"]
    before = repository.tree_key(toy.head, sources)
    toy.commit("Elsewhere", {"README": "x"})
    assert repository.tree_key(toy.head, reversed(sources)) == before
    toy.change_comment()
    commented = repository.tree_key(toy.head, sources)
    assert commented != before
    toy.git("update-index", "--chmod=+x", "toy.c")
    toy.git("commit", "--quiet", "--message", "Mode")
    assert repository.tree_key(toy.head, sources) != commented
    with pytest.raises(UnknownRevision):
        repository.tree_key("--all", sources)


def test_a_file_is_read_as_the_commit_has_it(toy: Any, repository: Repository) -> None:
    (toy.root / "link").symlink_to("/etc/passwd")
    toy.commit("Link", {".gitattributes": "toy.c text eol=crlf\n"})
    assert repository.read_file(toy.head, "toy.c") == (toy.root / "toy.c").read_bytes()
    for absent in ("nothing", "link", "../outside", "", "-x"):
        with pytest.raises(FileAbsent):
            repository.read_file(toy.head, absent)


def test_a_clone_without_its_files_is_told_apart_from_a_revision_without_them(toy: Any, tmp_path: Path) -> None:
    toy.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    toy.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", f"file://{toy.root}", str(clone))
    repository = Repository.at(clone)
    head = repository.resolve("HEAD")
    with pytest.raises(IncompleteClone) as fault:
        repository.read_file(head.sha, "pyproject.toml")
    assert "--refetch" in one_sentence(fault)
    with pytest.raises(IncompleteClone), checked_out(repository, head):
        pass


def test_the_callers_git_settings_do_not_reach_git(
    toy: Any, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for name, value in (
        ("GIT_DIR", str(other)), ("GIT_WORK_TREE", str(other)), ("GIT_INDEX_FILE", str(other / "index")),
        ("GIT_EXTERNAL_DIFF", "false"), ("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "core.bare"),
        ("GIT_CONFIG_VALUE_0", "true"), ("GITHUB_TOKEN", "secret"),
    ):  # fmt: skip
        monkeypatch.setenv(name, value)
    assert repository.resolve("HEAD").sha == toy.head
    assert repository.dirty_paths() == []
    assert "secret" not in git_environment().values()
    assert not any(other.iterdir())
