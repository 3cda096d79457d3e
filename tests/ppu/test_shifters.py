"""Shift registers, sprite units and the bus when rendering is switched within a frame.

The behaviour is what AccuracyCoin's tests of stale shift registers, serial input, resized sprites and sprites on line 0
describe of consoles.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

SOLID, PIXEL = [0xFF] * 8, [0x80] + [0] * 7


def test_the_high_plane_shifts_in_ones_where_no_tile_is_loaded(bench: Any) -> None:
    """Off at dots 104 to 121: three loads are missed, and 14 shifts lie between those of dots 97 and 129.

    PPUMASK takes three dots. AccuracyCoin's "BG Serial In" sees these ones on consoles, and here with no less.
    """
    palette = np.arange(32).astype(np.uint8)
    accesses = [bench.write(100, 101, 0x2001, 0), bench.write(100, 119, 0x2001, 0x0A)]
    outcome = bench.run(accesses, start=(99, 0), run_to=(101, 0), ppu_mask=0x0A, ppu_palette=palette)
    expected = np.zeros(256, np.uint8)
    expected[130:136] = 2
    assert (outcome.console.frame[100] == expected).all()


@pytest.mark.parametrize("x", [0, 0x80])
def test_sprites_draw_at_once_after_a_dot_339_without_rendering(bench: Any, x: int) -> None:
    """Off in the horizontal blank before the sprite's line, on again at dot 203: whatever x, it starts there."""
    accesses = [bench.write(100, 325, 0x2001, 0), bench.write(101, 200, 0x2001, 0x1E)]
    palette = np.arange(32).astype(np.uint8)
    outcome = bench.run(
        accesses,
        start=(99, 0),
        run_to=(102, 0),
        chr_rom=bench.tiles(t1=SOLID),
        ppu_mask=0x1E,
        ppu_oam=bench.sprites((100, 1, 0, x)),
        ppu_palette=palette,
    )
    shown = np.flatnonzero(outcome.console.frame[101] == 17)
    assert shown.tolist() == list(range(202, 210))


def test_background_registers_stand_still_while_rendering_is_off(bench: Any) -> None:
    accesses = [bench.write(100, 60, 0x2001, 0)]
    fields = {"chr_rom": bench.tiles(t1=SOLID), "cartridge_nametables": np.ones(2048, np.uint8), "ppu_mask": 0x1E}
    soon = bench.run(accesses, start=(99, 0), run_to=(100, 100), **fields)
    late = bench.run(accesses, start=(99, 0), run_to=(110, 100), **fields)
    for name in ("low", "high"):
        register = f"ppu_background_pattern_{name}"
        assert soon.state(register) == late.state(register)
    assert soon.state("ppu_background_pattern_low") != 0


@pytest.mark.parametrize(("before", "after", "seen"), [(0x00, 0x20, True), (0x20, 0x00, False)])
def test_a_sprite_resized_before_its_fetch_is_checked_anew(bench: Any, before: int, after: int, seen: bool) -> None:
    """Line 110 is the eleventh of a sprite at y = 100: within 16 lines, not within 8.

    Growing, its place in secondary OAM is the one that the last y of OAM was written to.
    """
    oam = bench.sprites((100, 1, 0, 50), filler=0xFF) if before else np.full(256, 100, np.uint8)
    fields = {"ppu_mask": 0x1E, "chr_rom": bytes([0xFF]) * 8192, "ppu_oam": oam, "ppu_control": before}
    outcome = bench.run([bench.write(110, 250, 0x2000, after)], start=(108, 0), run_to=(110, 335), **fields)
    assert bool(outcome.state("ppu_unit_low")[0]) == seen


@pytest.mark.parametrize("odd", [0, 1])
def test_sprites_on_line_0_come_from_what_secondary_oam_still_holds(bench: Any, odd: int) -> None:
    """The pre-render line reads secondary OAM as line 5. In the frame that skips dot 340 the units get the signal to
    count one pixel late: the first pixel comes out at x = 0, the others one to the left of their places."""
    secondary = np.full(32, 0xFF, np.uint8)
    secondary[:4] = (0, 1, 0, 0x80)
    outcome = bench.run(
        start=(261, 70),
        run_to=(263, 0),
        chr_rom=bench.tiles(t1=SOLID),
        ppu_mask=0x1E,
        ppu_oam=bench.sprites(),
        ppu_secondary_oam=secondary,
        ppu_odd_frame=odd,
        ppu_palette=np.arange(32).astype(np.uint8),
    )
    shown = np.flatnonzero(outcome.console.frame[0] == 17).tolist()
    assert shown == ([0, *range(0x80, 0x87)] if odd else list(range(0x80, 0x88)))


