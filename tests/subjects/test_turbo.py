"""env-supermariobrosnes-turbo-emu as a subject. It runs one file alone, which no test has: the adapter is tried on a
stand-in for the package, and the real one, where it is installed, on refusing everything else."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.subjects.errors import SubjectRefused
from nesproof.harness.subjects.registry import find_subject
from nesproof.harness.subjects.status import subject_status
from nesproof.harness.subjects.worker import load_adapter

NAME = "env-supermariobrosnes-turbo-emu"
A, B, START, RIGHT = 0x01, 0x02, 0x08, 0x80
ITS_ROM = b"stands for the one file that it runs"
OTHER_ROM = b"NES\x1a" + bytes(28)


# --- The adapter alone -----------------------------------------------------------------------------------------------


@pytest.fixture
def adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "fakes"))
    import turbo_stand_in

    monkeypatch.setitem(sys.modules, "env_supermariobrosnes_turbo_emu", turbo_stand_in)
    monkeypatch.setattr("importlib.metadata.version", lambda name: "0.7.4")
    made = load_adapter(str(files("nesproof.harness.subjects") / "turbo_adapter.py"), {})
    monkeypatch.setitem(type(made).load.__globals__, "ROM_SHA256", hashlib.sha256(ITS_ROM).hexdigest())
    return made


def test_every_other_file_is_refused_by_name_of_the_one(adapter: Any) -> None:
    wanted = hashlib.sha256(ITS_ROM).hexdigest()
    for operation in (adapter.load, lambda rom: adapter.batch_open(rom, 2, None, True)):
        with pytest.raises(ValueError, match=f"one file alone.*{wanted}"):
            operation(OTHER_ROM)
    with pytest.raises(ValueError, match="one file alone"):
        adapter.time_run(OTHER_ROM, bytes(20), 10, 10, "every")
    with pytest.raises(ValueError, match="no cartridge is loaded"):
        adapter.read_ram()


def test_buttons_are_those_of_its_nine(adapter: Any) -> None:
    adapter.load(ITS_ROM)
    adapter.step(bytes([B | START | RIGHT]), 1)
    assert adapter.read_ram()[:3] == bytes([1, 0b1000_1001, 0])
    adapter.step(bytes([A]), 1)
    assert adapter.read_ram()[:3] == bytes([2, 0, 1])
    with pytest.raises(NotImplementedError, match="second controller"):
        adapter.step(bytes(2), 2)


def test_the_picture_stands_in_a_black_border(adapter: Any) -> None:
    adapter.load(ITS_ROM)
    adapter.step(bytes(7), 1)
    rows = adapter.read_frame()
    assert len(rows) == 240 * 256 * 3
    assert rows.count(7) == 224 * 240 * 3
    assert rows[: 8 * 256 * 3] == bytes(8 * 256 * 3)
    assert rows[(8 * 256 + 8) * 3] == 7


def test_a_power_on_is_cold_and_a_state_brings_back(adapter: Any) -> None:
    adapter.load(ITS_ROM)
    adapter.step(bytes(5), 1)
    state = adapter.save_state()
    adapter.power_on(0)
    assert adapter.read_ram()[0] == 0
    adapter.load_state(state)
    assert adapter.read_ram()[0] == 5
    with pytest.raises(ValueError, match="snapshot"):
        adapter.load_state(b"no state")


def test_lanes_go_their_own_ways(adapter: Any) -> None:
    opened = adapter.batch_open(ITS_ROM, 3, 1, True)
    assert opened["threads"] == 1
    adapter.batch_step(bytes([RIGHT, RIGHT, 0, 0, START, START]), 2, 1, "none")
    assert [adapter.batch_read_ram([lane])[1] for lane in range(3)] == [0x80, 0x00, 0x08]
    adapter.batch_permute([2, 0, 1])
    assert [adapter.batch_read_ram([lane])[1] for lane in range(3)] == [0x08, 0x80, 0x00]
    adapter.batch_load_states(adapter.batch_save_states([0]), [2])
    assert adapter.batch_read_ram([2])[1] == 0x08
    adapter.batch_power_on(0, [1])
    assert [adapter.batch_read_ram([lane])[0] for lane in range(3)] == [2, 0, 2]
    assert adapter.lanes == 3


def test_each_timed_run_begins_where_the_first_did(adapter: Any) -> None:
    buttons = bytes(20) + bytes([RIGHT]) * 12
    wanted = {"values": [[0, 25]], "limit_frames": 50}
    for draw, skip in (("every", 1), ("last-of-4", 4)):
        for _ in range(2):
            assert adapter.time_run(ITS_ROM, buttons, 20, 12, draw, wait_for=wanted, frame_skip=skip) > 0
            assert adapter.batch_read_ram([0])[:2] == bytes([37, 0x80])
            assert adapter.drawn_frames([0])[0].count(37) == 224 * 240 * 3
    with pytest.raises(NotImplementedError):
        adapter.time_run(ITS_ROM, buttons, 20, 12, "none")


def test_buttons_that_change_within_a_call_are_refused(adapter: Any) -> None:
    with pytest.raises(ValueError, match="change within a call of 4"):
        adapter.time_run(ITS_ROM, bytes([0, 0, 0, 0, RIGHT, 0, 0, 0]), 0, 8, "last-of-4", frame_skip=4)


# --- The real one ----------------------------------------------------------------------------------------------------

needs_turbo = pytest.mark.skipif(
    not subject_status(NAME).available,
    reason=f"{NAME} is not installed; `nesproof subjects install {NAME}` installs it",
)


@pytest.fixture(scope="module")
def opened() -> Iterator[Subject]:
    with open_subject(NAME) as subject:
        yield subject


@needs_turbo
def test_it_is_the_pinned_version_and_refuses_other_programs(opened: Subject, rom: bytes) -> None:
    assert opened.version == "0.7.4"
    assert opened.capabilities == set(find_subject(NAME).capabilities)
    with pytest.raises(SubjectRefused, match=r"one file alone, Super Mario Bros\. with SHA-256 f61548fd"):
        opened.load(rom)
    with pytest.raises(SubjectRefused, match="one file alone"):
        opened.open_batch(rom, lanes=2)


@needs_turbo
def test_what_the_stand_in_stands_for_is_there(tmp_path: Path) -> None:
    """The package's own face has every name and argument that the adapter uses."""
    import ast
    import subprocess

    from nesproof.harness.subjects.environments import installed_python

    python = installed_python(find_subject(NAME))
    stand_in = ast.parse((Path(__file__).parent / "fakes" / "turbo_stand_in.py").read_text(encoding="utf-8"))
    env = next(n for n in stand_in.body if isinstance(n, ast.ClassDef) and n.name.startswith("Env"))
    methods = {
        n.name: [a.arg for a in n.args.args + n.args.kwonlyargs] for n in env.body if isinstance(n, ast.FunctionDef)
    }
    wanted = {name: arguments for name, arguments in methods.items() if name == "__init__" or not name.startswith("_")}
    program = (
        "import inspect, json, sys\n"
        "import env_supermariobrosnes_turbo_emu as turbo\n"
        "turbo.State.NONE, turbo.Actions.ALL\n"
        f"for name, arguments in {wanted!r}.items():\n"
        "    method = getattr(turbo.EnvSuperMarioBrosNesTurboEmuVecEnv, name)\n"
        "    missing = set(arguments) - set(inspect.signature(method).parameters)\n"
        "    assert not missing, (name, missing)\n"
    )
    run = subprocess.run([str(python), "-I", "-c", program], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert run.returncode == 0, run.stderr
