"""Whole pictures against a renderer that knows no dots: each pixel is looked up in the nametables and the sprites."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

TOP_OF_PICTURE = (261, 0)


class Scene:
    """Random memories and registers that stay as they are for a frame."""

    def __init__(self, seed: int, *, control: int, mask: int, scroll: tuple[int, int], sprites_a_line: int) -> None:
        random = np.random.default_rng(seed)
        self.control, self.mask, self.scroll = control, mask, scroll
        self.chr_rom = random.integers(0, 256, 8192, np.uint8)
        self.nametables = random.integers(0, 256, 2048, np.uint8)
        self.palette = random.integers(0, 64, 32, np.uint8)
        self.palette[[16, 20, 24, 28]] = self.palette[[0, 4, 8, 12]]
        self.oam = random.integers(0, 256, (64, 4), np.uint8)
        if sprites_a_line:
            self.oam[:, 0] = np.repeat(random.integers(0, 240, 64 // sprites_a_line + 1), sprites_a_line)[:64]
        self.oam[:, 2] &= 0xE3

    def plane_pixel(self, address: NDArray[np.int64], column: NDArray[np.int64]) -> NDArray[np.int64]:
        """Colours 0-3 of the pattern row at `address`, `column` counted from the left."""
        low = self.chr_rom[address] >> (7 - column) & 1
        high = self.chr_rom[address + 8] >> (7 - column) & 1
        return (low + 2 * high).astype(np.int64)

    def background(self) -> NDArray[np.int64]:
        """Palette entries [240, 256], 0 where transparent."""
        table = 0x1000 if self.control & 0x10 else 0
        x = np.arange(256) + self.scroll[0] + 256 * (self.control & 1)
        y = np.arange(240) + self.scroll[1] + 240 * (self.control >> 1 & 1)
        x, y = np.meshgrid(x % 512, y % 480)
        base = (x // 256) * 0x400  # vertical mirroring: the tables lie side by side
        x, y = x % 256, y % 240
        tile = self.nametables[base + y // 8 * 32 + x // 8].astype(np.int64)
        attribute = self.nametables[base + 0x3C0 + y // 32 * 8 + x // 32]
        palette = attribute >> ((y // 16 % 2) * 4 + (x // 16 % 2) * 2) & 3
        colour = self.plane_pixel(table + tile * 16 + y % 8, x % 8)
        entries = np.where(colour == 0, 0, palette.astype(np.int64) * 4 + colour)
        if not self.mask & 0x08:
            entries[:] = 0
        elif not self.mask & 0x02:
            entries[:, :8] = 0
        return entries

    def sprites(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Palette entries [240, 256], 0 where no sprite is, and whether the sprite there is behind the background."""
        entries, behind = np.zeros((240, 256), np.int64), np.zeros((240, 256), bool)
        height = 16 if self.control & 0x20 else 8
        for line in range(1, 240):
            shown = [row for row in self.oam if 0 <= line - 1 - int(row[0]) < height][:8]
            for y, tile, attributes, left in reversed([tuple(int(value) for value in row) for row in shown]):
                row = line - 1 - y
                if attributes & 0x80:
                    row = height - 1 - row
                table = (tile & 1) * 0x1000 if height == 16 else (0x1000 if self.control & 0x08 else 0)
                first = (tile & 0xFE) + row // 8 if height == 16 else tile
                columns = np.arange(8)
                source = 7 - columns if attributes & 0x40 else columns
                colour = self.plane_pixel(np.full(8, table + first * 16 + row % 8), source)
                seen = (colour != 0) & (left + columns < 256)
                entries[line, left + columns[seen]] = 16 + (attributes & 3) * 4 + colour[seen]
                behind[line, left + columns[seen]] = bool(attributes & 0x20)
        if not self.mask & 0x10:
            entries[:] = 0
        elif not self.mask & 0x04:
            entries[:, :8] = 0
        return entries, behind

    def picture(self) -> NDArray[np.int64]:
        background = self.background()
        sprites, behind = self.sprites()
        entries = np.where((sprites != 0) & ((background == 0) | ~behind), sprites, background)
        colours = self.palette[entries] & (0x30 if self.mask & 1 else 0x3F)
        return colours.astype(np.int64) | (self.mask >> 5) << 6


def drawn(bench: Any, scene: Scene) -> NDArray[np.uint16]:
    x, y = scene.scroll
    t = y % 8 << 12 | (scene.control & 3) << 10 | y // 8 << 5 | x // 8
    outcome = bench.run(
        start=TOP_OF_PICTURE,
        run_to=(262 + 240, 100),
        chr_rom=scene.chr_rom.tobytes(),
        cartridge_nametables=scene.nametables,
        ppu_palette=scene.palette,
        ppu_oam=scene.oam.reshape(-1),
        ppu_secondary_oam=np.full(32, 0xFF),
        ppu_control=scene.control,
        ppu_mask=scene.mask,
        ppu_t=t,
        ppu_v=t,
        ppu_fine_x=x % 8,
    )
    return outcome.console.frame_emphasis.copy()


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    control=st.integers(0, 0x3F).map(lambda bits: bits & ~0x04),
    mask=st.integers(0, 0xFF).filter(lambda bits: bits & 0x18),
    scroll=st.tuples(st.integers(0, 255), st.integers(0, 239)),
    sprites_a_line=st.sampled_from([0, 3, 8, 12]),
)
def test_a_still_picture(
    bench: Any, seed: int, control: int, mask: int, scroll: tuple[int, int], sprites_a_line: int
) -> None:
    scene = Scene(seed, control=control, mask=mask, scroll=scroll, sprites_a_line=sprites_a_line)
    assert (drawn(bench, scene) == scene.picture()).all()


@pytest.mark.parametrize(
    ("v", "entry"), [(0x2000, 0), (0x3EFF, 0), (0x3F00, 0), (0x3F07, 7), (0x3F15, 21), (0x7F0D, 13)]
)
def test_with_rendering_off_the_backdrop_or_the_entry_that_v_points_at_is_shown(bench: Any, v: int, entry: int) -> None:
    palette = (np.arange(32) + 8).astype(np.uint8)
    frame = bench.run(start=(261, 0), run_to=(262 + 240, 20), ppu_mask=0, ppu_v=v, ppu_palette=palette).console.frame
    assert (frame == palette[entry]).all()


def test_a_change_within_a_line_is_seen_from_the_next_dot(bench: Any) -> None:
    palette = np.full(32, 0x21, np.uint8)
    write = bench.write(100, 120, 0x2001, 0xFF)  # greyscale and emphasis from dot 121, which draws x = 120
    outcome = bench.run([write], start=(99, 0), run_to=(101, 0), ppu_mask=0x1E, ppu_palette=palette)
    line = outcome.console.frame_emphasis[100]
    assert (line[:120] == 0x21).all()
    assert (line[120:] == 0x20 | 0x1C0).all()
