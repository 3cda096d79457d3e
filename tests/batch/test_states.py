"""Snapshots: of every kind of console into every other, and of bytes that are none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from nesproof.emulator import Batch, Cartridge, Console, SnapshotError
from nesproof.emulator.snapshot import compare

KINDS = ("reference", "core")
DEVICES = ("cpu", "hostsim")


@given(frames=st.integers(0, 60), units=st.integers(0, 3000), one=st.sampled_from(KINDS), other=st.sampled_from(KINDS))
def test_a_state_travels_between_kinds(
    scroller: Cartridge, presses: NDArray[np.uint8], frames: int, units: int, one: str, other: str
) -> None:
    source = Console(scroller, one)  # type: ignore[arg-type]
    source.step(presses[0, :frames])
    for _ in range(units):
        source.step_instruction()
    state = source.save_state()
    target = Console(scroller, other)  # type: ignore[arg-type]
    target.step(presses[1, :7])
    target.load_state(state)
    assert target.save_state() == state
    for console in (source, target):
        console.step(presses[0, 60:90])
    assert target.digest() == source.digest()
    assert compare(source.save_state(), target.save_state(), source.fields) == []


@pytest.mark.parametrize("device", DEVICES)
def test_a_batch_saves_what_consoles_save(scroller: Cartridge, presses: NDArray[np.uint8], device: str) -> None:
    with Batch(scroller, 34, device=device) as batch:
        batch.step(presses[:34, :45])
        states = batch.save_states()
        assert states.shape == (34, batch.snapshot_bytes)
        for lane in (0, 31, 32, 33):
            console = Console(scroller)
            console.step(presses[lane, :45])
            assert bytes(states[lane]) == console.save_state()
        some = np.array([33, 2, 17])
        assert (batch.save_states(some) == states[some]).all()
        mask = np.zeros(34, bool)
        mask[some] = True
        assert (batch.save_states(mask) == states[np.sort(some)]).all()


@given(
    taken=st.lists(st.integers(0, 33), min_size=1, max_size=34, unique=True),
    given_to=st.permutations(range(34)),
    one=st.sampled_from(DEVICES),
    other=st.sampled_from(DEVICES),
)
def test_states_go_where_they_are_sent(
    scroller: Cartridge,
    presses: NDArray[np.uint8],
    taken: list[int],
    given_to: list[int],
    one: str,
    other: str,
) -> None:
    with Batch(scroller, 34, device=one) as source, Batch(scroller, 34, device=other) as target:
        source.step(presses[:34, :20])
        target.step(presses[:34, 50:60])
        expected = target.digest()
        places = given_to[: len(taken)]
        expected[places] = source.digest()[taken]
        target.load_states(source.save_states(taken), places)
        assert target.digest().tolist() == expected.tolist()


def test_one_state_for_many_and_lists_of_bytes(scroller: Cartridge, presses: NDArray[np.uint8]) -> None:
    console = Console(scroller)
    console.step(presses[0, :33])
    state = console.save_state()
    for form in (state, bytearray(state), memoryview(state), np.frombuffer(state, np.uint8)):
        with Batch(scroller, 3) as batch:
            batch.load_states(form, [2, 0])
            fresh = Console(scroller, "core").digest()
            assert batch.digest().tolist() == [console.digest(), fresh, console.digest()]
    with Batch(scroller, 3) as batch:
        batch.load_states([state, state], [2, 0])
        assert (batch.digest() == console.digest()).tolist() == [True, False, True]


@pytest.mark.parametrize("device", DEVICES)
def test_a_snapshot_that_is_none_changes_nothing(scroller: Cartridge, busy: Cartridge, device: str) -> None:
    with Batch(scroller, 4, device=device) as batch, Batch(busy, 4) as foreign:
        batch.step(0, 20)
        before = batch.digest().tolist()
        good = batch.save_states()
        hostile = good.copy()
        hostile[3, -1 - 2048 :] ^= 0xFF
        column = _offset_of(scroller, "ppu_scanline")
        hostile[3, column : column + 2] = 0xFF
        for states, complaint in (
            (foreign.save_states(), "another cartridge"),
            (good[:, :-1], "bytes"),
            (hostile, "ppu_scanline"),
            (np.zeros_like(good), "NESPROOF"),
            (b"", "header"),
        ):
            with pytest.raises(SnapshotError, match=complaint):
                batch.load_states(states)
            assert batch.digest().tolist() == before
        for states in (good[:3], good[np.newaxis], [bytes(good[0])] * 3, [b"a", b"bc"]):
            with pytest.raises(ValueError, match="state"):
                batch.load_states(states)
        for states in (good.astype(np.int64), 5, None, ["a"]):
            with pytest.raises(TypeError, match="states"):
                batch.load_states(states)
        assert batch.digest().tolist() == before


def _offset_of(cartridge: Cartridge, name: str) -> int:
    fields = Console(cartridge).state().dtype.fields
    assert fields is not None
    return fields[name][1]


@given(st.data())
def test_any_state_that_is_accepted_runs(scroller: Cartridge, data: st.DataObject) -> None:
    """Values within their limits, however odd together, neither crash nor part the two kinds' digests at once."""
    console = Console(scroller, "core")
    state = bytearray(console.save_state())
    for _ in range(data.draw(st.integers(1, 12))):
        state[data.draw(st.integers(32, len(state) - 1))] = data.draw(st.integers(0, 255))
    try:
        console.load_state(state)
    except SnapshotError:
        return
    console.step(0, 2)
    for _ in range(50):
        console.step_instruction()
    assert console.frame_count >= 0
