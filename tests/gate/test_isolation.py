"""Commands that a stranger decides: what they see, what they may use, and that nothing of them is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nesproof.harness.builds.isolation import Limits, run_limited

PYTHON = [sys.executable, "-I", "-c"]
QUICK = Limits(seconds=30)
adopts_orphans = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="condition: the system lets no process adopt orphans"
)


def pid_in(path: Path) -> int:
    until = time.monotonic() + 20
    while not (path.is_file() and path.read_text().strip()):
        assert time.monotonic() < until, f"nothing wrote {path}"
        time.sleep(0.02)
    return int(path.read_text())


def test_it_sees_a_short_list_of_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "GITHUB_TOKEN", "GIT_DIR", "PYTHONPATH", "PIP_INDEX_URL", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "CFLAGS",
        "LD_PRELOAD", "NESPROOF_SUBJECT_FILE", "ACTIONS_RUNTIME_TOKEN",
    ):  # fmt: skip
        monkeypatch.setenv(name, "secret" if name != "LD_PRELOAD" else "")
    ended = run_limited(["env"], cwd=tmp_path, limits=QUICK, environment={"TOLD": "yes"})
    assert ended.well
    seen = dict(line.split("=", 1) for line in ended.tail.splitlines())
    allowed = {"PATH", "HOME", "TMPDIR", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "PWD", "TOLD"}
    assert {name for name in seen if not name.startswith(("LC_", "__"))} <= allowed
    assert "secret" not in ended.tail
    assert not Path(seen["HOME"]).exists(), "its home goes with it"


def test_it_ends_as_the_command_does(tmp_path: Path) -> None:
    assert run_limited(["sh", "-c", "echo out; echo err >&2; exit 3"], cwd=tmp_path, limits=QUICK).status == 3
    assert run_limited(["sh", "-c", "kill -TERM $$"], cwd=tmp_path, limits=QUICK).status == -signal.SIGTERM
    absent = run_limited(["no-such-program"], cwd=tmp_path, limits=QUICK)
    assert absent.status == 127
    assert "cannot start no-such-program" in absent.tail


def test_lines_are_heard_as_they_come_and_without_power_over_the_terminal(tmp_path: Path) -> None:
    heard: list[str] = []
    log = tmp_path / "log"
    run_limited(
        ["printf", "one\\n\\033[2Jtwo\\nthree"], cwd=tmp_path, limits=QUICK, log=log, on_line=heard.append
    )  # fmt: skip
    assert heard == ["one", "two", "three"]
    assert log.read_bytes() == b"one\n\x1b[2Jtwo\nthree"


@adopts_orphans
def test_time_is_limited_and_everything_ends_with_it(tmp_path: Path, gone: Callable[..., bool]) -> None:
    # The second process leaves the group and the session, and its parent: it is found all the same.
    text = f"""
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open({str(tmp_path / "pid")!r}, "w").write(str(os.getpid()))
        time.sleep(600)
    os._exit(0)
time.sleep(600)
"""
    ended = run_limited([*PYTHON, text], cwd=tmp_path, limits=Limits(seconds=1.0))
    assert ended.why_stopped == "time"
    assert not ended.well
    assert "longer than 1 seconds" in ended.in_words(Limits(seconds=1.0))
    assert gone(pid_in(tmp_path / "pid"))


@adopts_orphans
def test_what_a_command_leaves_running_ends_with_it(tmp_path: Path, gone: Callable[..., bool]) -> None:
    ended = run_limited(
        ["sh", "-c", f"setsid sleep 600 & echo $! > {tmp_path}/pid"], cwd=tmp_path, limits=QUICK
    )  # fmt: skip
    assert ended.well
    assert gone(pid_in(tmp_path / "pid"))


def test_memory_of_one_process_is_limited(tmp_path: Path) -> None:
    limits = Limits(seconds=30, memory_bytes=256 << 20)
    ended = run_limited(
        [*PYTHON, "import time; x = bytearray(b'1') * (400 << 20); time.sleep(600)"], cwd=tmp_path, limits=limits
    )
    assert not ended.well
    assert ended.why_stopped == "memory" or "MemoryError" in ended.tail


def test_memory_of_all_processes_together_is_limited(tmp_path: Path) -> None:
    limits = Limits(seconds=30, memory_bytes=192 << 20)
    one = f"{sys.executable} -I -c 'import time; x = bytearray(b\"1\") * (100 << 20); time.sleep(600)'"
    ended = run_limited(["sh", "-c", f"{one} & {one} & {one} & wait"], cwd=tmp_path, limits=limits)
    assert ended.why_stopped == "memory"


def test_what_is_reserved_and_not_used_is_not_counted(tmp_path: Path) -> None:
    text = "import mmap; m = mmap.mmap(-1, 64 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)"
    assert run_limited([*PYTHON, text], cwd=tmp_path, limits=Limits(seconds=30, memory_bytes=1 << 30)).well


def test_output_is_limited(tmp_path: Path) -> None:
    ended = run_limited(["yes"], cwd=tmp_path, limits=Limits(seconds=30, output_bytes=1 << 20, file_bytes=64 << 20))
    assert ended.why_stopped == "output"
    assert set(ended.tail) == {"y", "\n"}


def test_the_size_of_a_file_is_limited(tmp_path: Path) -> None:
    limits = Limits(seconds=30, file_bytes=1 << 20)
    ended = run_limited(["dd", "if=/dev/zero", "of=big", "bs=65536", "count=64"], cwd=tmp_path, limits=limits)
    assert not ended.well
    assert (tmp_path / "big").stat().st_size == 1 << 20


def test_processes_are_limited(tmp_path: Path) -> None:
    text = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 600 & done; wait"
    ended = run_limited(["sh", "-c", text], cwd=tmp_path, limits=Limits(seconds=30, processes=8))
    assert ended.why_stopped == "processes"


def test_with_a_grace_an_interrupted_command_may_end_by_itself(tmp_path: Path) -> None:
    inner = (
        "import signal, time\n"
        f"try: open({str(tmp_path / 'pid')!r}, 'w').write('1'); time.sleep(600)\n"
        f"except KeyboardInterrupt: open({str(tmp_path / 'said')!r}, 'w').write('what was measured')\n"
    )
    text = (
        "import sys; from pathlib import Path; from nesproof.harness.builds.isolation import run_limited\n"
        f"try: run_limited([sys.executable, '-c', {inner!r}], cwd=Path({str(tmp_path)!r}), grace_s=20)\n"
        "except KeyboardInterrupt: sys.exit(130)\n"
    )
    with subprocess.Popen([sys.executable, "-c", text]) as gate:
        pid_in(tmp_path / "pid")
        gate.send_signal(signal.SIGINT)
    assert gate.returncode == 130
    assert (tmp_path / "said").read_text() == "what was measured"


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_it_ends_with_whoever_started_it(tmp_path: Path, kind: signal.Signals, gone: Callable[..., bool]) -> None:
    text = (
        "from pathlib import Path; from nesproof.harness.builds.isolation import run_limited\n"
        f"run_limited(['sh', '-c', 'echo $$ > {tmp_path}/pid; sleep 600'], cwd=Path({str(tmp_path)!r}))\n"
    )
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", text], stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(temporary)}
    ) as gate:
        pid = pid_in(tmp_path / "pid")
        gate.send_signal(kind)
    assert gone(pid)
    until = time.monotonic() + 10
    while any(temporary.iterdir()) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(temporary.iterdir())
