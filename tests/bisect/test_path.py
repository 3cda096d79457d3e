"""From two revisions to commits: merges, what is built of each, and how each is built."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from nesproof.harness.bisect.history import History
from nesproof.harness.bisect.path import find_path
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.gate.repository import Repository

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="condition: no git")


@pytest.fixture
def toy(synthetic: Any, tmp_path: Any) -> Any:
    return synthetic.make_synthetic(tmp_path / "toy", digest="0", ram=bytes(2048))


def test_both_sides_of_a_merge_or_its_first_parents_alone(toy: Any) -> None:
    # What branches off before the good end is not on the path, though it is merged there.
    toy.git("checkout", "--quiet", "-b", "old")
    toy.change_comment("old")
    toy.git("checkout", "--quiet", "main")
    good = toy.grow(1)
    toy.git("checkout", "--quiet", "-b", "side")
    on_side = toy.commit("On the side", {"README": "x"})
    toy.git("checkout", "--quiet", "main")
    on_main = toy.grow(2)
    toy.git("merge", "--quiet", "--no-edit", "side")
    merge = toy.head
    toy.git("merge", "--quiet", "--no-edit", "old")
    late = toy.head
    repository = Repository.at(toy.root)
    path = find_path(repository, good, "main", first_parent=False)
    assert {c.sha for c in path.commits} == {on_side, on_main, merge, late}
    assert path.bad.sha == late
    history = History(path.good, path.commits)
    assert set(history.parents_of(history.index[merge])) == {history.index[on_side], history.index[on_main]}
    assert history.commits[history.index[on_side]].content == path.good.content, "a README is not built"
    alone = find_path(repository, good, "main", first_parent=True)
    assert [c.sha for c in alone.commits] == [on_main, merge, late]


def test_content_is_of_sources_and_of_how_they_are_built(toy: Any) -> None:
    good = toy.head
    words = toy.commit("Words", {"README": "x"})
    flags = toy.commit("Build it otherwise", toy.edited("pyproject.toml", '"-O1"', '"-O2"'))
    claims = toy.set_threshold("toy.memory", 9_000)
    grown = toy.grow(1)
    path = find_path(Repository.at(toy.root), good, "HEAD", first_parent=False)
    content = {c.sha: c.content for c in (path.good, *path.commits)}
    assert content[words] == content[good]
    assert content[flags] != content[words]
    assert content[claims] == content[flags]
    assert content[grown] != content[claims]
    # How it is built is each commit's; what is claimed of it is the bad end's.
    assert path.projects[good].build != path.projects[grown].build
    assert path.projects[good].subjects_toml == path.projects[grown].subjects_toml


def test_a_commit_that_says_nothing_of_itself_is_built_as_the_bad_end(toy: Any) -> None:
    told = (toy.root / "pyproject.toml").read_text(encoding="utf-8")
    good = toy.commit("Say nothing", {"pyproject.toml": "# nothing\n"})
    toy.commit("Say it", {"pyproject.toml": told})
    toy.grow(1)
    path = find_path(Repository.at(toy.root), good, "HEAD", first_parent=False)
    assert path.projects[good].build == path.projects[path.bad.sha].build


def test_ends_between_which_nothing_that_is_built_differs(toy: Any) -> None:
    good = toy.head
    toy.commit("Words", {"README": "x"})
    with pytest.raises(ConfigurationError, match=r"What is built \(adapter.py, toy.c, settings.h\) is the same"):
        find_path(Repository.at(toy.root), good, "HEAD", first_parent=False)
