"""The whole path of a GPU batch (arguments, uploads, launches, index arithmetic, kernels, schedule) on a host."""

import numpy as np
import pytest
from numpy.typing import NDArray

from nesproof.benchmarks.streams import random_stream
from nesproof.emulator import Batch, Cartridge, Console, SnapshotError
from nesproof.emulator.gpu import CudaBatch, GpuMemoryError

FRAMES = 12


def play(num_envs: int, frames: int, seed: int = 1) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (num_envs, frames, 2), np.uint8)


def pair(cartridge: Cartridge, num_envs: int, gpu: object, **options: object) -> tuple[Batch, CudaBatch]:
    return Batch(cartridge, num_envs, **options), CudaBatch(cartridge, num_envs, driver=gpu, **options)


@pytest.mark.parametrize("num_envs", [1, 31, 33])
def test_every_console_equals_the_cpu_batch(scroller: Cartridge, host_gpu: object, num_envs: int) -> None:
    cpu, gpu = pair(scroller, num_envs, host_gpu)
    buttons = play(num_envs, FRAMES)
    for batch in (cpu, gpu):
        batch.step(buttons)
    assert np.array_equal(gpu.digest().numpy(), cpu.digest())
    assert np.array_equal(gpu.frame_count.numpy(), cpu.frame_count)
    assert np.array_equal(gpu.read_ram().numpy(), cpu.read_ram())
    addresses = [0x10, 0x2002, 0x4015, 0x8000, 0xFFFC, 0x7000]
    assert np.array_equal(gpu.read(addresses).numpy(), cpu.read(addresses))
    assert len(np.unique(gpu.digest().numpy())) > min(num_envs, 2) - 1


@pytest.mark.parametrize("schedule", ["largest-group", "free-running"])
def test_schedules_differ_in_order_alone(scroller: Cartridge, host_gpu: object, schedule: str) -> None:
    cpu, gpu = pair(scroller, 33, host_gpu)
    other = CudaBatch(scroller, 33, driver=host_gpu, schedule=schedule)
    for batch in (cpu, gpu, other):
        batch.step(play(33, 6))
    assert np.array_equal(other.digest().numpy(), cpu.digest())


def test_the_forms_of_buttons_mean_the_same(scroller: Cartridge, host_gpu: object) -> None:
    for buttons, frames in (
        (0x81, 3),
        (play(3, 1)[:, 0, 0].copy(), 3),
        (play(3, 4)[:, :, 0].copy(), None),
        (play(3, 2)[:, :, 0].copy(), 2),
        (play(3, 4), 4),
    ):
        cpu, gpu = pair(scroller, 3, host_gpu)
        for batch in (cpu, gpu):
            batch.step(8, 4)
            batch.step(buttons, frames)
        assert np.array_equal(gpu.digest().numpy(), cpu.digest()), (buttons, frames)


def test_buttons_may_lie_on_the_device(scroller: Cartridge, host_gpu: object) -> None:
    cpu, gpu = pair(scroller, 40, host_gpu)
    for batch in (cpu, gpu):
        batch.step(play(40, 2))
    held = gpu.read([0x10, 0x11, 0x12])  # any uint8 [N, 3] on the device
    gpu.step(held)
    cpu.step(held.numpy())
    assert np.array_equal(gpu.digest().numpy(), cpu.digest())
    with pytest.raises(ValueError, match="frames is 2"):
        gpu.step(held, 2)
    with pytest.raises(TypeError, match="uint64"):
        gpu.step(gpu.digest())


@pytest.mark.parametrize("record", ["last", "last2", "all"])
@pytest.mark.parametrize("emphasis", [False, True])
def test_pictures_equal_the_cpu_batch(scroller: Cartridge, host_gpu: object, record: str, emphasis: bool) -> None:
    cpu, gpu = pair(scroller, 33, host_gpu, emphasis=emphasis)
    for stream in range(33):
        held = np.frombuffer(random_stream(stream, 240 + stream), np.uint8)
        console = Console(scroller, "core")
        console.step(held)
        for batch in (cpu, gpu):
            batch.load_states(console.save_state(), np.array([stream]))
    for batch in (cpu, gpu):
        batch.step(play(33, 3), record=record)
    pictures = cpu.draw()
    assert len(np.unique(pictures)) > 8
    assert len(np.unique(pictures.reshape(33, -1), axis=0)) > 16
    assert np.array_equal(gpu.draw().numpy(), pictures)
    assert np.array_equal(gpu.frame.numpy(), pictures)
    assert np.array_equal(gpu.frames.numpy(), cpu.frames)
    assert gpu.frame.numpy().dtype == pictures.dtype
    assert np.array_equal(gpu.rgb().numpy(), cpu.rgb())
    assert np.array_equal(gpu.grey().numpy(), cpu.grey())
    assert np.array_equal(gpu.digest().numpy(), cpu.digest())
    assert gpu.memory.frame_buffer_bytes == cpu.memory.frame_buffer_bytes
    assert gpu.memory.draw_log_bytes > 0


