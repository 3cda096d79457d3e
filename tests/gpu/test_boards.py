"""Every board in the GPU's layout and schedule, on hosts: lanes equal the CPU's, and no lane sees another."""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from nesproof.emulator import Batch, Cartridge, Console, SnapshotError
from nesproof.emulator.buttons import Record
from nesproof.emulator.cartridge.source import Source
from nesproof.emulator.gpu import CudaBatch, GpuUnavailableError
from nesproof.emulator.gpu.cache import KernelCache
from nesproof.emulator.gpu.compile import MAX_REGISTERS, compile_kernels
from nesproof.emulator.gpu.disassembly import machine_costs
from nesproof.emulator.gpu.loaded import Roms
from nesproof.emulator.gpu.specialisation import Specialisation
from nesproof.emulator.gpu.warp_model import count_warps
from nesproof.emulator.snapshot import dtype_of

FRAMES = 8
BOARDS: dict[str, dict[str, Any]] = {
    "nrom": {"mapper": 0, "registers": "nrom", "prg_kib": 32, "chr_kib": 8},
    "sxrom": {"mapper": 1, "registers": "mmc1", "prg_kib": 512, "ram_kib": 32},
    "skrom": {"mapper": 1, "registers": "mmc1", "prg_kib": 256, "chr_kib": 128},
    "uxrom": {"mapper": 2, "registers": "latch", "prg_kib": 128},
    "uxrom-of-three-chips": {"mapper": 2, "registers": "latch", "prg_kib": 112},
    "cnrom": {"mapper": 3, "registers": "latch", "prg_kib": 32, "chr_kib": 32},
    "axrom": {"mapper": 7, "registers": "latch", "prg_kib": 256},
    "color-dreams": {"mapper": 11, "registers": "latch", "prg_kib": 128, "chr_kib": 128},
    "bnrom": {"mapper": 34, "registers": "latch", "prg_kib": 128, "submapper": 2},
    "nina-001": {"mapper": 34, "registers": "nina", "prg_kib": 64, "chr_kib": 64, "submapper": 1},
    "gxrom": {"mapper": 66, "registers": "latch", "prg_kib": 128, "chr_kib": 32},
    "camerica": {"mapper": 71, "registers": "latch", "prg_kib": 256},
    "fire-hawk": {"mapper": 71, "registers": "latch", "prg_kib": 128, "submapper": 1},
    "mmc3": {"mapper": 4, "registers": "mmc3", "prg_kib": 512, "chr_kib": 256},
    "mmc3-four-screen": {"mapper": 4, "registers": "mmc3-ram", "chr_kib": 64, "four_screen": True},
    "mmc3-nec": {"mapper": 4, "registers": "mmc3", "chr_kib": 128, "submapper": 4},
    "mmc6": {"mapper": 4, "registers": "mmc3-ram", "chr_kib": 128, "ram_kib": 1, "submapper": 1},
}
ON_KERNELS: dict[str, Record] = {"sxrom": "none", "mmc3": "last2"}
"""The kernels' own text is compiled for these, which takes seconds; what is recorded of them."""

Load = Callable[[str], Cartridge]


@pytest.fixture(scope="module")
def load(board_program: Any) -> Load:
    def loaded(board: str) -> Cartridge:
        return Cartridge.from_source(Source(board, board_program.rom_of(**BOARDS[board])))

    return loaded


def play(num_envs: int, frames: int, seed: int = 1) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (num_envs, frames, 2), np.uint8)


def worth_comparing(batch: Any, num_envs: int) -> NDArray[np.uint64]:
    """Its digests: lanes have played different games."""
    digests = np.asarray(batch.digest())
    assert len(np.unique(digests)) == num_envs
    return digests


