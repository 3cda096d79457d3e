"""Whatever program Hypothesis thinks of, both consoles run it alike; what fails is shrunk to the few genes that matter.

`NESPROOF_HYPOTHESIS_PROFILE=long` works through 1,000 examples a test.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, find, given, settings
from hypothesis import strategies as st

from nesproof.emulator import Cartridge, Console
from nesproof.emulator.cartridge.source import Source
from nesproof.suites.parity.random_programs import Gene, assembled

pytest.importorskip("nesproof.emulator._core", reason="the consoles are not built")
pytest.importorskip("nesproof.emulator._reference", reason="the consoles are not built")

LONG = os.environ.get("NESPROOF_HYPOTHESIS_PROFILE") == "long"
WARM_UP_FRAMES = 3
"""The PPU takes no control before its first frame is over, and every program waits for that."""
UNITS = 600

in_lockstep = settings(
    max_examples=1_000 if LONG else 25,
    deadline=None,
    derandomize=not LONG,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

byte = st.integers(0, 255)
gene = st.tuples(byte, byte, byte, byte)
images = st.builds(
    lambda main, nmi, irq, cartridge, wild: assembled(main, nmi=nmi, irq=irq, cartridge=cartridge, wild=wild),
    st.lists(gene, min_size=1, max_size=100),
    st.lists(gene, max_size=6),
    st.lists(gene, max_size=3),
    st.integers(0, 7),
    st.booleans(),
)
held = st.lists(st.tuples(byte, byte), min_size=1, max_size=6)


def console(image: bytes, kind: str, **options: bool) -> Console:
    return Console(Cartridge.from_source(Source("a random program", image)), kind=kind, **options)


def both(image: bytes) -> tuple[Console, Console]:
    return console(image, "reference"), console(image, "core")


def rows(buttons: Sequence[tuple[int, int]]) -> np.ndarray:
    return np.array(buttons, np.uint8)


def require_same(one: Console, other: Console, when: str) -> None:
    if one.save_state() == other.save_state():
        return
    ours, theirs = one.state()[0], other.state()[0]
    names = [name for name in ours.dtype.names[1:] if not np.array_equal(ours[name], theirs[name])]
    assert not names, f"{when}: they differ in {', '.join(names)}"


@in_lockstep
@given(images, held)
def test_frames_at_a_stretch(image: bytes, buttons: list[tuple[int, int]]) -> None:
    reference, core = both(image)
    reference.step(0, frames=WARM_UP_FRAMES)
    core.step(0, frames=WARM_UP_FRAMES, record="none")
    require_same(core, reference, "after the warm-up")
    for frame, pressed in enumerate(buttons):
        reference.step(rows([pressed]))
        core.step(rows([pressed]))
        require_same(core, reference, f"after frame {frame}")
        assert np.array_equal(core.frame_emphasis, reference.frame_emphasis), f"the picture of frame {frame}"


@in_lockstep
@given(images, held)
def test_how_a_frame_is_made_changes_nothing(image: bytes, buttons: list[tuple[int, int]]) -> None:
    together, apart, executed = (
        console(image, "core"),
        console(image, "core"),
        console(image, "core", idle_skipping=False),
    )
    for one in (together, executed):
        one.step(0, frames=WARM_UP_FRAMES, record="none")
    apart.step(0, frames=WARM_UP_FRAMES)
    together.step(rows(buttons), record="none")
    executed.step(rows(buttons), record="all")
    for pressed in buttons:
        apart.step(rows([pressed]))
    require_same(apart, together, "one by one and drawn, or at a stretch")
    require_same(executed, together, "every instruction executed, or idle loops skipped")
    assert np.array_equal(apart.frame, executed.frame)


@in_lockstep
@given(images)
def test_units_one_by_one(image: bytes) -> None:
    reference, core = both(image)
    for one in (reference, core):
        one.step(0, frames=WARM_UP_FRAMES)
    for at in range(0, UNITS, 50):
        expected, found = reference.trace(50), core.trace(50)
        differing = np.flatnonzero(expected != found)
        assert not differing.size, (
            f"unit {at + int(differing[0])}: {found[differing[0]]} is not {expected[differing[0]]}"
        )
        require_same(core, reference, f"after unit {at + 50}")


@in_lockstep
@given(images, st.integers(0, 400), held)
def test_blocks_then_a_unit(image: bytes, blocks: int, buttons: list[tuple[int, int]]) -> None:
    """Where so many blocks end, the reference has a unit's end too, and the states there are the same."""
    reference, core = both(image)
    for one in (reference, core):
        one.step(0, frames=WARM_UP_FRAMES)
    core.run_blocks(blocks, buttons[0])
    state = reference.state().copy()
    state["controller_buttons"] = buttons[0]
    reference.load_state(state.tobytes())
    while reference.cpu.cycle < core.cpu.cycle:
        reference.step_instruction()
    require_same(core, reference, f"after {blocks} blocks and a unit")


