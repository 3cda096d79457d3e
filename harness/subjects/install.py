"""Making a peer's environment: a virtual environment of its own, from pinned requirements, whole or not at all.

Safe to run twice at once (a lock), to interrupt at any point (an environment counts only once `complete.json` names
it) and to repeat (a whole environment that still starts is left alone).
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.resources import as_file, files
from pathlib import Path

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.plain_text import plain_line
from nesproof.harness.subjects.client import open_subject
from nesproof.harness.subjects.environments import (
    EnvironmentRecord,
    installed_python,
    python_of,
    requirements_sha256,
    subject_folder,
    write_record,
)
from nesproof.harness.subjects.errors import SubjectFailed, SubjectInstallFailed, SubjectUnavailable
from nesproof.harness.subjects.file_lock import held_lock
from nesproof.harness.subjects.interpreters import (
    Interpreter,
    NoInterpreter,
    choose_interpreter,
    install_python_command,
)
from nesproof.harness.subjects.process import GuardedProcess
from nesproof.harness.subjects.registry import SubjectDefinition, find_subject
from nesproof.harness.system_packages import compiler_command

__all__ = ["Progress", "install_subject"]

Progress = Callable[[str], None]
"""Told each step in a few words."""

STEP_LIMIT_S = 20 * 60.0
BEAT_S = 15.0
LAST_LINES = 12
UNWANTED = {"VIRTUAL_ENV", "CFLAGS", "CXXFLAGS", "CPPFLAGS"}
"""A peer is measured as its own build makes it, not as the shell's flags (or, for the same reason, a wheel from pip's
cache) would."""
NETWORK_FAULT = re.compile(
    r"NewConnectionError|NameResolutionError|Temporary failure in name resolution|Name or service not known"
    r"|nodename nor servname|Network is unreachable|Connection refused|ConnectTimeout|ReadTimeout|ProxyError"
    r"|Max retries exceeded|No route to host"
)


def install_subject(name: str, *, progress: Progress, again: bool = False) -> bool:
    """Make the subject's environment, unless a whole one is there that still starts. True where one was made.

    `again` makes a new one in any case.

    Raises:
        ConfigurationError: there is no such subject, or it is not one that is installed.
        SubjectUnavailable: it cannot be made here: no fitting Python, no compiler, no network.
        SubjectInstallFailed: a step failed; its log is named.
    """
    definition = find_subject(name)
    if definition.environment != "venv":
        what = "comes with nesproof" if definition.environment == "own" else "is started by your own command"
        raise ConfigurationError(f"Subject {name} {what}; there is nothing to install.")
    folder = subject_folder(name)
    folder.mkdir(parents=True, exist_ok=True)
    with held_lock(
        folder.with_suffix(".lock"), waiting=lambda: progress("another nesproof is installing it; waiting for that one")
    ):
        if not again and _is_sound(definition, progress):
            return False
        _make(definition, folder, progress)
        return True


def _is_sound(definition: SubjectDefinition, progress: Progress) -> bool:
    """True where the current environment starts and answers."""
    python = installed_python(definition)
    if isinstance(python, str):
        return False
    try:
        with open_subject(definition.name):
            return True
    except (SubjectFailed, SubjectUnavailable) as fault:
        progress(f"what is installed does not work ({plain_line(fault.reason, limit=200)}); making it again")
        return False


def _make(definition: SubjectDefinition, folder: Path, progress: Progress) -> None:
    python = _preconditions(definition)
    _sweep(folder)
    environment = folder / f"env-{secrets.token_hex(8)}"
    log_path = folder / "install.log"
    log_path.write_bytes(b"")
    try:
        progress(f"making a virtual environment with Python {python}")
        _run(definition, [str(python.path), "-I", "-m", "venv", str(environment)], "venv", log_path, progress)
        for requirements, isolation, words in (
            (definition.build_requirements, [], "installing what builds it"),
            (definition.requirements, ["--no-build-isolation"], "downloading, building and installing it"),
        ):
            if requirements is None:
                continue
            progress(words)
            with as_file(files("nesproof.harness.subjects") / requirements) as path:
                pip = [str(python_of(environment)), "-I", "-m", "pip", "install", "--require-hashes", "--no-deps"]
                quiet = [
                    "--disable-pip-version-check",
                    "--no-input",
                    "--no-cache-dir",
                    "--progress-bar",
                    "off",
                    "--retries",
                    "2",
                ]
                _run(definition, [*pip, *quiet, *isolation, "-r", str(path)], "pip", log_path, progress)
        write_record(
            EnvironmentRecord(
                subject=definition.name,
                folder=environment.name,
                python=".".join(map(str, python.version)),
                requirements_sha256=requirements_sha256(definition),
            )
        )
        progress("starting it once")
        _first_start(definition, folder, log_path)
    except BaseException:
        shutil.rmtree(environment, ignore_errors=True)
        raise


def _first_start(definition: SubjectDefinition, folder: Path, log_path: Path) -> None:
    try:
        with open_subject(definition.name, log_path=log_path):
            return
    except (SubjectFailed, SubjectUnavailable) as fault:
        (folder / "complete.json").unlink(missing_ok=True)
        raise SubjectInstallFailed(
            f"Subject {definition.name} was installed but does not start: {plain_line(fault.reason, limit=300)} "
            f"The log is {log_path}."
        ) from fault


def _preconditions(definition: SubjectDefinition) -> Interpreter:
    """What must be there before anything is written; the Python to use."""
    name = definition.name
    assert definition.python is not None
    try:
        python = choose_interpreter(definition.python)
    except NoInterpreter as fault:
        raise SubjectUnavailable(
            f"Subject {name} cannot be installed: {fault}.", remedy=install_python_command(definition.python)
        ) from fault
    if definition.compiler is not None and shutil.which(definition.compiler) is None:
        raise SubjectUnavailable(
            f"Subject {name} is built from source, and there is no {definition.compiler} on PATH.",
            remedy=compiler_command(),
        )
    return python


def _sweep(folder: Path) -> None:
    """Remove half-made and superseded environments; a sound current one has been ruled out by now."""
    for left in folder.glob("env-*"):
        shutil.rmtree(left, ignore_errors=True)
    (folder / "complete.json").unlink(missing_ok=True)


def _run(definition: SubjectDefinition, command: Sequence[str], step: str, log_path: Path, progress: Progress) -> None:
    """Run one step under the guard, so that neither Ctrl-C nor a killed harness leaves it running."""
    # pip that is killed leaves its temporary folders; those in here go with the step.
    scratch = tempfile.mkdtemp(prefix="nesproof-install-")
    environment = {n: v for n, v in os.environ.items() if not n.startswith("PYTHON") and n not in UNWANTED}
    environment["TMPDIR"] = scratch
    started = time.monotonic()
    with log_path.open("ab") as log:
        log.write(f"$ {' '.join(command)}\n".encode())
        log.flush()
        before = log.tell()
        process = GuardedProcess(command, log=log, environment=environment, scratch=scratch)
        try:
            while (status := process.wait(BEAT_S)) is None:
                elapsed = time.monotonic() - started
                if elapsed > STEP_LIMIT_S:
                    raise SubjectInstallFailed(
                        f"Installing subject {definition.name} hung: {step} ran for {elapsed:.0f} s. "
                        f"The log is {log_path}."
                    )
                progress(f"still at it, {elapsed:.0f} s")
        finally:
            process.kill()
    if status:
        raise _failure(definition, step, status, log_path, before)


def _failure(
    definition: SubjectDefinition, step: str, status: int, log_path: Path, before: int
) -> SubjectInstallFailed | SubjectUnavailable:
    with log_path.open("rb") as log:
        log.seek(before)
        text = log.read().decode("utf-8", "replace")
    if NETWORK_FAULT.search(text):
        return SubjectUnavailable(
            f"Subject {definition.name} cannot be installed now: pip does not reach the package index "
            f"(the log is {log_path}).",
            remedy=f"nesproof subjects install {definition.name}",
        )
    last = plain_line(" | ".join(line.strip() for line in text.splitlines()[-LAST_LINES:] if line.strip()), limit=1_500)
    return SubjectInstallFailed(
        f"Installing subject {definition.name} failed: {step} ended with status {status}. It last printed: {last} "
        f"The log is {log_path}."
    )
