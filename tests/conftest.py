"""What every test starts from, processes that must end, and native programs over the emulator's sources."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

EMULATOR = Path(__file__).parents[1] / "emulator"


@pytest.fixture(scope="session", autouse=True)
def signals_mean_what_they_mean() -> None:
    """Undo what `nohup` or a shell's `&` does: an ignored signal stays ignored in every process that a test starts."""
    for kind, meaning in (
        (signal.SIGHUP, signal.SIG_DFL),
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGQUIT, signal.SIG_DFL),
        (signal.SIGTERM, signal.SIG_DFL),
    ):
        if signal.getsignal(kind) is signal.SIG_IGN:
            signal.signal(kind, meaning)


def _has_ended(process: int | psutil.Process) -> bool:
    """True if it is gone or a zombie. It may go between any two looks at it: only one look is taken."""
    try:
        process = psutil.Process(process) if isinstance(process, int) else process
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _gone(*processes: int | psutil.Process, within_s: float = 10) -> bool:
    until = time.monotonic() + within_s
    while not all(map(_has_ended, processes)):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture(scope="session")
def gone() -> Callable[..., bool]:
    """`gone(*processes, within_s=10)`: whether these (numbers or `psutil.Process`) have all ended by then."""
    return _gone


class Once:
    """What is made once in a run of the tests, whichever of its processes wants it first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """No other process of this run is within a block of this name."""
        with (self.folder / f"{name}.lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def __call__(self, name: str, make: Callable[[Path], None]) -> Path:
        """The file `name`, which `make` writes where it is told to."""
        path = self.folder / name
        with self.alone(name):
            if not path.exists():
                fresh = path.with_name(f"{name}.fresh")
                make(fresh)
                fresh.rename(path)
        return path


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "once"
    folder.mkdir(mode=0o700, exist_ok=True)
    return Once(folder)


class Native:
    """Compiles C++ that includes the emulator's headers, and runs it.

    Optimised little: to compile the fast console's templates takes far longer than to run what they become. What an
    installed build computes is held to the same reference by the tests that load it.
    """

    OPTIONS = ("-std=c++20", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", f"-I{EMULATOR}")

    def __init__(self, compiler: str, folder: Path, once: Once) -> None:
        self._compiler = compiler
        self._folder = folder
        self._once = once

    def _make(self, name: str, *arguments: str | Path) -> Path:
        def make(made: Path) -> None:
            command = [self._compiler, *self.OPTIONS, *arguments, "-o", made]
            ended = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
            assert ended.returncode == 0, ended.stderr

        return self._once(name, make)

    def compile(self, name: str, driver: Path, sources: Iterable[Path] = (), *flags: str) -> Path:
        """A program of a driver, compiled with the flags, and of sources of the emulator, compiled once for all.

        A name stands for one program. The driver may include what lies beside it.
        """
        objects = [
            self._make(f"{source.relative_to(EMULATOR).as_posix().replace('/', '-')}.o", "-c", source)
            for source in sources
        ]
        return self._make(name, *flags, driver, *objects)

    def run(self, program: Path, *arguments: int) -> subprocess.CompletedProcess[str]:
        command = [str(program), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)

    def counts(self, ended: subprocess.CompletedProcess[str]) -> dict[str, int]:
        """What a program that ended well says of what it did: "1234 accesses, 56 frames"."""
        assert ended.returncode == 0, ended.stdout
        return {name: int(count) for count, name in re.findall(r"(\d+) (\w+)", ended.stdout)}

    def check_freestanding(self, text: str) -> None:
        """The text compiles without a standard library and without a warning."""
        source = self._folder / "freestanding.cpp"
        source.write_text(text)
        flags = ["-std=c++20", "-ffreestanding", "-nostdinc", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        command = [self._compiler, *flags, f"-I{EMULATOR}", "-fsyntax-only", source]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert ended.returncode == 0, ended.stderr


@pytest.fixture(scope="session")
def native(tmp_path_factory: pytest.TempPathFactory, once: Once) -> Native:
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("condition: no C++ compiler")
    return Native(compiler, tmp_path_factory.mktemp("native"), once)
