"""`verify --bisect-exit`: what `git bisect run` is told, and that nothing but a verdict is told as good or bad."""

from __future__ import annotations

import itertools
import os
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.cli.bisect_exit import exits_for_git, git_exit_code


def evidence(*verdicts: Verdict, interrupted: bool = False) -> Any:
    records = [SimpleNamespace(selected=v is not Verdict.NOT_SELECTED, verdict=v) for v in verdicts]
    return SimpleNamespace(claims=records, interrupted=interrupted)


@pytest.mark.parametrize(
    ("verdict", "code"),
    [
        (Verdict.PASS, 0),
        (Verdict.WAIVED, 0),
        (Verdict.FAIL, 1),
        (Verdict.INCONCLUSIVE, 125),
        (Verdict.NOT_APPLICABLE, 125),
        (Verdict.NOT_MEASURED, 125),
        (Verdict.ERROR, 125),
    ],
)
def test_each_verdict(verdict: Verdict, code: int) -> None:
    assert git_exit_code(evidence(verdict, Verdict.NOT_SELECTED)) == code


def test_several_claims_and_none() -> None:
    for first, second in itertools.product(Verdict, repeat=2):
        seen = {first, second} - {Verdict.NOT_SELECTED}
        code = git_exit_code(evidence(first, second))
        if Verdict.FAIL in seen:
            assert code == 1
        else:
            assert code == (0 if seen and seen <= {Verdict.PASS, Verdict.WAIVED} else 125)
    assert git_exit_code(evidence()) == 125
    assert git_exit_code(evidence(Verdict.PASS, interrupted=True)) == 130


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (0, 0),
        (None, None),
        (1, 1),
        (125, 125),
        (130, 130),
        (2, 129),
        (3, 129),
        (4, 129),
        (5, 129),
        (6, 129),
        ("words", 129),
    ],
)
def test_every_other_way_to_end_stops_the_bisection(code: Any, told: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught, exits_for_git(["verify", "--bisect-exit"]):
        raise SystemExit(code)
    assert caught.value.code == told
    assert ("stops" in capsys.readouterr().err) == (told == 129)
    with pytest.raises(SystemExit) as caught, exits_for_git(["verify"]):
        raise SystemExit(code)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "arguments",
    [
        ["--claim"],
        ["--claim", "no.such.claim"],
        ["--no-such-option"],
        ["--claim", "core.state", "--emulator", "absent"],
    ],
)
def test_a_mistake_on_the_command_line_is_not_taken_for_a_broken_commit(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from nesproof.harness.cli.app import main

    monkeypatch.setenv("NESPROOF_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["nesproof", "verify", *arguments, "--bisect-exit"])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 129


@pytest.mark.skipif(shutil.which("git") is None, reason="condition: no git")
def test_git_bisect_run_finds_the_commit_by_these_codes(synthetic: Any, tmp_path: Path) -> None:
    """Git's own reading of the codes: verdicts lie in a file of the commit, and one of them has none to give."""
    root = tmp_path / "clone"
    root.mkdir()
    synthetic.git(root, "init", "--quiet", "--initial-branch=main")
    project = synthetic.Synthetic(root)
    verdicts = [Verdict.PASS] * 5 + [Verdict.ERROR] * 2 + [Verdict.PASS] + [Verdict.FAIL] * 4
    hashes = [project.commit(f"Commit {n}", {"verdict": v.value, "n": f"{n}"}) for n, v in enumerate(verdicts)]
    script = tmp_path / "ask.py"
    script.write_text(
        "import pathlib, sys\n"
        "from types import SimpleNamespace\n"
        "from nesproof.harness.claims.verdict import Verdict\n"
        "from nesproof.harness.cli.bisect_exit import git_exit_code\n"
        "record = SimpleNamespace(selected=True, verdict=Verdict(pathlib.Path('verdict').read_text()))\n"
        "sys.exit(git_exit_code(SimpleNamespace(claims=[record], interrupted=False)))\n"
    )
    project.git("bisect", "start", "HEAD", hashes[0])
    kept = {"PYTHONPATH": os.environ["PYTHONPATH"]} if "PYTHONPATH" in os.environ else {}
    said = synthetic.git(root, "bisect", "run", sys.executable, str(script), **kept)
    assert f"{hashes[8]} is the first bad commit" in said
    assert "bisect skip" in project.git("bisect", "log")
    project.git("bisect", "reset")
    project.git("bisect", "start", "HEAD", hashes[0])
    with pytest.raises(AssertionError, match="129"):
        project.git("bisect", "run", sys.executable, "-c", "import sys; sys.exit(129)")
