"""A small world of the tests' own: a subject that does as it is told, suites and claims, and the real command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.evidence.bundle import Bundle, open_bundle

MAIN = "from nesproof.harness.cli.app import main; main()"

ADAPTER = """
import os, sys, time
import random


class Adapter:
    version = "1.0"
    packages, build = [("fake-console", "1.0")], {"compiler": "fakecc", "compiler_version": "1", "flags": "-O2",
                                                    "build_type": "Release"}

    def __init__(self, options):
        self.name = options.get("name", "fake")
        self.options = options
        self.counter = 0
        self.capabilities = ["peek", "ram", "power-on-fill", "timing", "draw:every"]
        if options.get("gives_digest"):
            self.capabilities.append("digest")
        print("hello from", self.name, "in", os.getcwd(), flush=True)
        if options.get("start") == "die":
            os._exit(3)
        if options.get("start") == "hang":
            time.sleep(600)
        if options.get("start") == "garbage":
            for fd in range(3, 20):
                try:
                    os.write(fd, b"\\xff" * 64)
                except OSError:
                    pass
            time.sleep(600)

    def load(self, rom):
        self.counter = 0

    def power_on(self, fill):
        self.counter = 0

    def step(self, buttons, players):
        self.counter += len(buttons) // players

    def digest(self):
        return self.options.get("digest", f"{self.counter:016x}")

    def read_ram(self):
        ram = bytearray(2048)
        # At 0 for workloads of the tests' own, at $10 for the house ROM's.
        ram[0:2] = ram[0x10:0x12] = (self.counter + self.options.get("counter_off", 0)).to_bytes(2, "little")
        if self.options.get("chance"):
            ram[5] = random.randrange(256)
        return bytes(ram)

    def peek(self, addresses):
        what = self.options.get("peek")
        if what is not None:
            print(self.name, "says its last words", flush=True)
        if what == "die":
            os._exit(3)
        if what == "hang":
            time.sleep(600)
        if what == "garbage":
            return b"\\xff" * 17
        return bytes(a & 0xFF for a in addresses)

    def time_run(self, rom, buttons, warmup_frames, frames, draw):
        if self.options.get("timing") == "die":
            os._exit(9)
        time.sleep(self.options.get("takes_s", 0))
        self.counter = len(buttons)
        jitter = 1 + random.random() * 0.001
        return int(frames * 1e9 / self.options["frames_per_second"] * jitter)


def make_adapter(options):
    return Adapter(options)
"""

SUITE_TEST = """
import os, time
import numpy as np
import pytest


@pytest.mark.cases("do")
def test_do(case, subject, record):
    what = case.settings["what"]
    print("in", os.getcwd(), "home", os.environ.get("HOME"), "user", os.environ.get("USER"))
    assert subject.peek([1]).tolist() == [1]
    if what == "pass":
        record.frame(np.full((240, 256, 3), 90, dtype=np.uint8))
    elif what == "fail":
        pytest.fail(f"it says no, in {os.getcwd()}", pytrace=False)
    elif what == "slow":
        time.sleep(1.0)
    elif what == "hang":
        time.sleep(600)
    elif what == "die":
        os._exit(7)
    elif what == "say-secrets":
        import getpass, socket
        # What a careless peer prints: the canary test looks for each of these words.
        print(os.environ.get("CANARY_WORDS"), socket.gethostname(), getpass.getuser())
        pytest.fail(f"words: {os.environ.get('CANARY_WORDS')}", pytrace=False)


@pytest.mark.cases("be-there")
def test_be_there(case, subject):
    assert subject.version


@pytest.mark.cases("with-rom")
def test_with_rom(case, roms, subject):
    pass
