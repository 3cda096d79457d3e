"""Buttons, masks and other arguments: each form that is right, and one sentence for each that is not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from nesproof.emulator import Batch, Cartridge, Console
from nesproof.emulator.lanes import lanes_of


@pytest.fixture(scope="module")
def batch(scroller: Cartridge) -> Batch:
    return Batch(scroller, 6)


# --- Buttons


def test_every_form_of_buttons(scroller: Cartridge, presses: NDArray[np.uint8]) -> None:
    one = np.ascontiguousarray(presses[:4, :30, 0])
    with Batch(scroller, 4) as a, Batch(scroller, 4) as b:

        def same() -> bool:
            return a.digest().tolist() == b.digest().tolist()

        a.step(one)
        b.step(np.stack([one, np.zeros_like(one)], axis=2))
        assert same()
        a.step(one[:, 0], frames=3)
        b.step(np.repeat(one[:, :1], 3, axis=1))
        assert same()
        a.step(0x81, 2)
        b.step(np.full(4, 0x81, np.uint8), frames=2)
        assert same()
        a.step()
        b.step(np.zeros((4, 1), np.uint8))
        assert same()
        a.step(one[:, ::2])
        b.step(one[:, ::2].copy())
        assert same()
        a.step(np.asfortranarray(presses[:4, :5]))
        b.step(presses[:4, :5].copy(), np.int64(5))
        assert same()
        a.step(one[:, :2], frames=2)
        b.step(presses[:4, :2] * np.array([1, 0], np.uint8))
        assert same()


@pytest.mark.parametrize(
    ("buttons", "frames", "complaint"),
    [
        (np.zeros((6, 2), np.uint8), None, r"two frames or two players; say frames=2, or give \[6, 1, 2\]"),
        (np.zeros((6, 2), np.uint8), 1, "frames is 1, but buttons"),
        (np.zeros((6, 3), np.uint8), 4, "frames is 4, but buttons"),
        (np.zeros(5, np.uint8), None, r"shape \[5\]"),
        (np.zeros((5, 4), np.uint8), None, r"shape \[5, 4\]"),
        (np.zeros((6, 4, 3), np.uint8), None, r"shape \[6, 4, 3\]"),
        (np.zeros((6, 4, 2, 1), np.uint8), None, r"shape \[6, 4, 2, 1\]"),
        (np.zeros((), np.uint8), None, r"shape \[\]"),
        (256, None, "256"),
        (-1, None, "-1"),
        (0, -1, "frames is -1"),
        (0, 10**9, "frames is 1000000000"),
    ],
)
def test_wrong_buttons_are_refused(batch: Batch, buttons: object, frames: int | None, complaint: str) -> None:
    before = batch.digest().tolist()
    with pytest.raises(ValueError, match=complaint):
        batch.step(buttons, frames)  # type: ignore[arg-type]
    assert batch.digest().tolist() == before


@pytest.mark.parametrize(
    ("buttons", "frames"),
    [
        (np.zeros(6, np.int64), None),
        (np.zeros((6, 4), np.float32), None),
        (np.zeros((6, 4), bool), None),
        ([0, 0, 0, 0, 0, 0], None),
        ("A", None),
        (None, None),
        (True, None),
        (0, 1.5),
        (0, True),
    ],
)
def test_other_types_of_buttons_are_refused(batch: Batch, buttons: object, frames: object) -> None:
    with pytest.raises(TypeError):
        batch.step(buttons, frames)  # type: ignore[arg-type]


@pytest.mark.parametrize("record", ["first", "", None, 1, "LAST"])
def test_a_record_that_is_none_is_refused(batch: Batch, record: object) -> None:
    with pytest.raises(ValueError, match="record"):
        batch.step(record=record)  # type: ignore[arg-type]


# --- Masks


@given(hnp.arrays(bool, 9))
def test_bool_masks(mask: NDArray[np.bool_]) -> None:
    assert lanes_of(mask, 9).tolist() == [i for i in range(9) if mask[i]]
    assert lanes_of(mask.tolist(), 9).tolist() == lanes_of(mask, 9).tolist()


@given(st.lists(st.integers(0, 8), unique=True))
def test_index_masks_keep_their_order(indices: list[int]) -> None:
    assert lanes_of(np.array(indices, np.int64), 9).tolist() == indices
    assert lanes_of(indices, 9).tolist() == indices


@given(st.lists(st.integers(-3, 12), min_size=1))
def test_other_indices_are_refused(indices: list[int]) -> None:
    if len(set(indices)) == len(indices) and all(0 <= index < 9 for index in indices):
        assert lanes_of(indices, 9).tolist() == indices
    else:
        with pytest.raises(ValueError, match="mask names"):
            lanes_of(indices, 9)


@pytest.mark.parametrize(
    ("mask", "fault"),
    [
        (np.zeros(5, bool), ValueError),
        (np.zeros(7, bool), ValueError),
        (np.zeros((6, 1), bool), ValueError),
        (np.zeros((2, 2), np.int64), ValueError),
        (np.int64(3), ValueError),
        (3, ValueError),
        (True, ValueError),
        ([[0], [1, 2]], ValueError),
        (np.zeros(2, np.int32), TypeError),
        (np.zeros(2, np.uint64), TypeError),
        (np.zeros(2), TypeError),
        (["a"], TypeError),
        ([0.0], TypeError),
        ([None], TypeError),
    ],
)
def test_masks_of_every_wrong_shape(batch: Batch, mask: object, fault: type[Exception]) -> None:
    before = batch.digest().tolist()
    for use in (batch.power_on, batch.press_reset, batch.save_states):
        with pytest.raises(fault, match="mask"):
            use(mask)  # type: ignore[operator]
    with pytest.raises(fault, match="mask"):
        batch.load_states(batch.save_states([0]), mask)
    assert batch.digest().tolist() == before


def test_empty_masks_do_nothing(batch: Batch) -> None:
    before = batch.digest().tolist()
    for mask in ([], np.empty(0, np.int64), np.zeros(6, bool)):
        batch.power_on(mask)
        batch.press_reset(mask)
        states = batch.save_states(mask)
        assert states.shape == (0, batch.snapshot_bytes)
        batch.load_states(states, mask)
    assert batch.digest().tolist() == before


# --- Reading


@pytest.mark.parametrize("device", ["cpu", "hostsim"])
def test_reading_is_peeking(scroller: Cartridge, presses: NDArray[np.uint8], device: str) -> None:
    addresses = np.array(
        [0, 0x7FF, 0x800, 0x1FFF, *range(0x2000, 0x2008), *range(0x4000, 0x4020), 0x5000, 0x6000, 0xFFFC]
    )
    with Batch(scroller, 3, device=device) as batch:
        batch.step(presses[:3, :50])
        values = batch.read(addresses)
        assert values.shape == (3, len(addresses))
        assert values.dtype == np.uint8
        for lane in range(3):
            console = Console(scroller)
            console.step(presses[lane, :50])
            assert (values[lane] == console.peek(addresses)).all()
        out = np.empty_like(values)
        assert batch.read(addresses, out) is out
        assert (out == values).all()
        assert batch.read([]).shape == (3, 0)
        assert (batch.read_ram() == batch.read(np.arange(2048))).all()


@pytest.mark.parametrize(
    ("addresses", "fault"),
    [
        ([-1], ValueError),
        ([65536], ValueError),
        ([[0]], ValueError),
        (0, ValueError),
        ([0.5], TypeError),
        (["a"], TypeError),
    ],
)
def test_other_addresses_are_refused(batch: Batch, addresses: object, fault: type[Exception]) -> None:
    with pytest.raises(fault, match="address"):
        batch.read(addresses)  # type: ignore[arg-type]


def test_other_rooms_are_refused(batch: Batch) -> None:
    frozen = np.empty((6, 2048), np.uint8)
    frozen.flags.writeable = False
    for out, fault in (
        (np.empty((6, 2047), np.uint8), ValueError),
        (np.empty((6, 4096), np.uint8)[:, ::2], ValueError),
        (frozen, ValueError),
        (np.empty((6, 2048), np.int8), TypeError),
        ([0], TypeError),
    ):
        with pytest.raises(fault, match="out"):
            batch.read_ram(out)


# --- Making one


@pytest.mark.parametrize(
    ("arguments", "fault", "complaint"),
    [
        ({"num_envs": 0}, ValueError, "num_envs is 0"),
        ({"num_envs": -1}, ValueError, "num_envs is -1"),
        ({"num_envs": 1 << 40}, ValueError, "num_envs"),
        ({"num_envs": True}, TypeError, "num_envs"),
        ({"num_envs": 1.5}, TypeError, "float"),
        ({"num_envs": 1, "threads": 0}, ValueError, "threads is 0"),
        ({"num_envs": 1, "device": "gpu"}, ValueError, "there is no device 'gpu'"),
        ({"num_envs": 1, "device": "cuda:"}, ValueError, "there is no device"),
        ({"num_envs": 1, "device": "cuda:-1"}, ValueError, "there is no device"),
        ({"num_envs": 1, "device": None}, TypeError, "device is a string"),
    ],
)
def test_what_a_batch_cannot_be(
    scroller: Cartridge, arguments: dict[str, object], fault: type[Exception], complaint: str
) -> None:
    with pytest.raises(fault, match=complaint):
        Batch(scroller, **arguments)  # type: ignore[arg-type]


def test_a_batch_takes_cartridges_alone() -> None:
    with pytest.raises(TypeError, match="Cartridge"):
        Batch("game.nes", 1)  # type: ignore[arg-type]


def test_more_than_the_machine_has_is_a_memory_error(scroller: Cartridge) -> None:
    with Batch(scroller, 1) as batch, pytest.raises(MemoryError, match="record fewer frames"):
        batch.step(0, 10_000_000, record="all")


def test_what_a_batch_says_of_itself(scroller: Cartridge) -> None:
    with Batch(scroller, 3, threads=8) as batch:
        assert repr(batch) == "Batch('scroller.nes', 3, device='cpu')"
        assert len(batch) == batch.num_envs == 3
        assert batch.threads == 3
        assert batch.cartridge is scroller
        memory = batch.memory
        assert batch.bytes_per_console == memory.state_bytes <= 8192
        assert memory.prg_ram_bytes == scroller.prg_ram_bytes
        assert memory.chr_ram_bytes == scroller.chr_ram_bytes
        assert memory.draw_log_bytes == memory.frame_buffer_bytes == 0
        batch.step(record="last2", frames=2)
        assert batch.memory.frame_buffer_bytes == 2 * 240 * 256
        assert 0 < batch.memory.draw_log_bytes < 2200
    with Batch(scroller, 33, device="hostsim", threads=8) as tiles:
        assert tiles.threads == 2
