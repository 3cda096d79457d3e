"""A small project under git for tests of the gate: a toy console in C that builds in a tenth of a second, its claims,
and commits that change it in known ways.

Other test folders load this file by its path: `importlib.util.spec_from_file_location`.
"""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

TOY = Path(__file__).parent / "toy"
FIXED_DATE = "2026-01-02T03:04:05Z"
WORKLOAD = "busy@2"


def git(folder: Path, *arguments: str, **environment: str) -> str:
    """What git says, in an environment of its own."""
    who = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in (
        ("NAME", "Toy Maker"), ("EMAIL", "toy@example.org"), ("DATE", FIXED_DATE))}  # fmt: skip
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    env = {
        **kept,
        **who,
        "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        **environment,
    }
    ended = subprocess.run(["git", "-C", str(folder), *arguments], env=env, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


@dataclass(frozen=True)
class Synthetic:
    """A clone of the toy's project at `root`. Each method that changes something commits it and returns the hash."""

    root: Path

    def git(self, *arguments: str) -> str:
        """Git in the project."""
        return git(self.root, *arguments)

    @property
    def head(self) -> str:
        """The hash of HEAD."""
        return self.git("rev-parse", "HEAD")

    def commit(self, message: str, files: dict[str, str]) -> str:
        """Write these files and commit them."""
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.head

    def edited(self, name: str, pattern: str, replacement: str) -> dict[str, str]:
        """The file with the first match of the pattern replaced; there must be one."""
        text, count = re.subn(pattern, replacement, (self.root / name).read_text(encoding="utf-8"), count=1)
        assert count == 1, (name, pattern)
        return {name: text}

    def change_comment(self, words: str = "another remark") -> str:
        """Nothing that matters changes."""
        text = (self.root / "toy.c").read_text(encoding="utf-8")
        return self.commit("Say it in other words", {"toy.c": f"{text}/* {words} */\n"})

    def break_build(self) -> str:
        """It does not compile any more: the compiler says `this_is_not_c`."""
        text = (self.root / "toy.c").read_text(encoding="utf-8")
        return self.commit("Break the build", {"toy.c": f"this_is_not_c\n{text}"})

    def mend_build(self) -> str:
        """Undo `break_build`."""
        return self.commit("Mend the build", self.edited("toy.c", r"this_is_not_c\n", ""))

    def break_exact(self) -> str:
        """`toy.forgets` fails from here on."""
        return self.commit("Remember more", self.edited("toy.c", r"    state\.mix = 1;.*\n", ""))

    def slow(self, percent: float) -> str:
        """A frame takes so many percent more instructions, and says that it takes so much longer; negative: less."""
        settings = (self.root / "settings.h").read_text(encoding="utf-8")

        def scaled(found: re.Match[str]) -> str:
            return f"{found[1]} {round(int(found[2]) * (1 + percent / 100))}"

        text = re.sub(r"(WORK|NS_PER_FRAME) (\d+)", scaled, settings)
        return self.commit(f"Take {percent:g} % longer", {"settings.h": text})

    def grow(self, by_bytes: int) -> str:
        """A console takes more bytes."""
        found = re.search(r"STATE_BYTES (\d+)", (self.root / "settings.h").read_text(encoding="utf-8"))
        assert found is not None
        grown = int(found[1]) + by_bytes
        return self.commit("Grow", self.edited("settings.h", r"STATE_BYTES \d+", f"STATE_BYTES {grown}"))

    def set_threshold(self, claim: str, value: float) -> str:
        """Another threshold for that claim."""
        pattern = rf'(id = "{re.escape(claim)}"\n(?:.*\n)*?at_(?:least|most) = )[0-9.]+'
        return self.commit("Move a threshold", self.edited("claims.toml", pattern, rf"\g<1>{value}"))


def make_synthetic(root: Path, *, digest: str, ram: bytes) -> Synthetic:
    """The project with one commit on the branch `main`. `digest` and `ram` say where the reference stands at the end of
    the workload's window: the toy plays no NES, and is told what a timed run must end in.
    """
    shutil.copytree(TOY, root)
    subjects = root / "subjects.toml"
    told = base64.b64encode(zlib.compress(ram)).decode("ascii")
    text = subjects.read_text(encoding="utf-8").replace("@DIGEST@", digest).replace("@RAM@", told)
    subjects.write_text(text, encoding="utf-8")
    git(root, "init", "--quiet", "--initial-branch=main")
    project = Synthetic(root)
    project.commit("Make the toy", {})
    return project


def make_for_reference(root: Path) -> Synthetic:
    """`make_synthetic` with what the installed reference console says."""
    from nesproof.harness.subjects.client import open_subject
    from nesproof.harness.workloads import load_workload
    from nesproof.roms_manifest import Resolver

    workload = load_workload(WORKLOAD)
    with open_subject("reference") as subject:
        subject.load(Resolver().read(workload.rom))
        subject.power_on()
        subject.step(np.frombuffer(workload.input_stream(), np.uint8))
        return make_synthetic(root, digest=subject.digest(), ram=subject.read_ram().tobytes())


def copied(project: Synthetic, root: Path) -> Synthetic:
    """A copy to work in."""
    shutil.copytree(project.root, root)
    return Synthetic(root)
