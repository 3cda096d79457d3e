"""nesproof's fast console behind the subject protocol: one console, and batches on the device that the options name."""

from __future__ import annotations

import gc
import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.subjects.console_adapter import (
    CONSOLE_CAPABILITIES,
    ConsoleAdapter,
    board_capabilities,
    cartridge_of,
    extension_sha256,
    settings_of,
)
from nesproof.harness.subjects.kernel_figures import compiled, counted
from nesproof.harness.subjects.lane_console import LaneConsole, on_host
from nesproof.harness.subjects.stopwatch import Clock, alone_ns, stopwatch_of
from nesproof.harness.subjects.timed_window import wait_for_ram, without_collection

if TYPE_CHECKING:
    from nesproof.emulator.batching import Batch, Record

__all__ = ["BATCH_CAPABILITIES", "CoreAdapter", "make_adapter"]

SCRATCH = 0x7FF
"""A byte of RAM that the house ROM does not use."""

START_REGISTERS = (0xFD, 0, 0, 0, 0x24)
"""S, A, X, Y, P of a CPU that runs alone: as after a reset."""

LANE_CAPABILITIES = [
    "ram",
    "peek",
    "frame",
    "frame-indices",
    "reset",
    "power-on-fill",
    "second-player",
    "digest",
    "state",
    "cartridge-settings",
]
"""What a single console does on a device that holds batches alone: it is a batch of one lane."""

LAYOUTS = {"cpu": "console by console", "hostsim": "tiles of 32 lanes", "cuda": "tiles of 32 lanes"}

BATCH_CAPABILITIES = [
    "batch",
    "idle-skipping",
    "memory",
    "timing",
    "timing-wait",
    "timing-passes",
    "draw:none",
    "draw:every",
    "draw:last-of-4",
]
"""What every device does."""


