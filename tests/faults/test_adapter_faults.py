"""Faults of adapters: each can be planted and changes what it says; the catalogue and the claims fit each other."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from fnmatch import fnmatchcase
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from nesproof.harness.claims.registry import load_claims
from nesproof.harness.falsify.pairs import chosen_pairs
from nesproof.harness.faults.adapters import ADAPTER_FAULTS, plant
from nesproof.harness.faults.registry import fault_catalogue
from nesproof.harness.suite_run import load_suite, suite_names
from nesproof.harness.workloads import load_workload
from nesproof.roms_manifest import Resolver

needs_consoles = pytest.mark.skipif(
    any(find_spec(f"nesproof.emulator.{name}") is None for name in ("_reference", "_core")),
    reason="the consoles are not built",
)
LANES, FRAMES = 34, 24
FILL = 0x21


# --- What a subject does, as one value that a fault changes


def stepped(adapter: Any) -> Any:
    """Digest and RAM after frames in one call and one by one."""
    switched_on(adapter)
    return adapter.digest(), adapter.read_ram()


def powered(adapter: Any) -> Any:
    switched_on(adapter)
    adapter.power_on(0x5A)
    return adapter.read_ram()


def reset(adapter: Any) -> Any:
    switched_on(adapter)
    adapter.press_reset()
    return adapter.digest()


def saved(adapter: Any) -> Any:
    switched_on(adapter)
    state = adapter.save_state()
    after_saving = adapter.digest()
    adapter.load_state(state)
    return after_saving, adapter.digest()


def digest_sees_upper_ram(adapter: Any) -> Any:
    switched_on(adapter)
    before = adapter.digest()
    adapter.poke(0x7F0, adapter.read_ram()[0x7F0] ^ 1)
    return adapter.digest() != before


def shown(adapter: Any) -> Any:
    """Pictures after power-on with RAM filled, and two further on."""
    adapter.load(rom())
    adapter.power_on(FILL)
    pictures = []
    for first, last in ((0, 200), (200, 260)):
        adapter.step(play(last)[first:], 1)
        pictures.append(adapter.read_frame_indices())
    return pictures


def batched(adapter: Any) -> Any:
    """The digests of a batch on its way through everything that lanes can be told."""
    adapter.batch_open(rom(), LANES, 2, False)
    adapter.batch_step(buttons_of_lanes(), FRAMES, 1, "last")
    digests = [adapter.batch_digest()]
    states = adapter.batch_save_states(list(range(LANES)))
    adapter.batch_permute([*range(1, LANES), 0])
    digests.append(adapter.batch_digest())
    adapter.batch_load_states(states, list(range(LANES)))
    digests.append(adapter.batch_digest())
    adapter.batch_press_reset([3])
    adapter.batch_power_on(0, [5])
    digests.append(adapter.batch_digest())
    return digests


def opened(adapter: Any) -> Any:
    how = adapter.batch_open(rom(), LANES, 2, True)
    return how["threads"], adapter._consoles.idle_skipping


def memory(adapter: Any) -> Any:
    adapter.batch_open(rom(), LANES, 1, True)
    return adapter.batch_memory()


def taken_beside(adapter: Any) -> Any:
    """Whether opening a batch takes more than a kilobyte a console where the subject counts nothing."""
    tracemalloc.start()
    try:
        adapter.batch_open(rom(), 1000, 1, True)
        return tracemalloc.get_traced_memory()[0] > 1000 * 1024
    finally:
        tracemalloc.stop()


def grown_by_playing(adapter: Any) -> Any:
    """Whether playing takes more than half a kilobyte a frame that is not given back."""
    adapter.load(rom())
    tracemalloc.start()
    try:
        adapter.step(play(240), 1)
        return tracemalloc.get_traced_memory()[0] > 240 * 512
    finally:
        tracemalloc.stop()


def shared(adapter: Any) -> Any:
    return adapter.share_memory(rom(), "numpy")


def timed(adapter: Any) -> Any:
    """What is drawn at the end of a window, and then at the end of a shorter one."""
    drawn = []
    for frames in (40, 17):
        adapter.time_run(rom(), play(200 + frames), 200, frames, "every")
        drawn.append((adapter.drawn_frames([0]), adapter.batch_read_ram([0])))
    return drawn


def refused(adapter: Any) -> Any:
    try:
        adapter.load(b"no cartridge")
    except ValueError as fault:
        return str(fault)
    return None


def answered(adapter: Any) -> Any:
    """What the tests' own adapter says of things that take long or need a compiler."""
    args = {"schedule": "smallest-key"}
    return (
        adapter.peek([1, 2]),
        adapter.read_ram(),
        adapter.read_nametables(),
        adapter.run_flat_cpu("2a03", b"", 0, 1),
        adapter.step_flat_cpu([None]),
        adapter.compile_kernels(b"", "sm_90"),
        adapter.model_warps(b"", b"", b"", args),
    )


