"""Closed, full or left streams: never exit code 1 (a claim failed), never a traceback, and the verdict stands."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.cli.faults import faults_mapped

FULL = Path("/dev/full")
needs_dev_full = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
COMMANDS = [("--version",), ("--help",), ("claims", "list"), ("evidence", "list"), ("claims", "-x")]


def run(world: Any, *arguments: str, **streams: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        world.command(*arguments), env=world.env, cwd=world.root, text=True, timeout=120, check=False, **streams
    )


def left_pipe() -> int:
    """The write end of a pipe that nobody reads."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    return write_end


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_reader_who_left_is_not_a_failed_claim(world: Any, arguments: tuple[str, ...]) -> None:
    pipe = left_pipe()
    done = run(world, *arguments, stdout=pipe, stderr=subprocess.PIPE)
    os.close(pipe)
    assert done.returncode in {2, 5} if arguments[-1] == "-x" else done.returncode in {0, 5}
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@needs_dev_full
@pytest.mark.parametrize("arguments", COMMANDS[:3], ids=" ".join)
def test_a_full_disk_under_stdout_is_one_sentence(world: Any, arguments: tuple[str, ...]) -> None:
    with FULL.open("w") as full:
        done = run(world, *arguments, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 5
    assert done.stderr == "nesproof: There is no space left; free some, or choose another folder.\n"


@needs_dev_full
def test_a_full_disk_under_stderr_as_well_leaves_the_exit_code(world: Any) -> None:
    with FULL.open("w") as full:
        done = run(world, "--version", stdout=full, stderr=full)
    assert done.returncode == 5


@pytest.mark.parametrize("closed", [(1,), (2,), (0, 1, 2)], ids=str)
def test_a_run_with_closed_streams_gives_its_verdict_and_clean_evidence(world: Any, closed: tuple[int, ...]) -> None:
    world.add_suite("good", "pass")
    world.add_claim("fake.good", suite="good")

    def close() -> None:
        for descriptor in closed:
            os.close(descriptor)

    done = run(world, *world.verify_arguments(), preexec_fn=close)
    assert done.returncode == 0
    assert world.verdicts() == {"fake.good": "PASS"}
    # Nothing that was meant for a person went into a file that took the closed stream's number.
    assert not any(b"claims selected" in data for data in world.bundle().folder("logs").values())


@pytest.mark.parametrize("more", [(), ("--json", "-")], ids=["table", "json"])
@pytest.mark.parametrize(("what", "code"), [("pass", 0), ("fail", 1)])
def test_a_reader_who_left_does_not_change_the_verdict(world: Any, what: str, code: int, more: tuple[str, ...]) -> None:
    world.add_suite("one", what)
    world.add_claim("fake.one", suite="one")
    pipe = left_pipe()
    done = run(world, *world.verify_arguments(*more), stdout=pipe, stderr=subprocess.PIPE)
    os.close(pipe)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert world.verdicts() == {"fake.one": "PASS" if code == 0 else "FAIL"}


def test_a_name_that_the_terminal_cannot_write_is_spelled_out(world: Any) -> None:
    missing = os.fsencode(world.root) + b"/caf\xe9-\xe3\x83\xad.nes"
    env = {**world.env, "PYTHONIOENCODING": "ascii:strict"}
    done = subprocess.run(
        [*world.command("roms", "info"), missing], env=env, cwd=world.root, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stderr.isascii()
    assert b"Traceback" not in done.stderr


def test_too_little_memory_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving, faults_mapped():
        raise MemoryError
    assert leaving.value.code == 5
    shown = capsys.readouterr().err
    assert shown == "nesproof: There is not enough memory for this; end other programs, or allow this one more.\n"


@pytest.mark.parametrize("gone", ["left", "full"])
def test_a_run_goes_on_where_nobody_reads_its_progress(world: Any, gone: str) -> None:
    world.add_suite("good", "pass", "fail")
    world.add_claim("fake.good", suite="good")
    if gone == "full" and not FULL.exists():
        pytest.skip("this system has no /dev/full")
    stderr = left_pipe() if gone == "left" else os.open(FULL, os.O_WRONLY)
    done = run(world, *world.verify_arguments(), stdout=subprocess.PIPE, stderr=stderr)
    os.close(stderr)
    assert done.returncode == 1
    assert world.verdicts() == {"fake.good": "FAIL"}


def test_python_without_docstrings_is_refused_before_measuring(world: Any) -> None:
    done = world.run("claims", "list", env={"PYTHONOPTIMIZE": "2"})
    assert done.returncode == 2
    assert "PYTHONOPTIMIZE" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify", "--json", "/nowhere/x.json"),
        ("verify", "--json", "/"),
        ("verify", "--subject", "nope"),
        ("run", "house/scroller", "--png", "/nowhere/x.png"),
        ("run", "house/scroller", "--gif", "/"),
        ("run", "house/scroller", "--buttons", "b" * 5000),
        ("evidence", "show", "--html", "/nowhere/x.html"),
        ("evidence", "show", "e" * 5000),
        ("roms", "info", "r" * 5000),
    ],
    ids=lambda arguments: " ".join(arguments)[:40],
)
def test_what_cannot_work_is_refused_before_the_work(world: Any, arguments: tuple[str, ...]) -> None:
    done = world.run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert len(done.stderr) < 1_000