@pytest.mark.parametrize("board", BOARDS)
def test_the_warps_schedule_changes_nothing(load: Load, board: str) -> None:
    cartridge, buttons = load(board), play(34, FRAMES)
    cpu, warps = Batch(cartridge, 34), Batch(cartridge, 34, device="hostsim")
    for batch in (cpu, warps):
        batch.step(buttons[:, :-1])
        batch.step(buttons[:, -1:], record="last")
    assert np.array_equal(worth_comparing(warps, 34), cpu.digest())
    assert np.array_equal(warps.draw(), cpu.draw())
    assert np.array_equal(warps.read([0x6000, 0x7001, 0x8000, 0xC055]), cpu.read([0x6000, 0x7001, 0x8000, 0xC055]))
    reference = Console(cartridge, "reference")
    reference.step(buttons[33])
    assert reference.digest() == int(cpu.digest()[33])


@pytest.mark.parametrize("board", BOARDS)
def test_no_lane_sees_another(load: Load, board: str) -> None:
    cartridge, buttons = load(board), play(66, FRAMES)
    many = Batch(cartridge, 66, device="hostsim")
    many.step(buttons)
    order = np.random.default_rng(2).permutation(66)
    moved = Batch(cartridge, 66, device="hostsim")
    moved.step(buttons[order])
    assert np.array_equal(moved.digest(), worth_comparing(many, 66)[order])
    few = Batch(cartridge, 3, device="hostsim")
    few.step(buttons[[65, 0, 31]])
    assert np.array_equal(few.digest(), many.digest()[[65, 0, 31]])


@pytest.mark.parametrize("board", BOARDS)
def test_states_go_to_other_lanes_and_devices(load: Load, board: str) -> None:
    cartridge = load(board)
    saved_from = Batch(cartridge, 33, device="hostsim")
    saved_from.step(play(33, FRAMES))
    states = saved_from.save_states(np.array([32, 5, 11]))
    later = play(3, FRAMES, seed=3)
    loaded = [Batch(cartridge, 40, device=device) for device in ("cpu", "hostsim")]
    for batch in loaded:
        batch.load_states(states, np.array([7, 39, 0]))
        held = np.zeros((40, FRAMES, 2), np.uint8)
        held[[7, 39, 0]] = later
        batch.step(held)
    reference = Console(cartridge, "reference")
    for row, lane in enumerate((7, 39, 0)):
        reference.load_state(states[row])
        assert reference.save_state() == states[row].tobytes()
        reference.step(later[row])
        assert [int(batch.digest()[lane]) for batch in loaded] == [reference.digest()] * 2


@pytest.mark.parametrize(("board", "record"), ON_KERNELS.items())
def test_the_kernels_compute_what_the_cpu_does(load: Load, host_gpu: object, board: str, record: Record) -> None:
    cartridge, buttons = load(board), play(33, FRAMES)
    cpu, gpu = Batch(cartridge, 33), CudaBatch(cartridge, 33, driver=host_gpu)
    for batch in (cpu, gpu):
        batch.step(buttons[:, :-2])
        batch.step(buttons[:, -2:], record=record)
    assert np.array_equal(gpu.digest().numpy(), worth_comparing(cpu, 33))
    if record != "none":
        assert np.array_equal((gpu.draw(), gpu.frames)[1].numpy(), (cpu.draw(), cpu.frames)[1])
    states = gpu.save_states()
    assert np.array_equal(states.numpy(), cpu.save_states())
    broken = states.numpy().copy()
    broken.view(dtype_of(Console(cartridge, "core").fields))["board_a12_low_cycles"][2] = 4
    with pytest.raises(SnapshotError, match="board_a12_low_cycles is 4"):
        gpu.load_states(broken)
    for batch in (cpu, gpu):
        batch.power_on(fill=0x5A)
        batch.load_states(states.numpy()[3], np.array([30, 1]))
        batch.step(buttons[:, :2])
    assert np.array_equal(gpu.digest().numpy(), cpu.digest())