SHOWN_BY: dict[Callable[[Any], Any], tuple[str, ...]] = {
    stepped: ("skips-frames", "long-calls-lose-a-frame", "buttons-lost", "swaps-a-and-b", "swaps-up-and-down",
              "process-id-leaks", "digest-stands-still"),
    powered: ("power-on-keeps-ram", "power-on-fill-ignored"),
    reset: ("reset-does-nothing",),
    saved: ("saving-disturbs", "loading-loses-a-byte"),
    digest_sees_upper_ram: ("digest-blind-to-half-of-ram",),
    shown: ("stale-frame", "picture-freezes", "one-pixel-off", "picture-shows-the-fill"),
    batched: ("lane-1-copies-lane-0", "lane-32-loses-its-buttons", "lanes-listen-to-the-one-before",
              "all-lanes-are-one", "permutes-the-wrong-way", "loads-into-the-next-lane", "reset-ignores-its-mask",
              "power-on-hits-the-next-lane-too", "threads-matter", "idle-skipping-matters"),
    opened: ("one-thread-only", "idle-skipping-ignored"),
    memory: ("state-holds-a-picture",),
    taken_beside: ("hoards-snapshots",),
    grown_by_playing: ("keeps-every-frame",),
    shared: ("copies-instead-of-sharing",),
    timed: ("draws-nothing-while-timed", "draws-the-last-frame-alone", "ram-of-a-frame-ago"),
    refused: ("loads-any-cartridge", "refuses-without-reason"),
    answered: ("peeks-read-zero", "ram-never-reads-zero", "nametable-loses-an-entry", "run-counts-a-cycle-too-few",
               "bus-accesses-out-of-order", "instructions-take-a-cycle-more", "kernels-take-all-registers",
               "kernels-spill", "functions-save-twice-as-much", "compiles-many-times-over", "runs-the-largest-group",
               "lanes-not-interleaved"),
}  # fmt: skip


class Canned:
    """An adapter of the tests' own."""

    name = "canned"

    def peek(self, addresses: list[int]) -> bytes:
        return bytes(addresses)

    def read_ram(self) -> bytes:
        return bytes(2048)

    def read_nametables(self) -> bytes:
        return b"OK LAX"

    def run_flat_cpu(self, *_: Any) -> dict[str, int]:
        return {"cycles": 9}

    def step_flat_cpu(self, _cases: list[Any]) -> list[Any]:
        return [((0, 0), b"", [(1, 2, False), (3, 4, True)])]

    def compile_kernels(self, _rom: bytes, _arch: str) -> dict[str, Any]:
        spills = {"spill_store_bytes": 8, "spill_load_bytes": 8}
        functions = [{"is_kernel": True, "registers": 128, **spills}, {"is_kernel": False, "registers": None, **spills}]
        return {"compile_seconds": 20.0, "functions": functions}

    def model_warps(self, _rom: bytes, _states: bytes, _buttons: bytes, args: dict[str, Any]) -> dict[str, float]:
        lanes = 20.0 if args["schedule"] == "smallest-key" else 3.0
        sectors = {"ram_sectors": 0.5, "ram_sectors_one_by_one": 7.0, "ram_sectors_an_instruction": 0.4}
        return {"active_lanes": lanes, **sectors}


