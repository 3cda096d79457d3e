from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

SNAPSHOT_HEADER_BYTES: int

def capsule(
    owner: object,
    address: int,
    shape: Sequence[int],
    strides: Sequence[int],
    code: int,
    bits: int,
    device_type: int,
    device_id: int,
    versioned: bool,
) -> object: ...
def memories(
    *,
    prg_rom: bytes,
    chr_rom: bytes,
    chr_ram_bytes: int,
    prg_ram_bytes: int,
    mirroring: str,
    trainer: bytes,
    mapper: int,
    submapper: int,
    variant: int,
    idle_skipping: bool,
) -> tuple[bytes, bytes, bytes]: ...
def take(capsule: object) -> tuple[object, int, list[int], list[int], int, int, int, int, int]: ...
def count_warps(
    *,
    prg_rom: bytes,
    chr_rom: bytes,
    chr_ram_bytes: int,
    prg_ram_bytes: int,
    mirroring: str,
    trainer: bytes,
    mapper: int,
    submapper: int,
    variant: int,
    idle_skipping: bool,
    bodies: NDArray[np.uint8],
    buttons: NDArray[np.uint8],
    frames_at_once: int,
    schedule: str,
) -> dict[str, Any]: ...
