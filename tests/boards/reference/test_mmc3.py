"""MMC3 and MMC6: windows, mirroring and PRG-RAM."""

from __future__ import annotations

from typing import Any

import pytest
from mmc3_bench import BANK, MIRRORING, PRG_RAM, SELECT, Mmc3

CHR_SWAPPED, PRG_SWAPPED, MMC6_RAM = 0x80, 0x40, 0x20


def test_power_on() -> None:
    bench = Mmc3(prg_kib=128, chr_kib=64)
    assert bench.field("board_registers").tolist() == [0, 2, 4, 5, 6, 7, 0, 1]
    assert bench.prg() == [0, 1, 14, 15]
    assert bench.chr() == list(range(8))


@pytest.mark.parametrize("prg_kib", [32, 128, 512])
@pytest.mark.parametrize("swapped", [False, True])
def test_prg_windows(prg_kib: int, swapped: bool) -> None:
    bench = Mmc3(prg_kib=prg_kib)
    count = prg_kib // 8
    for low, middle in ((0, 1), (1, 2), (4, 8), (16, 32), (63, 0)):
        bench.put_bank(6, low, modes=PRG_SWAPPED * swapped)
        bench.put_bank(7, middle, modes=PRG_SWAPPED * swapped)
        movable, fixed = low % count, count - 2
        first, third = (fixed, movable) if swapped else (movable, fixed)
        assert bench.prg() == [first, middle % count, third, count - 1]


@pytest.mark.parametrize("swapped", [False, True])
def test_chr_windows(swapped: bool) -> None:
    bench = Mmc3(chr_kib=256)
    for number, value in enumerate((0x11, 0x80, 0x03, 0xFF, 0x40, 0x20)):
        bench.put_bank(number, value, modes=CHR_SWAPPED * swapped)
    pairs, singles = [0x10, 0x11, 0x80, 0x81], [0x03, 0xFF, 0x40, 0x20]
    assert bench.chr() == (singles + pairs if swapped else pairs + singles)


def test_chr_ram_is_banked() -> None:
    bench = Mmc3(chr_ram_kib=8)
    bench.ppu_write(0x0400, 0x5A)
    bench.put_bank(5, 1)
    assert bench.ppu_read(0x1C00, 1) == [0x5A]


def test_registers_repeat_through_8_kib() -> None:
    bench = Mmc3()
    bench.store(0x9FFE, 6)
    bench.store(0x9FFF, 3)
    bench.store(0xBFFE, 1)
    bench.store(0xBFFF, 0xC0)
    assert bench.prg()[0] == 3
    assert [bench.field("board_mirroring"), bench.field("board_prg_ram_control")] == [1, 0xC0]


@pytest.mark.parametrize(("header", "first"), [("horizontal", [0, 0, 1, 1]), ("vertical", [0, 1, 0, 1])])
def test_mirroring_begins_as_the_header_says_and_is_the_chips_from_then_on(header: str, first: list[int]) -> None:
    bench = Mmc3(mirroring=header)
    assert bench.nametables() == first
    bench.store(MIRRORING, 0xFE)
    assert bench.nametables() == [0, 1, 0, 1]
    bench.store(MIRRORING, 0x01)
    assert bench.nametables() == [0, 0, 1, 1]


def test_four_screens_stay() -> None:
    bench = Mmc3(mirroring="four-screen")
    for value in (0, 1):
        bench.store(MIRRORING, value)
        assert bench.nametables() == [0, 1, 2, 3]


# --- PRG-RAM


@pytest.mark.parametrize(
    ("control", "reads", "takes"), [(0x80, True, True), (0xC0, True, False), (0x40, False, False), (0x00, False, False)]
)
def test_prg_ram_is_enabled_and_protected(control: int, reads: bool, takes: bool) -> None:
    bench = Mmc3(prg_ram_bytes=8192)
    bench.store(0x6789, 0x11)
    bench.store(PRG_RAM, control)
    bench.store(0x6789, 0x22)
    assert bench.nothing_drives(0x6789) != reads
    bench.store(PRG_RAM, 0x80)
    assert bench.load(0x6789) == (0x22 if takes else 0x11)


class Mmc6(Mmc3):
    def __init__(self, **fields: Any) -> None:
        super().__init__(prg_ram="mmc6", prg_ram_bytes=1024, **fields)


LOWER, UPPER = 0x7123, 0x7323


