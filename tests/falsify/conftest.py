"""The small world of `tests/verify`, with a subject that has the fault that it is told of, and faults of its own."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

_spec = importlib.util.spec_from_file_location("small_world", Path(__file__).parents[1] / "verify" / "conftest.py")
assert _spec is not None
assert _spec.loader is not None
small_world = sys.modules["small_world"] = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(small_world)

world = small_world.world

ADAPTER = """
import json, os, time


class Adapter:
    name, version = "toy", "1.0"
    packages, build = [], None
    capabilities = ["peek", "ram", "power-on-fill", "timing", "digest", "draw:every"]

    def __init__(self, options):
        self.fault = options["fault"]
        self.counter = 0
        if self.fault == "does-not-start":
            os._exit(3)

    def load(self, rom):
        self.counter = 0

    def power_on(self, fill):
        self.counter = 0

    def step(self, buttons, players):
        self.counter += len(buttons) // players

    def digest(self):
        return "00"

    def read_ram(self):
        return bytes(2048)

    def peek(self, addresses):
        if self.fault == "dies":
            os._exit(9)
        if self.fault == "dawdles":
            time.sleep(600)
        wrong = {"adds-one": lambda a: a + 1, "high-bit-lost": lambda a: a & 0x7F}.get(self.fault, lambda a: a)
        return bytes(wrong(a) & 0xFF for a in addresses)


def make_adapter(options):
    return Adapter(options)
"""

TIMED_ADAPTER = """
def faulty(make):
    def make_adapter(options):
        if options["fault"] == "skips-frames-of-toy":
            options["counter_off"] -= 5
        return make(options)
    return make_adapter
"""

MADE_FAULTY = "\n\nmake_adapter = faulty(make_adapter)\n"

SUITE_TEST = """
import pytest


@pytest.mark.cases("do")
def test_peek(case, subject):
    address = case.settings["address"]
    assert subject.peek([address]).tolist() == [address], f"{address:02x} reads wrong"
"""

FAULTS = {
    "adds-one": "Whatever is read is one more.",
    "high-bit-lost": "Reads have no high bit.",
    "dies": "The process dies when it is read.",
    "does-not-start": "The process dies at once.",
    "dawdles": "Reading never ends.",
    "skips-frames-of-toy": "Five frames are not run.",
    "unseen": "Nothing that anybody looks at changes.",
}


class FaultyWorld(small_world.World):
    """Adds the subject `toy`, which takes faults, and suites whose case `case-n` reads address n."""

    @classmethod
    def in_folder(cls, folder: Path) -> FaultyWorld:
        """As the fixture `world`, where no fixture of one test's own will do."""
        (folder / "suites").mkdir()
        kept = {k: v for k, v in os.environ.items() if not k.startswith("NESPROOF_")}
        own = {"HOME": "home", "SUITE_PATH": "suites", "SUBJECT_FILE": "subjects.toml"}
        paths = {f"NESPROOF_{name}": str(folder / place) for name, place in own.items()}
        made = cls(folder, {**kept, **paths, "NESPROOF_OFFLINE": "1"})
        made.prepare()
        return made

    def prepare(self) -> None:
        (self.root / "toy.py").write_text(ADAPTER, encoding="utf-8")
        command = ["{python}", "{worker}", "./toy.py", json.dumps({"fault": "{fault}"})]
        with (self.root / "subjects.toml").open("a", encoding="utf-8") as file:
            file.write(f'[[subject]]\nname = "toy"\ncommand = {json.dumps(command)}\n')
        self.env["NESPROOF_FAULT_FILE"] = str(self.root / "faults.toml")
        self.set_faults()

    def set_faults(self, **changes: dict[str, Any]) -> None:
        """Write the faults file; `changes` are further fields of a fault, by its id with - as _."""
        lines = []
        for fault, sentence in FAULTS.items():
            lines += ["[[fault]]", f'id = "{fault}"', f'sentence = "{sentence}"', 'area = "cpu"', 'means = "adapter"']
            lines += [f"{k} = {v}" for k, v in changes.get(fault.replace("-", "_"), {}).items()]
        (self.root / "faults.toml").write_text("\n".join(lines), encoding="utf-8")

    def add_timed_toy(self, counter_off: int) -> None:
        """The subject `timed-toy`: that of `tests/verify`, with a counter of frames that a fault sets back."""
        (self.root / "timed_toy.py").write_text(TIMED_ADAPTER + small_world.ADAPTER + MADE_FAULTY, encoding="utf-8")
        options = {"name": "timed-toy", "frames_per_second": 1000, "counter_off": counter_off, "fault": "{fault}"}
        command = ["{python}", "{worker}", "./timed_toy.py", json.dumps(options)]
        with (self.root / "subjects.toml").open("a", encoding="utf-8") as file:
            file.write(f'[[subject]]\nname = "timed-toy"\ncommand = {json.dumps(command)}\n')

    def add_reading_suite(self, name: str, *addresses: int) -> None:
        self.add_suite(name, *({"kind": "do", "settings": {"address": address}} for address in addresses))
        (self.root / "suites" / name / f"test_{name}.py").write_text(SUITE_TEST, encoding="utf-8")

    def add_claim(self, claim_id: str, **fields: Any) -> None:
        super().add_claim(claim_id, **{"subject": "toy", **fields})

    def falsify(self, *more: str, **changes: Any) -> Any:
        return self.verify("--falsify", *more, **changes)

    def outcomes(self) -> dict[tuple[str, str], str]:
        trials = self.bundle().evidence.falsification
        assert trials is not None
        return {(pair.fault, pair.claim): pair.outcome for pair in trials.pairs}


@pytest.fixture
def faulty(world: Any) -> FaultyWorld:
    made = FaultyWorld(world.root, world.env)
    made.prepare()
    return made


@pytest.fixture(scope="session")
def tried(tmp_path_factory: pytest.TempPathFactory) -> tuple[FaultyWorld, Any]:
    """One run in which faults are killed, survive, crash, and are seen by a suite that should not see them."""
    made = FaultyWorld.in_folder(tmp_path_factory.mktemp("tried"))
    made.set_faults(
        adds_one={"shows_in": '{ reading = "case-1" }', "only_suite": '"reading"'},
        high_bit_lost={"shows_in": '{ reading = "x*" }', "only_suite": '"reading"'},
    )
    made.add_reading_suite("reading", 1, 200)
    made.add_reading_suite("low", 1)
    made.add_claim("fake.all", suite="reading", killed_by=["adds-one", "high-bit-lost", "dies"])
    made.add_claim("fake.first", suite="reading", cases="case-0", killed_by=["high-bit-lost"])
    made.add_claim("fake.low", suite="low", killed_by=["does-not-start"])
    made.add_claim("fake.unnamed", suite="low")
    return made, made.falsify("--sole")