def test_the_latch_on_the_board_holds_the_low_address_byte_of_the_first_dot(bench: Any) -> None:
    """PPUCTRL changes the pattern table between the two dots of a fetch: the high bits are new, the low byte is not."""
    chr_rom = np.zeros(8192, np.uint8)
    chr_rom[0x1010:0x1018] = 0xFF  # tile 1 of the second table, low plane
    write = bench.write(100, 5, 0x2000, 0x10)  # dot 5 drives the address, dot 6 reads
    screen = np.ones(2048, np.uint8)
    fields = {"chr_rom": chr_rom.tobytes(), "cartridge_nametables": screen, "ppu_mask": 0x0A}
    line = bench.run([write], start=(99, 0), run_to=(101, 0), **fields, ppu_palette=np.arange(32)).console.frame[100]
    assert line[16:24].tolist() == [1] * 8
    before = bench.run(
        [bench.write(100, 6, 0x2000, 0x10)], start=(99, 0), run_to=(101, 0), **fields, ppu_palette=np.arange(32)
    )
    assert before.console.frame[100][16:24].tolist() == [0] * 8


@pytest.mark.parametrize("first", [0, 96, 104, 248])
def test_a_counter_that_waits_is_the_same_as_one_that_counts(bench: Any, first: int) -> None:
    """With no pattern to show, the units' counters are settled only when somebody looks."""
    counters = np.arange(first, first + 8)
    state = {"ppu_unit_counter": counters, "ppu_unit_counting": 0xFF, "ppu_mask": 0x1E}
    empty = bench.run(start=(100, 0), run_to=(100, 100), ppu_unit_low=[0] * 8, **state)
    shown = bench.run(start=(100, 0), run_to=(100, 100), ppu_unit_low=[1] * 8, **state)
    assert (empty.state("ppu_unit_counter") == shown.state("ppu_unit_counter")).all()
    assert empty.state("ppu_unit_counting") == shown.state("ppu_unit_counting")


@pytest.mark.parametrize("x", [0x18, 0x50, 0xFE])
def test_counters_run_on_while_rendering_is_off_but_patterns_stand_still(bench: Any, x: int) -> None:
    """Off from dot 16 to 33 of the sprite's line: a sprite further right is where it would have been."""
    accesses = [bench.write(101, 13, 0x2001, 0), bench.write(101, 31, 0x2001, 0x1E)]
    outcome = bench.run(
        accesses,
        start=(99, 0),
        run_to=(102, 0),
        chr_rom=bench.tiles(t1=SOLID),
        ppu_mask=0x1E,
        ppu_oam=bench.sprites((100, 1, 0, x)),
        ppu_palette=np.arange(32),
    )
    shown = np.flatnonzero(outcome.console.frame[101] == 17).tolist()
    first = max(x, 33)  # dot 34 is the first with rendering on again
    assert shown == list(range(first, min(first + 8, 256)))


def test_units_keep_what_they_hold_where_the_fetch_finds_rendering_off(bench: Any) -> None:
    """Loaded for line 101 and not shifted out, since line 101 is blank; drawn when rendering comes back on line 103."""
    accesses = [bench.write(100, 325, 0x2001, 0), bench.write(103, 100, 0x2001, 0x1E)]
    outcome = bench.run(
        accesses,
        start=(99, 0),
        run_to=(104, 0),
        chr_rom=bench.tiles(t1=SOLID),
        ppu_mask=0x1E,
        ppu_oam=bench.sprites((100, 1, 0, 0x30)),
        ppu_palette=np.arange(32),
    )
    assert np.flatnonzero(outcome.console.frame[103] == 17).tolist() == list(range(102, 110))
    assert 17 not in outcome.console.frame[101:103]


# --- The data port while rendering. The memory cycle of $2007 latches an address in the second dot after the access and
# moves a byte in the fourth; AccuracyCoin's "$2007 Stress Test" reads it in every dot of a line, "ALE + Read" sees what
# becomes of the pipeline.

SCREEN = np.random.default_rng(7).integers(0, 256, 2048).astype(np.uint8)
PATTERNS = np.random.default_rng(8).integers(0, 256, 8192).astype(np.uint8)
V, FINE_Y = 0x2400, 2  # coarse x and y 0, the second nametable


