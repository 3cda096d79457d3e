"""What there is on this machine, finding by finding; nothing is installed, fetched or changed to find out."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nesproof.harness.errors import HarnessError
from nesproof.harness.home import nesproof_home
from nesproof.harness.plain_text import plain_line
from nesproof.harness.subjects.client import open_subject
from nesproof.harness.subjects.errors import SubjectFailed
from nesproof.harness.subjects.interpreters import (
    Interpreter,
    NoInterpreter,
    choose_interpreter,
    install_python_command,
    interpreters,
)
from nesproof.harness.subjects.registry import SubjectDefinition, subject_definitions
from nesproof.harness.subjects.status import subject_status
from nesproof.harness.system_packages import compiler_command, package_command
from nesproof.roms_manifest import Resolver
from nesproof.roms_manifest.fetch import is_offline
from nesproof.roms_manifest.resolver import FETCH_COMMAND

__all__ = ["Finding", "diagnose"]

State = Literal["ok", "missing", "broken", "note"]
TOOL_S = 10.0
LEAST_FREE_BYTES = 1 << 30
"""A bundle takes a few megabytes and a peer's environment 200; below this somebody should know."""


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's: `missing` limits what can be measured, `broken` stops something that should work."""

    topic: str
    state: State
    found: str
    remedy: str | None = None


def diagnose() -> Iterator[Finding]:
    """Every finding, in the order in which they are printed."""
    pythons = interpreters()
    yield _own_python()
    yield from _pythons(pythons)
    yield from _tools()
    yield _network()
    yield from _places()
    yield _gpu()
    yield from _roms()
    for definition in subject_definitions().values():
        yield from _subject(definition, pythons)


def _own_python() -> Finding:
    version = platform.python_version()
    where = "in a virtual environment" if sys.prefix != sys.base_prefix else "not in a virtual environment"
    return Finding("python", "ok", f"{platform.python_implementation()} {version}, {where}")


def _pythons(pythons: list[Interpreter]) -> Iterator[Finding]:
    for python in pythons:
        kind = "" if python.implementation == "CPython" else f"{python.implementation}, "
        lack = "" if python.has_venv else ", without the venv module"
        yield Finding(f"python {'.'.join(map(str, python.version))} at hand", "note", f"{kind}{python.path}{lack}")


def _tools() -> Iterator[Finding]:
    yield _tool("C++ compiler", ("c++", "g++", "clang++"), compiler_command())
    yield _tool("make", ("make",), package_command("make"))
    yield _tool("git", ("git",), package_command("git"))
    yield _tool("ca65", ("ca65",), package_command("cc65"), note="; only a test that rebuilds the house ROMs needs it")


def _tool(topic: str, programs: tuple[str, ...], remedy: str, *, note: str = "") -> Finding:
    path = next((found for p in programs if (found := shutil.which(p))), None)
    if path is None:
        return Finding(topic, "missing", f"no {' or '.join(programs)} on PATH{note}", remedy)
    return Finding(topic, "ok", f"{_version_line(path)} ({path})")


def _version_line(path: str) -> str:
    try:
        run = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=TOOL_S, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return "does not tell its version"
    lines = (run.stdout or run.stderr).strip().splitlines()
    return plain_line(lines[0], limit=100) if lines else "does not tell its version"


def _network() -> Finding:
    if is_offline():
        return Finding("network", "note", "NESPROOF_OFFLINE is set: no ROM is downloaded")
    return Finding("network", "note", "`roms fetch` may download; NESPROOF_OFFLINE=1 forbids it")


def _places() -> Iterator[Finding]:
    home = nesproof_home()
    standing = home
    while not standing.exists():
        standing = standing.parent
    if not os.access(standing, os.W_OK):
        yield Finding("data folder", "broken", f"{home} cannot be written", "export NESPROOF_HOME=$PWD/nesproof-home")
    else:
        yield Finding("data folder", "ok", str(home))
    free = shutil.disk_usage(standing).free
    state: State = "ok" if free >= LEAST_FREE_BYTES else "missing"
    remedy = None if state == "ok" else "export NESPROOF_HOME=/a/folder/with/room"
    yield Finding("disk space", state, f"{free / (1 << 30):.1f} GiB free at the data folder", remedy)


