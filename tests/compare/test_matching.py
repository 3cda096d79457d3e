"""Two plays held together: what is equal, what is not and from where, and by how much one is ahead."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import numpy as np
import pytest

from nesproof.harness.compare.matching import counter_ahead, match_pictures, match_ram, match_states
from nesproof.harness.compare.playing import Played, Shown, _look

FRAMES = 40
BY_INDEX = Shown(ram=True, pictures="indices", states=True, defined_at_power_on=True)
BY_COLOUR = Shown(ram=True, pictures="colours", states=False, defined_at_power_on=False)


def ram_of(first: int, *, frames: int = FRAMES) -> np.ndarray:
    """A counter at 0, and bytes that follow it."""
    ram = np.zeros((frames, 2048), np.uint8)
    ram[:, 0] = np.arange(first, first + frames)
    ram[:, 0x300] = ram[:, 0] * 7
    return ram


def squares(moved: int) -> np.ndarray:
    rows, columns = np.mgrid[0:240, 0:256]
    return (((columns + moved) // 16 + rows // 16) % 4).astype(np.uint16)


def played(
    *,
    first: int = 0,
    colours: tuple[int, ...] = (0, 1, 2, 3),
    change: Callable[[int, np.ndarray], None] = lambda _, __: None,
    is_exact: bool = True,
) -> Played:
    """A play whose counter starts at `first`, and whose picture shows the four codes as `colours`."""
    ram = ram_of(first)
    pictures = []
    for frame in range(FRAMES):
        picture = np.array(colours, np.uint16)[squares(first + frame)]
        change(frame, picture)
        pictures.append(picture)
    return Played(
        ram=ram,
        states=np.arange(first, first + FRAMES).astype(np.uint64),
        pictures=[zlib.compress(p.tobytes()) for p in pictures],
        looks=[_look(p, is_exact=is_exact) for p in pictures],
        palette=[(n, n, n) for n in range(16)],
    )


def test_the_same_play_is_equal_in_everything() -> None:
    ram = match_ram(played(), played(), BY_INDEX)
    assert (ram.agreement, ram.shift_frames, ram.frames_equal, ram.first) == ("equal", 0, FRAMES, None)
    assert ram.sha256 is not None
    assert ram.sha256[0] == ram.sha256[1]
    pictures = match_pictures(played(), played(), BY_INDEX)
    assert (pictures.agreement, pictures.frames_equal) == ("equal", FRAMES)
    assert match_states(played(), played(), BY_INDEX).agreement == "equal"


@pytest.mark.parametrize("shift", [-4, -1, 1, 3])
def test_a_constant_shift_is_found_and_the_rest_is_equal(shift: int) -> None:
    ahead = played(first=10 + shift)
    ram = match_ram(ahead, played(first=10), BY_INDEX)
    assert (ram.agreement, ram.shift_frames, ram.frames) == ("equal", shift, FRAMES - abs(shift))
    pictures = match_pictures(ahead, played(first=10), BY_INDEX)
    assert (pictures.agreement, pictures.shift_frames) == ("equal", shift)
    assert counter_ahead(ahead, played(first=10), address=0, width=1) == shift


def test_one_bit_of_one_frame_is_located() -> None:
    mine, theirs = played(first=1), played()
    mine.ram[17, 0x345] ^= 0x10
    ram = match_ram(mine, theirs, BY_INDEX)
    assert (ram.agreement, ram.shift_frames, ram.frames_equal) == ("differs", 1, FRAMES - 2)
    assert ram.first is not None
    assert (ram.first.frame, ram.first.address, ram.first.bytes_differing) == (17, 0x345, 1)
    assert (ram.first.candidate, ram.first.baseline) == (0x10, 0)
    assert ram.sha256 is not None
    assert ram.sha256[0] != ram.sha256[1]


def test_the_stack_page_is_told_apart() -> None:
    mine = played()
    mine.ram[5, 0x1F3] = 1
    ram = match_ram(mine, played(), BY_INDEX)
    assert (ram.agreement, ram.beside_stack) == ("differs", "equal")


def test_what_power_on_left_counts_only_where_both_say_what_that_is() -> None:
    mine = played()
    mine.ram[:, 0x7FF] = 0xFF
    promised = match_ram(mine, played(), BY_INDEX)
    assert (promised.agreement, promised.undefined_bytes) == ("differs", 0)
    unsaid = match_ram(mine, played(), BY_COLOUR)
    assert (unsaid.agreement, unsaid.undefined_bytes) == ("equal", 1)
    mine.ram[20:, 0x7FF] = 0
    cleared = match_ram(mine, played(), BY_COLOUR)
    assert (cleared.agreement, cleared.undefined_bytes) == ("equal", 1)
    mine.ram[20:, 0x7FF] = 0xFE
    touched = match_ram(mine, played(), BY_COLOUR)
    assert touched.agreement == "differs"
    assert touched.first is not None
    assert touched.first.frame == 20


def test_plays_with_no_frame_alike_differ_from_the_first_on() -> None:
    mine = played()
    mine.ram[:, 0x200] = 1
    ram = match_ram(mine, played(), BY_INDEX)
    assert (ram.frames_equal, ram.shift_frames) == (0, 0)
    assert ram.first is not None
    assert (ram.first.frame, ram.first.address) == (0, 0x200)


def test_other_colours_are_the_same_picture_where_each_stands_for_one() -> None:
    turned = played(colours=(7, 6, 5, 4), is_exact=False)
    assert match_pictures(turned, played(is_exact=False), BY_COLOUR).agreement == "equal"
    assert match_pictures(turned, played(), BY_INDEX).agreement == "differs"


@pytest.mark.parametrize("colours", [(0, 1, 2, 2), (0, 0, 0, 0)], ids=["merged", "blank"])
def test_two_colours_shown_as_one_are_another_picture(colours: tuple[int, ...]) -> None:
    mine, theirs = played(colours=colours, is_exact=False), played(is_exact=False)
    assert match_pictures(mine, theirs, BY_COLOUR).agreement == "differs"
    assert match_pictures(theirs, mine, BY_COLOUR).agreement == "differs"


def test_one_pixel_of_one_frame_is_located() -> None:
    def change(frame: int, picture: np.ndarray) -> None:
        if frame == 30:
            picture[100, 50] = (picture[100, 50] + 1) % 4

    for shown in (BY_INDEX, BY_COLOUR):
        exact = shown is BY_INDEX
        match = match_pictures(played(change=change, is_exact=exact), played(is_exact=exact), shown)
        assert (match.agreement, match.frames_equal, match.first_frames) == ("differs", FRAMES - 1, (30, 30))
        assert match.first is not None
        assert (match.first.frame, match.first.pixels_differing) == (30, 1)
        assert (match.first.row, match.first.column) == (100, 50)
        assert match.differing is not None
        assert match.differing.sum() == 1


def test_a_frozen_picture_differs() -> None:
    def freeze(frame: int, picture: np.ndarray) -> None:
        if frame > 20:
            picture[:] = squares(20)

    assert match_pictures(played(change=freeze), played(), BY_INDEX).first_frames == (21, 21)


def test_an_edge_that_one_never_shows_is_left_out_by_colour_and_no_more_than_that() -> None:
    def edge(_: int, picture: np.ndarray) -> None:
        picture[:8] = picture[-8:] = 12
        picture[:, :8] = picture[:, -8:] = 12

    def thick(_: int, picture: np.ndarray) -> None:
        picture[:12] = 12

    theirs = played(is_exact=False)
    cut = match_pictures(played(change=edge, is_exact=False), theirs, BY_COLOUR)
    assert (cut.agreement, cut.edge) == ("equal", (8, 8, 8, 8))
    assert match_pictures(played(change=thick, is_exact=False), theirs, BY_COLOUR).agreement == "differs"
    assert match_pictures(played(change=edge), played(), BY_INDEX).agreement == "differs"


def test_states_are_held_frame_by_frame() -> None:
    mine = played()
    mine.states[33] ^= np.uint64(1)
    match = match_states(mine, played(), BY_INDEX)
    assert (match.agreement, match.first_frame) == ("differs", 33)


def test_a_counter_wraps_the_shorter_way() -> None:
    mine, theirs = played(), played()
    mine.ram[-1, 0:2], theirs.ram[-1, 0:2] = (1, 0), (255, 255)
    assert counter_ahead(mine, theirs, address=0, width=2) == 2
    assert counter_ahead(theirs, mine, address=0, width=1) == -2


def test_what_is_not_shown_is_not_judged() -> None:
    nothing = Shown(ram=False, pictures="nothing", states=False, defined_at_power_on=False)
    assert match_ram(played(), played(), nothing).agreement == "not-shown"
    assert match_pictures(played(), played(), nothing).agreement == "not-shown"
    assert match_states(played(), played(), nothing).agreement == "not-shown"