def test_drawing_needs_a_record(scroller: Cartridge, host_gpu: object) -> None:
    gpu = CudaBatch(scroller, 1, driver=host_gpu)
    with pytest.raises(RuntimeError, match="nothing has been recorded"):
        _ = gpu.frame
    gpu.step(0, 2, record="last")
    gpu.step(0, 1)
    with pytest.raises(RuntimeError, match="recorded nothing"):
        gpu.draw()


def test_masks_name_consoles(scroller: Cartridge, host_gpu: object) -> None:
    cpu, gpu = pair(scroller, 35, host_gpu)
    bools = np.zeros(35, bool)
    bools[[1, 2, 33]] = True
    for batch in (cpu, gpu):
        batch.step(play(35, 3))
        batch.press_reset(bools)
        batch.power_on(np.array([34, 0]), fill=0xFF)
        batch.step(play(35, 2))
    assert np.array_equal(gpu.digest().numpy(), cpu.digest())


def test_states_travel(scroller: Cartridge, host_gpu: object) -> None:
    cpu, gpu = pair(scroller, 34, host_gpu)
    for batch in (cpu, gpu):
        batch.step(play(34, 4))
    order = np.array([33, 0, 7])
    states = gpu.save_states(order)
    assert np.array_equal(states.numpy(), cpu.save_states(order))
    assert gpu.snapshot_bytes == cpu.snapshot_bytes
    gpu.load_states(states, np.array([0, 33, 8]))  # from the device
    cpu.load_states(states.numpy(), np.array([0, 33, 8]))
    gpu.load_states(states.numpy()[1].tobytes(), np.array([5, 6]))  # one for two, from the host
    cpu.load_states(states.numpy()[1].tobytes(), np.array([5, 6]))
    for batch in (cpu, gpu):
        batch.step(play(34, 2))
    assert np.array_equal(gpu.digest().numpy(), cpu.digest())


def test_a_broken_state_changes_nothing(scroller: Cartridge, host_gpu: object) -> None:
    gpu = CudaBatch(scroller, 4, driver=host_gpu)
    states, before = gpu.save_states().numpy(), gpu.digest().numpy()
    gpu.step(1, 2)
    after = gpu.digest().numpy()
    assert not np.array_equal(before, after)
    for at, value, complaint in ((0, 0, "NESPROOF"), (30, 1, "another cartridge"), (40, 7, "largest valid value")):
        broken = states.copy()
        broken[2, at] ^= value or 0xFF
        with pytest.raises(SnapshotError, match=complaint):
            gpu.load_states(broken)
        assert np.array_equal(gpu.digest().numpy(), after)
    with pytest.raises(SnapshotError, match="bytes"):
        gpu.load_states(states[:, :-1].copy())


def test_arrays_outlive_the_batch(scroller: Cartridge, host_gpu: object) -> None:
    gpu = CudaBatch(scroller, 2, driver=host_gpu)
    gpu.step(0, 2, record="last")
    picture = gpu.draw()
    expected = picture.numpy()
    shared = np.from_dlpack(picture)
    allocations = host_gpu.allocations
    gpu.close()
    del gpu, picture
    assert np.array_equal(shared, expected)
    assert 0 < host_gpu.allocations < allocations
    del shared
    assert host_gpu.allocations == 0
    assert host_gpu.unloaded == 2


def test_a_closed_batch_says_so(scroller: Cartridge, host_gpu: object) -> None:
    gpu = CudaBatch(scroller, 2, driver=host_gpu)
    gpu.close()
    gpu.close()
    with pytest.raises(ValueError, match="closed"):
        gpu.step()


def test_too_many_consoles_are_refused_in_a_sentence(scroller: Cartridge, host_gpu: object) -> None:
    with pytest.raises(GpuMemoryError, match=r"100000 consoles need .* GiB .* free on a host: about \d+ fit"):
        CudaBatch(scroller, 100_000, driver=type(host_gpu)(200 << 20))


def test_recording_is_compiled_when_it_is_wanted(scroller: Cartridge, host_gpu: object) -> None:
    gpu = CudaBatch(scroller, 1, driver=host_gpu)
    gpu.step(0, 130)
    assert host_gpu.launches.count("nesproof_step") == 3
    assert "nesproof_step_recorded" not in host_gpu.launches
    gpu.step(0, 4, record="last")
    assert host_gpu.launches.count("nesproof_step") == 4
    assert host_gpu.launches.count("nesproof_step_recorded") == 1
    assert "nesproof_draw" not in host_gpu.launches
