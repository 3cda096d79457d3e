"""A batch of consoles with a banked cartridge is as many consoles alone: in both layouts, in batches of any size."""

from __future__ import annotations

import numpy as np
import pytest
from board_programs import BOARDS, BoardCase, lively

from nesproof.emulator import Batch, Console
from nesproof.emulator.lanes import Mask

DEVICES = ("cpu", "hostsim")
LANES = 35
FRAMES = 12

for_each_board = pytest.mark.parametrize("case", BOARDS, ids=lambda case: case.name)
for_each_device = pytest.mark.parametrize("device", DEVICES)


def held(lanes: int, frames: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (lanes, frames, 2)).astype(np.uint8)


def parted(batch: Batch) -> None:
    """Every lane somewhere else: buttons reach the registers only where a program looks at them."""
    for lane in range(batch.num_envs):
        batch.step(held(batch.num_envs, 1, lane))
        if lane % 7 == 3:
            batch.power_on([lane], fill=lane)


@for_each_device
@for_each_board
def test_each_lane_equals_a_console_alone(case: BoardCase, device: str) -> None:
    image = lively(case, 2)[-1]
    with Batch(image, LANES, device=device, threads=2, emphasis=True) as batch:
        parted(batch)
        states = batch.save_states()
        batch.step(held(LANES, FRAMES), record="last2")
        batch.draw()
        digests, frames = batch.digest(), batch.frames
        for lane, kind in ((0, "reference"), (3, "reference"), (17, "core"), (31, "core"), (32, "reference")):
            console = Console(image, kind)  # type: ignore[arg-type]
            console.load_state(bytes(states[lane]))
            console.step(held(LANES, FRAMES)[lane], record="last2")
            assert console.digest() == int(digests[lane]), f"lane {lane} against {kind}"
            assert np.array_equal(console.frame_emphasis, frames[lane, -1]), f"lane {lane}'s picture against {kind}"
        assert len(set(digests.tolist())) > 1, "all lanes are where the others are"


@for_each_board
def test_states_go_between_kinds_lanes_and_sizes(case: BoardCase) -> None:
    image = lively(case, 2)[-1]
    first = Console(image, "reference")
    first.step(held(1, 9)[0])
    first.trace(321)
    state = first.save_state()
    kept: Mask = [33]
    with Batch(image, 34, device="hostsim") as wide, Batch(image, 3) as narrow:
        for batch in (wide, narrow):
            batch.step(held(batch.num_envs, 5))
        wide.load_states(state, kept)
        assert bytes(wide.save_states(kept)[0]) == state
        narrow.load_states(wide.save_states(kept), [1])
        second = Console(image, "core")
        second.load_state(bytes(narrow.save_states([1])[0]))
        assert second.save_state() == state
        pressed = held(1, 8, 5)[0]
        for one in (first, second):
            one.step(pressed)
            one.step(0)  # the picture under way when the state was saved is nobody's but the first's
        for batch in (wide, narrow):
            batch.step(np.broadcast_to(pressed, (batch.num_envs, *pressed.shape)).copy())
            batch.step(0, 1, record="last")
            batch.draw()
        assert second.digest() == first.digest()
        assert int(wide.digest()[33]) == first.digest()
        assert int(narrow.digest()[1]) == first.digest()
        for picture in (second.frame, wide.frame[33], narrow.frame[1]):
            assert np.array_equal(picture, first.frame)


@for_each_device
@for_each_board
def test_idle_skipping_changes_nothing(case: BoardCase, device: str) -> None:
    image = lively(case, 2)[-1]
    with Batch(image, 5, device=device) as on, Batch(image, 5, device=device, idle_skipping=False) as off:
        for batch in (on, off):
            batch.step(held(5, 30))
        assert on.digest().tolist() == off.digest().tolist()
        peeked = np.arange(0x6000, 0x10000, 7)
        assert np.array_equal(on.read(peeked), off.read(peeked))