def _gpu() -> Finding:
    """The first GPUs by name; looked at through the driver's library, so that no CUDA package is needed."""
    if importlib.util.find_spec("pynvml") is None:
        return Finding("GPU", "note", "not looked for: the package nvidia-ml-py is absent")
    import pynvml

    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        return Finding("GPU", "note", "none that an NVIDIA driver shows; nothing here needs one")
    try:
        names = []
        for index in range(pynvml.nvmlDeviceGetCount()):
            device = pynvml.nvmlDeviceGetHandleByIndex(index)
            name = pynvml.nvmlDeviceGetName(device)
            memory = pynvml.nvmlDeviceGetMemoryInfo(device).total
            names.append(f"{name.decode() if isinstance(name, bytes) else name}, {memory / (1 << 30):.0f} GiB")
        driver = pynvml.nvmlSystemGetDriverVersion()
        driver = driver.decode() if isinstance(driver, bytes) else driver
        return Finding("GPU", "ok", f"{'; '.join(names) or 'none'} (driver {driver})")
    except pynvml.NVMLError as fault:
        return Finding("GPU", "note", f"the NVIDIA driver answers with an error: {fault}")
    finally:
        pynvml.nvmlShutdown()


def _roms() -> Iterator[Finding]:
    resolver = Resolver()
    paths = ", ".join(f"{p}{'' if Path(p).is_dir() else ' (absent)'}" for p in resolver.search_path)
    yield Finding("ROM search path", "note", paths)
    for name in resolver.manifest.collections:
        entries = list(resolver.manifest.files_of(name))
        if not entries:
            continue
        absent = [e.id for e in entries if resolver.look_up(e.id).path is None]
        remedy = next((command for entry_id in absent if (command := resolver.remedy(entry_id))), None)
        found = f"{len(entries) - len(absent)} of {len(entries)} files"
        state: State = "ok" if not absent else "missing" if remedy else "note"
        yield Finding(f"ROMs: {name}", state, found, remedy)
    opcodes = resolver.manifest.vectors.sha256_by_opcode
    lacking = len(resolver.missing_vectors())
    command = f"{FETCH_COMMAND} --collection vectors --yes" if lacking else None
    yield Finding(
        "ROMs: vectors", "missing" if lacking else "ok", f"{len(opcodes) - lacking} of {len(opcodes)} opcodes", command
    )


def _subject(definition: SubjectDefinition, pythons: list[Interpreter]) -> Iterator[Finding]:
    name = definition.name
    topic = f"subject {name}"
    status = subject_status(name)
    if status.available:
        yield _started(topic, name)
    else:
        # Where nothing on this machine would help, such as with a GPU, there is nothing to be done either.
        yield Finding(topic, "missing" if status.remedy else "note", status.reason, status.remedy)
    if definition.python is not None:
        bounds = definition.python
        try:
            usable = choose_interpreter(bounds, pythons)
            yield Finding(f"{topic}: Python", "ok", f"{usable} can carry it")
        except NoInterpreter as fault:
            yield Finding(f"{topic}: Python", "missing", str(fault), install_python_command(bounds))
    if definition.compiler is not None:
        yield _tool(f"{topic}: compiler", (definition.compiler,), compiler_command())


def _started(topic: str, name: str) -> Finding:
    """Start it, since that alone tells whether it works."""
    try:
        with open_subject(name, timeout_s=30) as subject:
            python = f", Python {subject.info.python}" if subject.info.python else ""
            return Finding(topic, "ok", f"{subject.version}{python}, starts")
    except SubjectFailed as fault:
        again = f"nesproof subjects install {name}" if subject_definitions()[name].environment == "venv" else None
        return Finding(topic, "broken", plain_line(fault.reason, limit=300), again)
    except HarnessError as fault:
        return Finding(topic, "missing", str(fault))
