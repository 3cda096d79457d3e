"""Builders of cartridge files, and how hard Hypothesis works on them."""

from __future__ import annotations

import io
import os
import random
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("quick", max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "long", settings.get_profile("quick"), max_examples=20_000, print_blob=True, derandomize=False
)
settings.load_profile(os.environ.get("NESPROOF_HYPOTHESIS_PROFILE", "quick"))

Builder = Callable[..., bytes]


def build_ines(
    *, prg_units: int = 1, chr_units: int = 1, flags6: int = 0, tail: bytes = bytes(9), body: bytes = b""
) -> bytes:
    """An iNES file: `tail` is bytes 7 to 15 of the header; the body is made to fit unless it is given."""
    header = b"NES\x1a" + bytes([prg_units, chr_units, flags6]) + tail
    assert len(header) == 16
    trainer = bytes(range(256)) * 2 if flags6 & 4 else b""
    if not body:
        body = random.Random(1).randbytes(prg_units * 0x4000 + chr_units * 0x2000)
    return header + trainer + body


def build_nes20(
    *,
    prg: tuple[int, int] = (1, 0),
    chr_: tuple[int, int] = (1, 0),
    mapper: int = 0,
    submapper: int = 0,
    flags6: int = 0,
    console: int = 0,
    prg_ram_shifts: int = 0,
    chr_ram_shifts: int = 0,
    timing: int = 0,
    byte13: int = 0,
    misc: int = 0,
    body_bytes: int = 0x6000,
) -> bytes:
    """A NES 2.0 file: `prg` and `chr_` are (low byte, high nibble) of a size."""
    header = bytes([
        *b"NES\x1a",
        prg[0],
        chr_[0],
        flags6 | (mapper & 15) << 4,
        (mapper & 0xF0) | 8 | console,
        mapper >> 8 | submapper << 4,
        prg[1] | chr_[1] << 4,
        prg_ram_shifts,
        chr_ram_shifts,
        timing,
        byte13,
        misc,
        0,
    ])  # fmt: skip
    trainer = bytes(512) if flags6 & 4 else b""
    return header + trainer + random.Random(2).randbytes(body_bytes)


def build_zip(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


@pytest.fixture(scope="session")
def ines() -> Builder:
    return build_ines


@pytest.fixture(scope="session")
def nes20() -> Builder:
    return build_nes20


@pytest.fixture(scope="session")
def zipped() -> Builder:
    return build_zip
