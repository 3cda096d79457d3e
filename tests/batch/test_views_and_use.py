"""Arrays without copies, who may use a batch, and when it ends."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from nesproof.emulator import Batch, Cartridge, Console

# --- Views


def test_ram_is_live(scroller: Cartridge, presses: NDArray[np.uint8]) -> None:
    with Batch(scroller, 3) as batch:
        ram = batch.ram
        assert ram.shape == (3, 2048)
        batch.step(presses[:3, :30])
        assert (ram == batch.read_ram()).all()
        before = batch.digest()
        ram[1, 0x7F0] ^= 0x55
        assert (batch.digest() != before).tolist() == [False, True, False]
        assert batch.read([0x7F0])[1, 0] == ram[1, 0x7F0]


@pytest.mark.parametrize(("count", "shape"), [(1, (1, 1, 2048)), (31, (1, 31, 2048)), (64, (2, 32, 2048))])
def test_ram_of_tiles(scroller: Cartridge, presses: NDArray[np.uint8], count: int, shape: tuple[int, ...]) -> None:
    held = np.resize(presses, (count, 120, 2))[:, :10]
    with Batch(scroller, count, device="hostsim") as batch:
        ram = batch.ram
        batch.step(held)
        assert ram.shape == shape
        assert (ram.reshape(count, 2048) == batch.read_ram()).all()
        ram[-1, -1, 5] ^= 0xFF
        assert batch.read([5])[-1, 0] == ram[-1, -1, 5]


def test_lanes_that_are_no_consoles_are_never_shown(scroller: Cartridge) -> None:
    with Batch(scroller, 33, device="hostsim") as batch:
        with pytest.raises(RuntimeError, match="33 is not a multiple of 32"):
            _ = batch.ram
        assert batch.read_ram().shape == (33, 2048)
        assert batch.save_states().shape[0] == 33


def test_views_outlive_their_batch(scroller: Cartridge, presses: NDArray[np.uint8]) -> None:
    batch = Batch(scroller, 64)
    batch.step(presses[:1].repeat(64, 0)[:, :50], record="last")
    ram, frame = batch.ram, batch.draw()
    expected = ram.copy(), frame.copy()
    batch.close()
    del batch
    gc.collect()
    # Whatever takes the memory now must be other memory.
    others = [Batch(scroller, 64) for _ in range(4)]
    for other in others:
        other.step(0, 30, record="last")
        other.draw()
    assert (ram == expected[0]).all()
    assert (frame == expected[1]).all()
    ram[:] = 1


def test_dlpack_shares_memory(scroller: Cartridge) -> None:
    batch = Batch(scroller, 3)
    batch.step(0, 30, record="last")
    for array in (batch.ram, batch.draw(), batch.frames):
        taken = np.from_dlpack(array)
        assert np.shares_memory(taken, array)
        assert taken.strides == array.strides
    ram = np.from_dlpack(batch.ram)
    expected = ram.copy()
    del batch
    gc.collect()
    assert (ram == expected).all()


def test_torch_shares_memory(scroller: Cartridge) -> None:
    torch = pytest.importorskip("torch", reason="the extra nesproof[torch] is not installed")
    batch = Batch(scroller, 3)
    batch.step(0, 30, record="last")
    ram, frame = torch.from_dlpack(batch.ram), torch.from_dlpack(batch.draw())
    assert tuple(frame.shape) == (3, 240, 256)
    batch.ram[2, 7] = 0xA5
    assert int(ram[2, 7]) == 0xA5
    ram[1, 9] = 0x5A
    assert batch.read([9])[1, 0] == 0x5A
    shown = frame.numpy().copy()
    del batch
    gc.collect()
    assert (frame.numpy() == shown).all()


# --- Use


def test_one_thread_at_a_time(scroller: Cartridge) -> None:
    batch = Batch(scroller, 64, threads=2)
    refused: list[str] = []
    done = threading.Event()

    def run() -> None:
        batch.step(0, 4000)
        done.set()

    thread = threading.Thread(target=run)
    thread.start()
    while not done.is_set() and not refused:
        refused += _refusal(batch)
    thread.join()
    assert refused == ["the batch is in use by another thread"]
    assert _refusal(batch) == []


def _refusal(batch: Batch) -> list[str]:
    try:
        batch.step()
    except RuntimeError as fault:
        return [str(fault)]
    return []


def test_batches_run_beside_each_other(scroller: Cartridge) -> None:
    batches = [Batch(scroller, 8, threads=2) for _ in range(4)]
    threads = [threading.Thread(target=batch.step, args=(0x80, 60)) for batch in batches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({digest for batch in batches for digest in batch.digest().tolist()}) == 1


def test_neither_copied_nor_pickled(scroller: Cartridge) -> None:
    with Batch(scroller, 1) as batch:
        for take in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="neither copied nor pickled; make another from its cartridge"):
                take(batch)


def test_closed_is_closed(scroller: Cartridge) -> None:
    batch = Batch(scroller, 2)
    with batch:
        batch.step(record="last")
    batch.close()
    for use in (
        batch.step, batch.draw, batch.digest, batch.read_ram, batch.save_states, batch.power_on, batch.press_reset,
        lambda: batch.ram, lambda: batch.frame, lambda: batch.frame_count, lambda: batch.memory, lambda: batch.threads,
    ):  # fmt: skip
        with pytest.raises(ValueError, match="the batch is closed"):
            use()
    assert batch.num_envs == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_is_refused_and_ends_well(scroller: Cartridge) -> None:
    """In a process of its own, since a test runner has threads that a fork would not."""
    program = textwrap.dedent(
        """
        import os, sys, warnings
        from pathlib import Path
        warnings.simplefilter("ignore", DeprecationWarning)
        import nesproof.roms_manifest
        from nesproof.emulator import Batch, Cartridge
        batch = Batch(Cartridge.load(Path(nesproof.roms_manifest.__path__[0]) / "house" / "scroller.nes"), 8, threads=4)
        batch.step(0, 5)
        child = os.fork()
        if child == 0:
            try:
                batch.step()
            except RuntimeError as fault:
                print(fault, flush=True)
            batch.close()
            sys.exit(0)
        assert os.waitpid(child, 0)[1] == 0
        batch.step()
        print(int(batch.frame_count[0]))
        """
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["a batch belongs to the process that made it; make another in this one", "6"]


def test_an_interrupted_step_leaves_all_at_the_same_frame(scroller: Cartridge) -> None:
    batch = Batch(scroller, 16, threads=2)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        batch.step(0, 5_000_000)
    assert time.monotonic() - started < 20
    counts = set(batch.frame_count.tolist())
    assert len(counts) == 1
    assert 0 < counts.pop() < 5_000_000
    batch.step()


def test_many_batches_come_and_go(scroller: Cartridge) -> None:
    before = threading.active_count(), _threads_of_this_process()
    for _ in range(20):
        Batch(scroller, 4, threads=4).step()
    gc.collect()
    assert threading.active_count() == before[0]
    assert _threads_of_this_process() <= before[1]


def _threads_of_this_process() -> int:
    try:
        return len(list(Path("/proc/self/task").iterdir()))
    except OSError:
        return 0


def test_a_console_of_the_core_is_a_console(scroller: Cartridge, presses: NDArray[np.uint8]) -> None:
    core, reference = Console(scroller, "core"), Console(scroller)
    assert core.kind == "core"
    assert core.fields == reference.fields
    for console in (core, reference):
        console.step(presses[0, :20])
    assert core.cpu == reference.cpu
    assert core.ppu.v == reference.ppu.v
    addresses = np.arange(0x10000)
    assert (core.peek(addresses) == reference.peek(addresses)).all()
    assert (core.trace(3000) == reference.trace(3000)).all()
    assert core.digest() == reference.digest()
    target = int(reference.trace(500)["pc"][-1])
    core.trace(500)
    assert core.run_until(target) == reference.run_until(target)
    assert core.cpu == reference.cpu
    for console in (core, reference):
        console.poke(0x0123, 0x45)
        console.ram[0x200] ^= 0xFF
    assert core.digest() == reference.digest()
    assert (core.ram == reference.ram).all()
    with pytest.raises(ValueError, match="cannot be poked"):
        core.poke(0x8000, 1)
    for take in (copy.copy, pickle.dumps):
        with pytest.raises(TypeError, match="neither copied nor pickled"):
            take(core)
