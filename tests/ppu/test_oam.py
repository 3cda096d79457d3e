"""OAM, secondary OAM and sprite evaluation: https://www.nesdev.org/wiki/PPU_sprite_evaluation

What a read of $2004 gets at each dot, misaligned OAM and OAM corruption are as AccuracyCoin's tests describe consoles.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

LINE = 0x80


def data_bus_of_a_line(oam: np.ndarray, line: int) -> list[int]:
    """What $2004 reads at dots 0 to 340 of a line with rendering on, found without looking at dots one by one.

    For at most seven sprites on the line, and none whose x is on the line as well when the next y is not.
    """
    in_range = [index for index in range(0, 256, 4) if 0 <= line - int(oam[index]) < 8]
    assert len(in_range) < 8
    seen: list[int] = []
    for index in range(0, 256, 4):
        seen += oam[index : index + 4].tolist() if index in in_range else [int(oam[index])]
    copied = [int(oam[index + k]) for index in in_range for k in range(4)]
    last_y = int(oam[252])
    secondary = ([*copied, last_y] + [0xFF] * 32)[:32]
    evaluated = [value for value in seen for _ in range(2)]
    searching = [int(oam[index % 256]) for index in range(0, 1024, 4)]
    for value in searching:
        evaluated += [value, secondary[len(copied)]]
    read_back = []
    for sprite in range(8):
        read_back += secondary[4 * sprite : 4 * sprite + 3] + secondary[4 * sprite + 3 : 4 * sprite + 4] * 5
    before = secondary[0]
    return [before] + [0xFF] * 64 + evaluated[:192] + read_back + [secondary[0]] * 20


@pytest.mark.parametrize("rising", [False, True])
def test_data_bus_at_every_dot_of_a_line(bench: Any, rising: bool) -> None:
    values = np.arange(256) if rising else np.arange(255, -1, -1)
    oam = values.astype(np.uint8)
    oam[2::4] &= 0xE3
    expected = data_bus_of_a_line(oam, LINE)
    previous = data_bus_of_a_line(oam, LINE - 1)
    expected[0] = previous[340]
    found = [
        bench.run([bench.read(LINE, dot, 0x2004)], start=(LINE - 2, 0), ppu_mask=bench.ALL_ON, ppu_oam=oam).reads[0]
        for dot in range(341)
    ]
    assert found == expected


def test_a_console_recording_agrees(bench: Any) -> None:
    """Dots 193 to 208 and 256 to 273 as AccuracyCoin's answer key lists them for OAM = FF, FE ... 00."""
    oam = np.arange(255, -1, -1).astype(np.uint8)
    oam[2::4] &= 0xE3
    expected = data_bus_of_a_line(oam, LINE)
    assert bytes(expected[193:209]).hex(" ") == "17 17 13 13 0f 0f 0b 0b 07 07 03 03 ff 03 fb 03"
    assert bytes(expected[256:274]).hex(" ") == "03 7f 7e 61 7c 7c 7c 7c 7c 7b 7a 61 78 78 78 78 78 03"


def test_attribute_bits_2_to_4_do_not_exist(bench: Any) -> None:
    writes = [bench.write(245, 30 + 30 * step, 0x2004, 0xFF) for step in range(4)]
    reads = [bench.write(245, 180, 0x2003, 2), bench.read(245, 210, 0x2004), bench.read(245, 240, 0x2004)]
    outcome = bench.run(writes + reads, ppu_oam_address=0)
    assert outcome.state("ppu_oam")[:4].tolist() == [0xFF, 0xFF, 0xE3, 0xFF]
    assert outcome.reads == (0xE3, 0xE3)  # a read does not move OAMADDR


@pytest.mark.parametrize("mask", [0x00, 0x08, 0x10, 0x18])
def test_a_write_while_rendering_only_moves_the_address(bench: Any, mask: int) -> None:
    fields = {"ppu_oam": np.arange(256).astype(np.uint8) & 0xE3, "ppu_oam_address": 1}
    outcome = bench.run([bench.write(261, 200, 0x2004, 0x77)], start=(260, 0), ppu_mask=mask, **fields)
    assert outcome.state("ppu_oam_address") == (4 if mask else 2)
    assert (0x77 in outcome.state("ppu_oam")) == (mask == 0)


