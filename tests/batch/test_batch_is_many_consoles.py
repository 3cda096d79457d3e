"""Console i of a batch is what a console alone would be: on every layout, with any threads, in pieces of any size."""

from __future__ import annotations

import inspect
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from nesproof.emulator import Batch, Cartridge, Console
from nesproof.emulator.host_batch import HostBatch

DEVICES = ("cpu", "hostsim")


def single_digest(cartridge: Cartridge, held: NDArray[np.uint8], kind: str = "core") -> int:
    console = Console(cartridge, kind)  # type: ignore[arg-type]
    console.step(held, record="none")
    return console.digest()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("count", [1, 2, 31, 32, 33])
def test_each_console_equals_one_alone(
    scroller: Cartridge, presses: NDArray[np.uint8], device: str, count: int
) -> None:
    with Batch(scroller, count, device=device) as batch:
        batch.step(presses[:count])
        digests = batch.digest()
        assert digests.shape == (count,)
        assert digests.dtype == np.uint64
        for lane in {0, count // 2, count - 1}:
            assert int(digests[lane]) == single_digest(scroller, presses[lane])
        assert int(digests[-1]) == single_digest(scroller, presses[count - 1], "reference")
        assert (batch.frame_count == 120).all()


@pytest.mark.parametrize("device", DEVICES)
def test_idle_skipping_changes_nothing(busy: Cartridge, presses: NDArray[np.uint8], device: str) -> None:
    for cartridge in (busy,):
        with Batch(cartridge, 3, device=device) as on, Batch(cartridge, 3, device=device, idle_skipping=False) as off:
            on.step(presses[:3])
            off.step(presses[:3])
            assert on.idle_skipping
            assert not off.idle_skipping
            assert on.digest().tolist() == off.digest().tolist()


@given(
    cuts=st.lists(st.integers(1, 59), max_size=6, unique=True),
    threads=st.integers(1, 5),
    device=st.sampled_from(DEVICES),
    count=st.integers(1, 40),
    record=st.sampled_from(["none", "last", "last2", "all"]),
)
def test_pieces_threads_layout_and_records_change_nothing(
    scroller: Cartridge,
    presses: NDArray[np.uint8],
    cuts: list[int],
    threads: int,
    device: str,
    count: int,
    record: str,
) -> None:
    with Batch(scroller, count, threads=1) as whole, Batch(scroller, count, device=device, threads=threads) as cut:
        whole.step(presses[:count, :60])
        for begin, end in itertools.pairwise([0, *sorted(cuts), 60]):
            cut.step(presses[:count, begin:end], record=record)  # type: ignore[arg-type]
        assert cut.digest().tolist() == whole.digest().tolist()
        assert (cut.read_ram() == whole.read_ram()).all()


@given(order=st.permutations(range(12)), device=st.sampled_from(DEVICES))
def test_permuted_consoles_give_permuted_results(
    scroller: Cartridge, presses: NDArray[np.uint8], order: list[int], device: str
) -> None:
    with Batch(scroller, 12, device=device) as straight, Batch(scroller, 12, device=device) as permuted:
        straight.step(presses[:12, :40], record="last")
        permuted.step(presses[order, :40], record="last")
        assert permuted.digest().tolist() == straight.digest()[order].tolist()
        assert (permuted.draw() == straight.draw()[order]).all()


@pytest.mark.parametrize("device", DEVICES)
def test_one_consoles_buttons_change_no_other(scroller: Cartridge, presses: NDArray[np.uint8], device: str) -> None:
    other = presses[:33].copy()
    other[17] ^= 0xFF
    with Batch(scroller, 33, device=device) as one, Batch(scroller, 33, device=device) as two:
        one.step(presses[:33])
        two.step(other)
        changed = np.flatnonzero(one.digest() != two.digest())
        assert changed.tolist() == [17]


def test_several_cartridges_at_once(scroller: Cartridge, busy: Cartridge, presses: NDArray[np.uint8]) -> None:
    with Batch(scroller, 4) as one, Batch(busy, 4) as other:
        for begin in range(0, 40, 4):
            one.step(presses[:4, begin : begin + 4])
            other.step(presses[:4, begin : begin + 4])
        assert int(one.digest()[3]) == single_digest(scroller, presses[3, :40])
        assert int(other.digest()[3]) == single_digest(busy, presses[3, :40])


@pytest.mark.parametrize("device", DEVICES)
def test_power_and_reset_of_some(scroller: Cartridge, presses: NDArray[np.uint8], device: str) -> None:
    singles = [Console(scroller, "core") for _ in range(5)]
    with Batch(scroller, 5, device=device) as batch:
        batch.step(presses[:5, :30])
        batch.power_on(np.array([False, True, False, False, True]), fill=0xFF)
        batch.press_reset(np.array([3, 0]))
        batch.step(presses[:5, 30:60])
        for lane, console in enumerate(singles):
            console.step(presses[lane, :30], record="none")
            if lane in (1, 4):
                console.power_on(0xFF)
            if lane in (0, 3):
                console.press_reset()
            console.step(presses[lane, 30:60], record="none")
        assert batch.digest().tolist() == [console.digest() for console in singles]
        assert batch.frame_count.tolist() == [console.frame_count for console in singles]


def test_the_host_has_every_method_of_the_face() -> None:
    inherited = {"cartridge", "num_envs", "device", "idle_skipping", "emphasis", "bytes_per_console"}
    public = {name for name, _ in inspect.getmembers(Batch) if not name.startswith("_")} - inherited
    assert public
    assert public == {name for name in public if name in vars(HostBatch)}
