"""Boards whose one latch, or a few plain registers, say where the windows stand."""

from __future__ import annotations

from typing import Any

import pytest
from bench import CONFLICT, CONFLICT_BYTE, Bench

NROM, UXROM, CNROM, AXROM, COLOR_DREAMS, BNROM, GXROM, CAMERICA = 0, 2, 3, 7, 11, 34, 66, 71


def banks_of_16k(low: int, high: int) -> list[int]:
    return [low * 2, low * 2 + 1, high * 2, high * 2 + 1]


def banks_of_32k(bank: int) -> list[int]:
    return [bank * 4 + window for window in range(4)]


def banks_of_8k_chr(bank: int) -> list[int]:
    return [bank * 8 + window for window in range(8)]


# --- At power-on


@pytest.mark.parametrize(
    ("mapper", "prg"),
    [
        (NROM, [0, 1, 2, 3]),
        (UXROM, [0, 1, 14, 15]),
        (CNROM, [0, 1, 2, 3]),
        (AXROM, [0, 1, 2, 3]),
        (COLOR_DREAMS, [0, 1, 2, 3]),
        (BNROM, [0, 1, 2, 3]),
        (GXROM, [0, 1, 2, 3]),
        (CAMERICA, [0, 1, 14, 15]),
    ],
)
def test_where_the_windows_are_at_power_on(mapper: int, prg: list[int]) -> None:
    bench = Bench(mapper, chr_kib=8)
    assert bench.prg() == prg
    assert bench.chr() == list(range(8))


@pytest.mark.parametrize("mapper", [NROM, UXROM, CNROM, COLOR_DREAMS, BNROM, GXROM, CAMERICA])
@pytest.mark.parametrize(
    ("mirroring", "pages"),
    [("horizontal", [0, 0, 1, 1]), ("vertical", [0, 1, 0, 1]), ("four-screen", [0, 1, 2, 3])],
)
def test_the_header_mirrors(mapper: int, mirroring: str, pages: list[int]) -> None:
    bench = Bench(mapper, mirroring=mirroring)
    bench.store(0x9001, 0x10)
    assert bench.nametables() == pages


# --- Every bank


def test_uxrom_selects_16_kib_at_8000_with_all_eight_bits() -> None:
    bench = Bench(UXROM, prg_kib=4096)
    for bank in (0, 1, 2, 4, 8, 16, 32, 64, 128, 255):
        bench.store(0xFFF9, bank)
        assert bench.prg() == banks_of_16k(bank, 255)


def test_cnrom_selects_8_kib_of_chr() -> None:
    bench = Bench(CNROM, prg_kib=32, chr_kib=2048)
    for bank in (0, 1, 2, 4, 8, 16, 32, 64, 128, 255):
        bench.store(0x8FF0, bank)
        assert bench.chr() == banks_of_8k_chr(bank)
        assert bench.prg() == [0, 1, 2, 3]


def test_axrom_selects_32_kib_and_the_one_nametable() -> None:
    bench = Bench(AXROM, prg_kib=512)
    for bank in range(16):
        for page in (0, 1):
            bench.store(0x8000, 0xE0 | page << 4 | bank)
            assert bench.prg() == banks_of_32k(bank)
            assert bench.nametables() == [page] * 4


def test_color_dreams_selects_prg_by_its_lower_bits_and_chr_by_its_upper() -> None:
    bench = Bench(COLOR_DREAMS, prg_kib=128, chr_kib=128)
    for prg in range(4):
        for chr_bank in (0, 1, 2, 4, 8, 15):
            bench.store(0xA123, chr_bank << 4 | 0b1100 | prg)
            assert bench.prg() == banks_of_32k(prg)
            assert bench.chr() == banks_of_8k_chr(chr_bank)


def test_bnrom_selects_32_kib() -> None:
    bench = Bench(BNROM, prg_kib=1024)
    for bank in (0, 1, 2, 4, 8, 16, 31):
        bench.store(0xC001 + 0x20, bank)
        assert bench.prg() == banks_of_32k(bank)


def test_gxrom_selects_prg_by_bits_4_and_5_and_chr_by_bits_0_and_1() -> None:
    bench = Bench(GXROM, prg_kib=128, chr_kib=32)
    for prg in range(4):
        for chr_bank in range(4):
            bench.store(0x8FFF, 0b11001100 | prg << 4 | chr_bank)
            assert bench.prg() == banks_of_32k(prg)
            assert bench.chr() == banks_of_8k_chr(chr_bank)


def test_camerica_selects_16_kib_at_c000_and_above_alone() -> None:
    bench = Bench(CAMERICA, prg_kib=256)
    for bank in range(16):
        bench.store(0xC000 if bank & 1 else 0xFFFF, bank)
        bench.store(0xBFFF, 0)
        bench.store(0x8000, 0xFF)
        assert bench.prg() == banks_of_16k(bank, 15)
    assert bench.nametables() == [0, 0, 1, 1]