def bus_addresses() -> list[int]:
    """What the pipeline addresses at dots 0 to 256 of a line that begins with v at `V`, by the chart of a line."""
    addresses = [V - V]  # dot 0, of no interest here
    for tile in range(32):
        name = int(SCREEN[0x400 + tile])
        pattern = name * 16 + FINE_Y
        for address in (V + tile, V + 0x3C0 + tile // 4, pattern, pattern + 8):
            addresses += [address, address]
    return addresses


def read_at(address: int) -> int:
    return int(SCREEN[address & 0x7FF] if address & 0x2000 else PATTERNS[address])


def data_port(bench: Any, dot: int, run_to: int, **more: int) -> Any:
    fields = {"ppu_mask": 0x08, "ppu_v": V, "ppu_t": V & 0x0FFF, "cartridge_nametables": SCREEN, **more}
    access = [bench.read(100, dot, 0x2007)]
    return bench.run(access, start=(100, 0), run_to=(100, run_to), chr_rom=PATTERNS.tobytes(), **fields)


@pytest.mark.parametrize("dot", range(46, 62, 2))
def test_a_byte_that_the_pipeline_reads_goes_to_the_data_port_as_well(bench: Any, dot: int) -> None:
    assert data_port(bench, dot, dot + 20).state("ppu_read_buffer") == read_at(bus_addresses()[dot + 4])


@pytest.mark.parametrize("dot", range(47, 63, 2))
def test_where_the_pipeline_drives_an_address_the_byte_before_is_its_low_half(bench: Any, dot: int) -> None:
    """The latch keeps what was on the pins, the byte read in the dot before; then it settles on what stands there."""
    addresses = bus_addresses()
    high, before = addresses[dot + 4] & 0x3F00, read_at(addresses[dot + 3])
    outcome = data_port(bench, dot, dot + 20)
    assert outcome.state("ppu_read_buffer") == read_at(high | before)


def test_a_collision_spoils_the_pipelines_next_byte(bench: Any) -> None:
    """A read at dot 49 collides at 53, the address of tile 6's low plane: the byte of dot 54 comes from elsewhere."""
    addresses = bus_addresses()
    high = addresses[53] & 0x3F00
    spoilt = read_at(high | read_at(high | read_at(addresses[52])))
    outcome = data_port(bench, 49, 54)
    assert outcome.state("ppu_next_low") == spoilt != read_at(addresses[54])


def test_the_address_of_dot_257_is_the_old_one(bench: Any) -> None:
    """v takes x from t in dot 257. The byte of dot 258 still comes from where v stood: the next screen."""
    outcome = data_port(bench, 254, 300, ppu_t=0x0010)
    assert outcome.state("ppu_read_buffer") == SCREEN[0x000] != SCREEN[0x010]


@pytest.mark.parametrize(("dot", "reloaded"), [(258, False), (259, True)])
def test_a_units_counter_is_loaded_after_its_x_was_read(bench: Any, dot: int, reloaded: bool) -> None:
    """x of the first sprite is on the bus from dot 260 on and in the counter with dot 261.

    "Stale Sprite Shift Regs" of AccuracyCoin switches rendering off three dots after 258, before that.
    """
    off = bench.write(100, dot, 0x2001, 0)
    sprites = bench.sprites((100, 1, 0, 0x30))
    counters = np.zeros(8, np.uint8)
    state = {"ppu_mask": 0x18, "ppu_oam": sprites, "ppu_unit_counter": counters}
    outcome = bench.run([off], start=(100, 0), run_to=(100, 300), **state)
    assert (outcome.state("ppu_unit_counter")[0] == 0x30) == reloaded


@pytest.mark.parametrize(("dot", "address"), [(93, 0x2416), (94, 0x2415), (95, 0x240C), (96, 0x200C)])
def test_v_that_changes_between_the_two_dots_of_a_fetch_mixes_two_addresses(bench: Any, dot: int, address: int) -> None:
    """v takes t three dots after the write. Dot 96 steps v to $200C, dot 97 drives that address, dot 98 reads."""
    screen = np.random.default_rng(1).permutation(2048).astype(np.uint8)
    assert len({int(screen[at]) for at in (0x00C, 0x015, 0x016, 0x40C, 0x415, 0x416)}) == 6
    write = bench.write(100, dot, 0x2006, 0x15)
    fields = {"ppu_mask": 0x08, "ppu_v": 0x2000, "ppu_t": 0x2400, "ppu_w": 1, "cartridge_nametables": screen}
    outcome = bench.run([write], start=(100, 0), run_to=(100, 99), **fields)
    assert outcome.state("ppu_next_tile") == screen[address & 0x7FF]
