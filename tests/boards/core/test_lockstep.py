"""Random programs that move windows leave both consoles alike, however the core's frames are made.

`NESPROOF_HYPOTHESIS_PROFILE=long` runs twenty times as many.
"""

from __future__ import annotations

import os
import random

import numpy as np
import pytest
from board_programs import BOARDS, BoardCase, cartridge, lively

from nesproof.emulator import Cartridge, Console

PROGRAMS = 40 if os.environ.get("NESPROOF_HYPOTHESIS_PROFILE") == "long" else 2
WARM_UP_FRAMES = 3
FRAMES = 24

for_each_board = pytest.mark.parametrize("case", BOARDS, ids=lambda case: case.name)


def held(number: int, frames: int) -> np.ndarray:
    return np.random.default_rng(number).integers(0, 256, (frames, 2)).astype(np.uint8)


def both(cartridge_: Cartridge) -> tuple[Console, Console]:
    return Console(cartridge_, "reference"), Console(cartridge_, "core")


def require_same(core: Console, reference: Console, when: str) -> None:
    if core.save_state() == reference.save_state():
        return
    ours, theirs = core.state()[0], reference.state()[0]
    names = [name for name in ours.dtype.names[1:] if not np.array_equal(ours[name], theirs[name])]
    found = {name: (ours[name].tolist(), theirs[name].tolist()) for name in names if ours[name].size <= 8}
    assert not names, f"{when}: they differ in {', '.join(names)} {found}"


@for_each_board
def test_frames_and_pictures(case: BoardCase) -> None:
    for number, image in enumerate(lively(case, PROGRAMS)):
        reference, core = both(image)
        require_same(core, reference, "powered on")
        for frame, pressed in enumerate(held(number, FRAMES)):
            for one in (reference, core):
                one.step(pressed[np.newaxis])
            require_same(core, reference, f"program {number}, after frame {frame}")
            assert np.array_equal(core.frame_emphasis, reference.frame_emphasis), (
                f"program {number}, the picture of frame {frame}"
            )


@for_each_board
def test_units_one_by_one(case: BoardCase) -> None:
    for number, image in enumerate(lively(case, PROGRAMS)):
        reference, core = both(image)
        for one in (reference, core):
            one.step(held(number, WARM_UP_FRAMES))
        for at in range(0, 3_000, 100):
            expected, found = reference.trace(100), core.trace(100)
            differing = np.flatnonzero(expected != found)
            assert not differing.size, (
                f"program {number}, unit {at + int(differing[0])}: "
                f"{found[differing[0]]} is not {expected[differing[0]]}"
            )
            require_same(core, reference, f"program {number}, after unit {at + 100}")


@for_each_board
def test_how_a_frame_is_made_changes_nothing(case: BoardCase) -> None:
    for number, image in enumerate(lively(case, PROGRAMS)):
        together, apart = Console(image, "core"), Console(image, "core")
        executed = Console(image, "core", idle_skipping=False)
        pressed = held(number, FRAMES)
        together.step(pressed, record="none")
        executed.step(pressed, record="all")
        for row in pressed:
            apart.step(row[np.newaxis])
        require_same(apart, together, f"program {number}, one by one and drawn, or at a stretch")
        require_same(executed, together, f"program {number}, every instruction executed, or idle loops skipped")
        assert np.array_equal(apart.frame, executed.frame)


@for_each_board
def test_blocks_then_a_unit(case: BoardCase) -> None:
    for number, image in enumerate(lively(case, PROGRAMS)):
        reference, core = both(image)
        for one in (reference, core):
            one.step(held(number, WARM_UP_FRAMES))
        for blocks in (1, 7, 60, 400):
            core.run_blocks(blocks, (3, 5))
            state = reference.state().copy()
            state["controller_buttons"] = (3, 5)
            reference.load_state(state.tobytes())
            while reference.cpu.cycle < core.cpu.cycle:
                reference.step_instruction()
            require_same(core, reference, f"program {number}, after {blocks} blocks and a unit")


@for_each_board
def test_reset_and_power_in_the_middle(case: BoardCase) -> None:
    for power in (False, True):
        reference, core = both(lively(case, 1)[0])
        for one in (reference, core):
            one.step(held(0, 7))
            one.trace(123)
            if power:
                one.power_on(0x5A)
            else:
                one.press_reset()
        require_same(core, reference, "at once")
        for one in (reference, core):
            one.step(0, frames=3)
        require_same(core, reference, "three frames later")


def scrambled(console: Console, chance: random.Random) -> bytes:
    """A state that passes every check, likely or not: some fields at random within what they may hold."""
    state = console.state().copy()
    share = chance.choice([0.03, 0.3, 1.0])
    for field in console.fields:
        is_boards = field.name.startswith("board_")
        if field.count == 0 or field.name == "ppu_frame_ended" or (chance.random() >= share and not is_boards):
            continue
        values = [chance.choice([0, field.max, chance.randint(0, field.max)]) for _ in range(field.count)]
        state[field.name] = values if field.count > 1 else values[:1]
    return state.tobytes()


@for_each_board
def test_any_state_goes_on_alike(case: BoardCase) -> None:
    chance = random.Random(case.name)
    for number in range(4 * PROGRAMS):
        reference, core = both(cartridge(case, number % 3))
        reference.step(0, frames=WARM_UP_FRAMES)
        state = scrambled(reference, chance)
        for one in (reference, core):
            one.load_state(state)
        require_same(core, reference, f"state {number}, when loaded")
        for one in (reference, core):
            one.trace(100)
        require_same(core, reference, f"state {number}, 100 units later")
        for one in (reference, core):
            one.step(held(number, 3))
        require_same(core, reference, f"state {number}, three frames later")


@for_each_board
def test_looking_and_poking(case: BoardCase) -> None:
    """What can be seen from outside is what the windows show; PRG-RAM can be poked whatever protects it."""
    reference, core = both(lively(case, 1)[0])
    addresses = np.arange(0x4020, 0x10000)
    for frame in range(6):
        for one in (reference, core):
            one.step(held(frame, 1))
        assert np.array_equal(core.peek(addresses), reference.peek(addresses)), f"after frame {frame}"
        for address in (0x6000, 0x6FFF, 0x7123, 0x7FFF):
            for one in (reference, core):
                if case.prg_ram_bytes:
                    one.poke(address, frame + 1)
                else:
                    with pytest.raises(ValueError, match="poked"):
                        one.poke(address, 1)
        require_same(core, reference, f"poked after frame {frame}")
