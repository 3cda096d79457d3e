"""MMC1: the serial port, the windows, and what boards make of CHR's upper bits."""

from __future__ import annotations

import pytest
from bench import Bench

CONTROL, CHR0, CHR1, PRG = 0x8000, 0xA000, 0xC000, 0xE000
STA, INC, LSR, ROR, SEC, LDX, INC_X = 0x8D, 0xEE, 0x4E, 0x6E, 0x38, 0xA2, 0xFE


class Mmc1(Bench):
    def __init__(self, **fields: object) -> None:
        super().__init__(1, **fields)

    def set(self, register: int, value: int) -> None:
        for bit in range(5):
            self.store(register, value >> bit & 1)

    @property
    def shift(self) -> int:
        return int(self.field("board_select"))

    @property
    def registers(self) -> list[int]:
        return list(self.field("board_registers")[:4])


def pairs(low: int, high: int) -> list[int]:
    return [low * 2, low * 2 + 1, high * 2, high * 2 + 1]


# --- The serial port


def test_bits_come_in_from_above_and_the_fifth_write_fills_a_register() -> None:
    bench = Mmc1()
    seen = []
    for bit in (1, 0, 1, 1):
        bench.store(PRG, 0xFE & 0x7F | bit)
        seen.append(bench.shift)
    assert seen == [0b11000, 0b01100, 0b10110, 0b11011]
    assert bench.registers == [0x0C, 0, 0, 0]
    bench.store(PRG, 0)
    assert bench.shift == 0x10
    assert bench.registers == [0x0C, 0, 0, 0b01101]


def test_the_fifth_writes_address_says_which_register() -> None:
    bench = Mmc1()
    for register, value in ((0x9FFF, 0x1D), (0xBFFF, 0x12), (0xDFFF, 0x0B), (0xFFFF, 0x07)):
        for bit in range(4):
            bench.store(0x8000, value >> bit & 1)
        bench.store(register, value >> 4)
    assert bench.registers == [0x1D, 0x12, 0x0B, 0x07]


def test_bit_7_empties_the_port_and_fixes_the_last_bank() -> None:
    bench = Mmc1()
    bench.set(CONTROL, 0b10010)
    bench.store(PRG, 1)
    bench.store(PRG, 1)
    bench.store(CHR0, 0x81)
    assert bench.shift == 0x10
    assert bench.registers == [0b11110, 0, 0, 0]
    assert bench.prg() == pairs(0, 7)


@pytest.mark.parametrize("opcode", [INC, LSR])
def test_of_two_writes_in_a_row_only_the_first_brings_a_bit(opcode: int) -> None:
    bench = Mmc1()
    # $FF from ROM is written back with bit 7 set, and then what the instruction makes of it: $00 or $7F.
    bench.store(PRG, 1)
    bench.run(opcode, 0x40, 0xE0, instructions=1)
    assert bench.shift == 0x10


def test_two_writes_in_a_row_bring_one_bit() -> None:
    bench = Mmc1(prg_ram_bytes=0)
    # $53 stands at $E010 in ROM: written back it brings a 1, and $54 would bring a 0.
    bench.run(INC, 0x10, 0xE0, instructions=1)
    assert bench.shift == 0b11000
    bench.run(INC, 0x10, 0xE0, INC, 0x10, 0xE0, instructions=2)
    assert bench.shift == 0b11110


def test_a_second_write_in_a_row_still_empties_the_port() -> None:
    bench = Mmc1()
    bench.store(PRG, 1)
    # $53 is written back, which would bring a bit, and then $A9, shifted in from the carry, which has bit 7.
    bench.run(SEC, ROR, 0x10, 0xE0, instructions=2)
    assert bench.shift == 0x10


def test_a_dummy_read_before_it_does_not_hide_a_write() -> None:
    bench = Mmc1()
    bench.run(LDX, 0x20, INC_X, 0xF0, 0xDF, instructions=2)  # INC $DFF0,X reads $DF10 and $E010, then writes twice
    assert bench.shift == 0b11000


def test_writes_two_cycles_apart_both_bring_a_bit() -> None:
    bench = Mmc1()
    bench.console.ram[0x20:0x22] = [0x00, 0xE0]
    bench.run(0xA9, 1, 0xA0, 0, 0x91, 0x20, 0x91, 0x20, instructions=4)  # STA ($20),Y
    assert bench.shift == 0b11100


def test_a_snapshot_taken_right_after_a_write_takes_the_next_one() -> None:
    bench = Mmc1()
    bench.store(PRG, 1)
    bench.console.load_state(bench.console.save_state())
    bench.store(PRG, 1)
    assert bench.shift == 0b11100


def test_power_and_reset() -> None:
    bench = Mmc1()
    bench.set(CONTROL, 0)
    bench.store(PRG, 1)
    bench.console.press_reset()
    assert (bench.shift, bench.registers) == (0b11000, [0, 0, 0, 0])
    bench.console.power_on()
    assert (bench.shift, bench.registers) == (0x10, [0x0C, 0, 0, 0])


