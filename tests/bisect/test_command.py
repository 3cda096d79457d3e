"""`nesproof bisect` on a project under git: both culprits in few builds, killed and taken up again, nothing touched."""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from nesproof.harness.cli.app import main
from nesproof.harness.evidence.bisection import Bisection

pytestmark = pytest.mark.skipif(
    shutil.which("git") is None or shutil.which("cc") is None, reason="condition: no git, or no C compiler"
)

COUNT = 32
SLOW, BROKEN = 13, 22
NO_BUILD = {(6, 9), (17, 19)}
"""From which commit on it does not build, and which mends it."""
ONLY_WORDS = {4, 11, 25, 26, 30}
"""Commits that change nothing that is built."""


@pytest.fixture(scope="module")
def history(synthetic: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, dict[str, str]]:
    """32 commits after the first: some do not build, one breaks `toy.forgets`, one makes the toy's state larger."""
    project = synthetic.make_synthetic(tmp_path_factory.mktemp("bisect") / "toy", digest="0", ram=bytes(2048))
    marks = {"good": project.head}
    for number in range(1, COUNT + 1):
        if number in {start for start, _ in NO_BUILD}:
            project.break_build()
        elif number in {end for _, end in NO_BUILD}:
            project.mend_build()
        elif number in ONLY_WORDS:
            project.commit("Say \x1b[31mmore\x1b[0m about <b>it</b>", {"README": f"{number}"})
        elif number == SLOW:
            marks["slow"] = project.grow(205)  # 5 % of 4,096
        elif number == BROKEN:
            marks["broken"] = project.break_exact()
        else:
            project.change_comment(f"part {number}")
    marks["bad"] = project.head
    return project, marks


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NESPROOF_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


Run = Callable[..., int]
PINNED = """
from nesproof.harness.bisect import setting_up
from nesproof.harness.cli.app import main

setting_up._surroundings = lambda source, machine: "0" * 64
main()
"""
"""The command, whatever is edited in the sources while the tests run."""