def test_camericas_bf9097_selects_the_one_nametable_at_8000_to_9fff() -> None:
    bench = Bench(CAMERICA, submapper=1)
    assert bench.nametables() == [0] * 4
    for address, value, page in (
        (0x8000, 0x10, 1),
        (0xA000, 0x00, 1),
        (0x7FFF, 0x00, 1),
        (0x9FFF, 0xEF, 0),
        (0x9000, 0xFF, 1),
        (0xC000, 0x00, 1),
    ):
        bench.store(address, value)
        assert bench.nametables() == [page] * 4


# --- NINA-001, on BNROM's mapper number


@pytest.mark.parametrize(
    ("submapper", "chr_kib", "is_nina"), [(0, 8, False), (0, 16, True), (0, 0, False), (1, 8, True), (2, 16, False)]
)
def test_which_board_of_mapper_34_it_is(submapper: int, chr_kib: int, is_nina: bool) -> None:
    bench = Bench(34, prg_kib=64, chr_kib=chr_kib, submapper=submapper)
    bench.store(0x8000 + 0x20, 1)
    assert bench.prg() == banks_of_32k(0 if is_nina else 1)
    bench.store(0x8000 + 0x20, 0)
    bench.store(0x7FFD, 1)
    assert bench.prg() == banks_of_32k(1 if is_nina else 0)


def test_nina_001_has_its_registers_where_prg_ram_ends() -> None:
    bench = Bench(34, prg_kib=64, chr_kib=64)
    for low, high in ((1, 2), (4, 8), (15, 0)):
        bench.store(0x7FFD, 0xFE | low & 1)
        bench.store(0x7FFE, 0xF0 | low)
        bench.store(0x7FFF, 0xF0 | high)
        assert bench.prg() == banks_of_32k(low & 1)
        assert bench.chr() == [low * 4 + i for i in range(4)] + [high * 4 + i for i in range(4)]
        assert [bench.load(at) for at in (0x7FFD, 0x7FFE, 0x7FFF)] == [0xFE | low & 1, 0xF0 | low, 0xF0 | high]
    bench.store(0x7FFC, 0)
    assert bench.prg() == banks_of_32k(1)


# --- Bus conflicts: where ROM answers a write as well, zeros win


@pytest.mark.parametrize(
    ("mapper", "submapper", "conflicts"),
    [
        (UXROM, 0, True),
        (UXROM, 1, False),
        (UXROM, 2, True),
        (CNROM, 0, True),
        (CNROM, 1, False),
        (CNROM, 2, True),
        (AXROM, 0, False),
        (AXROM, 1, False),
        (AXROM, 2, True),
        (COLOR_DREAMS, 0, True),
        (BNROM, 0, True),
        (BNROM, 2, True),
        (GXROM, 0, True),
        (CAMERICA, 0, False),
        (CAMERICA, 1, False),
    ],
)
def test_which_boards_have_bus_conflicts(mapper: int, submapper: int, conflicts: bool) -> None:
    value = 0b11000110
    bench = Bench(mapper, submapper=submapper)
    bench.store(0xC000 + CONFLICT, value)
    assert bench.field("board_registers")[0] == (value & CONFLICT_BYTE if conflicts else value)


def test_the_rom_that_conflicts_is_the_bank_that_was_selected_before() -> None:
    bench = Bench(BNROM, prg_kib=128)
    bench.store(0xC001 + 0x20, 2)
    bench.store(0x8000, 0xFF)  # bank 2 of 32 KiB begins with 8 KiB number 8
    assert bench.field("board_registers")[0] == 8


# --- Nothing else


@pytest.mark.parametrize("mapper", [UXROM, CNROM, AXROM, COLOR_DREAMS, BNROM, GXROM, CAMERICA])
def test_writes_below_8000_select_nothing(mapper: int) -> None:
    bench = Bench(mapper, prg_ram_bytes=8192)
    for address in (0x4020, 0x5FFF, 0x6000, 0x7FFD, 0x7FFF):
        bench.store(address, 0xFF)
    assert not bench.field("board_registers").any()


@pytest.mark.parametrize("mapper", [UXROM, CNROM, AXROM, COLOR_DREAMS, BNROM, GXROM, CAMERICA])
def test_the_reset_button_does_not_reach_the_board(mapper: int) -> None:
    bench = Bench(mapper)
    bench.store(0xC001 + 0x20, 0x11)
    before = bench.prg(), bench.field("board_registers").tolist()
    bench.console.press_reset()
    assert (bench.prg(), bench.field("board_registers").tolist()) == before
    bench.console.power_on()
    assert not bench.field("board_registers").any()


