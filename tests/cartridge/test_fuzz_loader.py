"""Whatever the bytes, the loader either gives a cartridge that keeps its promises or raises its one exception.

`NESPROOF_HYPOTHESIS_PROFILE=long` works through 20,000 examples a test.
"""

from __future__ import annotations

import io
import warnings
import zipfile

from hypothesis import assume, example, given
from hypothesis import strategies as st

from nesproof.emulator import Console
from nesproof.emulator.cartridge import SUPPORTED_BOARDS, Cartridge, CartridgeError
from nesproof.emulator.cartridge.nes20 import parse_nes20

BYTE = st.integers(0, 255)
MAPPER = st.one_of(st.sampled_from([*SUPPORTED_BOARDS]), st.integers(0, 255))


def header_of(sizes: tuple[int, int], mapper: int, flags: tuple[int, int], rest: tuple[int, ...]) -> bytes:
    """A header whose mapper number is often one that is supported, with any other bits."""
    flags6, flags7 = flags
    return b"NES\x1a" + bytes([*sizes, mapper << 4 & 0xF0 | flags6 & 15, mapper & 0xF0 | flags7 & 15, *rest])


# Sizes that lead past the size checks are drawn often, so that what lies behind them is reached.
HEADERS = st.builds(
    header_of,
    st.tuples(
        st.one_of(st.sampled_from([0, 1, 2, 3, 5, 52, 53, 54, 56, 60]), BYTE),
        st.one_of(st.sampled_from([0, 0, 1, 2, 3, 40, 48, 52, 53]), BYTE),
    ),
    MAPPER,
    st.tuples(BYTE, st.one_of(st.sampled_from([0, 8]), BYTE)),
    st.tuples(
        st.one_of(st.just(0), st.integers(0, 15).map(lambda submapper: submapper << 4), BYTE),
        st.one_of(st.sampled_from([0, 0x0F, 0xF0, 0xFF]), BYTE),
        st.one_of(st.sampled_from([0, 4, 7, 8, 0x40, 0x70, 0x77]), BYTE),
        st.one_of(st.sampled_from([0, 7, 8, 0x70]), BYTE),
        st.one_of(st.integers(0, 3), BYTE),
        st.one_of(st.just(0), BYTE),
        st.one_of(st.just(0), BYTE),
        st.one_of(st.just(0), BYTE),
    ),
)
# Units where byte 9 is 0, exponents where it is FF: at most 96 KiB of PRG-ROM and 56 KiB of CHR-ROM.
SIZES = st.one_of(
    st.tuples(st.integers(1, 6), st.integers(0, 7), st.just(0)),
    st.tuples(st.integers(52, 59), st.integers(40, 55), st.just(0xFF)),
)
SMALL_HEADERS = st.builds(
    lambda sizes, mapper, flags, submapper, rest: header_of(sizes[:2], mapper, flags, (submapper, sizes[2], *rest)),
    SIZES,
    st.sampled_from([*SUPPORTED_BOARDS]),
    st.tuples(BYTE, st.just(8)),
    st.integers(0, 15).map(lambda submapper: submapper << 4),
    st.tuples(st.sampled_from([0, 1, 4, 7, 8, 0x40, 0x70, 0x77]), st.sampled_from([1, 7, 8, 0x70]), *[st.just(0)] * 4),
)
BODY_SIZES = st.one_of(
    st.sampled_from([0, 0x2000, 0x4000, 0x6000, 0x8000, 0xA000, 0xA200, 0x6200, 0xE000, 0x14000, 0x20000]),
    st.integers(0, 0x20000),
)


def check(data: bytes, **asked: object) -> Cartridge | None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            cartridge = Cartridge.load(data, **asked)
        except CartridgeError as fault:
            message = str(fault)
            assert message.isprintable()
            assert message.endswith(".")
            assert 10 < len(message) < 1000
            return None
    check_promises(cartridge)
    assert [str(w.message).removeprefix(f"{cartridge.source_name}: ") for w in caught] == [
        f"{w}." for w in cartridge.warnings
    ]
    assert all(w.isprintable() for w in cartridge.warnings)
    for name in ("region", "mapper", "irq", "prg_ram"):
        assert asked.get(name) in (None, getattr(cartridge, name))
    return cartridge


