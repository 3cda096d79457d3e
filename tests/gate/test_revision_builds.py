"""Builds of revisions: made once, whole or not at all, by commands that see the sources alone."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.builds import isolation
from nesproof.harness.builds.cache import (
    BuildFailed,
    NoSpaceForBuild,
    builds_folder,
    cached_build,
    prune_builds,
)
from nesproof.harness.builds.isolation import Limits
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.gate.project import Project, load_project
from nesproof.harness.gate.repository import Repository
from nesproof.harness.gate.revision_builds import RevisionBuild, build_revision, subject_names, write_subjects
from nesproof.harness.subjects.client import open_subject
from nesproof.harness.subjects.registry import subject_definitions

BUILD = """
import sys, time
from pathlib import Path
from nesproof.harness.gate.project import load_project
from nesproof.harness.gate.repository import Repository
from nesproof.harness.gate.revision_builds import build_revision
repository = Repository.at(Path(sys.argv[1]))
head = repository.resolve("HEAD")
built = build_revision(repository, head, load_project(repository, head), note=lambda words: print(words, flush=True))
print(built.folder.name, built.was_cached)
"""


@pytest.fixture
def fresh_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NESPROOF_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def built(toy: Any, name: str = "HEAD", **more: Any) -> RevisionBuild:
    repository = Repository.at(toy.root)
    revision = repository.resolve(name)
    return build_revision(repository, revision, load_project(repository, revision), **more)


def what_lies_there() -> list[str]:
    """The builds, whole or not, without the locks."""
    return sorted(p.name for p in builds_folder().iterdir() if p.suffix not in {".lock", ".use", ".contents"})


def with_build(toy: Any, *commands: list[str]) -> str:
    """A commit whose build is these commands."""
    before, rest = (toy.root / "pyproject.toml").read_text().split("build = ")
    text = f"{before}build = {json.dumps(commands)}\n{rest[rest.index('sources') :]}"
    return str(toy.commit("Build so", {"pyproject.toml": text}))


def test_a_build_is_made_once_for_equal_sources(toy: Any, home: Path) -> None:
    first = built(toy)
    toy.commit("Elsewhere", {"README": "x"})
    again = built(toy)
    assert (again.folder, again.key, again.was_cached) == (first.folder, first.key, True)
    made = {p.name for p in first.folder.iterdir()}
    assert made - {"__pycache__"} == {"adapter.py", "libtoy.so"}, "bytecode of a worker that runs it may lie beside"
    toy.slow(5)
    assert built(toy).key != first.key
    assert toy.git("status", "--porcelain") == ""


def test_a_submodule_that_is_left_empty_is_said_to_be(toy: Any, home: Path) -> None:
    toy.commit("Use it", toy.edited("pyproject.toml", r'"settings\.h"', '"settings.h", "vendor"'))
    for path in ("vendor/chips", "elsewhere"):
        toy.git("update-index", "--add", "--cacheinfo", f"160000,{toy.head},{path}")
    toy.git("commit", "--quiet", "--message", "Submodule")
    heard: list[str] = []
    built(toy, note=heard.append)
    said = [words for words in heard if "submodule" in words]
    assert said == [f"The submodule vendor/chips of {toy.head[:12]} is left empty in its build."]


def test_other_commands_are_another_build(toy: Any, home: Path) -> None:
    first = built(toy)
    toy.commit("Optimise", toy.edited("pyproject.toml", "-O1", "-O2"))
    assert built(toy).key != first.key


def test_a_build_sees_its_sources_alone(toy: Any, home: Path) -> None:
    toy.commit("Hide one", toy.edited("pyproject.toml", r', "settings.h"', ""))
    with pytest.raises(BuildFailed, match=r"settings\.h"):
        built(toy)


def test_a_build_sees_none_of_the_users_variables_and_no_repository(
    toy: Any, fresh_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GITHUB_TOKEN", "GIT_DIR", "PYTHONPATH", "CC", "CFLAGS"):
        monkeypatch.setenv(name, os.environ.get(name, "secret"))
    monkeypatch.delenv("GIT_DIR")
    # A home folder that is kept under git.
    subprocess.run(["git", "init", "--quiet", str(fresh_home)], check=True)
    with_build(toy, ["sh", "-c", "env > {out}/env; git rev-parse HEAD > {out}/git 2>&1; true"])
    folder = built(toy).folder
    assert "secret" not in (folder / "env").read_text()
    assert "not a git repository" in (folder / "git").read_text()


def test_a_failed_build_shows_the_compilers_words_and_is_not_kept(toy: Any, fresh_home: Path) -> None:
    toy.break_build()
    for _ in range(2):
        with pytest.raises(BuildFailed) as fault:
            built(toy)
        assert "this_is_not_c" in fault.value.tail
        assert fault.value.exit_code == 5
        assert str(fault.value).startswith(f"The build of {toy.head[:12]} (Break the build) failed:")
    assert what_lies_there() == []
    toy.mend_build()
    assert not built(toy).was_cached


def test_the_compilers_words_have_no_power_over_the_terminal(toy: Any, home: Path) -> None:
    with_build(toy, ["sh", "-c", r"printf '\033]0;owned\007\033[2Jwords\n'; exit 1"])
    with pytest.raises(BuildFailed) as fault:
        built(toy)
    assert fault.value.tail.startswith("words")
    assert "\x1b" not in str(fault.value)


def test_a_build_out_of_its_limits_says_which(toy: Any, home: Path) -> None:
    with_build(toy, ["sleep", "600"])
    with pytest.raises(BuildFailed, match="longer than 1 seconds"):
        built(toy, limits=Limits(seconds=1.0))


def test_commands_that_leave_nothing_are_no_build(toy: Any, home: Path) -> None:
    with_build(toy, ["true"])
    with pytest.raises(BuildFailed, match="left nothing"):
        built(toy)


def test_commands_that_put_a_link_in_the_place_of_the_folder_are_no_build(toy: Any, home: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "file").write_text("x")
    with_build(toy, ["sh", "-c", f"rm -rf {{out}}; ln -s {tmp_path}/elsewhere {{out}}"])
    with pytest.raises(BuildFailed, match="something else"):
        built(toy)


def as_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("no folder")


def as_link(folder: Path) -> None:
    folder.rename(folder.with_name("making-elsewhere"))
    folder.symlink_to("making-elsewhere")


@pytest.mark.parametrize(
    "harm",
    [
        lambda folder: (folder / "made").unlink(),
        lambda folder: (folder / "made").write_text("mad"),
        lambda folder: (folder / "made").unlink() or (folder / "made").symlink_to("link"),
        lambda folder: folder.with_name(f"{folder.name}.contents").write_text("{"),
        as_file,
        as_link,
    ],
    ids=["lost a file", "changed", "a link for a file", "no list", "a file", "a link"],
)
def test_a_damaged_build_is_made_again(harm: Callable[[Path], object], toy: Any, fresh_home: Path) -> None:
    with_build(toy, ["sh", "-c", "echo made > {out}/made; ln -s made {out}/link; mkdir {out}/empty"])
    folder = built(toy).folder
    (folder / "made.pyc").write_text("what Python leaves later is no damage")
    assert built(toy).was_cached
    harm(folder)
    again = built(toy)
    assert (again.folder, again.was_cached) == (folder, False)
    assert (folder / "made").read_text() == "made\n"
    assert not folder.is_symlink()
    assert built(toy).was_cached


def test_a_long_build_gives_signs_of_life(toy: Any, fresh_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "_BEAT_S", 0.1)
    with_build(toy, ["sh", "-c", "sleep 0.6; echo x > {out}/x"])
    heard: list[str] = []
    built(toy, note=heard.append)
    assert any("still at it" in sentence for sentence in heard), heard


def test_two_at_once_build_once(toy: Any, fresh_home: Path, tmp_path: Path) -> None:
    with_build(toy, ["sh", "-c", f"echo x >> {{out}}/made; until [ -e {tmp_path}/go ]; do sleep 0.05; done"])
    command = [sys.executable, "-c", BUILD, str(toy.root)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    first_words = sorted(process.stdout.readline().split()[0] for process in both if process.stdout is not None)
    assert first_words == ["Building", "Waiting"]
    (tmp_path / "go").write_text("")
    ends = [process.communicate(timeout=60)[0].split() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    (folder,) = what_lies_there()
    assert sorted(ends) == [[folder, "False"], [folder, "True"]]
    assert (builds_folder() / folder / "made").read_text() == "x\n"


def test_a_killed_build_leaves_nothing_that_counts(toy: Any, fresh_home: Path, tmp_path: Path) -> None:
    with_build(toy, ["sh", "-c", f"echo half > {{out}}/half; echo $$ > {tmp_path}/pid; sleep 600"])
    with subprocess.Popen([sys.executable, "-c", BUILD, str(toy.root)], stdout=subprocess.PIPE) as gate:
        until = time.monotonic() + 30
        while not (tmp_path / "pid").is_file():
            assert time.monotonic() < until
            time.sleep(0.02)
        gate.send_signal(signal.SIGKILL)
    (left,) = what_lies_there()
    assert left.startswith("making-")
    with_build(toy, ["sh", "-c", "echo other > {out}/other"])
    built(toy)
    assert not any(name.startswith("making-") for name in what_lies_there())
    assert toy.git("worktree", "list").count("\n") == 0


def test_an_interrupted_build_leaves_nothing(toy: Any, fresh_home: Path, tmp_path: Path) -> None:
    with_build(toy, ["sh", "-c", f"echo half > {{out}}/half; echo $$ > {tmp_path}/pid; sleep 600"])
    command = [sys.executable, "-c", BUILD, str(toy.root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as gate:
        until = time.monotonic() + 30
        while not (tmp_path / "pid").is_file():
            assert time.monotonic() < until
            time.sleep(0.02)
        gate.send_signal(signal.SIGINT)
    assert what_lies_there() == []
    assert not any((fresh_home / "checkouts").iterdir())


def test_an_error_amid_making_leaves_nothing(fresh_home: Path) -> None:
    def make(place: Path) -> None:
        (place / "out" / "half").write_text("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cached_build("key", make, what="it")
    assert what_lies_there() == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 640 KiB, where this user may mount one."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=640k", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("condition: this user may not mount a small file system")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.mark.parametrize("free_kib", [0, 24, 60])
def test_a_full_disk_is_one_sentence_and_no_half_build(
    toy: Any, small_disk: Path, monkeypatch: pytest.MonkeyPatch, free_kib: int
) -> None:
    monkeypatch.setenv("NESPROOF_HOME", str(small_disk / "home"))
    with_build(toy, ["dd", "if=/dev/zero", "of={out}/big", "bs=4096", "count=64"])
    builds_folder().mkdir(parents=True)
    free = os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize
    (small_disk / ".filler").write_bytes(b"x" * (free - free_kib * 1024))
    with pytest.raises(NoSpaceForBuild) as fault:
        built(toy)
    assert "\n" not in str(fault.value)
    assert fault.value.exit_code == 5
    assert what_lies_there() == []
    (small_disk / ".filler").unlink()
    assert not built(toy).was_cached


def aged(key: str, days: float, kib: int = 1) -> Path:
    """A finished build, last used so many days ago by a process that is gone."""
    folder = builds_folder() / key
    folder.mkdir(parents=True)
    (folder / "file").write_bytes(bytes(kib * 1024))
    then = time.time() - days * 86_400
    os.utime(folder, (then, then))
    return folder


def test_what_was_not_used_for_long_or_is_too_much_is_cleared_away(fresh_home: Path) -> None:
    old, big, young = aged("old", 40), aged("big", 3, kib=64), aged("young", 1)
    prune_builds(most_bytes=32 * 1024)
    assert (old.exists(), big.exists(), young.exists()) == (False, False, True)


def test_what_is_in_use_is_never_cleared_away(fresh_home: Path) -> None:
    used = cached_build("used", lambda place: (place / "out" / "file").write_text("x") and None, what="it").folder
    os.utime(used, (0, 0))
    prune_builds()
    assert used.is_dir()
    text = "from nesproof.harness.builds.cache import prune_builds; prune_builds()"
    subprocess.run([sys.executable, "-c", text], check=True, timeout=60)
    assert used.is_dir()


def test_subjects_are_started_from_their_build(
    toy: Any, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository.at(toy.root)
    base = repository.resolve("HEAD")
    project = load_project(repository, base)
    toy.slow(50)
    # HEAD has another way to start it, which is not taken: the gate's subjects are BASE's.
    toy.commit("Start otherwise", toy.edited("subjects.toml", r'"-I"', '"-X", "dev"'))
    builds = {"base": built(toy, base.sha), "head": built(toy)}
    path = tmp_path / "subjects.toml"
    names = write_subjects(path, builds, project)
    monkeypatch.setenv("NESPROOF_SUBJECT_FILE", str(path))
    assert names["toy", "head"] == "toy-head"
    assert set(names.values()) <= set(subject_definitions())
    times = {}
    for label in builds:
        with open_subject(names["toy", label]) as subject:
            (run,) = subject.time_workload(
                b"", bytes(4), warmup_frames=2, frames=2, draw="none", runs=1, warmup_runs=0, frame_counter=(0x10, 2)
            )
            times[label] = run.elapsed_ns
    assert 1.4 < times["head"] / times["base"] < 1.6


def test_own_consoles_are_variants(toy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(is_own=True)
    revision = Repository.at(toy.root).resolve("HEAD")
    folder = tmp_path / 'odd "place"\\ü'
    path = tmp_path / "own.toml"
    names = write_subjects(path, {"base": RevisionBuild(revision, folder, "key", True)}, project, ["core"])
    assert names == {("core", "base"): "core-base"}
    monkeypatch.setenv("NESPROOF_SUBJECT_FILE", str(path))
    variant = subject_definitions()["core-base"]
    assert (variant.variant_of, variant.emulator) == ("core", str(folder))
    assert set(subject_names(project)) <= set(subject_definitions())


@pytest.mark.parametrize(
    ("pattern", "replacement", "words"),
    [
        ('title = "The toy"', 'pass_environment = ["GITHUB_TOKEN"]', "keeps back"),
        (r'"\{out\}/adapter.py"', '"./adapter.py"', r"from \{out\}"),
        (r"command = .*", 'variant_of = "core"', "by a command"),
        (r"\[\[subject\]\]", "[[subjects]]", "Extra inputs"),
        (r"\[\[subject\]\]", "[[subject", "not TOML"),
    ],
)
def test_what_a_subject_file_must_not_ask_for(
    toy: Any, home: Path, tmp_path: Path, pattern: str, replacement: str, words: str
) -> None:
    toy.commit("Ask", toy.edited("subjects.toml", pattern, replacement))
    repository = Repository.at(toy.root)
    project = load_project(repository, repository.resolve("HEAD"))
    with pytest.raises(ConfigurationError, match=words):
        write_subjects(tmp_path / "subjects.toml", {}, project)


def test_a_subject_that_there_is_not_is_refused(toy: Any, tmp_path: Path) -> None:
    repository = Repository.at(toy.root)
    project = load_project(repository, repository.resolve("HEAD"))
    with pytest.raises(ConfigurationError, match="there are: toy, toy-batch"):
        write_subjects(tmp_path / "subjects.toml", {}, project, ["core"])


def test_an_emulator_that_does_not_build_by_itself_is_no_build(toy: Any, home: Path) -> None:
    repository = Repository.at(toy.root)
    with pytest.raises(BuildFailed, match=r"emulator/CMakeLists\.txt"):
        build_revision(repository, repository.resolve("HEAD"), Project(is_own=True))
