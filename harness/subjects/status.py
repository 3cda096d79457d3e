"""Whether a subject can be started here, and with which command; nothing is started to find out."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import platformdirs

import nesproof
from nesproof.harness.subjects import worker
from nesproof.harness.subjects.environments import installed_python
from nesproof.harness.subjects.errors import SubjectUnavailable
from nesproof.harness.subjects.registry import SubjectDefinition, find_subject

__all__ = ["EMULATOR_VARIABLE", "SubjectStatus", "WorkerCommand", "require_command", "subject_status"]

EMULATOR_VARIABLE = "NESPROOF_EMULATOR"
"""Names the folder of another build of the emulator (it holds `emulator/`, compiled), of which every console of
nesproof's own is then started; `--emulator` sets it, so that child processes see it too."""


@dataclass(frozen=True)
class SubjectStatus:
    """Whether a subject can be started; where not, one sentence why, and the command that helps (or None)."""

    name: str
    available: bool
    reason: str
    remedy: str | None


@dataclass(frozen=True)
class WorkerCommand:
    """What starts a subject's worker."""

    argv: tuple[str, ...]
    pass_environment: tuple[str, ...] = ()
    is_installed_apart: bool = False
    """True where it runs in an environment that `nesproof subjects install` makes, and can make again."""


def subject_status(name: str) -> SubjectStatus:
    """Look whether the subject can be started here.

    Raises:
        ConfigurationError: there is no such subject.
    """
    definition = find_subject(name)
    found = _command(definition)
    if isinstance(found, WorkerCommand):
        return SubjectStatus(name, True, "", None)
    return SubjectStatus(name, False, f"Subject {name} is not available: {found}.", remedy_for(definition))


def require_command(name: str) -> WorkerCommand:
    """The command that starts the subject's worker.

    Raises:
        ConfigurationError: there is no such subject.
        SubjectUnavailable: it cannot be started here.
    """
    definition = find_subject(name)
    found = _command(definition)
    if isinstance(found, WorkerCommand):
        return found
    raise SubjectUnavailable(f"Subject {name} is not available: {found}.", remedy=remedy_for(definition))


def worker_command(definition: SubjectDefinition, python: Path) -> WorkerCommand:
    """The command that runs nesproof's worker with the subject's adapter under `python`."""
    assert definition.adapter is not None
    folder = Path(__file__).parent
    # -I: neither the user's PYTHON* variables nor the current folder decide what is imported.
    argv = [str(python), "-I", worker.__file__]
    if definition.environment == "own":
        options = {
            "namespace": _namespace(definition),
            "module": definition.adapter.removesuffix(".py"),
            **definition.options,
            "kernel_cache": _kernel_cache(),
            **({} if definition.fault is None else {"fault": definition.fault}),
        }
        argv += [str(folder / "own_adapter.py"), json.dumps(options)]
    else:
        argv.append(str(folder / definition.adapter))
    return WorkerCommand(tuple(argv), is_installed_apart=definition.environment == "venv")


def remedy_for(definition: SubjectDefinition) -> str | None:
    """The one command that makes the subject available, or None."""
    if definition.environment == "venv":
        return f"nesproof subjects install {definition.name}"
    if definition.package is not None and _has_extension(definition):
        is_installed = importlib.util.find_spec(definition.package) is not None
        return None if is_installed else f"pip install 'nesproof[{definition.extra}]'"
    return "pip install --force-reinstall nesproof" if definition.environment == "own" else None


def _command(definition: SubjectDefinition) -> WorkerCommand | str:
    """How to start it, or why not."""
    if definition.command is not None:
        argv = tuple(_expanded(part, definition) for part in definition.command)
        if shutil.which(argv[0]) is None:
            return f"there is no program {argv[0]!r}"
        return WorkerCommand(argv, definition.pass_environment)
    if definition.environment == "venv":
        python = installed_python(definition)
        return python if isinstance(python, str) else worker_command(definition, python)
    if not _has_extension(definition):
        where = "this installation" if _chosen_build(definition) is None else "the chosen build of the emulator"
        return f"{where} lacks the console's compiled part"
    if definition.package is not None and importlib.util.find_spec(definition.package) is None:
        return f"the Python package {definition.package!r} is not installed"
    if definition.gpu and not _has_gpu():
        return "there is no NVIDIA GPU with a driver here"
    return worker_command(definition, Path(sys.executable))


def _kernel_cache() -> str:
    """Where this user's compiled kernels are kept: a worker's own home folder is empty, and goes with it."""
    chosen = os.environ.get("NESPROOF_KERNEL_CACHE")
    return chosen or str(Path(platformdirs.user_cache_dir("nesproof", False)) / "kernels")


def _expanded(part: str, definition: SubjectDefinition) -> str:
    part = part.replace("{worker}", worker.__file__).replace("{python}", sys.executable)
    part = part.replace("{fault}", definition.fault or "")
    if part.startswith("~/"):
        return str(Path(part).expanduser())
    if part.startswith(("./", "../")) and definition.defined_in is not None:
        return str(definition.defined_in.parent / part)
    return part


def _has_gpu() -> bool:
    import pynvml

    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:  # no driver, which is what most machines have
        return False
    try:
        return int(pynvml.nvmlDeviceGetCount()) > 0
    except pynvml.NVMLError:
        return False
    finally:
        pynvml.nvmlShutdown()


def _chosen_build(definition: SubjectDefinition) -> str | None:
    """The folder of another build of the emulator: the variant's own, or the one that this whole run is about."""
    return definition.emulator or os.environ.get(EMULATOR_VARIABLE) or None


def _namespace(definition: SubjectDefinition) -> list[str]:
    """The folders that hold the rooms of the worker's `nesproof`; the first that holds a room provides it."""
    ours = [str(Path(p).absolute()) for p in nesproof.__path__]
    build = _chosen_build(definition)
    return ours if build is None else [str(Path(build).absolute()), *ours]


def _has_extension(definition: SubjectDefinition) -> bool:
    """True where its compiled part, if it needs one, lies beside the consoles' Python part; nothing is imported."""
    if not definition.extension:
        return True
    build = _chosen_build(definition)
    if build is not None:
        folders = [str(Path(build) / "emulator")]
    else:
        spec = importlib.util.find_spec("nesproof.emulator")
        folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    suffixes = tuple(importlib.machinery.EXTENSION_SUFFIXES)
    name = definition.extension
    return any(p.name.endswith(suffixes) for f in folders if Path(f).is_dir() for p in Path(f).glob(f"{name}.*"))