@in_lockstep
@given(images, st.integers(0, 300), held)
def test_a_state_goes_on_in_the_other_console(image: bytes, units: int, buttons: list[tuple[int, int]]) -> None:
    for kinds in (("reference", "core"), ("core", "reference")):
        first, second = (console(image, kind) for kind in kinds)
        first.step(0, frames=WARM_UP_FRAMES)
        for _ in range(units):
            first.step_instruction()
        state = first.save_state()
        second.load_state(state)
        assert second.save_state() == state, "loading and saving changed the state"
        for one in (first, second):
            one.step(rows(buttons))
            one.step(0)  # the picture under way when the state was saved is nobody's but the first's
        require_same(second, first, f"going on in {kinds[1]}")
        assert np.array_equal(second.frame, first.frame)


def scrambled(console_: Console, chance: random.Random) -> bytes:
    """A state that passes every check, likely or not: some fields at random within what they may hold."""
    state = console_.state().copy()
    share = chance.choice([0.03, 0.3, 1.0])
    for field in console_.fields:
        if field.count == 0 or field.name == "ppu_frame_ended" or chance.random() >= share:
            continue  # nobody waits for the end of a frame
        values = [chance.choice([0, field.max, chance.randint(0, field.max)]) for _ in range(field.count)]
        state[field.name] = values if field.count > 1 else values[:1]
    return state.tobytes()


@in_lockstep
@given(images, held, st.integers(0, 2**32 - 1))
def test_any_state_goes_on_alike(image: bytes, buttons: list[tuple[int, int]], seed: int) -> None:
    reference, core = both(image)
    reference.step(0, frames=WARM_UP_FRAMES)
    state = scrambled(reference, random.Random(seed))
    for one in (reference, core):
        one.load_state(state)
    require_same(core, reference, "when loaded")
    for one in (reference, core):
        for _ in range(100):
            one.step_instruction()
    require_same(core, reference, "100 units later")
    for frame, pressed in enumerate(buttons):
        for one in (reference, core):
            one.step(rows([pressed]))
            one.load_state(one.save_state())  # what can be loaded can be saved and loaded again
        require_same(core, reference, f"after frame {frame}")


@in_lockstep
@given(images, held, st.sampled_from([2**31, 2**32, 2**31 // 3, 2**32 // 3]), st.integers(-60_000, 0))
def test_times_that_overflow(image: bytes, buttons: list[tuple[int, int]], overflow: int, before: int) -> None:
    """Cycles and dots are counted in 32 bits inside the core; what is compared must not be too far apart."""
    reference, core = both(image)
    reference.step(0, frames=WARM_UP_FRAMES)
    state = reference.state().copy()
    state["bus_cycle_count"] = overflow + before
    for one in (reference, core):
        one.load_state(state.tobytes())
        one.step(rows(buttons))
    require_same(core, reference, "after a few frames")


@in_lockstep
@given(images, st.integers(0, 300), st.booleans())
def test_reset_and_power_in_the_middle(image: bytes, units: int, power: bool) -> None:
    reference, core = both(image)
    for one in (reference, core):
        one.step(0, frames=WARM_UP_FRAMES)
        for _ in range(units):
            one.step_instruction()
        if power:
            one.power_on(0x5A)
        else:
            one.press_reset()
    require_same(core, reference, "at once")
    for one in (reference, core):
        one.step(0, frames=2)
    require_same(core, reference, "two frames later")


def test_what_fails_shrinks_to_a_gene() -> None:
    """A search for a program that starts OAM DMA ends with one gene, as one for what parts the consoles would."""

    def moves_sprites(genes: list[Gene]) -> bool:
        assume(genes)
        reference = console(assembled(genes), "reference")
        reference.step(0, frames=WARM_UP_FRAMES)
        for _ in range(40):
            reference.trace(5)
            if reference.state()[0]["dma_oam_page"]:
                return True
        return False

    found = find(
        st.lists(gene, max_size=60),
        moves_sprites,
        settings=settings(max_examples=300, deadline=None, derandomize=True, phases=[Phase.generate, Phase.shrink]),
    )
    assert len(found) == 1
