"""A subject as the rest of the harness sees it: one object, whose process lives elsewhere.

    with open_subject("reference") as subject:
        subject.load(rom)
        subject.power_on()
        subject.step(0x08, frames=60)
        ram = subject.read_ram()

Every call has a deadline. A subject that dies, hangs or answers nonsense is killed with everything it started, and
the call raises the typed error that says so; the object is of no use afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.plain_text import plain_line
from nesproof.harness.subjects.batch import SubjectBatch
from nesproof.harness.subjects.cartridge_settings import SETTINGS_CAPABILITY, cartridge_args
from nesproof.harness.subjects.conversation import START_S, Conversation
from nesproof.harness.subjects.errors import NotCapable, SubjectCannotStart, SubjectDied, SubjectUnavailable
from nesproof.harness.subjects.flat_cpu import CpuVariant, FlatCase, FlatResult, FlatRun, pack_cases, unpack_results
from nesproof.harness.subjects.process import LEAVE_S, WorkerProcess
from nesproof.harness.subjects.replies import (
    BatchMemoryReply,
    BytesAConsole,
    Compilation,
    CompilationReply,
    DigestResult,
    EmptyResult,
    FlatRunReply,
    Shared,
    SharedReply,
    SubjectInfo,
    TimedRun,
    TimedRunsReply,
    VerdictReply,
    WarpModelReply,
)
from nesproof.harness.subjects.status import require_command
from nesproof.harness.subjects.timing import PLAIN, TimingOptions
from nesproof.harness.subjects.trace import TRACE_DTYPE
from nesproof.harness.subjects.units import SubjectUnits

__all__ = [
    "Subject",
    "SubjectInfo",
    "TimedRun",
    "open_subject",
]

RAM_BYTES = 2048
NAMETABLE_BYTES = 4096
FRAME_SHAPE = (240, 256)


def open_subject(
    name: str, *, timeout_s: float = 60, log_path: Path | None = None, under: Sequence[str] = ()
) -> Subject:
    """Start the named subject's process and wait for its greeting.

    `timeout_s` bounds every later call, unless the call says otherwise. What the process prints is appended to
    `log_path`, or kept in a temporary file that goes with it. `under` is a program with its arguments that runs the
    subject's command, such as a profiler.

    Raises:
        ConfigurationError: there is no such subject.
        SubjectUnavailable: it is not installed, or cannot be here, or what is installed is broken; the remedy is in the
            message.
        SubjectFailed: it does not start, or does not speak the protocol.
    """
    command = require_command(name)
    process = WorkerProcess((*under, *command.argv), log_path=log_path, passed=command.pass_environment)
    # What runs under a profiler is slow from its first breath.
    start_s = timeout_s if under else START_S
    try:
        return Subject(name, Conversation(name, process, timeout_s=timeout_s, start_s=start_s))
    except (SubjectCannotStart, SubjectDied) as fault:
        if not command.is_installed_apart:
            raise
        raise SubjectUnavailable(
            f"Subject {name} is not available: its environment is broken. {plain_line(str(fault), limit=600)}",
            remedy=f"nesproof subjects install {name}",
        ) from fault


class Subject:
    """One emulator in its own process. A context manager; `close` ends the process.

    Raises, from every method: `NotCapable` (not declared, nothing was asked), `SubjectRefused` (the subject said no,
    and lives on), `SubjectFailed` and its subclasses.
    """

    def __init__(self, name: str, conversation: Conversation) -> None:
        self._talk = conversation
        hello = conversation.hello
        self.name = name
        self.version = plain_line(hello.version)
        self.capabilities = frozenset(hello.capabilities)
        self.info = hello.info()

    def __enter__(self) -> Subject:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- The console ---------------------------------------------------------------------------------------------

    def load(self, rom: bytes) -> None:
        """Insert a cartridge: the bytes of an iNES or NES 2.0 file. `power_on` comes next.

        A `roms_manifest.CartridgeFile` that carries settings needs "cartridge-settings", here and wherever else a
        cartridge is given.

        Raises:
            SubjectRefused: the subject cannot run it, with the subject's reason.
        """
        self._talk.ask("load", self._settings(rom), [rom])

    def power_on(self, *, fill: int = 0) -> None:
        """Switch the console off and on. RAM holds `fill`; other than 0 needs "power-on-fill"."""
        if fill:
            self.require("power-on-fill")
        self._talk.ask("power_on", {"fill": _byte(fill, "fill")})

    def press_reset(self) -> None:
        """Press the console's reset button: RAM survives."""
        self.require("reset")
        self._talk.ask("press_reset")

    def step(self, buttons: int | NDArray[np.uint8] = 0, *, frames: int = 1) -> None:
        """Run whole frames with the given buttons (A 01, B 02, Select 04, Start 08, Up 10, Down 20, Left 40, Right 80).

        `buttons` is one byte held for `frames` frames, or a uint8 array [F] or [F, 2] (frames, players), where
        `frames` is left out.
        """
        if isinstance(buttons, (int, np.integer)):
            if frames < 0:
                raise ValueError(f"frames must not be negative, but is {frames}")
            data, players = bytes([_byte(int(buttons), "buttons")]) * frames, 1
        else:
            data, players, count = _button_array(buttons)
            if frames not in {1, count}:
                raise ValueError(f"buttons hold {count} frames, but frames={frames} was given as well")
        if players == 2:
            self.require("second-player")
        if data:
            self._talk.ask("step", {"players": players}, [data])

    def read_ram(self) -> NDArray[np.uint8]:
        """The 2 KiB of work RAM, uint8 [2048]; a copy."""
        self.require("ram")
        return self._bytes("read_ram", RAM_BYTES)

    def peek(self, addresses: Sequence[int]) -> NDArray[np.uint8]:
        """The bytes that the CPU would see at `addresses`, uint8 [len(addresses)], without side effects."""
        self.require("peek")
        return self._bytes("peek", len(addresses), {"addresses": [_word(int(a), "address") for a in addresses]})

    def poke(self, address: int, value: int) -> None:
        """Change one byte of RAM from outside: a cosmic ray, for tests of what notices it."""
        self.require("poke")
        self._talk.ask("poke", {"address": _word(address, "address"), "value": _byte(value, "value")})

    def read_nametables(self) -> NDArray[np.uint8]:
        """PPU memory $2000-$2FFF through the cartridge's mirroring, uint8 [4, 1024] (nametable, byte)."""
        self.require("nametables")
        return self._bytes("read_nametables", NAMETABLE_BYTES).reshape(4, 1024)

    def read_frame(self) -> NDArray[np.uint8]:
        """The last whole frame, RGB, uint8 [240, 256, 3], through the subject's own palette."""
        self.require("frame")
        return self._bytes("read_frame", 240 * 256 * 3).reshape(*FRAME_SHAPE, 3)

    def read_frame_indices(self) -> NDArray[np.uint8]:
        """The last whole frame as palette indices 0 to 63, uint8 [240, 256]."""
        self.require("frame-indices")
        return self._bytes("read_frame_indices", 240 * 256).reshape(FRAME_SHAPE)

    def digest(self) -> str:
        """The digest of the console's whole state, 16 hexadecimal digits, the same for every console of nesproof's."""
        self.require("digest")
        return self._talk.ask("digest", model=DigestResult).digest

    def follow(
        self, buttons: NDArray[np.uint8], *, pictures: bool = False
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint64] | None]:
        """Step frame by frame and say after each where the console stands, in one round trip.

        `buttons` is uint8 [F] or [F, 2]. Returns the digests after each frame, uint64 [F], and with `pictures` a
        number for each frame's picture, uint64 [F] (`worker.picture_hash` of its palette indices), else None.
        """
        self.require("digest")
        if pictures:
            self.require("frame-indices")
        data, players, count = _button_array(buttons)
        if players == 2:
            self.require("second-player")
        args = {"players": players, "pictures": pictures}
        _, received = self._talk.ask_both("follow", args, [data], model=EmptyResult, count=1 + pictures)
        if any(len(buffer) != 8 * count for buffer in received):
            raise self._talk.garbage("follow", f"it holds no 8 bytes for each of {count} frames")
        rows = [np.frombuffer(bytearray(buffer), "<u8") for buffer in received]
        return rows[0], rows[1] if pictures else None

    def save_state(self) -> bytes:
        """The console's whole state, for `load_state` in this or another process with the same cartridge."""
        self.require("state")
        return self._talk.ask_bytes("save_state")

    def load_state(self, state: bytes) -> None:
        """Go to a saved state.

        Raises:
            SubjectRefused: it is of another cartridge or version, or damaged.
        """
        self.require("state")
        self._talk.ask("load_state", buffers=[state])

    # --- Several consoles ----------------------------------------------------------------------------------------

    def open_batch(
        self, rom: bytes, *, lanes: int, threads: int | None = None, idle_skipping: bool = True
    ) -> SubjectBatch:
        """`lanes` consoles with one cartridge, powered on with RAM at 0; the subject holds one batch at a time.

        `threads` is how many step them (the subject's own choice by default; needs "threads"). Without `idle_skipping`
        every instruction is executed (needs "idle-skipping").

        Raises:
            SubjectRefused: the subject cannot run the cartridge.
        """
        self.require("batch")
        if threads is not None:
            self.require("threads")
        if not idle_skipping:
            self.require("idle-skipping")
        self._settings(rom)
        return SubjectBatch(self._talk, rom, lanes=lanes, threads=threads, idle_skipping=idle_skipping)

    def batch_memory(self) -> BytesAConsole:
        """Bytes that one console takes of the batch that a timing has left."""
        self.require("memory")
        return self._talk.ask("batch_memory", model=BatchMemoryReply).bytes

    def share_memory(self, rom: bytes, library: str) -> Shared:
        """Hand a batch's arrays to another library by DLPack ("numpy", "torch"), and say what was seen of it."""
        self.require("dlpack")
        return self._talk.ask(
            "share_memory", {"library": library, **self._settings(rom)}, [rom], model=SharedReply
        ).shared

    # --- The kernels for a GPU -----------------------------------------------------------------------------------

    def compile_kernels(self, rom: bytes, arch: str) -> Compilation:
        """The kernels for one GPU architecture ("sm_90") and a cartridge, in figures; no GPU is needed."""
        self.require("kernel")
        args = {"arch": arch, **self._settings(rom)}
        return self._talk.ask("compile_kernels", args, [rom], model=CompilationReply).compilation

    def model_warps(
        self,
        rom: bytes,
        states: Sequence[bytes],
        buttons: NDArray[np.uint8],
        *,
        schedule: str,
        frame_skip: int,
        arch: str | None = None,
    ) -> dict[str, float]:
        """Run lanes from `states` by one of the kernels' schedules on the CPU and count.

        `buttons` is uint8 [lanes, F]; a batch's step is `frame_skip` frames. With `arch`, what the machine code of that
        architecture would issue is counted as well, which needs the compiler.
        """
        self.require("warp-model")
        args = {
            "schedule": schedule,
            "lanes": len(states),
            "frames": buttons.shape[1],
            "frame_skip": frame_skip,
            "arch": arch,
            **self._settings(rom),
        }
        data = [rom, b"".join(states), np.ascontiguousarray(buttons, np.uint8).tobytes()]
        return self._talk.ask("model_warps", args, data, model=WarpModelReply).model

    # --- The CPU -------------------------------------------------------------------------------------------------

    def trace(self, instructions: int, *, start_pc: int | None = None) -> NDArray[np.void]:
        """Run that many instructions, from `start_pc` where given; a structured array of `TRACE_DTYPE`, one a line.

        Each row is the state before the instruction, as nestest's log prints it.
        """
        self.require("trace")
        args = {"instructions": instructions, "start_pc": None if start_pc is None else _word(start_pc, "start_pc")}
        rows = self._talk.ask_bytes("trace", args, size=instructions * TRACE_DTYPE.itemsize)
        return np.frombuffer(rows, TRACE_DTYPE)

    @property
    def units(self) -> SubjectUnits:
        """The console followed closer than by frames (needs "units"; `run_blocks` needs "blocks")."""
        self.require("units")
        return SubjectUnits(self._talk)

    def run_flat_cpu(self, variant: CpuVariant, memory: bytes, pc: int, *, max_instructions: int) -> FlatRun:
        """Run a CPU alone on 64 KiB of RAM from `pc` until an instruction that jumps to itself, or the limit."""
        self.require("flat-cpu")
        if len(memory) != 0x10000:
            raise ValueError(f"memory must hold 65536 bytes, but holds {len(memory)}")
        args = {"variant": variant, "pc": _word(pc, "pc"), "max_instructions": max_instructions}
        return FlatRun(**self._talk.ask("run_flat_cpu", args, [memory], model=FlatRunReply).run.model_dump())

    def step_flat_cpu(self, cases: Sequence[FlatCase]) -> list[FlatResult]:
        """Run one instruction a case, each on RAM of its own, all in one round trip.

        The results show bus accesses where the subject declares "flat-cpu-bus".
        """
        self.require("flat-cpu")
        results = self._talk.ask_bytes("step_flat_cpu", buffers=[pack_cases(cases)])
        try:
            return unpack_results(results, cases, shows_bus="flat-cpu-bus" in self.capabilities)
        except ValueError as fault:
            raise self._talk.garbage("step_flat_cpu", str(fault)) from fault

    # --- Timing --------------------------------------------------------------------------------------------------

    def time_workload(
        self,
        rom: bytes,
        buttons: bytes,
        *,
        warmup_frames: int,
        frames: int,
        draw: str,
        runs: int,
        warmup_runs: int,
        frame_counter: tuple[int, int],
        options: TimingOptions = PLAIN,
        timeout_s: float | None = None,
    ) -> list[TimedRun]:
        """Time `runs` runs of one window, in a loop inside the worker, after `warmup_runs` that are thrown away.

        A run's window of `frames` frames begins where `warmup_frames` untimed frames after power-on end (later runs may
        get there by the subject's own snapshot); one byte of `buttons` a frame, lane after lane. `frame_counter` is the
        (address, bytes) of the game's own counter, little-endian; of several lanes, the first one's is read.
        `timeout_s` bounds all runs together; the subject's own by default.
        """
        for capability in ("timing", "ram", f"draw:{draw}"):
            self.require(capability)
        for capability in options.needed(holds_batches="batch" in self.capabilities):
            self.require(capability)
        wanted = options.lanes * (warmup_frames + frames)
        if len(buttons) != wanted:
            raise ValueError(f"{warmup_frames} + {frames} frames need {wanted} bytes of buttons, not {len(buttons)}")
        args = {
            **options.args(capabilities=self.capabilities),
            "warmup_frames": warmup_frames,
            "frames": frames,
            "draw": draw,
            "runs": runs,
            "warmup_runs": warmup_runs,
            "frame_counter": list(frame_counter),
            **self._settings(rom),
        }
        reply = self._talk.ask("time_workload", args, [rom, buttons], model=TimedRunsReply, timeout_s=timeout_s)
        if len(reply.runs) != runs:
            raise self._talk.garbage("time_workload", f"it holds {len(reply.runs)} runs where {runs} were asked for")
        sampled = len(options.sample_lanes) if "batch" in self.capabilities else 0
        digests = sampled if "digest" in self.capabilities else 0
        if any(len(run.lane_digests) != digests for run in reply.runs):
            raise self._talk.garbage("time_workload", f"a run does not hold the digests of {digests} lanes")
        if any(len(run.pictures) not in ({0} if draw == "none" else {0, max(1, sampled)}) for run in reply.runs):
            raise self._talk.garbage("time_workload", "a run holds pictures of other lanes than were asked for")
        return reply.runs

    # --- Verdicts ------------------------------------------------------------------------------------------------

    def judge(self, case: bytes) -> VerdictReply:
        """The verdict that follows from a measurement: a planted case as JSON, without its verdict.

        Raises:
            SubjectRefused: it is no case.
        """
        self.require("judge")
        return self._talk.ask("judge", buffers=[case], model=VerdictReply)

    # --- The process ---------------------------------------------------------------------------------------------

    @property
    def guard_pid(self) -> int:
        """Process id of the guard that the subject's process runs under."""
        return self._talk.guard_pid

    def require(self, capability: str) -> None:
        """Raise `NotCapable` unless the subject declares the capability."""
        if capability not in self.capabilities:
            raise NotCapable(self.name, capability)

    def close(self, *, leave_s: float = LEAVE_S) -> None:
        """End the process and everything that it started; it has so long to leave by itself. Idempotent."""
        self._talk.close(leave_s=leave_s)

    def _settings(self, rom: bytes) -> dict[str, Any]:
        args = cartridge_args(rom)
        if args:
            self.require(SETTINGS_CAPABILITY)
        return args

    def _bytes(self, op: str, size: int, args: Mapping[str, Any] | None = None) -> NDArray[np.uint8]:
        return np.frombuffer(bytearray(self._talk.ask_bytes(op, args, size=size)), np.uint8)


def _button_array(buttons: NDArray[np.uint8]) -> tuple[bytes, int, int]:
    array = np.asarray(buttons)
    if array.dtype != np.uint8 or array.ndim not in {1, 2} or (array.ndim == 2 and array.shape[1] != 2):
        raise ValueError(
            f"buttons must be uint8 [F] or [F, 2] (frames, players), not {array.dtype} {list(array.shape)}"
        )
    return array.tobytes(), array.ndim, array.shape[0]


def _byte(value: int, what: str) -> int:
    if not 0 <= value <= 0xFF:
        raise ValueError(f"{what} must be a byte, but is {value}")
    return value


def _word(value: int, what: str) -> int:
    if not 0 <= value <= 0xFFFF:
        raise ValueError(f"{what} must be a 16-bit number, but is {value}")
    return value