@pytest.fixture
def run(home: Path, history: tuple[Any, dict[str, str]], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command in the clone and returns its exit code."""
    project, _ = history

    def run(*arguments: str) -> int:
        monkeypatch.chdir(project.root)
        monkeypatch.setattr(sys, "argv", ["nesproof", "bisect", *arguments])
        with pytest.raises(SystemExit) as caught:
            main()
        assert isinstance(caught.value.code, int)
        return caught.value.code

    return run


def checkout(root: Path) -> str:
    """Everything in the clone, hashed."""
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        digest.update(f"{path}\0".encode() + (path.read_bytes() if path.is_file() else b""))
    return digest.hexdigest()


def builds(document: Bisection) -> int:
    counts = document.builds()
    return counts["made"] + counts["failed"]


def test_an_exact_claim_killed_half_way_and_taken_up_again(
    run: Run,
    history: tuple[Any, dict[str, str]],
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    from nesproof.harness.bisect import setting_up

    monkeypatch.setattr(setting_up, "_surroundings", lambda source, machine: "0" * 64)
    project, marks = history
    before = checkout(project.root)
    arguments = ["toy.forgets", "--good", marks["good"], "--jobs", "1"]
    command = [sys.executable, "-c", PINNED, "bisect", *arguments]
    steps = 0
    with subprocess.Popen(
        command, cwd=project.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ)
    ) as process:
        while steps < 3 and process.poll() is None:
            time.sleep(0.05)
            for kept in home.glob("bisect/*/document.json"):
                steps = len(json.loads(kept.read_text())["steps"])
        assert process.poll() is None, "it was to be killed half way"
        process.kill()
    page, summary = tmp_path / "page.html", tmp_path / "document.json"
    assert run(*arguments, "--html", str(page), "--json", str(summary)) == 0
    out, err = capfd.readouterr()
    assert "Going on from" in err
    assert f"culprit   {marks['broken'][:12]} Remember more" in out
    found = Bisection.model_validate_json(summary.read_text())
    assert found.result is not None
    assert (found.result.commits, found.result.confirmed, found.resumed) == ((marks["broken"],), True, 1)
    assert builds(found) <= math.log2(COUNT) + 3
    assert checkout(project.root) == before
    text = page.read_text()
    assert marks["broken"][:12] in text
    assert "\x1b" not in text + out
    assert "<b>it</b>" not in text
    # Asked for once more, it is not measured again.
    assert run(*arguments) == 0
    assert "finished before" in capfd.readouterr().err


def test_a_figure_that_moved_by_five_percent(
    run: Run, history: tuple[Any, dict[str, str]], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    _, marks = history
    assert run("toy.memory", "--good", marks["good"], "--json", "-") == 0
    out, err = capfd.readouterr()
    found = Bisection.model_validate_json(out)
    assert found.result is not None
    assert found.result.commits == (marks["slow"],)
    assert (found.result.before, found.result.after) == ("4,096 bytes", "4,301 bytes")
    assert found.method is not None
    assert found.method.kind == "figure"
    assert builds(found) <= math.log2(COUNT) + 3
    assert "culprit" in err
    schema = json.loads(json.dumps(Bisection.model_json_schema(mode="serialization")))
    jsonschema.Draft202012Validator(schema).validate(json.loads(out))


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["toy.forgets", "--good", "no-such-revision"], 2, "There is no revision 'no-such-revision'"),
        (["toy.forgets", "--good", "--upload-pack=x"], 2, "is no revision"),
        (["toy.forgets", "--good", "HEAD"], 2, "are one commit"),
        (["toy.forgets", "--good", "HEAD", "--bad", "HEAD~3"], 2, "does not descend from"),
        (["toy.absent", "--good", "HEAD~3"], 2, "There is no claim 'toy.absent'"),
        (["toy.*", "--good", "HEAD~3"], 2, "about one claim, without a glob"),
        (["core.state", "--good", "HEAD~3"], 2, "which no revision of this project changes"),
        (["toy.forgets", "--good", "HEAD~7", "--bad", "HEAD~6"], 2, "is the same in"),
        (["toy.forgets", "--good", "HEAD~3"], 2, "The good end"),
    ],
)
def test_one_sentence_for_each_mistake(
    run: Run, arguments: list[str], code: int, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == code
    err = capfd.readouterr().err
    assert words in err.replace("\n", " ")
    assert "Traceback" not in err


def test_outside_a_clone(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["nesproof", "bisect", "toy.forgets", "--good", "HEAD~1"])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2
    assert "in no working tree" in capfd.readouterr().err


def test_ctrl_c_keeps_what_was_done_and_says_how_to_go_on(
    run: Run, history: tuple[Any, dict[str, str]], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from nesproof.harness.bisect.laboratory import RevisionLaboratory

    _, marks = history
    whole = RevisionLaboratory.measure

    def stopped(self: Any, commit: Any, claim: Any) -> Any:
        if commit.sha != marks["good"]:
            raise KeyboardInterrupt
        return whole(self, commit, claim)

    monkeypatch.setattr(RevisionLaboratory, "measure", stopped)
    assert run("toy.memory", "--good", marks["good"], "--restart") == 130
    err = capfd.readouterr().err
    assert f"goes on from here: nesproof bisect toy.memory --good {marks['good']}\n" in err
    monkeypatch.setattr(RevisionLaboratory, "measure", whole)
    assert run("toy.memory", "--good", marks["good"], "--most-builds", "2") == 3
    assert "Going on from 1 step that was kept" in capfd.readouterr().err


def test_what_another_nesproof_began_is_not_gone_on_with(
    run: Run, history: tuple[Any, dict[str, str]], home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    _, marks = history
    assert run("toy.memory", "--good", marks["good"], "--most-builds", "2") == 3
    (kept,) = home.glob("bisect/*/document.json")
    fields = json.loads(kept.read_text())
    kept.write_text(json.dumps({**fields, "surroundings_sha256": "1" * 64, "result": None, "exit_code": None}))
    assert run("toy.memory", "--good", marks["good"]) == 2
    assert "--restart begins anew" in capfd.readouterr().err.replace("\n", " ")
