"""`docs/bring-your-own-emulator.md`, kept true: its own files and its own commands, run as they stand on the page."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from nesproof.harness.subjects.client import open_subject

PAGE = Path(__file__).parents[2] / "docs" / "bring-your-own-emulator.md"
ENTRY = "from nesproof.harness.cli.app import main; main()"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, own_home: Path) -> Path:
    """The reader's folder, with the two files of the page."""
    (adapter,), (subjects,) = blocks("python"), blocks("toml")
    (tmp_path / "my_adapter.py").write_text(adapter, encoding="utf-8")
    (tmp_path / "my-subjects.toml").write_text(subjects, encoding="utf-8")
    return tmp_path


def run(folder: Path, command: str, *further: str) -> subprocess.CompletedProcess[str]:
    program, *arguments = shlex.split(command)
    assert program == "nesproof"
    return subprocess.run(
        [sys.executable, "-c", ENTRY, *arguments, *further],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=120,
        check=False,
        env={**os.environ, "COLUMNS": "160", "MY_EMULATOR_PATH": os.environ.get("PYTHONPATH", "")},
    )


def test_the_page_is_as_short_as_it_says() -> None:
    (adapter,), (subjects,) = blocks("python"), blocks("toml")
    assert len(adapter.splitlines()) <= 75
    assert len(subjects.splitlines()) == 7


def test_the_commands_of_the_page_do_what_it_says(folder: Path) -> None:
    check, play, verify = (command.strip() for command in blocks("sh"))
    checked = run(folder, check)
    assert checked.returncode == 0, checked.stderr + checked.stdout
    shown = [line.split()[1] for line in checked.stdout.splitlines() if line.startswith("  ok ")]
    assert set(shown) == {"ram", "peek", "frame", "reset", "second-player", "state", "timing", "draw:every"}
    played = run(folder, play, "--json")
    assert played.returncode == 0, played.stderr
    assert json.loads(played.stdout)["frames"] == 120
    assert len(np.unique(np.asarray(Image.open(folder / "title.png")).reshape(-1, 3), axis=0)) > 3
    assert "--claim hardware.dma" in verify


def test_it_is_timed_before_anything_else_was_asked_of_it(
    folder: Path, rom: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NESPROOF_SUBJECT_FILE", str(folder / "my-subjects.toml"))
    monkeypatch.setenv("MY_EMULATOR_PATH", os.environ.get("PYTHONPATH", ""))
    with open_subject("my-emulator") as subject:
        timed = subject.time_workload(
            rom, bytes(30), warmup_frames=20, frames=10, draw="every", runs=2, warmup_runs=0, frame_counter=(0, 2)
        )
    assert len({run.ram_sha256 for run in timed}) == 1


@pytest.mark.skipif(
    not any(
        (Path(p) / "nes-test-roms").is_dir() for p in os.environ.get("NESPROOF_ROM_PATH", "").split(os.pathsep) if p
    ),
    reason="the community's test programs are not on NESPROOF_ROM_PATH",
)
def test_it_is_put_to_a_claim(folder: Path) -> None:
    verified = run(folder, blocks("sh")[2].strip(), "--json", "-", "--jobs", "1")
    assert verified.returncode == 0, verified.stderr
    (record,) = [r for r in json.loads(verified.stdout)["claims"] if r["selected"]]
    assert (record["subject"], record["verdict"]) == ("my-emulator", "PASS")


def test_its_troubles_are_what_the_page_says(folder: Path) -> None:
    adapter = folder / "my_adapter.py"
    text = adapter.read_text(encoding="utf-8")
    check = blocks("sh")[0].strip()
    for harm, words in (
        (text.replace("nesproof.emulator", "my_emulator"), "cannot start: ModuleNotFoundError"),
        (text.replace("rgb().tobytes()", "frame.tobytes()"), "holds 61440 bytes where 184320 are due"),
        (text.replace("self.console.step((", "self.console.stop(("), "failed at step: AttributeError"),
        (text.replace("return self.console.save_state()", "os.abort()"), "died at save_state (signal 6 (SIGABRT))"),
    ):
        assert harm != text
        adapter.write_text(harm, encoding="utf-8")
        ended = run(folder, check)
        assert ended.returncode == 5
        assert words in ended.stderr
        assert "Traceback" not in ended.stderr.replace("It last printed: Traceback", "")
