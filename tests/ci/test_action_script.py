"""The commands of the action, run as the runner runs them, with a nesproof that is none."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
import yaml

ACTION = Path(__file__).resolve().parents[2] / "ci" / "action.yml"


def script(name: str) -> str:
    steps = yaml.safe_load(ACTION.read_text())["runs"]["steps"]
    return next(step["run"] for step in steps if step.get("name") == name)


def run(text: str, folder: Path, **given: str) -> subprocess.CompletedProcess[str]:
    (folder / "step.sh").write_text(text)
    environment = {"PATH": os.environ["PATH"], "RUNNER_TEMP": str(folder), **given}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(folder / "step.sh")],
        cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


GIVEN = {
    "BASE": "b" * 40,
    "HEAD": "a" * 40,
    "CLAIMS": "",
    "BUDGET": "10",
    "DEVICE": "cpu",
    "PROFILE": "quick",
    "ACCEPT_YARDSTICK": "false",
}


@pytest.fixture
def temp(tmp_path: Path) -> Path:
    """With a `nesproof` that prints its arguments, one a line, and ends with the code that it finds in `code`."""
    program = tmp_path / "nesproof-venv" / "bin" / "nesproof"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\nexit "$(cat "$RUNNER_TEMP/code")"\n')
    program.chmod(0o755)
    (tmp_path / "code").write_text("0")
    return tmp_path


@pytest.mark.parametrize("code", [0, 1, 2, 3, 4, 5, 6, 130])
def test_the_step_ends_as_the_gate_does(temp: Path, code: int) -> None:
    (temp / "code").write_text(str(code))
    assert run(script("nesproof gate"), temp, **GIVEN).returncode == code


def test_what_is_given_is_data(temp: Path) -> None:
    given = {**GIVEN, "CLAIMS": "core.*\n\n$(touch pwned)\n--out=elsewhere\n", "ACCEPT_YARDSTICK": "true"}
    done = run(script("nesproof gate"), temp, **given)
    words = done.stdout.splitlines()
    assert words[0] == "gate"
    at = words.index("--claim")
    assert words[at : at + 6] == ["--claim", "core.*", "--claim", "$(touch pwned)", "--claim", "--out=elsewhere"]
    assert words[-4:] == ["--accept-yardstick", "--", "b" * 40, "a" * 40]
    assert not (temp / "pwned").exists()


@pytest.mark.parametrize("accepted", ["false", "", "True", "yes"])
def test_a_changed_yardstick_needs_the_very_word(temp: Path, accepted: str) -> None:
    done = run(script("nesproof gate"), temp, **{**GIVEN, "ACCEPT_YARDSTICK": accepted})
    assert "--accept-yardstick" not in done.stdout


def test_a_base_that_is_not_there_is_said(temp: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(temp)], check=True)
    done = run(script("Install nesproof from the base commit"), temp, BASE="--help")
    assert done.returncode == 2
    assert "fetch-depth: 0" in done.stdout