def test_oamaddr_is_0_from_dot_257_to_320(bench: Any) -> None:
    early = bench.run([bench.write(100, 318, 0x2003, 0x40)], run_to=(100, 336), ppu_mask=0x18)
    late = bench.run([bench.write(100, 324, 0x2003, 0x40)], run_to=(100, 336), ppu_mask=0x18)
    off = bench.run([bench.write(100, 300, 0x2003, 0x40)], run_to=(100, 336), ppu_mask=0)
    assert [one.state("ppu_oam_address") for one in (early, late, off)] == [0, 0x40, 0x40]


# --- Overflow

SOLID = (100, 1, 0, 40)


@pytest.mark.parametrize(("count", "mask", "flag"), [(8, 0x18, 0), (9, 0x18, 1), (9, 0x08, 1), (9, 0x10, 1), (9, 0, 0)])
def test_overflow_needs_nine_sprites_and_rendering(bench: Any, count: int, mask: int, flag: int) -> None:
    outcome = bench.run(start=(90, 0), run_to=(120, 0), ppu_mask=mask, ppu_oam=bench.sprites(*[SOLID] * count))
    assert outcome.state("ppu_sprite_overflow") == flag


@pytest.mark.parametrize("dot", range(128, 150))
def test_overflow_rises_in_the_dot_after_the_one_that_examines_the_ninth(bench: Any, dot: int) -> None:
    """Sprites 0-7 take eight even dots each from 66 to 128, eight copies of four; the ninth is examined at 130."""
    outcome = bench.run(
        [bench.read(100, dot, 0x2002)], start=(99, 0), ppu_mask=0x18, ppu_oam=bench.sprites(*[SOLID] * 9)
    )
    assert outcome.reads[0] & 0x20 == (0x20 if dot >= 131 else 0)


@pytest.mark.parametrize("byte", range(4))
def test_overflow_bug_walks_diagonally(bench: Any, byte: int) -> None:
    """After eight sprites the search looks at byte 0, 1, 2, 3, 0 ... of the following ones."""
    rows = [SOLID] * 8 + [(200, 200, 0xE0, 200)] * 56
    oam = bench.sprites(*rows)
    oam[4 * (8 + byte) + byte] = 96 if byte == 2 else 100  # attributes have no bits 2-4: 96 keeps its value
    outcome = bench.run(start=(90, 0), run_to=(120, 0), ppu_mask=0x18, ppu_oam=oam)
    assert outcome.state("ppu_sprite_overflow") == 1
    oam[4 * (8 + byte) + byte] = 200 if byte != 2 else 0xE0
    oam[4 * (8 + byte) + (byte + 1) % 4] = 96 if (byte + 1) % 4 == 2 else 100  # off the diagonal
    outcome = bench.run(start=(90, 0), run_to=(120, 0), ppu_mask=0x18, ppu_oam=oam)
    assert outcome.state("ppu_sprite_overflow") == 0


def test_one_overflow_ends_the_search(bench: Any) -> None:
    """After the ninth sprite's four bytes, OAM's y bytes and secondary OAM's first byte alternate to the end."""
    rows = [(100, k, 0x40 + k % 4, 100) for k in range(9)] + [(200 - k, 0, 0, 0) for k in range(9, 64)]
    oam = bench.sprites(*rows)
    found = [
        bench.run([bench.read(100, dot, 0x2004)], start=(99, 0), ppu_mask=0x18, ppu_oam=oam).reads[0]
        for dot in range(129, 147)
    ]
    ninth = [100, 8, 0x40, 100]
    expected = [value for byte in ninth for value in (byte, 100)]
    expected += [value for k in range(9, 14) for value in (200 - k, 100)]
    assert found == expected


