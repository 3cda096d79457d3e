"""Whatever the bytes, the loader either gives a cartridge that keeps its promises or raises its one exception.

`NESPROOF_HYPOTHESIS_PROFILE=long` works through 20,000 examples a test.
"""

from __future__ import annotations

import io
import warnings
import zipfile

from hypothesis import assume, example, given
from hypothesis import strategies as st

from nesproof.emulator.cartridge import Cartridge, CartridgeError

BYTE = st.integers(0, 255)
# Sizes that lead past the size checks are drawn often, so that what lies behind them is reached.
HEADERS = st.builds(
    lambda prg, chr_, rest: b"NES\x1a" + bytes([prg, chr_, *rest]),
    st.one_of(st.sampled_from([0, 1, 2, 52, 56, 60]), BYTE),
    st.one_of(st.sampled_from([0, 1, 40, 48, 52]), BYTE),
    st.tuples(
        st.one_of(st.integers(0, 15), BYTE),
        st.one_of(st.sampled_from([0, 8, 0x44]), BYTE),
        st.one_of(st.just(0), BYTE),
        st.one_of(st.sampled_from([0, 0x0F, 0xF0, 0xFF]), BYTE),
        st.one_of(st.sampled_from([0, 7, 0x70]), BYTE),
        st.one_of(st.sampled_from([0, 7, 0x70]), BYTE),
        st.one_of(st.integers(0, 3), BYTE),
        st.one_of(st.just(0), BYTE),
        st.one_of(st.just(0), BYTE),
        st.one_of(st.just(0), BYTE),
    ),
)
BODY_SIZES = st.one_of(
    st.sampled_from([0, 0x2000, 0x4000, 0x6000, 0x8000, 0xA000, 0xA200, 0x6200]), st.integers(0, 0x10000)
)


def check(data: bytes, *, region: str | None, mapper: int | None) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            cartridge = Cartridge.load(data, region=region, mapper=mapper)
        except CartridgeError as fault:
            message = str(fault)
            assert message.isprintable()
            assert message.endswith(".")
            assert 10 < len(message) < 1000
            return
    assert len(cartridge.prg_rom) in (0x2000, 0x4000, 0x8000)
    assert len(cartridge.chr_rom) in (0, 0x400, 0x800, 0x1000, 0x2000)
    for size in (cartridge.chr_ram_bytes, cartridge.prg_ram_bytes):
        assert 0 <= size <= 0x2000
        assert size & (size - 1) == 0
    assert (cartridge.chr_ram_bytes == 0) == bool(cartridge.chr_rom)
    assert 0 <= cartridge.prg_nvram_bytes <= cartridge.prg_ram_bytes
    assert len(cartridge.trainer) in (0, 512)
    assert not cartridge.trainer or cartridge.prg_ram_bytes == 0x2000
    assert cartridge.mapper == 0
    assert [str(w.message).removeprefix(f"{cartridge.source_name}: ") for w in caught] == [
        f"{w}." for w in cartridge.warnings
    ]
    assert all(w.isprintable() for w in cartridge.warnings)


OPTIONS = {"region": st.sampled_from([None, "ntsc"]), "mapper": st.sampled_from([None, None, 0, 1, -1, 4096])}


@given(data=st.binary(max_size=600), **OPTIONS)
def test_any_bytes(data, region, mapper):
    check(data, region=region, mapper=mapper)


@given(header=HEADERS, size=BODY_SIZES, fill=BYTE, **OPTIONS)
@example(header=b"NES\x1a" + bytes([1, 1]) + b"\0DiskDude!", size=0x6000, fill=0, region=None, mapper=None)
def test_any_header_over_any_body(header, size, fill, region, mapper):
    check(header + bytes([fill]) * size, region=region, mapper=mapper)


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
    check(bytes(data), region=None, mapper=None)


@given(name=st.text(min_size=1, max_size=40).map(lambda s: s + ".nes"))
def test_any_member_name(name):
    try:
        data = zip_of(ROM, zipfile.ZIP_STORED, name)
    except (UnicodeEncodeError, ValueError, IndexError):
        assume(False)  # the writer of zips refuses the name, so that no such zip exists
    check(data, region=None, mapper=None)