def test_a_rom_is_laid_out_as_chips(load: Load, host_gpu: Any) -> None:
    """64, 32 and 16 KiB: the last is repeated, so that the last bank is the file's last, on the GPU as well."""
    cartridge = load("uxrom-of-three-chips")
    specialisation = Specialisation.of(cartridge)
    assert specialisation.rom_bytes == (128 << 10, 0)
    assert "-DNESPROOF_PRG_MASK=131071u" in specialisation.options("plain")
    prg, chr_rom, code = (rom for rom in Roms(host_gpu, cartridge, 77, idle_skipping=True).in_order)
    laid_out = np.zeros(prg.size_bytes, np.uint8)
    host_gpu.download(prg.address, laid_out, 77)
    file = np.frombuffer(cartridge.prg_rom, np.uint8)
    assert (prg.size_bytes, chr_rom.size_bytes, code.size_bytes) == (128 << 10, 0, 4 * (128 << 10))
    assert np.array_equal(laid_out[: 112 << 10], file)
    assert np.array_equal(laid_out[112 << 10 :], file[96 << 10 :])


def test_the_largest_kernels_keep_within_their_registers(load: Load, session_cache: KernelCache, once: Any) -> None:
    """An MMC3's: it has an IRQ to foretell. Those of other boards are for the claims, since compiling takes long."""
    pytest.importorskip("cuda.bindings", reason="the extra cuda is not installed")
    with once.alone("kernels"):
        compiled = compile_kernels(Specialisation.of(load("mmc3")), "sm_90", cache=session_cache)
    assert 0 < compiled.registers <= MAX_REGISTERS
    assert compiled.spill_bytes <= 48
    assert "Mmc3" in "".join(figures.name for figures in compiled.functions)
    try:
        costs = machine_costs(compiled.cubin)
    except GpuUnavailableError as fault:
        pytest.skip(str(fault))
    assert 10 < costs.choice < 200
    assert all(10 < cost < 200 for cost in costs.inner.values())


def test_boards_and_variants_have_kernels_of_their_own(load: Load) -> None:
    options = {board: Specialisation.of(load(board)).options("plain") for board in BOARDS}
    assert len(set(options.values())) == len(BOARDS) - 1  # the three chips fill what one does
    assert "-DNESPROOF_MAPPER=71" in options["camerica"]
    assert "-DNESPROOF_VARIANT=1" in options["mmc3-nec"]
    assert "-DNESPROOF_VARIANT=2" in options["mmc6"]


@pytest.mark.parametrize("board", ["nrom", "sxrom", "nina-001", "mmc3"])
def test_the_model_runs_every_kind_of_board(load: Load, board: str) -> None:
    cartridge, frames = load(board), 2
    lanes = Batch(cartridge, 34)
    lanes.step(play(34, FRAMES))
    states, held = lanes.save_states(), play(34, frames, seed=4)
    counts = {
        schedule: count_warps(cartridge, states, held, schedule=schedule)
        for schedule in ("smallest-key", "largest-group", "free-running")
    }
    lane_frames = 34 * frames
    for counted in counts.values():
        assert counted.warp_frames == 2 * frames
        assert counted.lane_steps > 100 * lane_frames
        assert counted.instructions > 10 * counted.warp_frames
        assert 0 < counted.exact_steps < counted.steps
    # A lane's own way is the same, whoever waits for whom.
    assert len({counted.lane_steps for counted in counts.values()}) == 1
    assert len({counted.steps for counted in counts.values()}) == 3


def test_a_board_that_is_none_is_refused(load: Load) -> None:
    unknown = dataclasses.replace(load("uxrom"), mapper=5)
    with pytest.raises(ValueError, match="no board for mapper 5"):
        Specialisation.of(unknown)
    states = np.zeros((1, 100), np.uint8)
    with pytest.raises(ValueError, match="no board for mapper 5"):
        count_warps(unknown, states, np.zeros((1, 1), np.uint8))
