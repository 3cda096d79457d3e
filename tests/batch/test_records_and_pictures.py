"""What a step records, and what is drawn of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from nesproof.emulator import Batch, Cartridge, Console
from nesproof.emulator.palette import grey_palette, rgb_palette

DEVICES = ("cpu", "hostsim")


def pictures(cartridge: Cartridge, held: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Of each frame, by the reference."""
    console = Console(cartridge)
    drawn = []
    for row in held:
        console.step(row[np.newaxis])
        drawn.append(console.frame_emphasis.copy())
    return np.stack(drawn)


@given(
    frames=st.integers(1, 40),
    record=st.sampled_from(["last", "last2", "all"]),
    device=st.sampled_from(DEVICES),
    emphasis=st.booleans(),
    lane=st.integers(0, 39),
)
def test_pictures_are_the_references(
    scroller: Cartridge,
    presses: NDArray[np.uint8],
    frames: int,
    record: str,
    device: str,
    emphasis: bool,
    lane: int,
) -> None:
    held = presses[lane : lane + 1, :frames]
    expected = pictures(scroller, held[0])
    kept = {"last": expected[-1:], "last2": expected[-2:], "all": expected}[record]
    with Batch(scroller, 1, device=device, emphasis=emphasis) as batch:
        batch.step(held, record=record)  # type: ignore[arg-type]
        frame = batch.draw()
        assert frame.shape == (1, 240, 256)
        assert frame.dtype == (np.uint16 if emphasis else np.uint8)
        assert batch.frames.shape == (1, len(kept), 240, 256)
        wanted = kept if emphasis else kept & 0x3F
        assert (batch.frames[0] == wanted).all()
        assert (frame == batch.frames[:, -1]).all()
        assert np.shares_memory(frame, batch.frame)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("shift", [1, 2, 3, 4, 7])
def test_chr_ram_of_any_size_repeats_in_the_pattern_tables(device: str, shift: int) -> None:
    """NES 2.0 declares 64 << shift bytes; the program turns the picture on and writes a pattern into all of them."""
    code = bytes([0x2C, 0x02, 0x20, 0x10, 0xFB] * 2)  # BIT $2002, BPL
    code += bytes([0xA2, 0x00, 0x8E, 0x06, 0x20, 0x8E, 0x06, 0x20])  # LDX #0, STX $2006 twice
    code += bytes([0x8A, 0x8D, 0x07, 0x20, 0xE8, 0xD0, 0xF9])  # TXA, STA $2007, INX, BNE: 256 bytes
    code += bytes([0x8E, 0x06, 0x20, 0x8E, 0x06, 0x20, 0xA9, 0x08, 0x8D, 0x00, 0x20])  # $2006, LDA #8, STA $2000
    code += bytes([0xA9, 0x1E, 0x8D, 0x01, 0x20])  # LDA #$1E, STA $2001
    here = 0x8000 + len(code)
    code += bytes([0x4C, here & 0xFF, here >> 8])
    prg = code.ljust(0x7FFC, b"\xea") + bytes([0x00, 0x80, 0x00, 0x80])
    cartridge = Cartridge.load(b"NES\x1a\x02\x00\x00\x08" + bytes([0, 0, 0, shift, 0, 0, 0, 0]) + prg)
    console = Console(cartridge)
    console.power_on(0x6C)
    with Batch(cartridge, 1, device=device, emphasis=True) as batch:
        batch.power_on(fill=0x6C)
        batch.step(np.zeros((1, 8, 2), np.uint8), record="all")
        batch.draw()
        for picture in batch.frames[0]:
            console.step(0)
            assert np.array_equal(picture, console.frame_emphasis)
        assert len(np.unique(batch.frame)) > 2


@pytest.mark.parametrize("device", DEVICES)
def test_without_a_record_nothing_is_drawn(scroller: Cartridge, device: str) -> None:
    with Batch(scroller, 2, device=device) as batch:
        for _ in range(2):
            for look in (batch.draw, lambda: batch.frame, lambda: batch.frames, batch.rgb, batch.grey):
                with pytest.raises(RuntimeError, match="recorded nothing"):
                    look()
            batch.step(record="last")
            batch.draw()
            batch.step(record="none")


def test_a_step_of_no_frames_changes_nothing(scroller: Cartridge) -> None:
    with Batch(scroller, 2) as batch:
        batch.step(record="last", frames=30)
        before = batch.digest().tolist(), batch.draw().copy()
        batch.step(frames=0)
        batch.step(np.zeros((2, 0), np.uint8))
        assert batch.digest().tolist() == before[0]
        assert (batch.frame == before[1]).all()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("spoil", ["load", "reset", "power", "poke"])
