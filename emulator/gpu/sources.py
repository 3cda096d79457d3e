"""The kernels' sources: the core's headers as the package carries them, by the names under which they include each
other.
"""

from __future__ import annotations

import functools
from pathlib import Path

__all__ = ["KERNELS", "kernel_sources"]

KERNELS = "gpu/kernels.cu"
"""The one file with kernels in it; the others are headers."""

_PLACES = (
    "core/**/*.hpp",
    "core/**/*.def",
    "faults/*.hpp",
    "faults/*.def",
    "gpu/*.hpp",
    "gpu/*.cu",
    "state/architecture.def",
    "state/mix64.hpp",
)


@functools.cache
def kernel_sources() -> dict[str, bytes]:
    """Every file that the kernels are made of, by its path below the emulator's folder, sorted.

    Raises:
        FileNotFoundError: the package was installed without them.
    """
    root = Path(__file__).parent.parent
    found = {path.relative_to(root).as_posix(): path for place in _PLACES for path in root.glob(place)}
    if KERNELS not in found:
        raise FileNotFoundError(f"{KERNELS} is not in the installed package; install nesproof again")
    return {name: found[name].read_bytes() for name in sorted(found)}
