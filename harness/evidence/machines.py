"""Which runs were on the same machine: figures of different ones never share a series.

Told apart are processor, cores, memory, virtualisation and GPUs. What the owner of a machine changes on it (system,
kernel, driver, governor, clocks) makes no other machine of it, and a host's name is never known.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter

from nesproof.harness.evidence.surroundings import Gpu, Machine

__all__ = ["machine_key", "machine_title"]

_GIB = 1 << 30
_LARGEST_GIB = float(1 << 20)
_NAME_LIMIT = 80
_GPUS_NAMED = 4


def machine_key(machine: Machine) -> str:
    """What all runs on one machine share, and no run on another kind of machine has: `amd-epyc-9r14-2-cores-1a2b3c4d`.

    Letters of a to z, digits and hyphens, at most 72 of them, so that it can name a file or a place in a page.
    """
    words = f"{_processor(machine)} {_cores(machine)} {' '.join(_gpu_names(machine))}".lower()
    slug = re.sub(r"[^a-z0-9]+", "-", words).strip("-")[:63].rstrip("-")
    digest = hashlib.sha256(json.dumps(_identity(machine)).encode()).hexdigest()
    return f"{slug or 'machine'}-{digest[:8]}"


def machine_title(machine: Machine) -> str:
    """The machine for people, on one line: "AMD EPYC 9R14, 2 cores, 8 GiB, virtual, 2 × NVIDIA H200"."""
    parts = [_processor(machine), _cores(machine), f"{_nominal_gib(machine.memory_bytes):g} GiB"]
    if machine.arch not in {"x86_64", "AMD64"}:
        parts.insert(1, _plain(machine.arch))
    if machine.virtualised:
        parts.append("virtual")
    names = _gpu_names(machine)
    parts += names[:_GPUS_NAMED]
    if len(names) > _GPUS_NAMED:
        parts.append(f"and {len(names) - _GPUS_NAMED} other kinds of GPU")
    return ", ".join(parts)


def _identity(machine: Machine) -> list[object]:
    gpus = sorted((gpu.name, gpu.compute_capability, _nominal_gib(gpu.memory_bytes)) for gpu in machine.gpus)
    return [
        machine.arch,
        machine.cpu_model,
        _physical(machine),
        machine.logical_cores,
        machine.usable_cores,
        _nominal_gib(machine.memory_bytes),
        bool(machine.virtualised),
        [list(gpu) for gpu in gpus],
    ]


def _processor(machine: Machine) -> str:
    name = _plain(machine.cpu_model)
    return "unknown processor" if name in {"", "unknown"} else name


def _cores(machine: Machine) -> str:
    """Cores, threads where they are more, and how many of them a process may use where those are fewer."""
    physical, logical = _physical(machine), machine.logical_cores
    words = f"{physical} core" if physical == 1 else f"{physical} cores"
    if logical != physical:
        words += f" with {logical} threads"
    return words if machine.usable_cores == logical else f"{words}, {machine.usable_cores} usable"


def _physical(machine: Machine) -> int:
    return machine.logical_cores if machine.physical_cores is None else machine.physical_cores


def _gpu_names(machine: Machine) -> list[str]:
    counts = Counter(_gpu_name(gpu) for gpu in machine.gpus)
    return [name if n == 1 else f"{n} \N{MULTIPLICATION SIGN} {name}" for name, n in sorted(counts.items())]


def _gpu_name(gpu: Gpu) -> str:
    return _plain(gpu.name) or "unknown GPU"


def _nominal_gib(size_bytes: int) -> float:
    """The size that was bought: a system sees somewhat less than that, and not the same after every update.

    Sizes are those that are sold: powers of two, and one and a half times those.
    """
    power = 0.5
    while power < _LARGEST_GIB:
        for size in (power, 1.5 * power):
            if size_bytes <= size * _GIB:
                return size
        power *= 2
    return _LARGEST_GIB


def _plain(text: str) -> str:
    """A name from a document on one line: no control characters, escapes or overrides, and not too long."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= _NAME_LIMIT else line[: _NAME_LIMIT - 1] + "…"
