"""Which consoles of a batch are meant: masks, checked before anything is touched."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Mask", "lanes_of"]

Mask: TypeAlias = "ArrayLike | None"
"""None for all, a bool array [N], or int64 indices [M] without duplicates."""


def lanes_of(mask: Mask, num_envs: int) -> NDArray[np.int64]:
    """The meant consoles as int64 indices [M]: ascending for a bool mask, in the given order for indices.

    Raises:
        TypeError: another dtype than bool and int64.
        ValueError: another shape than [N] of bools or [M] of indices; an index below 0, from `num_envs` on, or twice.
    """
    if mask is None:
        return np.arange(num_envs, dtype=np.int64)
    given = _array_of(mask)
    if given.ndim != 1:
        raise ValueError(f"the mask has shape {list(given.shape)}; a bool mask is [{num_envs}], indices are [M]")
    if given.dtype == np.bool_:
        if len(given) != num_envs:
            raise ValueError(f"the bool mask has {len(given)} entries; the batch has {num_envs} consoles")
        return np.flatnonzero(given)
    if given.dtype != np.int64:
        raise TypeError(f"the mask has dtype {given.dtype}; bool [{num_envs}] or int64 indices are needed")
    if given.size:
        for worst in (int(given.min()), int(given.max())):
            if not 0 <= worst < num_envs:
                raise ValueError(f"the mask names console {worst}; they are 0 to {num_envs - 1}")
        if len(np.unique(given)) != len(given):
            raise ValueError("the mask names a console twice; each may stand once")
    return np.ascontiguousarray(given)


def _array_of(mask: ArrayLike) -> NDArray[np.generic]:
    if isinstance(mask, (list, tuple)) and not mask:
        return np.empty(0, np.int64)
    try:
        return np.asarray(mask)
    except ValueError as fault:
        raise ValueError("the mask is no array; a bool array [N] or int64 indices [M] are needed") from fault
