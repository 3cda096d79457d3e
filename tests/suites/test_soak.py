"""A long run: compared every so many frames, no state loaded on the way, and neither process may grow."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from nesproof.harness.suite_run import SuiteCase
from nesproof.harness.suite_run.recorder import Recorder
from nesproof.suites.parity.process_memory import ProcessMemory

FRAMES, EVERY = 40, 10
CASE = SuiteCase(
    id="reference/soak/boards/mine",
    roms=("mine",),
    settings={"frames": FRAMES, "every_frames": EVERY, "most_growth_bytes": 100},
)


class Console:
    """A console that counts its frames; `strays_at` is the frame from which on it is another."""

    capabilities = frozenset({"digest"})
    guard_pid = os.getpid()

    def __init__(self, name: str, *, strays_at: int = 1000) -> None:
        self.name = name
        self.strays_at = strays_at
        self.frames = 0

    def load(self, rom: bytes) -> None:
        pass

    def power_on(self) -> None:
        self.frames = 0

    def step(self, buttons: Any) -> None:
        self.frames += len(buttons)

    def save_state(self) -> bytes:
        return b""

    def load_state(self, _state: bytes) -> None:
        raise AssertionError("a state was loaded on the way")

    def digest(self) -> str:
        return f"{self.frames}{'!' if self.frames > self.strays_at else ''}"

    def read_frame_indices(self) -> Any:
        return np.full((240, 256), self.frames & 63, np.uint8)

    def read_frame(self) -> Any:
        return np.zeros((240, 256, 3), np.uint8)


@pytest.fixture
def parity(pytestconfig: pytest.Config) -> Any:
    """The suite's tests, which carry the marker of the plugin that they run under."""
    pytestconfig.addinivalue_line("markers", "cases(kind, ...): the kinds of case that a function tests")
    return importlib.import_module("nesproof.suites.parity.test_parity")


@pytest.fixture
def growths(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[int]]:
    """By how much each process is said to have grown at each comparison."""
    told: dict[str, list[int]] = {"core": [0, 1, 2, 3], "reference": [0, -5, 100, 100]}
    calls: dict[str, Iterator[int]] = {}

    def growth_bytes(self: ProcessMemory) -> int:
        return next(calls.setdefault(self.name, iter(told[self.name])))

    monkeypatch.setattr(ProcessMemory, "growth_bytes", growth_bytes)
    return told


def soak(parity: Any, one: Console, other: Console) -> Recorder:
    record = Recorder(None, "mine.png")
    parity.test_both_go_on_alike_for_long(CASE, one, other, {"mine": b""}, record)
    return record


def test_it_goes_to_the_end(parity: Any, growths: dict[str, list[int]]) -> None:
    record = soak(parity, Console("core"), Console("reference"))
    assert record.details == {
        "against": "reference", "frames_compared": FRAMES, "growth_bytes_core": 3, "growth_bytes_reference": 100,
    }  # fmt: skip


def test_a_process_that_grows_fails(parity: Any, growths: dict[str, list[int]]) -> None:
    growths["core"][2] = 101
    with pytest.raises(pytest.fail.Exception, match="core has grown by 101 bytes by frame 30"):
        soak(parity, Console("core"), Console("reference"))


def test_drift_fails_before_the_end(
    parity: Any, growths: dict[str, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Any] = []

    def fail(*args: Any) -> None:
        found.append(args)
        raise pytest.fail.Exception("they part")

    monkeypatch.setattr(parity, "_fail_after_long", fail)
    with pytest.raises(pytest.fail.Exception, match="they part"):
        soak(parity, Console("core", strays_at=25), Console("reference"))
    assert found[0][3] == 20, "the stretch in which they part begins there"


def test_the_memory_of_a_process_is_that_of_its_children() -> None:
    program = (
        "import sys; held = []; print('ready', flush=True)\n"
        "for _ in sys.stdin: held.append(bytearray(b'x') * (32 << 20)); print('grown', flush=True)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdout.readline()
        memory = ProcessMemory(Console("mine"))  # type: ignore[arg-type]
        assert memory.growth_bytes() == 0
        child.stdin.write(b"\n")
        child.stdin.flush()
        child.stdout.readline()
        assert memory.growth_bytes() > 30 << 20
        child.stdin.close()