class CoreAdapter(ConsoleAdapter):
    """One fast console, and beside it one batch."""

    kind = "core"

    def __init__(self, device: str, *, kernel_cache: str | None = None) -> None:
        super().__init__()
        self._kernel_cache = kernel_cache
        self.device = device
        self.name = "core" if device == "cpu" else f"core-{device}"
        single = CONSOLE_CAPABILITIES if device == "cpu" else LANE_CAPABILITIES
        self.capabilities = [*single, *BATCH_CAPABILITIES, *board_capabilities(), *self._further_capabilities()]
        self.build = self._build_info()
        self._batch: Batch | None = None
        self._recorded = False
        self._window_start: tuple[tuple[object, ...], NDArray[np.uint8]] | None = None
        self._clock: Clock = "host"
        self._cold_ns: int | None = None

    # --- What a fake of the tests' puts in place of the compiled consoles

    def _make_batch(
        self, rom: bytes, lanes: int, *, threads: int | None, idle_skipping: bool, emphasis: bool = False
    ) -> Batch:
        from nesproof.emulator.batching import Batch

        return Batch(
            cartridge_of(rom), lanes, self.device, threads=threads, idle_skipping=idle_skipping, emphasis=emphasis
        )

    def _build_info(self) -> dict[str, Any]:
        from nesproof.emulator import _core, build_info

        return {**build_info(), "extension_sha256": extension_sha256(_core)}

    def _further_capabilities(self) -> list[str]:
        further = ["dlpack", "flat-cpu", "kernel", "warp-model"] if self.device == "cpu" else []
        if self.device != "cuda":
            further.append("threads")
        if self.device == "cpu":
            further.append("blocks")
        return further

    def run_blocks(self, blocks: int, buttons: list[int]) -> int:
        """So many strides of a frame, then one unit."""
        run: int = self._console.run_blocks(blocks, tuple(buttons))
        return run

    def load(self, rom: bytes) -> None:
        """Put a cartridge in. Raises ValueError (a CartridgeError) where the loader refuses it."""
        if self.device == "cpu":
            super().load(rom)
        else:
            self._loaded = LaneConsole(self._make_batch(rom, 1, threads=1, idle_skipping=True, emphasis=True))

    # --- Several consoles

    @property
    def lanes(self) -> int:
        """How many consoles the batch holds."""
        return self._consoles.num_envs

    @property
    def _consoles(self) -> Batch:
        if self._batch is None:
            raise ValueError("no batch is open")
        return self._batch

    def batch_open(self, rom: bytes, lanes: int, threads: int | None, idle_skipping: bool) -> dict[str, Any]:
        """Consoles with this cartridge, powered on. Raises ValueError where the cartridge is refused."""
        if self._batch is not None:
            self._batch.close()
        self._batch = None
        self._window_start = None
        self._recorded = False
        batch = self._batch = self._make_batch(rom, lanes, threads=threads, idle_skipping=idle_skipping)
        layout = LAYOUTS[self.device.partition(":")[0]]
        return {"device": batch.device, "threads": batch.threads, "layout": layout}

    def batch_power_on(self, fill: int, lanes: list[int] | None) -> None:
        """Switch lanes off and on."""
        self._consoles.power_on(_mask(lanes), fill=fill)

    def batch_press_reset(self, lanes: list[int] | None) -> None:
        """Press the reset button of lanes."""
        self._consoles.press_reset(_mask(lanes))

    def batch_step(self, buttons: bytes, frames: int, players: int, record: str) -> None:
        """Run frames on every lane."""
        shape = (self.lanes, frames) if players == 1 else (self.lanes, frames, 2)
        rows = np.frombuffer(buttons, np.uint8).reshape(shape)
        self._consoles.step(rows, frames=frames, record=record)  # type: ignore[arg-type]
        self._recorded = record != "none"

    def batch_digest(self) -> Sequence[int]:
        """The digest of each lane."""
        return [int(digest) for digest in on_host(self._consoles.digest())]

    def batch_read_ram(self, lanes: list[int]) -> bytes:
        """The RAM of lanes, one after the other."""
        return np.ascontiguousarray(on_host(self._consoles.read_ram())[lanes]).tobytes()

    def batch_read_frames(self, lanes: list[int]) -> tuple[int, bytes]:
        """How many frames the last step recorded, and lanes' pictures of them."""
        if not self._recorded:
            raise ValueError("the last step recorded no frame")
        self._consoles.draw()
        pictures = on_host(self._consoles.frames)[lanes]
        return pictures.shape[1], np.ascontiguousarray(pictures & 0x3F, dtype=np.uint8).tobytes()

    def batch_save_states(self, lanes: list[int]) -> bytes:
        """The states of lanes, one after the other."""
        return np.ascontiguousarray(on_host(self._consoles.save_states(_mask(lanes)))).tobytes()

    def batch_load_states(self, states: bytes, lanes: list[int]) -> None:
        """Put lanes into saved states. Raises ValueError (a SnapshotError) where one is foreign or damaged."""
        count, rest = divmod(len(states), len(lanes)) if lanes else (0, 0)
        if rest:
            raise ValueError(f"{len(states)} bytes are no {len(lanes)} states of equal size")
        if lanes:
            self._consoles.load_states(np.frombuffer(states, np.uint8).reshape(len(lanes), count), _mask(lanes))

    def batch_permute(self, order: list[int]) -> None:
        """Lane i gets the state of lane `order[i]`."""
        states = on_host(self._consoles.save_states())
        self._consoles.load_states(np.ascontiguousarray(states[order]))

    def batch_memory(self) -> dict[str, int]:
        """Bytes that one console takes, part by part."""
        memory = self._consoles.memory
        return {
            "state": memory.state_bytes,
            "prg_ram": memory.prg_ram_bytes,
            "chr_ram": memory.chr_ram_bytes,
            "draw_log": memory.draw_log_bytes,
            "frame_buffer": memory.frame_buffer_bytes,
        }

    def share_memory(self, rom: bytes, library: str) -> dict[str, bool]:
        """Hand the RAM of a batch of two to NumPy or Torch by DLPack, and look at it from both sides."""
        import_from = _importer(library)
        batch = self._make_batch(rom, 2, threads=1, idle_skipping=True)
        batch.step(np.zeros((2, 2), np.uint8), frames=2)
        shared = import_from(batch.ram)
        same_address = _address(shared) == batch.ram.__array_interface__["data"][0]
        value = (int(batch.ram[1, SCRATCH]) + 1) & 0xFF
        shared[1, SCRATCH] = value
        write_seen = int(on_host(batch.read_ram())[1, SCRATCH]) == value
        batch.step(np.zeros((2, 30), np.uint8), frames=30)
        after = on_host(batch.read_ram()).copy()
        step_seen = np.array_equal(np.asarray(shared), after) and int(after[1].sum()) > 0
        batch.close()
        del batch
        gc.collect()
        outlives = np.array_equal(np.asarray(shared), after)
        return {
            "same_address": same_address,
            "write_seen": write_seen,
            "step_seen": step_seen,
            "outlives_the_batch": outlives,
        }

    # --- The kernels

    def compile_kernels(self, rom: bytes, arch: str) -> dict[str, Any]:
        """The kernels for one architecture, in figures. Raises ValueError where the compiler is not installed."""
        return compiled(rom, arch, self._kernel_cache)

    def model_warps(self, rom: bytes, states: bytes, buttons: bytes, args: dict[str, Any]) -> dict[str, float]:
        """One run of the warp model from the lanes' states, in figures."""
        return counted(rom, states, buttons, args, self._kernel_cache)

    # --- The CPU alone

    def run_flat_cpu(self, variant: Any, memory: bytes, pc: int, max_instructions: int) -> dict[str, int | bool]:
        """A CPU alone until it jumps to itself."""
        from nesproof.emulator import _core

        _require_2a03(variant)
        cpu = _core.Flat2A03()
        cpu.memory[:] = np.frombuffer(memory, np.uint8)
        cpu.registers = (pc, *START_REGISTERS)
        trapped = cpu.run_until_trap(max_instructions) and not cpu.jammed
        registers = dict(zip(("pc", "s", "a", "x", "y", "p"), cpu.registers, strict=True))
        return {**registers, "instructions": cpu.instructions, "cycles": cpu.cycles, "trapped": trapped}

    def step_flat_cpu(self, cases: list[Any]) -> list[Any]:
        """One instruction a case, each on memory of its own; the number of cycles stands for their accesses."""
        from nesproof.emulator import _core

        cpu = _core.Flat2A03()
        for variant, *_ in cases:
            _require_2a03(variant)
        return [cpu.step_case(*case) for _, *case in cases]

    # --- Timing

    def time_run(
        self,
        rom: bytes,
        buttons: bytes,
        warmup_frames: int,
        frames: int,
        draw: str,
        *,
        passes: int = 1,
        wait_for: dict[str, Any] | None = None,
        lanes: int = 1,
        threads: int = 1,
        frame_skip: int = 1,
        idle_skipping: bool = True,
    ) -> int:
        """The time of `passes` passes over one window, on every lane; nanoseconds.

        Each pass begins in the state after the warm-up, which is put back off the clock. A call steps `frame_skip`
        frames; where drawing is asked for, its last frame is drawn on the clock, as palette indices ready to be read.
        """
        record: Record = "none" if draw == "none" else "last"
        if (draw, frame_skip) in {("every", n) for n in range(2, frames + 1)} or (
            draw == "last-of-4" and frame_skip != 4
        ):
            raise ValueError(f"drawing {draw!r} does not go with calls of {frame_skip} frames")
        rows = np.frombuffer(buttons, np.uint8).reshape(lanes, warmup_frames + frames)
        key = (rom, settings_of(rom), rows[:, :warmup_frames].tobytes(), lanes, threads, idle_skipping, wait_for)
        if self._window_start is None or self._window_start[0] != key:
            self.batch_open(rom, lanes, threads, idle_skipping)
            batch = self._consoles
            if warmup_frames:
                batch.step(np.ascontiguousarray(rows[:, :warmup_frames]), frames=warmup_frames)
            none = np.zeros((lanes, 1), np.uint8)
            # Lane 0 speaks for all, which came the same way.
            wait_for_ram(wait_for, lambda: on_host(batch.read_ram())[0], lambda: batch.step(none, frames=1))
            self._window_start = (key, batch.save_states())
        batch, state = self._consoles, self._window_start[1]
        starts = range(warmup_frames, warmup_frames + frames, frame_skip)
        calls = [np.ascontiguousarray(rows[:, at : min(at + frame_skip, rows.shape[1])]) for at in starts]
        counts = [call.shape[1] for call in calls]
        step, drawn = batch.step, batch.draw
        stopwatch = stopwatch_of(batch)
        with without_collection():
            self._cold_ns = self._call_alone(calls[0], record, state) if stopwatch.clock == "cuda-events" else None
            for _ in range(passes):
                batch.load_states(state)
                stopwatch.start()
                if record == "none":
                    for call, count in zip(calls, counts, strict=True):
                        step(call, count)
                else:
                    for call, count in zip(calls, counts, strict=True):
                        step(call, count, record="last")
                        drawn()
                stopwatch.stop()
            elapsed_ns = stopwatch.elapsed_ns()
        self._clock = stopwatch.clock
        return elapsed_ns

    def timing_details(self) -> dict[str, Any]:
        """How the last timed run was timed, in the words of the reply."""
        return {"clock": self._clock, "cold_ns": self._cold_ns}

    def _call_alone(self, held: NDArray[np.uint8], record: Record, state: Any) -> int:
        """The time of one call on the idle device, begun and waited for by itself; leaves the batch anywhere."""
        batch = self._consoles
        batch.load_states(state)

        def call() -> None:
            batch.step(held, held.shape[1], record=record)
            if record != "none":
                batch.draw()

        return alone_ns(batch, call)

    def drawn_frames(self, lanes: list[int]) -> list[bytes]:
        """The last recorded frame of lanes as it lies in the batch's buffer; nothing is drawn for it.

        Raises ValueError where the last step recorded none.
        """
        try:
            pictures = on_host(self._consoles.frames)[lanes][:, -1]
        except RuntimeError as fault:
            raise ValueError(str(fault)) from fault
        return [np.ascontiguousarray(picture & 0x3F, dtype=np.uint8).tobytes() for picture in pictures]


def _importer(library: str) -> Callable[[Any], Any]:
    if library == "numpy":
        return np.from_dlpack
    try:
        importer: Callable[[Any], Any] = importlib.import_module(library).from_dlpack
    except ImportError as fault:
        raise ValueError(f"{library} is not installed") from fault
    return importer


def _address(array: Any) -> int:
    return int(array.data_ptr() if hasattr(array, "data_ptr") else array.__array_interface__["data"][0])


def _require_2a03(variant: str) -> None:
    if variant != "2a03":
        raise ValueError(f"it has no plain {variant}, only the 2A03, which has no decimal mode")


def _mask(lanes: list[int] | None) -> NDArray[np.int64] | None:
    return None if lanes is None else np.array(lanes, np.int64)


def make_adapter(options: dict[str, Any]) -> CoreAdapter:
    """The adapter; `options["device"]` is "cpu", "hostsim" or "cuda", `options["kernel_cache"]` where compiled kernels
    are kept, since the home folder of this process is an empty one.
    """
    return CoreAdapter(options.get("device", "cpu"), kernel_cache=options.get("kernel_cache"))
