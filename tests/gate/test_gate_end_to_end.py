"""`nesproof gate` on the toy project, from the command line to the exit code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import gate_parts as parts
import pytest

from nesproof.harness.gate.check import contradictions_of, read_document
from nesproof.harness.gate.document import GateDocument, GateFlags
from nesproof.harness.gate.gate import GateRequest, YardstickChanged, run_gate
from nesproof.harness.runner.progress import Progress

GATE = [sys.executable, "-m", "nesproof.harness.cli", "gate"]


def gate(toy: Any, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command, in the toy's clone."""
    return subprocess.run(
        [*GATE, *arguments],
        cwd=toy.root,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def kept(folder: Path) -> GateDocument:
    document = read_document(folder / "gate.json")
    assert contradictions_of(document) == []
    return document


def nothing_left(home: Path) -> bool:
    """No checkout, no half-made build, no folder of a run."""
    left = [p for p in (home / "checkouts").glob("*") if p.is_dir()] + list((home / "builds").glob("making-*"))
    return left == []


# --- What decides nothing is not timed


def test_a_comment_leaves_all_unchanged_and_untimed(toy: Any, home: Path, tmp_path: Path) -> None:
    toy.change_comment()
    summary = tmp_path / "summary.md"
    ended = gate(
        toy, "HEAD~1", "--claim", "toy.speed", "--claim", "toy.memory", "--out", str(tmp_path / "out"), "--json", "-",
        GITHUB_STEP_SUMMARY=str(summary),
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    document = kept(tmp_path / "out")
    assert {c.claim.id: c.verdict.value for c in document.claims if c.verdict.value != "NOT_SELECTED"} == {
        "toy.speed": "UNCHANGED",
        "toy.memory": "UNCHANGED",
    }
    assert (document.timings, document.tables) == ((), ())
    assert json.loads(ended.stdout) == json.loads((tmp_path / "out" / "gate.json").read_text())
    assert "Not timed" in ended.stderr
    assert summary.read_text().startswith("## nesproof gate: nothing got worse")
    assert {p.name for p in (tmp_path / "out").iterdir()} == {"gate.json", "gate.html", "gate.md"}
    assert nothing_left(home)


# --- What goes wrong before anything is measured


def test_a_head_that_does_not_build_ends_with_the_compilers_words(toy: Any, home: Path) -> None:
    toy.break_build()
    ended = gate(toy, "HEAD~1")
    assert ended.returncode == 5
    assert "this_is_not_c" in ended.stderr
    assert "The build of" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert nothing_left(home)


def test_a_changed_yardstick_is_listed_first_and_must_be_accepted(toy: Any, home: Path, tmp_path: Path) -> None:
    toy.set_threshold("toy.memory", 9000)
    ended = gate(toy, "HEAD~1", "--claim", "toy.memory")
    assert ended.returncode == 2
    assert ended.stderr.index("toy.memory: at_most") < ended.stderr.index("--accept-yardstick")
    accepted = gate(toy, "HEAD~1", "--claim", "toy.memory", "--accept-yardstick", "--out", str(tmp_path / "out"))
    document = kept(tmp_path / "out")
    assert accepted.returncode == 0, accepted.stderr
    assert any("toy.memory" in line for line in document.yardstick)
    (claim,) = (c.claim for c in document.claims if c.claim.id == "toy.memory")
    assert claim.at_most == 8192, "the base's claim is the one that counts"
    assert "toy.memory" in (tmp_path / "out" / "gate.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ((), "BASE"),
        (("no-such-branch",), "no-such-branch"),
        (("--", "--upload-pack=x"), "no revision"),
        (("HEAD", "--claim", "no.such-*"), "no.such-*"),
        (("HEAD", "--profile", "fast"), "fast"),
        (("HEAD", "--device", "tpu"), "tpu"),
        (("HEAD", "--json", "/no/such/folder/x.json"), "folder"),
        (("HEAD", "--out", "/dev/full"), "name another folder"),
        (("HEAD", "--out", "pyproject.toml/x"), "name another folder"),
        (("HEAD", "--out", ""), "not cluttered"),
    ],
)
def test_usage_is_one_sentence(arguments: tuple[str, ...], word: str, toy: Any, home: Path) -> None:
    ended = gate(toy, *arguments)
    assert ended.returncode == 2
    assert word in ended.stderr
    assert ended.stderr.strip().splitlines()[-1].startswith("nesproof: ")
    assert "Traceback" not in ended.stderr


def test_a_dirty_tree_is_refused(toy: Any, home: Path) -> None:
    toy.change_comment()
    (toy.root / "toy.c").write_text("/* not committed */\n")
    ended = gate(toy, "HEAD~1")
    assert ended.returncode == 2
    assert "--allow-dirty" in ended.stderr


def test_a_full_disk_hides_no_verdict(toy: Any, home: Path, tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    toy.change_comment()
    ended = gate(toy, "HEAD~1", "--claim", "toy.speed", "--out", str(tmp_path / "out"), "--markdown", "/dev/full")
    assert ended.returncode == 5
    assert "no space left" in ended.stderr
    assert "UNCHANGED" in ended.stdout


# --- Measured, with processes that tell their times themselves


class Driver:
    """`run_gate` in this process, the timed processes replaced by ones that only tell what they took."""

    def __init__(self, toy: Any, patch: pytest.MonkeyPatch, fake: Any) -> None:
        self.toy, self.fake = toy, fake
        patch.setattr("nesproof.harness.gate.gate.run_under_base", parts.judged_here)
        patch.setattr("nesproof.harness.probes.change.replicate", fake)
        patch.setattr("nesproof.harness.gate.timing.expected_state", lambda *_, **__: parts.EXPECTED)
        patch.setattr("nesproof.harness.probes.change.quickest_run_ns", lambda *_, **__: 8_000_000)
        patch.setattr("nesproof.harness.gate.measuring.wait_for_quiet", lambda **_: parts.QUIET)

    def __call__(self, *globs: str, **flags: Any) -> GateDocument:
        return parts.gated(self.toy.root, **{"budget_s": 600, "claim_globs": globs, "deterministic": False, **flags})


@pytest.mark.parametrize(("slower", "code"), [(0.05, 1), (0.0, 0), (-0.05, 0)])
def test_a_change_of_speed(slower: float, code: int, toy: Any, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toy.slow(100 * slower) if slower else toy.change_comment()
    fake = parts.FakeProcesses(slower=slower)
    document = Driver(toy, monkeypatch, fake)("toy.speed", force_timing=True)
    assert document.exit_code == code, document.claims
    (timing,) = document.timings
    assert timing.measurement.candidate == toy.head
    assert fake.processes >= 104
    assert {s.side for s in timing.measurement.aa_samples} == {"candidate", "baseline"}


def test_frames_that_are_wrong_fail_without_further_timing(
    toy: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy.slow(-20)
    fake = parts.FakeProcesses(slower=-0.2, wrong="candidate")
    document = Driver(toy, monkeypatch, fake)("toy.speed")
    assert document.exit_code == 1
    assert fake.processes <= 8


def test_the_budget_is_planned_before_anything_is_timed(toy: Any, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toy.slow(5)
    fake = parts.FakeProcesses()
    document = Driver(toy, monkeypatch, fake)("toy.speed", budget_s=3)
    assert document.exit_code == 6
    assert fake.processes == 0
    (claim,) = (c for c in document.claims if c.claim.id == "toy.speed")
    assert "of the budget are left" in claim.reason
    assert any(line.startswith("Not timed: toy, busy@2") for line in document.plan)


def test_an_interruption_keeps_the_blocks_that_were_whole(
    toy: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy.slow(5)
    document = Driver(toy, monkeypatch, parts.FakeProcesses(interrupt_at=30))("toy.speed")
    assert (document.interrupted, document.exit_code) == (True, 130)
    (timing,) = document.timings
    measured = timing.measurement
    assert measured.interrupted
    assert len(measured.samples) + len(measured.aa_samples) == 7 * 4 * 5


def test_memory_and_correctness_fail_by_themselves(toy: Any, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toy.grow(8)
    drive = Driver(toy, monkeypatch, parts.FakeProcesses())
    (memory,) = (c for c in drive("toy.memory", deterministic=True).claims if c.claim.id == "toy.memory")
    assert (memory.verdict.value, memory.before, memory.after) == ("FAIL", 4096, 4104)
    toy.break_exact()
    (exact,) = (c for c in drive("toy.forgets").claims if c.claim.id == "toy.forgets")
    assert exact.verdict.value == "FAIL"
    assert "power/on-forgets-what-was-before" in exact.reason


def test_nothing_is_built_where_the_yardstick_is_not_accepted(toy: Any, home: Path) -> None:
    toy.set_threshold("toy.speed", 0.5)
    heard: list[list[str]] = []
    request = GateRequest(
        repository=toy.root,
        base="HEAD~1",
        head="HEAD",
        flags=GateFlags(profile="quick", budget_s=1, order_seed=1),
        command="nesproof gate HEAD~1",
    )
    with pytest.raises(YardstickChanged):
        run_gate(request, progress=Progress(), on_yardstick=heard.append)
    assert len(heard) == 1
    assert heard[0]


# --- Ctrl-C, as a person presses it


def test_ctrl_c_ends_with_one_hundred_and_thirty_and_leaves_nothing(toy: Any, home: Path, tmp_path: Path) -> None:
    toy.slow(5)
    running = subprocess.Popen(
        [*GATE, "HEAD~1", "--claim", "toy.speed", "--no-deterministic", "--allow-busy", "--out", str(tmp_path / "out")],
        cwd=toy.root,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stderr is not None
    heard = ""
    for line in running.stderr:
        heard += line
        if "begins" in line:  # the timing has
            break
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    _, rest = running.communicate(timeout=60)
    assert running.returncode == 130, heard + rest
    assert "Traceback" not in heard + rest
    document = kept(tmp_path / "out")
    assert document.interrupted
    assert nothing_left(home)
    assert list(tmp_path.glob("nesproof-*")) == []