# --- Windows


def test_prg_rom_of_32_kib_leaves_the_lowest_bit_out() -> None:
    bench = Mmc1(prg_kib=256)
    for mode in (0b00000, 0b00100):
        bench.set(CONTROL, mode)
        for bank in range(16):
            bench.set(PRG, bank)
            assert bench.prg() == pairs(bank & 0xE, bank | 1)


def test_the_first_bank_fixed_at_8000() -> None:
    bench = Mmc1(prg_kib=256)
    bench.set(CONTROL, 0b01000)
    for bank in range(16):
        bench.set(PRG, bank)
        assert bench.prg() == pairs(0, bank)


@pytest.mark.parametrize("prg_kib", [64, 128, 256])
def test_the_last_bank_fixed_at_c000(prg_kib: int) -> None:
    bench = Mmc1(prg_kib=prg_kib)
    for bank in range(16):
        bench.set(PRG, bank)
        assert bench.prg() == pairs(bank % (prg_kib // 16), prg_kib // 16 - 1)


def test_prg_rom_of_80_kib_ends_with_its_last_bank() -> None:
    assert Mmc1(prg_kib=80).prg() == pairs(0, 4)


def test_serom_has_no_register_for_prg_rom() -> None:
    bench = Mmc1(prg_kib=32, submapper=5)
    bench.set(CONTROL, 0b01000)
    bench.set(PRG, 0b00001)
    assert bench.prg() == [0, 1, 2, 3]
    bench.set(CONTROL, 0b00011)
    assert bench.nametables() == [0, 0, 1, 1]


def test_chr_of_8_kib_leaves_the_lowest_bit_out() -> None:
    bench = Mmc1(chr_kib=128)
    for bank in (0, 1, 2, 4, 8, 16, 31):
        bench.set(CHR0, bank)
        bench.set(CHR1, 5)
        assert bench.chr() == [(bank & 0x1E) * 4 + i for i in range(8)]


def test_chr_of_4_kib() -> None:
    bench = Mmc1(chr_kib=128)
    bench.set(CONTROL, 0b11100)
    for low, high in ((0, 31), (1, 2), (4, 8), (16, 0), (31, 16)):
        bench.set(CHR0, low)
        bench.set(CHR1, high)
        assert bench.chr() == [low * 4 + i for i in range(4)] + [high * 4 + i for i in range(4)]


def test_chr_ram_has_two_banks_of_4_kib() -> None:
    bench = Mmc1()
    bench.ppu_write(0x0123, 0x44)
    bench.set(CONTROL, 0b11100)
    bench.set(CHR0, 1)
    bench.set(CHR1, 0x1E)
    assert bench.ppu_read(0x1123, 1) == [0x44]


@pytest.mark.parametrize("header", ["horizontal", "vertical"])
def test_mirroring_is_the_chips_whatever_the_header_says(header: str) -> None:
    bench = Mmc1(mirroring=header)
    assert bench.nametables() == [0] * 4
    for value, pages in ((1, [1] * 4), (2, [0, 1, 0, 1]), (3, [0, 0, 1, 1]), (0, [0] * 4)):
        bench.set(CONTROL, 0b01100 | value)
        assert bench.nametables() == pages


def test_four_screens_are_mirrored_by_no_chip() -> None:
    assert Mmc1(mirroring="four-screen").nametables() == [0, 1, 2, 3]


# --- PRG-RAM


def test_bit_4_of_prg_takes_prg_ram_away() -> None:
    bench = Mmc1(prg_ram_bytes=8192)
    bench.store(0x6123, 0x42)
    bench.set(PRG, 0x10)
    bench.store(0x6123, 0x24)
    assert bench.nothing_drives(0x6123)
    bench.console.poke(0x6124, 0x99)  # from outside nothing is protected
    bench.set(PRG, 0x00)
    assert [bench.load(0x6123), bench.load(0x6124)] == [0x42, 0x99]


@pytest.mark.parametrize(
    ("fields", "is_snrom"),
    [
        ({}, True),
        ({"prg_kib": 32}, True),
        ({"chr_kib": 8}, True),  # one game has CHR-ROM on an SNROM board
        ({"prg_kib": 512}, False),  # SUROM: the bit is PRG-ROM's
        ({"chr_kib": 32}, False),  # SJROM: the bit is CHR-ROM's
        ({"prg_ram_bytes": 32768}, False),  # SXROM
    ],
)
def test_the_highest_bit_of_chr_takes_snroms_prg_ram_away(fields: dict[str, int], is_snrom: bool) -> None:
    bench = Mmc1(**{"prg_kib": 256, "prg_ram_bytes": 8192, **fields})
    bench.store(0x6123, 0x42)
    bench.set(CHR1, 0x10)  # has no say where CHR has 8 KiB
    assert bench.load(0x6123) == 0x42
    bench.set(CHR0, 0x10)
    bench.store(0x6123, 0x24)
    assert bench.nothing_drives(0x6123) == is_snrom
    bench.set(CHR0, 0x00)
    assert bench.load(0x6123) == (0x42 if is_snrom else 0x24)


def test_in_banks_of_4_kib_snroms_prg_ram_follows_what_the_ppu_fetches() -> None:
    bench = Mmc1(prg_kib=256, prg_ram_bytes=8192)
    bench.set(CONTROL, 0b11100)
    bench.store(0x6123, 0x42)
    for chr0, chr1 in ((0x00, 0x10), (0x10, 0x00), (0x10, 0x10)):
        bench.set(CHR0, chr0)
        bench.set(CHR1, chr1)
        for address in (0x0000, 0x1000, 0x0FFF, 0x1FFF, 0x2FFF, 0x3000):
            bench.ppu_address(address)
            is_off = bool((chr1 if address & 0x1000 else chr0) & 0x10)
            bench.store(0x6123, 0x24 if is_off else 0x42)
            assert bench.nothing_drives(0x6123) == is_off
            assert bench.console.peek(0x6123) == (bench.console.peek(0x5FFF) if is_off else 0x42)
    bench.set(CHR0, 0x00)
    bench.ppu_address(0x0000)
    assert bench.load(0x6123) == 0x42
    bench.set(PRG, 0x10)  # turns it off all the same
    assert bench.nothing_drives(0x6123)


def test_a_snapshot_says_whether_snroms_prg_ram_is_on() -> None:
    bench, other = (Mmc1(prg_kib=256, prg_ram_bytes=8192) for _ in range(2))
    bench.set(CONTROL, 0b11100)
    bench.store(0x6123, 0x42)
    bench.set(CHR1, 0x10)
    for address, is_off in ((0x1000, True), (0x0000, False)):
        bench.ppu_address(address)
        other.console.load_state(bench.console.save_state())
        assert other.nothing_drives(0x6123) == is_off


@pytest.mark.parametrize(
    ("prg_ram_kib", "chr_kib", "banks"),
    [
        (8, 64, [0] * 8),
        (16, 0, [0, 0, 1, 1, 0, 0, 1, 1]),  # SOROM: bit 3
        (16, 64, [0, 0, 0, 0, 1, 1, 1, 1]),  # SZROM: bit 4
        (32, 0, [0, 1, 2, 3, 0, 1, 2, 3]),  # SXROM: bits 2 and 3
    ],
)
def test_which_bits_of_chr_0_select_8_kib_of_prg_ram(prg_ram_kib: int, chr_kib: int, banks: list[int]) -> None:
    bench = Mmc1(prg_ram_bytes=prg_ram_kib * 1024, chr_kib=chr_kib)
    for value in range(8):
        bench.set(CHR0, value << 2)
        offset = banks[value] * 0x2000
        bench.store(0x6100, 0x80 | value)
        assert bench.field("cartridge_prg_ram")[offset + 0x100] == 0x80 | value
        assert bench.load(0x6100) == 0x80 | value
        bench.console.poke(0x7FFF, 0x40 | value)
        assert bench.field("cartridge_prg_ram")[offset + 0x1FFF] == 0x40 | value


def test_a_trainer_is_in_the_first_8_kib_of_prg_ram() -> None:
    bench = Mmc1(prg_ram_bytes=32768, trainer=bytes(range(256)) * 2)
    assert [bench.load(0x7000), bench.load(0x71FE)] == [0x00, 0xFE]
    assert bench.field("cartridge_prg_ram")[0x1001] == 1


# --- 512 KiB of PRG-ROM


@pytest.mark.parametrize("chr_4k", [0, 0x10])
def test_bit_4_of_chr_0_is_the_half_of_everything(chr_4k: int) -> None:
    bench = Mmc1(prg_kib=512, prg_ram_bytes=32768)
    for half in (0, 1):
        bench.set(CHR0, half << 4)
        bench.set(CHR1, (half ^ 1) << 4)  # has no say
        bench.set(PRG, 5)
        for mode, expected in (
            (0b01100, (16 * half + 5, 16 * half + 15)),
            (0b01000, (16 * half, 16 * half + 5)),
            (0b00000, (16 * half + 4, 16 * half + 5)),
        ):
            bench.set(CONTROL, mode | chr_4k)
            assert bench.prg() == pairs(*expected)


def test_a_snapshot_brings_everything_back() -> None:
    bench = Mmc1(prg_kib=512, prg_ram_bytes=32768)
    for register, value in ((CONTROL, 0b11001), (CHR0, 0b10101), (CHR1, 0b10100), (PRG, 0b00110)):
        bench.set(register, value)
    bench.store(PRG, 1)
    saved = bench.console.save_state()
    other = Mmc1(prg_kib=512, prg_ram_bytes=32768)
    other.console.load_state(saved)
    assert other.console.save_state() == saved
    assert other.prg() == pairs(16, 22)
    assert other.nametables() == [1] * 4
    other.store(0x6000, 0x17)
    assert other.field("cartridge_prg_ram")[0x2000] == 0x17