def rom() -> bytes:
    return Resolver().read("house/scroller")


def play(frames: int) -> bytes:
    """A game that is being played from frame 60 on, as workloads play it."""
    return load_workload("scroller-random-buttons").input_stream()[:frames]


def buttons_of_lanes() -> bytes:
    return np.random.default_rng(LANES).integers(0, 256, (LANES, FRAMES), np.uint8).tobytes()


def switched_on(adapter: Any) -> None:
    adapter.load(rom())
    adapter.power_on(0)
    buttons = play(239) + b"\x10"  # Up, which play has no use for
    adapter.step(buttons[:200], 1)
    for at in range(200, 240):
        adapter.step(buttons[at : at + 1], 1)


def make(probe: Callable[[Any], Any]) -> Any:
    from nesproof.harness.subjects import core_adapter

    return Canned() if probe is answered else core_adapter.make_adapter({})


PAIRS = [(fault, probe) for probe, faults in SHOWN_BY.items() for fault in faults]
_right: dict[Callable[[Any], Any], Any] = {}


@needs_consoles
@pytest.mark.parametrize(("fault", "probe"), PAIRS, ids=[fault for fault, _ in PAIRS])
def test_a_planted_fault_changes_what_is_seen(
    fault: str, probe: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.getpid", lambda: 77)
    if probe not in _right:
        _right[probe] = probe(make(probe))
        assert probe(make(probe)) == _right[probe], "without a fault it is the same every time"
    assert probe(plant(make(probe), fault)) != _right[probe]


@needs_consoles
@pytest.mark.parametrize("fault", ["swaps-a-and-b", "skips-frames"])
def test_a_console_that_is_a_lane_has_the_fault_once(fault: str) -> None:
    from nesproof.harness.subjects import core_adapter

    one, lane = (core_adapter.make_adapter({"device": device}) for device in ("cpu", "hostsim"))
    assert stepped(plant(lane, fault)) == stepped(plant(one, fault))


@needs_consoles
def test_what_an_adapter_cannot_do_cannot_be_spoilt() -> None:
    from nesproof.harness.subjects import reference_adapter

    with pytest.raises(ValueError, match="reference has nothing that the fault copies-instead-of-sharing could spoil"):
        plant(reference_adapter.make_adapter({}), "copies-instead-of-sharing")


# --- The catalogue


def test_every_fault_of_an_adapter_has_its_class_and_is_shown_here() -> None:
    listed = {fault.id for fault in fault_catalogue().values() if fault.means == "adapter"}
    assert listed == set(ADAPTER_FAULTS) == {fault for fault, _ in PAIRS}


def test_every_claim_names_a_fault_and_every_fault_is_named() -> None:
    claims = load_claims()
    assert [claim.id for claim in claims.values() if claim.is_unproven] == []
    pairs = chosen_pairs(claims.values(), fault_catalogue())
    assert set(fault_catalogue()) - {pair.fault.id for pair in pairs} == set()


def test_every_suite_is_the_only_one_to_see_a_fault() -> None:
    only = [fault.only_suite for fault in fault_catalogue().values() if fault.only_suite is not None]
    assert set(only) == set(suite_names())


def test_faults_show_in_cases_that_exist() -> None:
    nowhere: list[str] = []
    cases_of = {name: [case.id for case in load_suite(name).cases] for name in suite_names()}
    for fault in fault_catalogue().values():
        for suite, globs in fault.shows_in.items():
            cases = cases_of[suite]
            for glob in (globs,) if isinstance(globs, str) else globs:
                found = any(fnmatchcase(case, glob) for case in cases)
                nowhere += [] if found else [f"{fault.id}: {suite}: {glob}"]
    assert nowhere == []
