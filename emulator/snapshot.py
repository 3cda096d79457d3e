"""Snapshots as data: which fields they hold, and how two of them differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nesproof.emulator._reference import SNAPSHOT_HEADER_BYTES, SnapshotError

__all__ = ["Difference", "Field", "FieldClass", "SnapshotError", "compare", "dtype_of", "unpack"]

FieldClass = Literal["ARCH", "LIVE", "DERIVED"]


@dataclass(frozen=True)
class Field:
    """One row of `architecture.def`, for one cartridge.

    Attributes:
        name: `<chip>_<register>`.
        dtype: NumPy type of a value, little-endian.
        count: number of values.
        unit: what a value counts.
        field_class: ARCH (digest and snapshot), LIVE (snapshot only) or DERIVED (in neither).
        max: the largest valid value.
        identity: what the digest calls the field.
    """

    name: str
    dtype: str
    count: int
    unit: str
    field_class: FieldClass
    max: int
    identity: int


@dataclass(frozen=True)
class Difference:
    """One value that differs between two snapshots; `index` is 0 where the field has one value."""

    name: str
    index: int
    left: int
    right: int


def dtype_of(fields: Sequence[Field]) -> np.dtype[np.void]:
    """The structured NumPy type of a snapshot: `header`, then each ARCH and LIVE field that has values."""
    columns: list[tuple[str, str] | tuple[str, str, tuple[int]]] = [("header", f"V{SNAPSHOT_HEADER_BYTES}")]
    for field in fields:
        if field.field_class == "DERIVED" or field.count == 0:
            continue
        columns.append((field.name, field.dtype) if field.count == 1 else (field.name, field.dtype, (field.count,)))
    return np.dtype(columns)


def unpack(state: bytes, fields: Sequence[Field]) -> NDArray[np.void]:
    """The snapshot as a structured array of shape [1], without a copy.

    Raises:
        SnapshotError: it has another size than this cartridge's snapshots.
    """
    dtype = dtype_of(fields)
    if len(state) != dtype.itemsize:
        raise SnapshotError(
            f"the snapshot has {len(state)} bytes; {dtype.itemsize} are needed: give all that was saved"
        )
    return np.frombuffer(state, dtype)


def compare(left: bytes, right: bytes, fields: Sequence[Field]) -> list[Difference]:
    """Every value that differs, in the fields' order. Both snapshots are of the same cartridge."""
    one, other = unpack(left, fields)[0], unpack(right, fields)[0]
    differences = []
    for name in (one.dtype.names or ())[1:]:
        values, others = np.atleast_1d(one[name]), np.atleast_1d(other[name])
        differences += [
            Difference(name, int(index), int(values[index]), int(others[index]))
            for index in np.flatnonzero(values != others)
        ]
    return differences