# --- Misaligned OAM: OAMADDR is not 0 when line 0 begins, and nine sprites are found or not

IN, OUT = (0x00, 0xE3, 0x00, 0x00), 0x80


def misaligned(offset: int, *parts: tuple[int, ...]) -> np.ndarray:
    oam = np.full(256, 0xFF, np.uint8)
    data = [value for part in parts for value in part]
    oam[offset : offset + len(data)] = data
    return oam


@pytest.mark.parametrize(
    ("offset", "parts", "ninth"),
    [
        (1, [IN] * 6 + [(OUT, 0xFF, 0xFF)] + [IN] * 2, IN),  # y not on the line: +4, aligned
        (1, [IN] * 8 + [(OUT, 0xFF, 0xFF, 0xFF, 0xFF)], (0x00,)),  # the same with secondary OAM full: +5
        (1, [IN] * 6 + [(0x00, 0xE3, 0x00, OUT), (0xE3, 0xFF, 0xFF), IN], IN),  # x not on the line: +1, aligned
        (1, [IN] * 7 + [(0x00, 0xE3, 0x00, OUT), (0xE3, 0xFF, 0xFF, 0xFF)], IN),
        (2, [(0x00, 0xE3, 16 * k, 0x00) for k in range(1, 8)] + [(0x00, 0xE3)], (0x00, OUT, 0x00, 0x00)),
        (3, [(0x00, 16 * k, 0x00, 0x00) for k in range(1, 8)] + [(0x00, OUT, 0x00, OUT, 0xFF, 0xFF)], (0x00,)),
    ],
)
def test_misaligned_oam_finds_nine_sprites(
    bench: Any, offset: int, parts: list[tuple[int, ...]], ninth: tuple[int, ...]
) -> None:
    for oam, overflow in ((misaligned(offset, *parts, ninth), 1), (misaligned(offset, *parts), 0)):
        fields = {"ppu_mask": 0x18, "ppu_oam": oam}
        outcome = bench.run([bench.write(262, 2, 0x2003, offset)], start=(261, 0), run_to=(263, 0), **fields)
        assert outcome.state("ppu_sprite_overflow") == overflow


# --- OAM corruption

ROWS = np.repeat(np.arange(32), 8).astype(np.uint8) | 0x40


@pytest.mark.parametrize(
    ("dot", "row"),
    [(5, 3), (6, 4), (18, 10), (61, 31), (98, 0), (256, 2), (298, 23)],
)
def test_switching_rendering_off_corrupts_a_row_when_it_comes_back(bench: Any, dot: int, row: int) -> None:
    """The write is three dots before the switch; dots 1-64 move secondary OAM's address with every even dot."""
    fields = {"ppu_mask": 0x18, "ppu_oam": ROWS & 0xE3}
    off = bench.write(50, dot, 0x2001, 0)
    waiting = bench.run([off], start=(48, 0), run_to=(250, 0), **fields)
    assert (waiting.state("ppu_oam") == ROWS & 0xE3).all()
    line = 250
    on = next(at for at in range(100, 103) if (line * 341 + at - 50 * 341 - dot) % 3 == 0)
    back = bench.run([off, bench.write(line, on, 0x2001, 0x18)], start=(48, 0), run_to=(262, 0), **fields)
    expected = (ROWS & 0xE3).copy()
    expected[8 * row : 8 * row + 8] = expected[:8]
    assert (back.state("ppu_oam") == expected).all()


def test_rendering_that_comes_back_within_a_line_spares_oam(bench: Any) -> None:
    """As sprite_overflow_tests/5.Emulator needs it on consoles: off at line 126, on again at line 138, dot 38."""
    fields = {"ppu_mask": 0x18, "ppu_oam": ROWS & 0xE3}
    accesses = [bench.write(126, 14, 0x2001, 0), bench.write(138, 35, 0x2001, 0x18)]
    outcome = bench.run(accesses, start=(125, 0), run_to=(262, 100), **fields)
    assert (outcome.state("ppu_oam") == ROWS & 0xE3).all()