def check_promises(cartridge: Cartridge) -> None:
    """What every cartridge keeps, so that a console can be made of it without another look."""
    boards = [b for b in SUPPORTED_BOARDS[cartridge.mapper] if cartridge.submapper in b.submappers]
    prg, chr_ = len(cartridge.prg_rom), len(cartridge.chr_rom)
    assert prg % 0x2000 == 0
    assert 0 < prg <= max(board.prg_rom_most_bytes for board in boards)
    assert chr_ in (0, 0x400, 0x800, 0x1000) or chr_ % 0x2000 == 0
    assert chr_ <= max(board.chr_rom_most_bytes for board in boards)
    for size, most in (
        (cartridge.chr_ram_bytes, max(board.chr_ram_most_bytes for board in boards)),
        (cartridge.prg_ram_bytes, max(board.prg_ram_most_bytes for board in boards)),
    ):
        assert 0 <= size <= most
        assert size & (size - 1) == 0
    assert (cartridge.chr_ram_bytes == 0) == bool(cartridge.chr_rom)
    assert 0 <= cartridge.prg_nvram_bytes <= cartridge.prg_ram_bytes
    assert len(cartridge.trainer) in (0, 512)
    assert not cartridge.trainer or cartridge.prg_ram_bytes >= (0x400 if cartridge.prg_ram == "mmc6" else 0x2000)
    assert cartridge.mapper == 4 or (cartridge.irq, cartridge.prg_ram) == ("sharp", "mmc3")
    assert cartridge.prg_ram == "mmc3" or cartridge.prg_ram_bytes == 0x400
    assert cartridge.board.isprintable()


OPTIONS = {
    "region": st.sampled_from([None, "ntsc"]),
    "mapper": st.one_of(st.none(), st.none(), MAPPER, st.sampled_from([-1, 4096])),
    "submapper": st.one_of(st.none(), st.none(), st.integers(-1, 16)),
    "irq": st.sampled_from([None, None, "sharp", "nec"]),
    "prg_ram": st.sampled_from([None, None, "mmc3", "mmc6"]),
}


@given(data=st.binary(max_size=600), asked=st.fixed_dictionaries(OPTIONS))
def test_any_bytes(data, asked):
    check(data, **asked)


@given(header=HEADERS, size=BODY_SIZES, fill=BYTE, asked=st.fixed_dictionaries(OPTIONS))
@example(header=b"NES\x1a" + bytes([1, 1]) + b"\0DiskDude!", size=0x6000, fill=0, asked={})
@example(header=b"NES\x1a" + bytes([1, 1]) + b"\x46\x08\x10" + bytes(7), size=0x6200, fill=0, asked={})
def test_any_header_over_any_body(header, size, fill, asked):
    check(header + bytes([fill]) * size, **asked)


@given(header=SMALL_HEADERS, submapper=st.one_of(st.none(), st.integers(0, 5)))
def test_of_what_is_loaded_both_consoles_can_be_made(header, submapper):
    body = bytes([0xEA]) * (parse_nes20(header).declared_bytes - len(header))
    cartridge = check(header + body, submapper=submapper)
    if cartridge is None:
        return
    for kind in ("reference", "core"):
        console = Console(cartridge, kind)
        console.step(0x80, 2, record="none")
        assert console.frame_count == 2


def zip_of(rom: bytes, method: int, name: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr(name, rom)
    return buffer.getvalue()


ROM = b"NES\x1a\x01\x01" + bytes(10) + bytes(range(256)) * 96


@given(
    method=st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]),
    edits=st.lists(st.tuples(st.integers(0, 1 << 20), BYTE), max_size=8),
    cut=st.one_of(st.none(), st.integers(0, 1 << 20)),
    from_end=st.booleans(),
)
def test_any_damage_to_a_zip(method, edits, cut, from_end):
    data = bytearray(zip_of(ROM, method, "game.nes"))
    for position, value in edits:
        # The directory at the end is where the structure is; half of the examples damage that alone.
        offset = position % 120
        data[len(data) - 1 - offset if from_end else position % len(data)] = value
    if cut is not None:
        del data[cut % (len(data) + 1) :]
    check(bytes(data), region=None)


@given(name=st.text(min_size=1, max_size=40).map(lambda s: s + ".nes"))
def test_any_member_name(name):
    try:
        data = zip_of(ROM, zipfile.ZIP_STORED, name)
    except (UnicodeEncodeError, ValueError, IndexError):
        assume(False)  # the writer of zips refuses the name, so that no such zip exists
    check(data, region=None)
