"""Runs on a GPU: what is read meanwhile, which of them count, and whose clock times them. No GPU is needed."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from nesproof.harness.probes.gpu_runs import watched_runs
from nesproof.harness.probes.gpu_watch import GpuWatch, Reading, condition_of
from nesproof.harness.subjects.replies import TimedRun

COOL = Reading(sm_clock_mhz=1980, memory_clock_mhz=3201, temperature_c=40, power_w=300.0)
HOT = Reading(sm_clock_mhz=1200, memory_clock_mhz=3201, temperature_c=89, power_w=690.0, reasons=0x20)
IDLE = Reading(sm_clock_mhz=345, memory_clock_mhz=2619, temperature_c=35, power_w=75.0, reasons=0x1)


def timed(ns: int = 60_000_000) -> TimedRun:
    return TimedRun(
        elapsed_ns=ns, digest=None, ram_sha256="0" * 64, frame_counter=1, clock="cuda-events", cold_ns=90_000
    )


def watch_of(spans: list[Reading]) -> Callable[[], GpuWatch]:
    """A watch whose every look shows the same: the first span's reading until the first run is over, and so on."""
    looks: Iterator[Reading] = iter(spans)
    current = [next(looks)]

    class Scripted(GpuWatch):
        def __exit__(self, *fault: Any) -> None:
            super().__exit__(*fault)
            current[0] = next(looks, current[0])

    return lambda: Scripted(lambda: [current[0]])


def test_the_worst_of_the_readings_counts_and_idle_clocks_do_not() -> None:
    condition = condition_of([IDLE, COOL, Reading(sm_clock_mhz=1900, temperature_c=60, power_w=512.34), IDLE])
    assert condition is not None
    assert condition.readings == 4
    assert (condition.sm_clock_mhz, condition.memory_clock_mhz) == (1900, 3201)
    assert (condition.temperature_c, condition.power_w) == (60, 512.3)
    assert condition.throttle_reasons == ()


@pytest.mark.parametrize(
    ("bits", "names"),
    [
        (0x004, ("software power cap",)),
        (0x068, ("hardware slowdown", "software thermal slowdown", "hardware thermal slowdown")),
        (0x080, ("hardware power brake",)),
        (0x103, ()),
    ],
)
def test_throttle_reasons_are_named_and_choices_are_none(bits: int, names: tuple[str, ...]) -> None:
    condition = condition_of([COOL, Reading(reasons=bits), COOL])
    assert condition is not None
    assert condition.throttle_reasons == names


def test_throttled_runs_are_kept_as_samples_and_made_up_for() -> None:
    times = iter([50_000_000, 99_000_000, 51_000_000, 52_000_000])
    kept, samples = watched_runs(
        lambda: timed(next(times)), runs=3, labels={"num_envs": 8}, watch=watch_of([COOL, HOT, COOL, COOL])
    )
    assert [run.elapsed_ns for run in kept] == [50_000_000, 51_000_000, 52_000_000]
    assert [sample.was_discarded for sample in samples] == [False, True, False, False]
    assert samples[1].condition is not None
    assert samples[1].condition.throttle_reasons == ("software thermal slowdown",)
    assert samples[0].cold_ns == 90_000


def test_a_gpu_that_stays_hot_gives_no_figure() -> None:
    kept, samples = watched_runs(timed, runs=3, labels={}, watch=watch_of([COOL, COOL, *[HOT] * 20]))
    assert kept == []
    assert len(samples) == 9


def test_without_anything_to_read_every_run_counts() -> None:
    kept, samples = watched_runs(timed, runs=2, labels={}, watch=lambda: GpuWatch(list))
    assert len(kept) == 2
    assert [sample.condition for sample in samples] == [None, None]


class _NoAnswer(Exception):
    pass


@pytest.fixture
def nvml(monkeypatch: pytest.MonkeyPatch) -> types.SimpleNamespace:
    """NVML with one GPU, whose driver does not say what power it draws."""

    def power(handle: str) -> int:
        raise _NoAnswer

    stub = types.SimpleNamespace(
        NVMLError=_NoAnswer, NVML_CLOCK_SM=1, NVML_CLOCK_MEM=2, NVML_TEMPERATURE_GPU=0, started=0,
        nvmlDeviceGetCount=lambda: 1,
        nvmlDeviceGetHandleByIndex=lambda index: f"gpu {index}",
        nvmlDeviceGetClockInfo=lambda handle, kind: {1: 1980, 2: 3201}[kind],
        nvmlDeviceGetTemperature=lambda handle, kind: 41,
        nvmlDeviceGetPowerUsage=power,
        nvmlDeviceGetCurrentClocksThrottleReasons=lambda handle: 0x4,
    )  # fmt: skip

    def count(by: int) -> Callable[[], None]:
        def change() -> None:
            stub.started += by

        return change

    stub.nvmlInit, stub.nvmlShutdown = count(1), count(-1)
    monkeypatch.setitem(sys.modules, "pynvml", stub)
    return stub


def test_nvml_is_read_and_let_go(nvml: types.SimpleNamespace) -> None:
    watch = GpuWatch()
    with watch:
        assert nvml.started == 1
    watch.close()
    assert nvml.started == 0
    condition = watch.condition
    assert condition is not None
    assert condition.readings >= 2
    assert (condition.sm_clock_mhz, condition.memory_clock_mhz, condition.temperature_c) == (1980, 3201, 41)
    assert condition.power_w is None
    assert condition.throttle_reasons == ("software power cap",)


def test_a_machine_without_a_driver_has_nothing_to_watch(
    nvml: types.SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise _NoAnswer

    monkeypatch.setattr(nvml, "nvmlInit", fail)
    watch = GpuWatch()
    with watch:
        pass
    watch.close()
    assert watch.condition is None
