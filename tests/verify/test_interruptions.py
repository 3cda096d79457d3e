"""Ctrl-C, SIGTERM, a second Ctrl-C: what was measured is kept, the rest reads NOT_MEASURED, nothing is half-written."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from typing import Any

import psutil
import pytest

from nesproof.harness.judge import contradictions


def start(world: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        world.command(*world.verify_arguments()),
        env=world.env,
        cwd=world.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(what: Callable[[], bool], *, limit_s: float = 60) -> None:
    deadline = time.monotonic() + limit_s
    while not what():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def read_until(process: subprocess.Popen[str], text: str) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        if text in line:
            return
    raise AssertionError(f"{text!r} was never said")


@pytest.fixture
def half_way(world: Any) -> Any:
    """One claim that is measured soon, one that hangs, one that never gets its turn."""
    world.add_suite("a_good", "pass")
    world.add_suite("b_hangs", "pass", "hang")
    world.add_suite("c_later", "pass")
    world.add_claim("fake.a", suite="a_good")
    world.add_claim("fake.b", suite="b_hangs")
    world.add_claim("fake.c", suite="c_later")
    return world


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_was_measured_is_kept(half_way: Any, kind: signal.Signals, gone: Callable[..., bool]) -> None:
    process = start(half_way)
    read_until(process, "b_hangs on fake: 2 to go")
    children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(kind)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert half_way.verdicts() == {"fake.a": "PASS", "fake.b": "NOT_MEASURED", "fake.c": "NOT_MEASURED"}
    evidence = half_way.bundle().evidence
    assert evidence.interrupted
    assert evidence.exit_code == 130
    assert contradictions(evidence) == []
    assert gone(*children, within_s=60)


def test_a_second_ctrl_c_leaves_at_once_and_leaves_nothing_behind(half_way: Any) -> None:
    process = start(half_way)
    read_until(process, "b_hangs on fake: 2 to go")
    process.send_signal(signal.SIGINT)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    started = time.monotonic()
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert time.monotonic() - started < 10
    assert not [p for p in half_way.out.iterdir() if not p.name.startswith(".partial-")] or half_way.bundle()


def test_interrupted_before_anything_was_measured(half_way: Any) -> None:
    process = start(half_way)
    read_until(process, "Looking for what the claims need")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert set(half_way.verdicts().values()) <= {"NOT_MEASURED", "PASS"}


def test_kill_minus_nine_leaves_no_evidence_and_the_next_run_cleans_up(half_way: Any) -> None:
    leftover = half_way.out / ".partial-999999999-dead"
    leftover.mkdir(parents=True)
    (leftover / "evidence.json").write_text("{")
    os.utime(leftover, (0, 0))
    temporary = half_way.root / "tmp"
    temporary.mkdir()
    half_way.env["TMPDIR"] = str(temporary)
    process = start(half_way)
    read_until(process, "b_hangs on fake: 2 to go")
    process.kill()
    process.communicate(timeout=60)
    assert list(half_way.out.iterdir()) == []
    left = list(temporary.iterdir())
    assert left, "nothing was left behind: this test tests nothing"
    arguments = ["--claims", str(half_way.root / "claims.toml"), "--claim", "fake.a", "--out", str(half_way.out)]
    assert half_way.run("verify", *arguments).returncode == 0
    assert not [p for p in left if p.name.startswith("nesproof-run-") and p.exists()]