"""


@dataclass
class World:
    """Folders of one test; `run` is the command in a process of its own."""

    root: Path
    env: dict[str, str]
    claims: list[str] = field(default_factory=list)

    @property
    def out(self) -> Path:
        return self.root / "out"

    def add_subject(self, name: str, **options: Any) -> None:
        """A subject that does as its options say."""
        (self.root / "adapter.py").write_text(ADAPTER, encoding="utf-8")
        with (self.root / "subjects.toml").open("a", encoding="utf-8") as file:
            options = {"name": name, "frames_per_second": 1000, **options}
            command = ["{python}", "{worker}", "./adapter.py", json.dumps(options)]
            file.write(f'[[subject]]\nname = "{name}"\ncommand = {json.dumps(command)}\n')

    def add_suite(self, name: str, *cases: dict[str, Any] | str) -> None:
        """A suite whose cases do the named things; a table is taken as it is."""
        folder = self.root / "suites" / name
        folder.mkdir(parents=True)
        lines = [
            f'name = "{name}"',
            f'title = "The suite {name}"',
            'oracle = "The test that wrote it."',
            'capabilities = ["peek"]',
        ]
        for number, case in enumerate(cases):
            table = {"kind": "do", "settings": {"what": case}} if isinstance(case, str) else dict(case)
            settings = table.pop("settings", {})
            lines += ["[[case]]", f'id = "case-{number}"', *(f"{k} = {json.dumps(v)}" for k, v in table.items())]
            lines += ["[case.settings]", *(f"{k} = {json.dumps(v)}" for k, v in settings.items())]
        (folder / "suite.toml").write_text("\n".join(lines), encoding="utf-8")
        (folder / f"test_{name}.py").write_text(textwrap.dedent(SUITE_TEST), encoding="utf-8")

    def add_claim(self, claim_id: str, **fields: Any) -> None:
        """A claim; exact on the subject `fake` unless the fields say otherwise."""
        table = {
            "id": claim_id,
            "sentence": f"The promise {claim_id} is kept.",
            "kind": "exact",
            "subject": "fake",
            "breaks_when": "The test breaks it on purpose.",
            **fields,
        }
        self.claims.append("[[claim]]\n" + "\n".join(f"{k} = {json.dumps(v)}" for k, v in table.items()))
        (self.root / "claims.toml").write_text("\n\n".join(self.claims), encoding="utf-8")

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-c", MAIN, *arguments]

    def verify_arguments(self, *more: str) -> list[str]:
        claims = ["--claims", str(self.root / "claims.toml")] if self.claims else []
        return ["verify", *claims, "--claim", "fake.*", "--out", str(self.out), "--jobs", "1", *more]

    def run(self, *arguments: str, timeout_s: float = 120, **changes: Any) -> subprocess.CompletedProcess[str]:
        """Run `nesproof` with these arguments."""
        return subprocess.run(
            self.command(*arguments),
            env={**self.env, **changes.pop("env", {})},
            cwd=changes.pop("cwd", self.root),
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
            **changes,
        )

    def verify(self, *more: str, **changes: Any) -> subprocess.CompletedProcess[str]:
        """Run `nesproof verify` on the claims `fake.*`."""
        return self.run(*self.verify_arguments(*more), **changes)

    def bundle(self) -> Bundle:
        """The one bundle in the folder, opened and checked."""
        folders = list(self.out.iterdir())
        assert len(folders) == 1, folders
        return open_bundle(folders[0])

    def verdicts(self) -> dict[str, str]:
        """Verdicts of the selected claims by id."""
        return {r.claim.id: r.verdict.value for r in self.bundle().evidence.claims if r.selected}


def world_in(folder: Path) -> World:
    root = folder / "world"
    root.mkdir()
    (root / "suites").mkdir()
    env = {
        **{k: v for k, v in os.environ.items() if not k.startswith("NESPROOF_")},
        "NESPROOF_HOME": str(root / "home"),
        "NESPROOF_OFFLINE": "1",
        "NESPROOF_SUITE_PATH": str(root / "suites"),
        "NESPROOF_SUBJECT_FILE": str(root / "subjects.toml"),
    }
    made = World(root, env)
    made.add_subject("fake")
    return made


@pytest.fixture
def world(tmp_path: Path) -> World:
    return world_in(tmp_path)


@pytest.fixture(scope="module")
def shared_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """One for all tests of a module, which must leave it as it is."""
    return world_in(tmp_path_factory.mktemp("shared"))
