"""Waits within waits: what counts the outer one does so once for each time that the inner one ends."""

from __future__ import annotations

import pytest

from nesproof.emulator import Cartridge, Console

pytest.importorskip("nesproof.emulator._core", reason="the consoles are not built")
pytest.importorskip("nesproof.emulator._reference", reason="the consoles are not built")


def waits(count: bytes, branch: int) -> bytes:
    """LDX #5; LDY #$FB; then two nested waits for vertical blank; INC $10; and all of it again."""
    wait = bytes([0xAD, 0x02, 0x20, 0x10, 0xFB]) + count + bytes([branch, 0xF8])
    return bytes([0xA2, 5, 0xA0, 0xFB]) + wait + bytes([0xE6, 0x10, 0x4C, 0x00, 0xC0])


@pytest.mark.parametrize(("count", "branch"), [(0xCA, 0x10), (0xCA, 0xD0), (0xC8, 0xD0), (0xC8, 0x30)])
def test_a_counter_around_a_wait_for_vertical_blank(count: int, branch: int) -> None:
    prg = waits(bytes([count]), branch).ljust(0x3FFA, b"\xea") + bytes([0, 0xC0, 0, 0xC0, 0, 0xC0])
    cartridge = Cartridge.load(b"NES\x1a" + bytes([1, 1]) + bytes(10) + prg + bytes(8192))
    reference, core = Console(cartridge, kind="reference"), Console(cartridge, kind="core")
    for frame in range(20):
        reference.step(0)
        core.step(0)
        assert reference.digest() == core.digest(), f"frame {frame}"
    assert reference.ram[0x10] >= 3
