"""Which subjects there are, and what a file that defines one may hold."""

from __future__ import annotations

import ast
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.subjects.client import open_subject
from nesproof.harness.subjects.registry import find_subject, subject_definitions, subject_names
from nesproof.harness.subjects.status import require_command, subject_status
from nesproof.harness.subjects.worker import load_adapter


def test_the_shipped_subjects(own_home: Path) -> None:
    known = subject_definitions()
    assert list(known)[:5] == ["reference", "core", "core-hostsim", "core-cuda", "judge"]
    assert {"nes-py", "nes-py-9", "nes-py-cores", "gym-super-mario-bros"} <= set(list(known)[5:])
    assert all(d.is_ours and d.capabilities and d.draws for d in known.values())
    assert all(d.environment == "venv" and d.cannot for d in list(known.values())[5:])


def test_an_unknown_subject_lists_those_there_are(own_home: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"reference, core, .*nes-py") as fault:
        open_subject("fceux")
    assert fault.value.exit_code == 2


def test_what_is_not_installed_says_how(own_home: Path) -> None:
    status = subject_status("nes-py")
    assert not status.available
    assert status.remedy == "nesproof subjects install nes-py"


def test_a_file_in_the_data_folder_adds_subjects(own_home: Path) -> None:
    own_home.mkdir()
    (own_home / "subjects.toml").write_text('[[subject]]\nname = "mine"\ncommand = ["true"]\n', encoding="utf-8")
    assert subject_names()[-1] == "mine"
    assert subject_names().index("nes-py") == 5


def test_paths_in_a_command_are_relative_to_the_file(add_subject: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "emulator").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "emulator").chmod(0o755)
    command = require_command(add_subject("mine", ["./emulator", "{worker}", "../x", "plain/./y"]))
    assert command.argv[0] == str(tmp_path / "emulator")
    assert command.argv[1].endswith("worker.py")
    assert command.argv[2:] == (str(tmp_path / "../x"), "plain/./y")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[subject", "not TOML"),
        ('[[subject]]\nname = "x"', "exactly one of adapter and command"),
        ('[[subject]]\nname = "x"\ncommand = []', "command is empty"),
        ('[[subject]]\nname = "../x"\ncommand = ["true"]', "name"),
        ('[[subject]]\nname = "x"\ncommand = ["true"]\nspeed = 3', "speed"),
        ('[[subject]]\nname = "x"\ncommand = "true"', "command"),
        ('[[subject]]\nname = "x"\ncommand = ["true"]\ncapabilities = ["telepathy"]', "telepathy"),
        ('[[subject]]\nname = "reference"\ncommand = ["true"]', "already a subject"),
        ('[[subject]]\nname = "all"\ncommand = ["true"]', "stands for every subject"),
        ('[[subject]]\nname = "x"\nadapter = "a.py"\nenvironment = "own"', "started by a command"),
        ("[subjects]", "subjects"),
        ("subject = " + "[" * 5_000 + "]" * 5_000, "not TOML"),
        ("subject = " + "9" * 5_000, "not TOML"),
    ],
)
def test_a_malformed_file_is_one_sentence(
    own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, words: str
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("NESPROOF_SUBJECT_FILE", str(path))
    with pytest.raises(ConfigurationError, match=words) as fault:
        subject_definitions()
    assert "\n" not in str(fault.value)
    assert "bad.toml" in str(fault.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "cannot be read"), (b"\xff\xfe\x00", "is not UTF-8"), (b" " * ((1 << 20) + 1), "is larger than")],
)
def test_a_file_that_cannot_be_read_is_one_sentence(
    own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None, said: str
) -> None:
    path = tmp_path / "absent.toml"
    if content is not None:
        path.write_bytes(content)
    monkeypatch.setenv("NESPROOF_SUBJECT_FILE", str(path))
    with pytest.raises(ConfigurationError, match=rf"absent\.toml {said}"):
        subject_definitions()


def test_a_device_without_end_is_no_subject_file(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NESPROOF_SUBJECT_FILE", "/dev/zero")
    with pytest.raises(ConfigurationError, match="larger than"):
        subject_definitions()


def test_every_requirement_is_pinned_by_version_and_hash(own_home: Path) -> None:
    definition = find_subject("nes-py")
    for name in (definition.requirements, definition.build_requirements):
        assert name is not None
        text = (files("nesproof.harness.subjects") / name).read_text(encoding="utf-8")
        entries = text.replace("\\\n", " ").splitlines()
        for entry in (e for e in entries if e and not e.startswith("#")):
            assert "==" in entry, entry
            assert "--hash=sha256:" in entry, entry


@pytest.mark.parametrize("name", ["worker.py", "nes_py_adapter.py"])
def test_what_runs_under_a_peers_python_keeps_to_an_old_syntax(name: str) -> None:
    source = (files("nesproof.harness.subjects") / name).read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 8))


def test_the_worker_needs_the_standard_library_alone() -> None:
    source = (files("nesproof.harness.subjects") / "worker.py").read_text(encoding="utf-8")
    imported = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").split(".")[0])
    standard = {"__future__", "hashlib", "importlib", "json", "os", "platform", "struct", "sys", "traceback", "typing"}
    assert imported == standard


def test_an_adapter_takes_what_lies_beside_it_as_it_stands_there_now(tmp_path: Path) -> None:
    adapter, part = tmp_path / "an-adapter.py", tmp_path / "part.py"
    adapter.write_text("from .part import NUMBER\n\n\ndef make_adapter(options):\n    return NUMBER, options\n")
    for number in (1, 2):
        part.write_text(f"NUMBER = {number}\n")
        assert load_adapter(str(adapter), {"x": 1}) == (number, {"x": 1})
    assert not list(tmp_path.rglob("*.pyc"))
