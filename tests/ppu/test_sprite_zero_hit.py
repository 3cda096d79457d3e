"""Sprite-0 hit: https://www.nesdev.org/wiki/PPU_OAM#Sprite_zero_hits

The screen is covered with a solid background where not said otherwise; tile 1 is solid, tile 2 is its top left pixel.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

SOLID, PIXEL = [0xFF] * 8, [0x80] + [0] * 7


def hit_at_end(bench: Any, *, background: int = 1, run_to: tuple[int, int] = (240, 0), **fields: Any) -> int:
    oam = fields.pop("oam")
    screen = np.full(2048, background, np.uint8)
    outcome = bench.run(
        start=(0, 0),
        run_to=run_to,
        chr_rom=bench.tiles(t1=SOLID, t2=PIXEL),
        ppu_oam=oam,
        cartridge_nametables=screen,
        **{"ppu_mask": bench.ALL_ON} | fields,
    )
    return int(outcome.state("ppu_sprite_zero_hit"))


@pytest.mark.parametrize(
    ("y", "x", "hit"),
    [(100, 40, 1), (100, 0, 1), (100, 254, 1), (100, 255, 0), (0, 40, 1), (238, 40, 1), (239, 40, 0), (255, 40, 0)],
)
def test_where_it_can_be(bench: Any, y: int, x: int, hit: int) -> None:
    assert hit_at_end(bench, oam=bench.sprites((y, 2, 0, x)), run_to=(260, 0)) == hit


@pytest.mark.parametrize("mask", range(0, 0x20, 2))
def test_both_layers_must_be_seen_there(bench: Any, mask: int) -> None:
    """At x = 3 either left column hides it; at x = 8 none does."""
    both = mask & 0x18 == 0x18
    assert hit_at_end(bench, oam=bench.sprites((100, 2, 0, 3)), ppu_mask=mask) == (both and mask & 0x06 == 0x06)
    assert hit_at_end(bench, oam=bench.sprites((100, 2, 0, 8)), ppu_mask=mask) == both


def test_only_opaque_pixels_hit(bench: Any) -> None:
    assert hit_at_end(bench, oam=bench.sprites((100, 0, 0, 40))) == 0
    assert hit_at_end(bench, oam=bench.sprites((100, 2, 0, 40)), background=0) == 0


def test_priority_and_flips_do_not_matter_and_other_sprites_do_not_hit(bench: Any) -> None:
    assert hit_at_end(bench, oam=bench.sprites((100, 2, 0x20, 40))) == 1
    assert hit_at_end(bench, oam=bench.sprites((100, 2, 0xC0, 40))) == 1
    assert hit_at_end(bench, oam=bench.sprites((100, 1, 0, 40), first=1)) == 0


def test_a_transparent_sprite_in_front_does_not_hide_it_but_the_first_unit_is_the_first_examined(bench: Any) -> None:
    rows = [(100, 2, 0, 40), (100, 1, 0, 40)]
    assert hit_at_end(bench, oam=bench.sprites(*rows)) == 1
    # OAMADDR 4 when evaluation starts: sprite 1 is examined first and becomes the sprite that hits.
    oam = bench.sprites((100, 0, 0, 0), (100, 2, 0, 40))
    fields = {"chr_rom": bench.tiles(t1=SOLID, t2=PIXEL), "cartridge_nametables": np.ones(2048, np.uint8)}
    outcome = bench.run(
        [bench.write(100, 2, 0x2003, 4)], start=(98, 0), run_to=(102, 0), ppu_oam=oam, ppu_mask=bench.ALL_ON, **fields
    )
    assert outcome.state("ppu_sprite_zero_hit") == 1


@pytest.mark.parametrize("x", [0, 1, 2, 9, 100, 254])
@pytest.mark.parametrize("late", [-1, 0, 1])
def test_it_rises_at_dot_x_plus_2(bench: Any, x: int, late: int) -> None:
    outcome = bench.run(
        [bench.read(101, x + 2 + late, 0x2002)],
        start=(98, 0),
        chr_rom=bench.tiles(t1=SOLID, t2=PIXEL),
        ppu_oam=bench.sprites((100, 2, 0, x)),
        cartridge_nametables=np.ones(2048, np.uint8),
        ppu_mask=bench.ALL_ON,
    )
    assert outcome.reads[0] >> 6 & 1 == (late >= 0)