def test_a_picture_is_of_the_recorded_frame_whatever_comes_after(
    scroller: Cartridge, presses: NDArray[np.uint8], device: str, spoil: str
) -> None:
    with Batch(scroller, 3, device=device) as batch, Batch(scroller, 3, device=device) as untouched:
        start = batch.save_states()
        for each in (batch, untouched):
            each.step(presses[:3, :50], record="last")
        if spoil == "load":
            batch.load_states(start)
        elif spoil == "reset":
            batch.press_reset(np.array([1]))
        elif spoil == "power":
            batch.power_on([2])
        else:
            batch.ram[:] = 0
        assert (batch.draw() == untouched.draw()).all()


def test_views_show_what_is_drawn_later(scroller: Cartridge, presses: NDArray[np.uint8]) -> None:
    with Batch(scroller, 2) as batch:
        batch.step(presses[:2, :10], record="last")
        view = batch.draw()
        shown = view.copy()
        batch.step(presses[:2, 10:60], record="last")
        assert (view == shown).all(), "stepping draws nothing"
        batch.draw()
        assert (view != shown).any()
        assert np.shares_memory(view, batch.frame)


def test_another_number_of_pictures_takes_another_buffer(scroller: Cartridge, presses: NDArray[np.uint8]) -> None:
    with Batch(scroller, 2) as batch:
        batch.step(presses[:2, :50], record="last")
        view = batch.draw()
        shown = view.copy()
        batch.step(presses[:2, 50:90], record="last2")
        batch.draw()
        assert not np.shares_memory(view, batch.frame)
        assert (view == shown).all()
        assert batch.frames.shape == (2, 2, 240, 256)


def test_colours_and_grey(scroller: Cartridge, presses: NDArray[np.uint8]) -> None:
    with Batch(scroller, 2, emphasis=True) as batch:
        batch.step(presses[:2, :60], record="last")
        frame = batch.draw()
        assert (batch.rgb() == rgb_palette()[frame]).all()
        assert (batch.grey() == grey_palette()[frame]).all()
        out = np.empty((2, 240, 256, 3), np.uint8)
        assert batch.rgb(out) is out
        assert (out == rgb_palette()[frame]).all()
        for wrong in (np.empty((2, 240, 256), np.uint8), np.empty((2, 240, 256, 6), np.uint8)[..., ::2]):
            with pytest.raises(ValueError, match="out"):
                batch.rgb(wrong)
        with pytest.raises(TypeError, match="uint8"):
            batch.rgb(np.empty((2, 240, 256, 3), np.float32))


def test_grey_is_the_colours_luma() -> None:
    table, rgb = grey_palette().astype(int), rgb_palette().astype(int)
    assert table.shape == (512,)
    luma = (299 * rgb[:, 0] + 587 * rgb[:, 1] + 114 * rgb[:, 2]) / 1000
    assert np.abs(table - luma).max() <= 0.5


# --- One console alone


@pytest.mark.parametrize("kind", ["reference", "core"])
@pytest.mark.parametrize("record", ["last", "last2", "all"])
def test_a_console_keeps_what_it_was_told_to(
    scroller: Cartridge, presses: NDArray[np.uint8], kind: str, record: str
) -> None:
    console = Console(scroller, kind)  # type: ignore[arg-type]
    console.step(presses[0, :20], record=record)  # type: ignore[arg-type]
    expected = pictures(scroller, presses[0, :20])
    kept = {"last": expected[-1:], "last2": expected[-2:], "all": expected}[record]
    assert (console.frames == (kept & 0x3F)).all()
    assert console.frames.dtype == np.uint8
    assert (console.frame_emphasis == kept[-1]).all()
    assert (console.rgb() == rgb_palette()[kept[-1]]).all()
    console.step(0, record="none")
    with pytest.raises(RuntimeError, match="recorded no picture"):
        _ = console.frame
    with pytest.raises(ValueError, match="record"):
        console.step(0, record="first")  # type: ignore[arg-type]


def test_single_instructions_record_whole_frames(scroller: Cartridge, presses: NDArray[np.uint8]) -> None:
    core, reference = Console(scroller, "core"), Console(scroller)
    for console in (core, reference):
        console.step(presses[0, :40], record="all" if console is core else "last")
    for frame in range(3):
        while not core.step_instruction():
            pass
        while not reference.step_instruction():
            pass
        assert core.digest() == reference.digest()
        assert (core.frame_emphasis == reference.frame_emphasis).all(), frame
    # A frame that instructions have begun is finished by a step.
    for console in (core, reference):
        for _ in range(5000):
            console.step_instruction()
        console.step(0, 3, record="all")
    assert (core.frames == reference.frames).all()


def test_a_picture_that_is_under_way_shows_its_lines(scroller: Cartridge, presses: NDArray[np.uint8]) -> None:
    core, reference = Console(scroller, "core"), Console(scroller)
    for console in (core, reference):
        console.step(presses[0, :60])
        for _ in range(9000):
            console.step_instruction()
    line = core.ppu.scanline
    assert 0 < line < 240
    assert (core.frame[:line] == reference.frame[:line]).all()
