"""What NROM can address: other sizes are refused with the reason, smaller ones stay powers of two."""

from __future__ import annotations

import pickle

import pytest

from nesproof.emulator.cartridge import (
    SUPPORTED_BOARDS,
    Cartridge,
    CartridgeError,
    CartridgeWarning,
    UnsupportedBoardError,
)


@pytest.mark.parametrize(("units", "name"), [(1, "NROM-128"), (2, "NROM-256")])
def test_board_name(units, name, ines):
    assert Cartridge.load(ines(prg_units=units)).board == name


@pytest.mark.parametrize("units", [3, 4, 255])
def test_prg_rom_too_large_for_nrom(units, ines):
    with pytest.raises(CartridgeError, match=f"{units * 0x4000} bytes of PRG-ROM; NROM"):
        Cartridge.load(ines(prg_units=units))


@pytest.mark.parametrize("units", [2, 3, 4])
def test_chr_rom_too_large_for_nrom(units, ines):
    with pytest.raises(CartridgeError, match=f"{units * 0x2000} bytes of CHR-ROM; NROM"):
        Cartridge.load(ines(chr_units=units))


def test_8_kib_of_prg_rom(nes20):
    assert len(Cartridge.load(nes20(prg=(13 << 2, 15), body_bytes=0x4000)).prg_rom) == 0x2000


@pytest.mark.parametrize("low", [0, 12 << 2, 13 << 2 | 1, 12 << 2 | 2])
def test_odd_prg_rom_sizes_are_refused(low, nes20):
    with pytest.raises(CartridgeError, match="PRG-ROM; NROM"):
        Cartridge.load(nes20(prg=(low, 15), body_bytes=0x10000))


@pytest.mark.parametrize(("low", "size"), [(10 << 2, 1024), (11 << 2, 2048), (12 << 2, 4096)])
def test_small_chr_rom(low, size, nes20):
    with pytest.warns(CartridgeWarning, match="are ignored"):
        assert len(Cartridge.load(nes20(chr_=(low, 15))).chr_rom) == size


@pytest.mark.parametrize("shifts", [0x08, 0x80, 0x77, 0x0F, 0x56])
def test_prg_ram_that_nrom_cannot_address(shifts, nes20):
    with pytest.raises(CartridgeError, match="PRG-RAM; NROM"):
        Cartridge.load(nes20(prg_ram_shifts=shifts, flags6=2))


def test_chr_ram_that_nrom_cannot_address(nes20):
    with pytest.raises(CartridgeError, match="CHR-RAM; NROM"):
        Cartridge.load(nes20(chr_=(0, 0), chr_ram_shifts=8))


def test_chr_ram_beside_chr_rom_is_left_out_with_a_warning(nes20):
    with pytest.warns(CartridgeWarning, match="beside CHR-ROM"):
        assert Cartridge.load(nes20(chr_ram_shifts=7)).chr_ram_bytes == 0


def test_trainer_without_prg_ram_gets_it_with_a_warning(nes20):
    with pytest.warns(CartridgeWarning, match="trainer needs RAM"):
        assert Cartridge.load(nes20(flags6=4)).prg_ram_bytes == 0x2000


def test_submapper_without_meaning(nes20):
    with pytest.warns(CartridgeWarning, match="submapper 3"):
        assert Cartridge.load(nes20(submapper=3)).submapper == 0


@pytest.mark.parametrize(("console", "byte13", "name"), [(1, 0, "Vs. System"), (2, 0, "PlayChoice"), (3, 7, "type 7")])
def test_nes_2_for_another_console_is_refused(console, byte13, name, nes20):
    with pytest.raises(CartridgeError, match=name):
        Cartridge.load(nes20(console=console, byte13=byte13))


@pytest.mark.parametrize(("bits", "name"), [(1, "Vs. System"), (2, "PlayChoice-10")])
def test_ines_1_for_another_console_warns_only(bits, name, ines):
    with pytest.warns(CartridgeWarning, match=name):
        Cartridge.load(ines(tail=bytes([bits]) + bytes(8)))


def test_miscellaneous_roms_and_battery_without_memory_warn(nes20):
    with pytest.warns(CartridgeWarning) as caught:
        Cartridge.load(nes20(misc=2, flags6=2))
    assert len(caught) == 2


def test_every_board_has_ram_that_a_mask_can_address():
    for board in (board for boards in SUPPORTED_BOARDS.values() for board in boards):
        sizes = (board.prg_ram_most_bytes, board.chr_ram_most_bytes, board.usual_prg_ram_bytes)
        assert all(size & (size - 1) == 0 for size in sizes)


def test_a_cartridge_is_frozen_and_travels_between_processes(ines):
    cartridge = Cartridge.load(ines())
    assert pickle.loads(pickle.dumps(cartridge)) == cartridge
    with pytest.raises(AttributeError):
        cartridge.mapper = 1
    assert len(repr(cartridge)) < 2000


def test_errors_travel_between_processes(ines):
    with pytest.raises(UnsupportedBoardError) as caught:
        Cartridge.load(ines(flags6=0x50))
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.mapper, copy.supported) == (str(caught.value), 5, tuple(SUPPORTED_BOARDS))


def test_wrong_argument_types():
    for value in (None, 1, 1.5):
        with pytest.raises(TypeError):
            Cartridge.load(value)


def test_buffers_are_content(ines):
    data = ines()
    assert Cartridge.load(bytearray(data)) == Cartridge.load(memoryview(data)) == Cartridge.load(data)
