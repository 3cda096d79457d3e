"""What a claim needs, looked for before anything runs. Each absence names the one command that ends it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import warnings
from collections.abc import Callable, Iterable
from functools import lru_cache

from nesproof.harness.counting import counted
from nesproof.harness.evidence.model import UnavailableMeasurement
from nesproof.harness.subjects.status import subject_status
from nesproof.harness.system_packages import package_command
from nesproof.roms_manifest import Resolver, RomMismatchWarning

__all__ = ["Requirements"]

_TOOL_PACKAGES = {"ca65": "cc65", "ld65": "cc65"}
_EXTRAS = {"cuda": "cuda", "torch": "torch"}
"""Packages that an extra of nesproof's brings."""


class Requirements:
    """Answers what is missing; each question is asked of the machine once."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._missing_vectors = lru_cache(maxsize=1)(resolver.missing_vectors)

    def missing(self, requirements: Iterable[str], *, rom_ids: Iterable[str] = ()) -> UnavailableMeasurement | None:
        """The first thing that is absent, or None.

        `rom_ids` are the programs that the claim's cases use: of a required collection these must be at hand, or all
        of it where the claim names none.
        """
        wanted = tuple(rom_ids)
        checks: dict[str, Callable[[str], UnavailableMeasurement | None]] = {
            "subject": _missing_subject,
            "roms": lambda collection: self._missing_roms(collection, wanted),
            "vectors": lambda _: self._missing_vector_files(),
            "tool": _missing_tool,
            "gpu": _missing_gpu,
            "package": _missing_package,
            "cores": _missing_cores,
            "env": _missing_variable,
        }
        for requirement in requirements:
            kind, _, name = requirement.partition(":")
            absent = checks[kind](name)
            if absent is not None:
                return absent
        return self._missing_files(wanted)

    def _missing_roms(self, collection: str, wanted: tuple[str, ...]) -> UnavailableMeasurement | None:
        entries = self._resolver.manifest.collection(collection)
        ids = tuple(e.id for e in entries if not wanted or e.id in wanted)
        return self._missing_files(ids or tuple(e.id for e in entries))

    def _missing_files(self, ids: tuple[str, ...]) -> UnavailableMeasurement | None:
        with warnings.catch_warnings():
            # `nesproof roms check` tells of files with other bytes; here they are as good as absent.
            warnings.simplefilter("ignore", RomMismatchWarning)
            absent = [rom_id for rom_id in ids if self._resolver.find(rom_id) is None]
        if not absent:
            return None
        collection = self._resolver.manifest.files[absent[0]].collection
        more = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
        return UnavailableMeasurement(
            missing=f"roms:{collection}",
            reason=f"Not at hand with the right bytes: {absent[0]}{more}.",
            remedy=self._resolver.remedy(absent[0]),
        )

    def _missing_vector_files(self) -> UnavailableMeasurement | None:
        absent = self._missing_vectors()
        if not absent:
            return None
        return UnavailableMeasurement(
            missing="vectors",
            reason=f"The single-step vectors of {counted(len(absent), 'opcode')} are not at hand.",
            remedy="nesproof roms fetch --collection vectors --yes",
        )


def _missing_subject(name: str) -> UnavailableMeasurement | None:
    status = subject_status(name)
    if status.available:
        return None
    return UnavailableMeasurement(missing=f"subject:{name}", reason=status.reason or "", remedy=status.remedy)


def _missing_tool(name: str) -> UnavailableMeasurement | None:
    if shutil.which(name):
        return None
    remedy = package_command(_TOOL_PACKAGES.get(name, name))
    return UnavailableMeasurement(missing=f"tool:{name}", reason=f"{name} is not on the PATH.", remedy=remedy)


def _missing_gpu(word: str) -> UnavailableMeasurement | None:
    from nesproof.harness.evidence.capture import capture_machine

    gpus = capture_machine().gpus
    if not gpus:
        return UnavailableMeasurement(missing="gpu", reason="There is no NVIDIA GPU with a driver here.", remedy=None)
    if word and not any(word.casefold() in gpu.name.casefold() for gpu in gpus):
        reason = f"The claim binds to {word}; here is {gpus[0].name}."
        return UnavailableMeasurement(missing=f"gpu:{word}", reason=reason, remedy=None)
    return _missing_package("cuda")


def _missing_package(name: str) -> UnavailableMeasurement | None:
    if importlib.util.find_spec(name) is not None:
        return None
    extra = _EXTRAS.get(name)
    remedy = f"pip install 'nesproof[{extra}]'" if extra else f"pip install {name}"
    reason = f"The Python package {name!r} is not installed."
    return UnavailableMeasurement(missing=f"package:{name}", reason=reason, remedy=remedy)


def _missing_cores(count: str) -> UnavailableMeasurement | None:
    from nesproof.harness.evidence.capture import usable_cores

    here = usable_cores()
    if here >= int(count):
        return None
    reason = f"{count} processor cores are needed; this process may use {counted(here, 'core')}."
    return UnavailableMeasurement(missing=f"cores:{count}", reason=reason, remedy=None)


def _missing_variable(name: str) -> UnavailableMeasurement | None:
    if os.environ.get(name):
        return None
    return UnavailableMeasurement(missing=f"env:{name}", reason=f"The variable {name} is not set.", remedy=None)
