"""A batch's arguments beside the buttons, checked: masks, addresses, states, and room for results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Mask", "addresses_of", "lanes_of", "room_for", "states_of"]

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


def addresses_of(addresses: ArrayLike) -> NDArray[np.uint16]:
    """CPU addresses as uint16 [K].

    Raises:
        TypeError: they are no integers.
        ValueError: another shape than [K], or an address that is none.
    """
    given = np.asarray(addresses)
    if given.dtype == np.uint16 and given.ndim == 1:  # as it should be for speed: every value is an address
        return np.ascontiguousarray(given)
    if given.size == 0:
        given = given.astype(np.int64)
    if given.dtype.kind not in "iu":
        raise TypeError(f"addresses are integers, not {given.dtype}")
    if given.ndim != 1:
        raise ValueError(f"addresses have shape {list(given.shape)}; [K] is needed")
    if given.size and not 0 <= int(given.min()) <= int(given.max()) <= 0xFFFF:
        raise ValueError("an address is 0 to 65535")
    return np.ascontiguousarray(given, np.uint16)


def room_for(out: object, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """`out`, or a new array where it is None.

    Raises:
        TypeError, ValueError: it is not a writable, contiguous uint8 array of that shape.
    """
    if out is None:
        return np.empty(shape, np.uint8)
    if not isinstance(out, np.ndarray) or out.dtype != np.uint8:
        what = out.dtype if isinstance(out, np.ndarray) else type(out).__name__
        raise TypeError(f"out is a NumPy array of uint8, not {what}")
    if out.shape != shape:
        raise ValueError(f"out has shape {list(out.shape)}; {list(shape)} is needed")
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError("out must be contiguous and writable")
    return out


def states_of(states: object, count: int) -> NDArray[np.uint8]:
    """Snapshots as uint8 [count, bytes], or [1, bytes] where one is given for all.

    Raises:
        TypeError, ValueError: another dtype or number of them.
    """
    if isinstance(states, (bytes, bytearray, memoryview)):
        return np.frombuffer(states, np.uint8)[np.newaxis]
    if isinstance(states, np.ndarray):
        if states.dtype != np.uint8:
            raise TypeError(f"states have dtype {states.dtype}; uint8 is needed")
        rows = states[np.newaxis] if states.ndim == 1 else states
    elif isinstance(states, Sequence) and all(isinstance(state, (bytes, bytearray, memoryview)) for state in states):
        if len({len(state) for state in states}) > 1:
            raise ValueError("states of several sizes were given; those of a cartridge have one")
        joined = np.frombuffer(b"".join(states), np.uint8)
        rows = joined.reshape(len(states), -1) if states else joined.reshape(0, 0)
    else:
        raise TypeError(f"states are a uint8 array, bytes or a list of bytes, not {type(states).__name__}")
    if rows.ndim != 2:
        raise ValueError(f"states have shape {list(rows.shape)}; [M, bytes] or [bytes] is needed")
    if len(rows) != count and not (isinstance(states, np.ndarray) and states.ndim == 1):
        raise ValueError(f"{len(rows)} states were given for {count} consoles")
    return np.ascontiguousarray(rows)
