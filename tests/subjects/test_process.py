"""A worker's surroundings: a short environment, a private folder, and an end that nothing escapes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from nesproof.harness.subjects.client import open_subject

FAKES = Path(__file__).parent / "fakes"
REPORTER = str(FAKES / "reporter.py")


def report(log: Path) -> dict[str, Any]:
    return json.loads(log.read_text(encoding="utf-8").splitlines()[0])  # type: ignore[no-any-return]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "worker.log"


def test_the_environment_is_a_short_list(
    add_subject: Callable[..., str], log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PYTHONPATH", "PYTHONSTARTUP", "PIP_INDEX_URL", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "MY_DATA"):
        monkeypatch.setenv(name, "/secret")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    name = add_subject("reporter", [sys.executable, "-I", REPORTER], 'pass_environment = ["MY_DATA", "NOT_SET"]')
    with open_subject(name, log_path=log):
        environment = report(log)["environment"]
    allowed = {"PATH", "LANG", "LANGUAGE", "TZ", "HOME", "TMPDIR", "NESPROOF_SUBJECT_FDS", "MY_DATA"}
    allowed |= {"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"}
    assert {n for n in environment if not n.startswith(("LC_", "__CF"))} <= allowed
    assert environment["LC_ALL"] == "C.UTF-8"
    assert environment["MY_DATA"] == "/secret"
    assert environment["HOME"] == environment["TMPDIR"] == report(log)["folder"] != os.environ["HOME"]


def test_it_leads_a_session_has_no_input_and_its_folder_goes_with_it(
    add_subject: Callable[..., str], log: Path, gone: Callable[..., bool]
) -> None:
    name = add_subject("reporter", [sys.executable, "-I", REPORTER])
    with open_subject(name, log_path=log):
        told = report(log)
        assert told["leads_session"]
        assert told["stdin"] == ""
        assert (Path(told["folder"]) / "left-behind").exists()
    assert gone(told["pid"])
    assert gone(told["child"]), "what a subject starts must end with it"
    assert not Path(told["folder"]).exists()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_no_orphan_outlives_a_killed_harness(
    add_subject: Callable[..., str], log: Path, how: signal.Signals, gone: Callable[..., bool]
) -> None:
    name = add_subject("reporter", [sys.executable, "-I", REPORTER])
    harness = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(f"""
            import sys, time
            from pathlib import Path
            from nesproof.harness.subjects.client import open_subject
            subject = open_subject({name!r}, log_path=Path({str(log)!r}))
            print("open", flush=True)
            time.sleep(300)
        """)],
        stdout=subprocess.PIPE,
    )  # fmt: skip
    assert harness.stdout is not None
    assert harness.stdout.readline() == b"open\n"
    told = report(log)
    os.kill(harness.pid, how)
    harness.wait(10)
    harness.stdout.close()
    assert gone(told["pid"]), "the worker outlived the harness"
    assert gone(told["child"]), "the worker's child outlived the harness"
    deadline = time.monotonic() + 5
    while Path(told["folder"]).exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(told["folder"]).exists()


def test_a_subject_opened_by_a_thread_outlives_the_thread(toy: str) -> None:
    """A parent-death signal would fire here; the lifeline does not."""
    import threading

    opened = []
    thread = threading.Thread(target=lambda: opened.append(open_subject(toy)))
    thread.start()
    thread.join()
    time.sleep(0.3)
    with opened[0] as subject:
        subject.load(b"TOY")
        subject.power_on()
        assert subject.read_ram()[0] == 0


def test_a_keyboard_interrupt_reaches_the_harness_alone(
    add_subject: Callable[..., str], log: Path, gone: Callable[..., bool]
) -> None:
    name = add_subject("reporter", [sys.executable, "-I", REPORTER])
    harness = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(f"""
            import time
            from pathlib import Path
            from nesproof.harness.subjects.client import open_subject
            with open_subject({name!r}, log_path=Path({str(log)!r})) as subject:
                try:
                    print("open", flush=True)
                    time.sleep(300)
                except KeyboardInterrupt:
                    print(subject._talk._process.wait(0.5), flush=True)
        """)],
        stdout=subprocess.PIPE,
        start_new_session=True,
    )  # fmt: skip
    assert harness.stdout is not None
    assert harness.stdout.readline() == b"open\n"
    os.killpg(harness.pid, signal.SIGINT)  # what Ctrl-C in a terminal does
    assert harness.stdout.readline() == b"None\n", "the worker had ended"
    assert harness.wait(20) == 0
    harness.stdout.close()
    assert gone(report(log)["pid"])


def test_many_subjects_leave_no_descriptor_open(toy: str) -> None:
    def descriptors() -> int:
        return psutil.Process().num_fds()

    with open_subject(toy):
        pass
    before = descriptors()
    for _ in range(3):
        with open_subject(toy) as subject:
            subject.load(b"TOY")
    assert descriptors() == before


def test_a_program_that_is_not_there_is_said_in_one_sentence(add_subject: Callable[..., str]) -> None:
    from nesproof.harness.subjects.errors import SubjectUnavailable

    name = add_subject("ghost", ["/nowhere/emulator"])
    with pytest.raises(SubjectUnavailable, match="there is no program '/nowhere/emulator'"):
        open_subject(name)


def test_a_file_that_is_no_program_is_said_too(add_subject: Callable[..., str], tmp_path: Path) -> None:
    from nesproof.harness.subjects.errors import SubjectDied

    program = tmp_path / "not-a-program"
    program.write_bytes(b"\x7fELF nonsense")
    program.chmod(0o755)
    with pytest.raises(SubjectDied, match=r"(?s)exit status 127.*cannot start"):
        open_subject(add_subject("nonsense", [str(program)]), timeout_s=10)
