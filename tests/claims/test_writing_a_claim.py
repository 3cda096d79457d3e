"""The page on writing a claim is true: its commands run as they stand, and print what it shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from nesproof.harness.claims import Verdict
from nesproof.harness.evidence.bundle import open_bundle

PAGE = (Path(__file__).parents[2] / "docs" / "writing-a-claim.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def run_commands(folder: Path) -> list[str]:
    """Run the page's commands in order in an empty folder `here`; what each block printed."""
    program = folder / "bin" / "nesproof"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m nesproof.harness.cli "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (folder / "here").mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NESPROOF_")}
    environment |= {
        "PATH": f"{folder / 'bin'}{os.pathsep}{environment['PATH']}",
        "NESPROOF_HOME": str(folder / "home"),
        "NESPROOF_OFFLINE": "1",
    }
    outputs = []
    for text in blocks("sh"):
        command = ["bash", "-euo", "pipefail", "-c", text]
        done = subprocess.run(
            command, cwd=folder / "here", env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
        outputs.append(done.stdout)
    return outputs


def blocks(kind: str) -> list[str]:
    return [text for found, text in BLOCK.findall(PAGE) if found == kind]


def test_the_commands_of_the_page_run_in_order_and_do_what_it_says(tmp_path: Path) -> None:
    printed = run_commands(tmp_path)
    assert len(printed) >= 7
    # What the page shows of their words.
    shown = [line for text in blocks("text") for line in text.splitlines()]
    assert shown
    for line in shown:
        assert any(line in output for output in printed), line
    # The file that it shows.
    (table,) = blocks("toml")
    assert (tmp_path / "here" / "mine.memory.toml").read_text(encoding="utf-8").startswith(table)
    # Measured, the claim passes, and its fault makes it fail.
    bundles = [open_bundle(path) for path in sorted((tmp_path / "home" / "evidence").iterdir())]
    verdicts = [[c.verdict for c in b.evidence.claims if c.claim.id == "mine.memory"] for b in bundles]
    assert verdicts == [[Verdict.PASS], [Verdict.PASS]]
    trials = bundles[-1].evidence.falsification
    assert trials is not None
    assert [(pair.fault, pair.claim, pair.outcome) for pair in trials.pairs] == [
        ("hoards-snapshots", "mine.memory", "killed")
    ]
