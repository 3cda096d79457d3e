"""Small consoles of the tests' own, that play alike or differ as they are told, and the real command on them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.evidence.bundle import Bundle, open_bundle
from nesproof.harness.evidence.model import Load, RatioMeasurement, RunRecord, Sample
from nesproof.harness.judge.order import BLOCK_REPLICATES, block_order

MAIN = "from nesproof.harness.cli.app import main; main()"
QUIET = Load(load_average_1min=0.0, other_cpu_share=0.0, steal_share=0.0, waited_s=0, busy=False)

ADAPTER = '''
"""A console whose game counts its frames at $10 and adds up the buttons that it saw at $20; it shows four squares."""

import os, random, time


class Adapter:
    version = "1.0"
    packages, build = [], None

    def __init__(self, options):
        self.name = options["name"]
        self.options = options
        self.capabilities = ["ram", "timing", "draw:every", *options.get("capabilities", ["frame"])]
        self.power_on(0)

    def load(self, rom):
        self.power_on(0)

    def power_on(self, fill):
        self.ram = bytearray(2048)
        self.ram[0x700] = self.options.get("left_by_power_on", 0)
        self.ram[0x10:0x12] = (self.options.get("counts_from", 0) & 0xFFFF).to_bytes(2, "little")
        self.steps = 0
        for _ in range(self.options.get("ahead", 0)):
            self.tick(0)

    def tick(self, buttons):
        ram = self.ram
        ram[0x10:0x12] = (int.from_bytes(ram[0x10:0x12], "little") + 1 & 0xFFFF).to_bytes(2, "little")
        ram[0x20] = (ram[0x20] + buttons) & 0xFF
        ram[0x1F0] = ram[0x20] if self.options.get("stack", True) else 0

    def step(self, buttons, players):
        for button in buttons:
            self.steps += 1
            if self.steps == self.options.get("dies_at"):
                print("the last words of", self.name, flush=True)
                os._exit(3)
            if self.steps % self.options.get("skips", 1 << 30) == 0:
                continue
            self.tick(button)
        if self.steps >= self.options.get("differs_at", 1 << 30):
            self.ram[0x300] = 1
        if self.options.get("chance"):
            self.ram[0x301] = random.randrange(256)

    def read_ram(self):
        return bytes(self.ram)

    def read_frame_indices(self):
        moved = int.from_bytes(self.ram[0x10:0x12], "little") + self.options.get("picture_ahead", 0)
        rows = [bytes((x + moved) // 16 % 4 + 1 for x in range(256))]
        for turn in range(1, 4):
            rows.append(bytes(n % 4 + 1 for n in rows[-1]))
        picture = bytearray(b"".join(rows[y // 16 % 4] for y in range(240)))
        for bit in range(16):  # no two frames of a game show the same
            picture[120 * 256 + 120 + bit] = 1 + (moved >> bit & 1)
        edge = self.options.get("edge", 0)
        for y in range(240 if edge else 0):
            outside = 256 if y < edge or y >= 240 - edge else edge
            picture[256 * y : 256 * y + outside] = picture[256 * (y + 1) - outside : 256 * (y + 1)] = bytes(outside)
        if self.steps >= self.options.get("picture_differs_at", 1 << 30):
            picture[256 * 100 + 50] = 9
        return bytes(picture)

    def read_frame(self):
        if self.options.get("blank"):
            return bytes(240 * 256 * 3)
        indices, turn = self.read_frame_indices(), self.options.get("colours", 0)
        picture = bytearray(len(indices) * 3)
        picture[0::3] = indices.translate(bytes((n * 40 + turn) & 0xFF for n in range(256)))
        picture[1::3] = indices.translate(bytes(n * 9 & 0xFF for n in range(256)))
        picture[2::3] = indices.translate(bytes(255 - n for n in range(256)))
        return bytes(picture)

    def time_run(self, rom, buttons, warmup_frames, frames, draw):
        if self.options.get("timing") == "die":
            os._exit(9)
        self.power_on(0)
        self.step(buttons, 1)
        return int(frames * 1e9 / self.options.get("frames_per_second", 1000) * (1 + random.random() * 0.001))


def make_adapter(options):
    return Adapter(options)
'''


@dataclass
class World:
    """A folder with subjects; `run` is the command in a process of its own."""

    root: Path
    env: dict[str, str]

    @property
    def out(self) -> Path:
        return self.root / "out"

    def add(self, name: str, **options: Any) -> None:
        """A subject that does as its options say."""
        (self.root / "adapter.py").write_text(ADAPTER, encoding="utf-8")
        command = ["{python}", "{worker}", "./adapter.py", json.dumps({"name": name, **options})]
        self.add_table({"name": name, "command": command})

    def add_table(self, table: dict[str, Any]) -> None:
        """Any table of a subject file."""
        with (self.root / "subjects.toml").open("a", encoding="utf-8") as file:
            file.write("[[subject]]\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in table.items()))

    def run(self, *arguments: str, timeout_s: float = 120) -> subprocess.CompletedProcess[str]:
        """`nesproof` with these arguments."""
        return subprocess.run(
            [sys.executable, "-c", MAIN, *arguments],
            env=self.env,
            cwd=self.root,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )

    def compare(self, *arguments: str, workload: str = "busy") -> subprocess.CompletedProcess[str]:
        """`nesproof compare` with the bundle in `out`; a workload of a house ROM."""
        return self.run("compare", *arguments, "--workload", workload, "--out", str(self.out))

    def bundle(self) -> Bundle:
        """The one bundle in the folder, opened and checked."""
        (folder,) = self.out.iterdir()
        return open_bundle(folder)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    (tmp_path / "subjects.toml").write_text("", encoding="utf-8")
    changes = {
        "NESPROOF_HOME": str(tmp_path / "home"),
        "NESPROOF_SUBJECT_FILE": str(tmp_path / "subjects.toml"),
        "COLUMNS": "200",
        "TERM": "dumb",
    }
    for name, value in changes.items():
        monkeypatch.setenv(name, value)
    return World(tmp_path, {**os.environ, **changes})


@pytest.fixture(scope="session")
def make_timed() -> Any:
    return timed


def timed(
    blocks: int,
    *,
    ratio: float = 2.0,
    noise: float = 0.0,
    frames: int = 100,
    seed: int = 7,
    ends: dict[str, dict[str, Any]] | None = None,
    expected: Any,
    **fields: Any,
) -> RatioMeasurement:
    """A measurement of so many blocks: the candidate `ratio` times as fast, each block off by up to `noise`."""
    samples = []
    for block in range(blocks):
        wobble = noise * ((block * 7) % 11 - 5) / 5
        for position in range(BLOCK_REPLICATES):
            side = block_order(seed, block)[position]
            speed = 500 * (ratio * (1 + wobble) if side == "candidate" else 1.0)
            for run in range(5):
                elapsed = round(frames * 1e9 / speed) + 1009 * (block * 20 + position * 5 + run)
                end = {"digest": None, "ram_sha256": "b" * 64, "frame_counter": 100, **(ends or {}).get(side, {})}
                samples.append(
                    Sample(side=side, block=block, position=position, run=run, elapsed_ns=elapsed, frames=frames, **end)
                )
    given: dict[str, Any] = {
        "workload": "play@1",
        "candidate": "mine",
        "baseline": "theirs",
        "candidate_run": RunRecord(),
        "baseline_run": RunRecord(),
        "order_seed": seed,
        "comparisons": 1,
        "expected": expected,
        "load": QUIET,
        "samples": tuple(samples),
    }
    return RatioMeasurement(**{**given, **fields})
