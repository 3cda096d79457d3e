"""Each board by its mapper number: what sizes it takes, what it is called, and what its submappers mean."""

from __future__ import annotations

import warnings

import pytest

from nesproof.emulator.cartridge import SUPPORTED_BOARDS, Cartridge, CartridgeError, CartridgeWarning

KIB = 1 << 10
BOARDS = [board for boards in SUPPORTED_BOARDS.values() for board in boards]
IDS = [board.family for board in BOARDS]
BANKED = [board for board in BOARDS if not board.is_one_chip]


def accepted(data: bytes, **asked) -> Cartridge:
    """Loads without any warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return Cartridge.load(data, **asked)


@pytest.fixture
def rom(nes20):
    """A NES 2.0 file of a board with these sizes, which are whole banks of 8 KiB."""

    def build(board, *, prg, chr_=0, **more) -> bytes:
        assert prg % (8 * KIB) == 0
        units, rest = divmod(prg, 16 * KIB)
        # A bank of 8 KiB alone, or three of them, only an exponent can say.
        exponents = {8 * KIB: (13 << 2, 15), 24 * KIB: (13 << 2 | 1, 15), 40 * KIB: (13 << 2 | 2, 15)}
        prg_units = exponents[prg] if rest else (units & 0xFF, units >> 8)
        chr_units = divmod(chr_ // (8 * KIB), 256)[::-1]
        given = {"submapper": more.pop("submapper", board.submappers[-1])}
        if not chr_:
            given["chr_ram_shifts"] = more.pop("chr_ram_shifts", 7)
        return nes20(prg=prg_units, chr_=chr_units, mapper=board.mapper, body_bytes=prg + chr_, **given, **more)

    return build


@pytest.mark.parametrize("board", BOARDS, ids=IDS)
def test_the_largest_memories_that_it_reaches(board, rom):
    data = rom(board, prg=board.prg_rom_most_bytes, chr_=board.chr_rom_most_bytes)
    cartridge = accepted(data)
    assert (cartridge.mapper, cartridge.submapper) == (board.mapper, board.submappers[-1])
    assert cartridge.prg_rom + cartridge.chr_rom == data[16:]
    assert (len(cartridge.prg_rom), len(cartridge.chr_rom)) == (board.prg_rom_most_bytes, board.chr_rom_most_bytes)


@pytest.mark.parametrize("board", BOARDS, ids=IDS)
def test_a_bank_more_is_refused_with_what_is_supported(board, rom):
    most = board.prg_rom_most_bytes
    with pytest.raises(CartridgeError, match=rf"{most + 16 * KIB} bytes of PRG-ROM; {board.family} .*{most} bytes\."):
        Cartridge.load(rom(board, prg=most + 16 * KIB))
    most = board.chr_rom_most_bytes
    with pytest.raises(CartridgeError, match=rf"{most + 8 * KIB} bytes of CHR-ROM; {board.family} .*{most} bytes\."):
        Cartridge.load(rom(board, prg=16 * KIB, chr_=most + 8 * KIB))


@pytest.mark.parametrize("prg", [24 * KIB, 40 * KIB, 48 * KIB, 80 * KIB])
@pytest.mark.parametrize("board", BANKED, ids=[board.family for board in BANKED])
def test_rom_need_be_no_power_of_two(board, prg, rom):
    if prg <= board.prg_rom_most_bytes:
        assert len(accepted(rom(board, prg=prg)).prg_rom) == prg
    if board.chr_rom_most_bytes >= 24 * KIB:
        assert len(accepted(rom(board, prg=32 * KIB, chr_=24 * KIB)).chr_rom) == 24 * KIB


@pytest.mark.parametrize(
    ("low", "size"), [(12 << 2, 4 * KIB), (11 << 2 | 2, 10 * KIB), (0, 1), (13 << 2 | 3, 56 * KIB)]
)
def test_prg_rom_is_whole_banks(low, size, nes20):
    data = nes20(prg=(low, 15), chr_=(0, 0), chr_ram_shifts=7, mapper=1, body_bytes=size)
    if size % (8 * KIB) == 0:
        assert len(accepted(data).prg_rom) == size
    else:
        with pytest.raises(CartridgeError, match=f"{size} bytes of PRG-ROM; MMC1"):
            Cartridge.load(data)


@pytest.mark.parametrize(("low", "size"), [(9 << 2, 512), (12 << 2 | 1, 12 * KIB), (10 << 2 | 1, 3 * KIB)])
def test_chr_rom_is_whole_banks_or_less_than_one(low, size, nes20):
    with pytest.raises(CartridgeError, match=f"{size} bytes of CHR-ROM; MMC3"):
        Cartridge.load(nes20(chr_=(low, 15), mapper=4, body_bytes=16 * KIB + size))


@pytest.mark.parametrize("mapper", SUPPORTED_BOARDS)
def test_ines_1_gets_ram_where_it_is_silent(mapper, ines):
    data = ines(prg_units=2, chr_units=0, flags6=mapper << 4 & 0xF0, tail=bytes([mapper & 0xF0]) + bytes(8))
    cartridge = accepted(data)
    assert cartridge.mapper == cartridge.declared_mapper == mapper
    assert (cartridge.chr_ram_bytes, cartridge.prg_ram_bytes, cartridge.submapper) == (8 * KIB, 8 * KIB, 0)
    assert (cartridge.irq, cartridge.prg_ram) == ("sharp", "mmc3")


@pytest.mark.parametrize("board", BOARDS, ids=IDS)
def test_ram_up_to_what_it_addresses(board, rom):
    for shift in range(1, 15):
        size = 64 << shift
        for what, most, shifts in (
            ("PRG-RAM", board.prg_ram_most_bytes, {"prg_ram_shifts": shift}),
            ("CHR-RAM", board.chr_ram_most_bytes, {"chr_ram_shifts": shift}),
        ):
            data = rom(board, prg=16 * KIB, **shifts)
            if size <= most:
                cartridge = accepted(data)
                assert size == (cartridge.prg_ram_bytes if what == "PRG-RAM" else cartridge.chr_ram_bytes)
            else:
                with pytest.raises(CartridgeError, match=f"declares {size} bytes of {what}; {board.family}"):
                    Cartridge.load(data)


@pytest.mark.parametrize(("units", "given"), [(1, 8), (2, 16), (3, 16), (4, 32), (5, 32), (255, 32)], ids=str)
def test_prg_ram_that_ines_1_declares_of_an_mmc1(units, given, ines):
    data = ines(chr_units=0, flags6=0x10, tail=bytes([0, units]) + bytes(7))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert Cartridge.load(data).prg_ram_bytes == given * KIB
    assert [f"{units * 8 * KIB} bytes of PRG-RAM" in str(w.message) for w in caught] == [True] * (
        units not in (1, 2, 4)
    )


def test_both_kinds_of_prg_ram_add_up(nes20):
    sorom = accepted(nes20(chr_=(0, 0), chr_ram_shifts=7, mapper=1, flags6=2, prg_ram_shifts=0x77, body_bytes=0x4000))
    assert (sorom.prg_ram_bytes, sorom.prg_nvram_bytes, sorom.board) == (16 * KIB, 8 * KIB, "SOROM")
    with pytest.raises(CartridgeError, match="24576 bytes of PRG-RAM; MMC1"):
        Cartridge.load(nes20(mapper=1, flags6=2, prg_ram_shifts=0x78))


NAMES = [
    (0, {"prg": 16}, "NROM-128"),
    (0, {"prg": 32}, "NROM-256"),
    (1, {"prg": 256}, "SGROM"),
    (1, {"prg": 256, "ram": 7}, "SNROM"),
    (1, {"prg": 256, "ram": 8}, "SOROM"),
    (1, {"prg": 512, "ram": 7}, "SUROM"),
    (1, {"prg": 512, "ram": 9}, "SXROM"),
    (1, {"prg": 128, "ram": 9}, "SXROM"),
    (1, {"prg": 256, "chr": 128}, "SLROM"),
    (1, {"prg": 256, "chr": 128, "ram": 7}, "SKROM"),
    (1, {"prg": 128, "chr": 64, "ram": 7}, "SJROM"),
    (1, {"prg": 128, "chr": 32}, "SFROM"),
    (1, {"prg": 256, "chr": 64, "ram": 8}, "SZROM"),
    (1, {"prg": 64, "chr": 64, "ram": 7}, "SAROM"),
    (1, {"prg": 64, "chr": 16}, "SBROM"),
    (1, {"prg": 64, "chr": 128}, "SCROM"),
    (1, {"prg": 32, "chr": 32, "submapper": 5}, "SEROM"),
    (1, {"prg": 32, "chr": 128, "submapper": 5}, "SHROM"),
    (2, {"prg": 128}, "UNROM"),
    (2, {"prg": 256}, "UOROM"),
    (3, {"prg": 32, "chr": 32}, "CNROM"),
    (4, {"prg": 512, "chr": 256}, "TLROM"),
    (4, {"prg": 512, "chr": 256, "ram": 7}, "TSROM"),
    (4, {"prg": 512, "chr": 256, "ram": 0x70, "flags6": 2}, "TKROM"),
    (4, {"prg": 512}, "TGROM"),
    (4, {"prg": 512, "ram": 0x70, "flags6": 2}, "TNROM"),
    (4, {"prg": 128, "chr": 64}, "TFROM"),
    (4, {"prg": 64, "chr": 64}, "TBROM"),
    (4, {"prg": 32, "chr": 32}, "TEROM"),
    (4, {"prg": 64, "chr": 64, "flags6": 8}, "TVROM"),
    (4, {"prg": 512, "chr": 256, "ram": 0x40, "flags6": 2, "submapper": 1}, "HKROM"),
    (7, {"prg": 128, "submapper": 1}, "ANROM"),
    (7, {"prg": 128, "submapper": 2}, "AMROM"),
    (7, {"prg": 256}, "AOROM"),
    (11, {"prg": 128, "chr": 128}, "Color Dreams"),
    (34, {"prg": 128}, "BNROM"),
    (34, {"prg": 32, "chr": 64}, "NINA-001"),
    (66, {"prg": 128, "chr": 32}, "GNROM"),
    (66, {"prg": 64, "chr": 16}, "MHROM"),
    (71, {"prg": 256}, "BF9093"),
    (71, {"prg": 128, "submapper": 1}, "BF9097"),
]


@pytest.mark.parametrize(("mapper", "parts", "name"), NAMES, ids=[f"{m}-{n}" for m, _, n in NAMES])
def test_its_name_is_what_the_sizes_tell(mapper, parts, name, rom):
    board = next(board for board in SUPPORTED_BOARDS[mapper])
    more = {"flags6": parts.get("flags6", 0), "submapper": parts.get("submapper", 0)}
    data = rom(
        board, prg=parts["prg"] * KIB, chr_=parts.get("chr", 0) * KIB, prg_ram_shifts=parts.get("ram", 0), **more
    )
    assert accepted(data).board == name


@pytest.mark.parametrize(("mapper", "prg_units", "name"), [(1, 16, "SxROM"), (1, 32, "SUROM"), (4, 8, "TxROM")])
def test_a_name_does_not_tell_what_the_file_does_not(mapper, prg_units, name, ines):
    assert accepted(ines(prg_units=prg_units, flags6=mapper << 4)).board == name


@pytest.mark.parametrize(
    ("submapper", "chr_", "name"),
    [(0, 0, "BNROM"), (0, 8, "BNROM"), (0, 16, "NINA-001"), (1, 0, "NINA-001"), (1, 8, "NINA-001"), (2, 8, "BNROM")],
)
def test_mapper_34_is_two_boards(submapper, chr_, name, rom):
    board = SUPPORTED_BOARDS[34][0]
    assert accepted(rom(board, prg=64 * KIB, chr_=chr_ * KIB, submapper=submapper)).board == name


def test_bnrom_with_chr_banks_is_refused(rom):
    with pytest.raises(CartridgeError, match="65536 bytes of CHR-ROM; BNROM"):
        Cartridge.load(rom(SUPPORTED_BOARDS[34][0], prg=64 * KIB, chr_=64 * KIB, submapper=2))
    with pytest.raises(CartridgeError, match="131072 bytes of PRG-ROM; NINA-001"):
        Cartridge.load(rom(SUPPORTED_BOARDS[34][0], prg=128 * KIB, chr_=64 * KIB, submapper=0))


@pytest.mark.parametrize(
    ("submapper", "irq", "prg_ram"), [(0, "sharp", "mmc3"), (1, "sharp", "mmc6"), (4, "nec", "mmc3")]
)
def test_what_submappers_say_of_an_mmc3(submapper, irq, prg_ram, nes20):
    cartridge = accepted(nes20(mapper=4, submapper=submapper, flags6=2, prg_ram_shifts=0x40))
    assert (cartridge.submapper, cartridge.irq, cartridge.prg_ram) == (submapper, irq, prg_ram)
    assert (cartridge.prg_ram_bytes, cartridge.prg_nvram_bytes) == (1024, 1024)


def test_an_mmc_6_has_its_ram_in_the_chip(nes20):
    with pytest.warns(CartridgeWarning, match="8192 bytes of PRG-RAM are declared, but an MMC6 has 1024"):
        cartridge = Cartridge.load(nes20(mapper=4, submapper=1, prg_ram_shifts=7))
    assert (cartridge.prg_ram_bytes, cartridge.prg_nvram_bytes) == (1024, 0)


def test_an_mc_acc_is_run_as_an_mmc3(nes20):
    with pytest.warns(CartridgeWarning, match="submapper 3 is an Acclaim MC-ACC"):
        cartridge = Cartridge.load(nes20(mapper=4, submapper=3))
    assert (cartridge.submapper, cartridge.irq) == (0, "sharp")


@pytest.mark.parametrize("mapper", SUPPORTED_BOARDS)
def test_every_submapper_means_something_or_is_named(mapper, nes20):
    meant = {submapper for board in SUPPORTED_BOARDS[mapper] for submapper in board.submappers}
    for submapper in range(16):
        data = nes20(mapper=mapper, submapper=submapper, prg_ram_shifts=4 if (mapper, submapper) == (4, 1) else 0)
        if submapper in meant:
            assert accepted(data).submapper == submapper
        else:
            with pytest.warns(CartridgeWarning, match=f"submapper {submapper} "):
                assert Cartridge.load(data).submapper == 0


@pytest.mark.parametrize("mapper", SUPPORTED_BOARDS)
def test_every_board_in_a_zip_with_a_trainer_a_battery_and_four_screens(mapper, ines, zipped):
    rom = ines(flags6=0x0E | mapper << 4 & 0xF0, tail=bytes([mapper & 0xF0]) + bytes(8))
    cartridge = accepted(zipped({"folder/game.nes": rom}))
    assert (cartridge.mapper, cartridge.trainer, cartridge.mirroring) == (mapper, rom[16:528], "four-screen")
    assert (cartridge.prg_ram_bytes, cartridge.prg_nvram_bytes) == (8 * KIB, 8 * KIB)
    assert cartridge == accepted(zipped({"folder/game.nes": rom}))


@pytest.mark.parametrize("mapper", SUPPORTED_BOARDS)
def test_every_board_truncated_or_too_long(mapper, ines):
    rom = ines(prg_units=2, flags6=mapper << 4 & 0xF0, tail=bytes([mapper & 0xF0]) + bytes(8))
    for kept in (16, 17, 0x4010, len(rom) - 1):
        with pytest.raises(CartridgeError, match=f"the file has {kept}"):
            Cartridge.load(rom[:kept])
    with pytest.warns(CartridgeWarning, match="last 3 are ignored"):
        assert Cartridge.load(rom + b"end").mapper == mapper


@pytest.mark.parametrize("mapper", [m for m in SUPPORTED_BOARDS if m > 15])
def test_junk_in_the_header_loses_the_upper_nibble(mapper, ines):
    with pytest.warns(CartridgeWarning, match="bytes 7 to 15"):
        cartridge = Cartridge.load(ines(flags6=mapper << 4 & 0xF0, tail=bytes([mapper & 0xF0]) + bytes(7) + b"\1"))
    assert cartridge.mapper == mapper & 15
