"""How a batch is timed whose calls return when their work is queued: by the device's clock, waited for once."""

from __future__ import annotations

from typing import Any

import numpy as np

from nesproof.emulator import Cartridge
from nesproof.emulator.gpu import CudaBatch
from nesproof.harness.subjects.core_adapter import CoreAdapter
from nesproof.harness.subjects.stopwatch import DeviceStopwatch, HostStopwatch, stopwatch_of
from nesproof.roms_manifest import Resolver

WARMUP, FRAMES = 4, 8


class OnHost(CoreAdapter):
    """The CUDA adapter, on a driver that is none: there a kernel takes a millisecond."""

    def __init__(self, driver: Any) -> None:
        super().__init__("cuda")
        self.driver = driver

    def _make_batch(
        self, rom: bytes, lanes: int, *, threads: int | None, idle_skipping: bool, emphasis: bool = False
    ) -> Any:
        from nesproof.harness.subjects.console_adapter import cartridge_of

        return CudaBatch(cartridge_of(rom), lanes, driver=self.driver)


def timed(adapter: CoreAdapter, **options: Any) -> int:
    rom = Resolver().read("house/scroller")
    buttons = bytes(2 * (WARMUP + FRAMES))
    return adapter.time_run(rom, buttons, WARMUP, FRAMES, options.pop("draw", "none"), lanes=2, **options)


def test_what_is_on_the_clock_is_timed_and_nothing_else(host_gpu: Any) -> None:
    adapter = OnHost(host_gpu)
    timed(adapter, frame_skip=4)
    before = len(host_gpu.launches)
    once_ns = timed(adapter, frame_skip=4)
    launched = host_gpu.launches[before:]
    steps = [at for at, name in enumerate(launched) if name.endswith("step")]
    assert len(steps) == 1 + FRAMES // 4  # the first is the call alone
    on_the_clock = len(launched) - next(at for at in range(steps[1], -1, -1) if "load" in launched[at]) - 1
    assert once_ns == on_the_clock * 1_000_000
    assert timed(adapter, frame_skip=4, passes=3) == 3 * once_ns
    details = adapter.timing_details()
    assert details["clock"] == "cuda-events"
    assert details["cold_ns"] > 0
    assert host_gpu.timed_events == 0


def test_nothing_is_waited_for_within_a_span(host_gpu: Any) -> None:
    adapter = OnHost(host_gpu)
    waits = []
    for frames in (4, 1):  # as 2 and as 8 calls
        timed(adapter, frame_skip=frames)
        before = host_gpu.synchronized
        timed(adapter, frame_skip=frames)
        waits.append(host_gpu.synchronized - before)
    assert waits[0] == waits[1]


def test_the_call_alone_does_not_show_in_the_result(host_gpu: Any) -> None:
    adapter, cpu = OnHost(host_gpu), CoreAdapter("cpu")
    for one in (adapter, cpu):
        timed(one, frame_skip=4, draw="last-of-4")
    assert list(adapter.batch_digest()) == list(cpu.batch_digest())
    assert cpu.timing_details() == {"clock": "host", "cold_ns": None}


def test_a_batch_on_the_cpu_needs_no_device_clock(scroller: Cartridge, host_gpu: Any) -> None:
    from nesproof.emulator import Batch

    with Batch(scroller, 1) as cpu, CudaBatch(scroller, 1, driver=host_gpu) as gpu:
        assert isinstance(stopwatch_of(cpu), HostStopwatch)
        assert isinstance(stopwatch_of(gpu), DeviceStopwatch)
        assert np.array_equal(gpu.digest().numpy(), cpu.digest())