# --- Sizes


@pytest.mark.parametrize(
    ("prg_kib", "banks"),
    [
        (16, [0, 0]),
        (32, [0, 1]),
        (48, [0, 1, 2, 2]),
        (80, [0, 1, 2, 3, 4, 4, 4, 4]),
        (96, [0, 1, 2, 3, 4, 5, 4, 5]),
        (112, [0, 1, 2, 3, 4, 5, 6, 6]),
    ],
)
def test_prg_rom_that_is_no_power_of_two_is_laid_out_as_chips(prg_kib: int, banks: list[int]) -> None:
    bench = Bench(UXROM, prg_kib=prg_kib)
    for number, bank in enumerate(banks):
        bench.store(0xFF00, number)
        assert bench.prg() == banks_of_16k(bank, prg_kib // 16 - 1)


def test_chr_rom_that_is_no_power_of_two_is_laid_out_as_chips() -> None:
    bench = Bench(CNROM, chr_kib=24)
    for number, bank in enumerate([0, 1, 2, 2]):
        bench.store(0xFF00, number)
        assert bench.chr() == banks_of_8k_chr(bank)


@pytest.mark.parametrize(("ram_kib", "last"), [(32, 3), (8, 0)])
def test_chr_ram_is_banked_as_chr_rom_is(ram_kib: int, last: int) -> None:
    bench = Bench(COLOR_DREAMS, chr_ram_kib=ram_kib)
    for bank in range(4):
        bench.store(0xFF00, bank << 4)
        bench.ppu_write(0x1234, 0x30 + bank)
    seen = []
    for bank in range(4):
        bench.store(0xFF00, bank << 4)
        seen.append(bench.ppu_read(0x1234, 1)[0] - 0x30)
    assert seen == ([0, 1, 2, 3] if last else [3] * 4)


def test_chr_rom_takes_nothing() -> None:
    bench = Bench(CNROM, chr_kib=32)
    bench.ppu_write(0x0000, 0x77)
    assert bench.ppu_read(0x0000, 1) == [0]


def test_a_bank_beyond_the_end_repeats() -> None:
    bench = Bench(UXROM, prg_kib=64)
    bench.store(0xFF00, 0x0D)
    assert bench.prg() == banks_of_16k(1, 3)


# --- PRG-RAM


@pytest.mark.parametrize("mapper", [NROM, UXROM, CNROM, AXROM, COLOR_DREAMS, BNROM, GXROM, CAMERICA])
@pytest.mark.parametrize("prg_ram_bytes", [0, 2048, 8192])
def test_prg_ram_at_6000(mapper: int, prg_ram_bytes: int) -> None:
    bench = Bench(mapper, prg_ram_bytes=prg_ram_bytes)
    bench.store(0x6001, 0x5A)
    if not prg_ram_bytes:
        assert bench.nothing_drives(0x6001)
        with pytest.raises(ValueError, match="cannot be poked"):
            bench.console.poke(0x6001, 1)
        return
    assert bench.load(0x6001) == 0x5A
    assert bench.load(0x7801) == (0x5A if prg_ram_bytes == 2048 else 0)
    bench.console.poke(0x7FFF, 0xA5)
    assert bench.load(0x7FFF) == 0xA5
    assert bench.nothing_drives(0x5FFF)


# --- Snapshots


@pytest.mark.parametrize(
    ("mapper", "fields", "writes"),
    [
        (UXROM, {}, [(0xFFF0, 5)]),
        (CNROM, {"chr_kib": 32}, [(0xFFF0, 3)]),
        (AXROM, {}, [(0xFFF0, 0x13)]),
        (COLOR_DREAMS, {"chr_kib": 128}, [(0xFFF0, 0x52)]),
        (BNROM, {}, [(0xFFF0, 3)]),
        (34, {"chr_kib": 64, "prg_kib": 64}, [(0x7FFD, 1), (0x7FFE, 5), (0x7FFF, 9)]),
        (GXROM, {"chr_kib": 32}, [(0xFFF0, 0x21)]),
        (CAMERICA, {"submapper": 1}, [(0xFFF0, 4), (0x8FF0, 0x10)]),
    ],
)
def test_a_snapshot_brings_the_windows_back(mapper: int, fields: dict[str, Any], writes: list[tuple[int, int]]) -> None:
    bench = Bench(mapper, **fields)
    for address, value in writes:
        bench.store(address, value)
    saved, seen = bench.console.save_state(), (bench.prg(), bench.chr(), bench.nametables())
    other = Bench(mapper, **fields)
    assert (other.prg(), other.chr(), other.nametables()) != seen
    other.console.load_state(saved)
    assert other.console.save_state() == saved
    assert (other.prg(), other.chr(), other.nametables()) == seen