@pytest.mark.parametrize(
    ("control", "lower", "upper"),
    [
        (0x00, "nothing", "nothing"),
        (0x50, "nothing", "nothing"),
        (0x20, "reads", "zero"),
        (0x30, "both", "zero"),
        (0x80, "zero", "reads"),
        (0xC0, "zero", "both"),
        (0x90, "zero", "reads"),
        (0x60, "reads", "zero"),
        (0xA0, "reads", "reads"),
        (0xF0, "both", "both"),
        (0xB0, "both", "reads"),
        (0xE0, "reads", "both"),
    ],
)
def test_each_half_of_an_mmc6s_ram_is_let_through_by_itself(control: int, lower: str, upper: str) -> None:
    bench = Mmc6()
    bench.store(SELECT, MMC6_RAM)
    bench.store(PRG_RAM, 0xF0)
    for address in (LOWER, UPPER):
        bench.store(address, 0x11)
    bench.store(PRG_RAM, control)
    for address in (LOWER, UPPER):
        bench.store(address, 0x22)
    for address, access in ((LOWER, lower), (UPPER, upper)):
        expected = {"reads": 0x11, "both": 0x22, "zero": 0}
        if access == "nothing":
            assert bench.nothing_drives(address)
        else:
            assert bench.load(address) == expected[access]
    bench.store(PRG_RAM, 0xF0)
    assert [bench.load(at) for at in (LOWER, UPPER)] == [
        0x22 if access == "both" else 0x11 for access in (lower, upper)
    ]


def test_an_mmc6s_ram_is_1_kib_at_7000_four_times() -> None:
    bench = Mmc6()
    bench.store(SELECT, MMC6_RAM)
    bench.store(PRG_RAM, 0xF0)
    bench.store(0x7001, 0x77)
    bench.store(0x7BFF, 0x88)
    assert [bench.load(at) for at in (0x7001, 0x7401, 0x7801, 0x7C01)] == [0x77] * 4
    assert bench.load(0x73FF) == 0x88
    bench.store(0x6001, 0x99)
    assert bench.nothing_drives(0x6001)
    assert bench.load(0x7001) == 0x77
    with pytest.raises(ValueError, match="cannot be poked"):
        bench.console.poke(0x6001, 0)
    bench.console.poke(0x7FFF, 0x66)
    assert bench.load(0x73FF) == 0x66


def test_an_mmc6s_ram_is_off_until_bit_5_of_8000_turns_it_on() -> None:
    bench = Mmc6()
    assert bench.field("board_prg_ram_control") == 0
    bench.store(PRG_RAM, 0xF0)  # held at 0
    bench.store(SELECT, MMC6_RAM)
    assert bench.nothing_drives(0x7000)
    bench.store(PRG_RAM, 0xF0)
    bench.store(0x7000, 0x12)
    bench.store(SELECT, 0)
    assert bench.nothing_drives(0x7000)
    bench.store(SELECT, MMC6_RAM)
    assert bench.nothing_drives(0x7000)
    bench.store(PRG_RAM, 0xF0)
    assert bench.load(0x7000) == 0x12


def test_on_an_mmc3_bit_5_of_8000_means_nothing() -> None:
    bench = Mmc3(prg_ram_bytes=8192)
    bench.store(SELECT, MMC6_RAM)
    bench.store(SELECT, 0)
    bench.store(0x6000, 0x33)
    assert bench.load(0x6000) == 0x33


# --- State


def test_a_snapshot_brings_the_windows_back() -> None:
    bench = Mmc3(prg_kib=512, chr_kib=256, prg_ram_bytes=8192)
    for number in range(8):
        bench.put_bank(number, 0x19 + number, modes=CHR_SWAPPED | PRG_SWAPPED)
    bench.store(MIRRORING, 0)
    bench.store(PRG_RAM, 0xC0)
    saved = bench.console.save_state()
    other = Mmc3(prg_kib=512, chr_kib=256, prg_ram_bytes=8192)
    other.console.load_state(saved)
    assert other.console.save_state() == saved
    assert (other.prg(), other.chr()) == (bench.prg(), bench.chr())
    assert other.nametables() == [0, 1, 0, 1]
    other.store(0x6000, 1)
    assert other.load(0x6000) == 0


def test_the_reset_button_does_not_reach_the_board() -> None:
    bench = Mmc3()
    bench.put_bank(6, 9)
    bench.store(BANK, 8)
    bench.console.press_reset()
    assert bench.prg()[0] == 8
    bench.console.power_on()
    assert bench.prg()[0] == 0
