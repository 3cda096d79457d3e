"""What a subject may answer: every field checked before anything else looks at it."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "CAPABILITIES",
    "Answer",
    "BatchFrames",
    "BatchMemoryReply",
    "BatchOpened",
    "BytesAConsole",
    "Compilation",
    "CompilationReply",
    "CompiledFunction",
    "DigestResult",
    "EmptyResult",
    "Failure",
    "FlatRunReply",
    "Hello",
    "Shared",
    "SharedReply",
    "StartProblem",
    "SubjectInfo",
    "TimedRun",
    "TimedRunsReply",
    "VerdictReply",
    "WarpModelReply",
    "is_capability",
]

CAPABILITIES = {
    "ram": "read the 2 KiB of work RAM",
    "peek": "read the CPU's bus without side effects",
    "poke": "change a byte of RAM from outside",
    "nametables": "read the four nametables as the PPU sees them",
    "frame": "read the last frame as RGB",
    "frame-indices": "read the last frame as palette indices",
    "reset": "press the console's reset button",
    "power-on-fill": "power on with RAM filled with a chosen byte",
    "second-player": "step with buttons of a second controller",
    "digest": "digest the whole state, in nesproof's definition",
    "state": "save the state as bytes and load it into a fresh process",
    "trace": "trace instructions with registers, dot and cycle",
    "units": "run unit by unit, digest in between, and name the fields of its states",
    "blocks": "run in the strides in which it looks at no chip",
    "flat-cpu": "run the CPU alone on flat RAM: final state and cycle count",
    "flat-cpu-6502": "run a plain 6502 alone as well, which has a decimal mode",
    "flat-cpu-bus": "show every bus access of a CPU that runs alone",
    "cartridge-settings": "take a cartridge's board and chips as told, where its file says otherwise or nothing",
    "batch": "hold several consoles of one cartridge and step them together",
    "threads": "step a batch with a chosen number of threads",
    "idle-skipping": "skip loops that only wait, and be told not to",
    "memory": "say how many bytes a console of a batch takes",
    "timing": "time a workload inside the worker",
    "timing-wait": "begin a timed window where RAM holds given values",
    "timing-passes": "time several passes over one window as one run",
    "dlpack": "hand its memory to other libraries without a copy",
    "kernel": "compile the kernels for a GPU architecture and say what they take",
    "warp-model": "run the kernels' schedule on a CPU and count",
    "judge": "give the verdict that follows from a measurement",
}
"""The named capabilities and what each means. `mapper:N` (a board), `mapper:N.S` (the variant of it that a NES 2.0
header names by submapper S) and `draw:MODE` (a way to draw) come beside them."""

_PARAMETRIC = re.compile(r"mapper:[0-9]{1,4}(\.([1-9]|1[0-5]))?|draw:(none|every|last-of-4)")

Short = Annotated[str, Field(max_length=200)]
Text = Annotated[str, Field(max_length=4_000)]
Pair = Annotated[list[Short], Field(min_length=2, max_length=2)]


def is_capability(name: str) -> bool:
    """True where `name` is a capability that the protocol knows."""
    return name in CAPABILITIES or _PARAMETRIC.fullmatch(name) is not None


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class SubjectInfo(_Reply):
    """A subject as it introduced itself."""

    python: Short
    """Version of the Python that runs it; "" where it is no Python program."""
    packages: tuple[tuple[Short, Short], ...] = Field(max_length=2_000)
    build: dict[Short, Text | int | None] | None
    """How its native code was built, where it can tell."""


class Hello(_Reply):
    """The first message of a worker."""

    hello: Literal["nesproof-subject"]
    protocol: int
    name: Short
    version: Short
    capabilities: list[Short] = Field(max_length=500)
    python: Short = ""
    packages: list[Pair] = Field(default=[], max_length=2_000)
    build: dict[Short, Text | int | None] | None = None

    def info(self) -> SubjectInfo:
        """The part that evidence keeps."""
        return SubjectInfo(python=self.python, packages=tuple((n, v) for n, v in self.packages), build=self.build)


class StartProblem(_Reply):
    """The first message of a worker whose adapter could not start."""

    hello: Literal["nesproof-subject"]
    protocol: int
    problem: Text


class Failure(_Reply):
    """Why an operation has no result."""

    kind: Literal["not-capable", "refused", "failed"]
    message: Text


class Answer(_Reply):
    """The header of a reply."""

    id: int
    ok: bool
    result: dict[str, Any] = {}
    error: Failure | None = None


class DigestResult(_Reply):
    """Reply to `digest`."""

    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]


class FlatRunResult(_Reply):
    """Reply to `run_flat_cpu`, within `run`."""

    pc: int = Field(ge=0, le=0xFFFF)
    instructions: int = Field(ge=0)
    cycles: int = Field(ge=0)
    trapped: bool
    a: int = Field(ge=0, le=0xFF)
    x: int = Field(ge=0, le=0xFF)
    y: int = Field(ge=0, le=0xFF)
    p: int = Field(ge=0, le=0xFF)
    s: int = Field(ge=0, le=0xFF)


class FlatRunReply(_Reply):
    """Reply to `run_flat_cpu`."""

    run: FlatRunResult


class TimedRun(_Reply):
    """One timed window, measured inside the worker, and where the console stood at its end."""

    elapsed_ns: int = Field(gt=0)
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")] | None
    ram_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    frame_counter: int = Field(ge=0)
    lane_digests: list[Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]] = []
    """Of the lanes that were asked for, in their order; of a batch alone, and with "digest"."""
    pictures: list[Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]] = []
    """What the loop drew last, of the same lanes (or of the one console): `worker.picture_hash` of palette indices, or
    of RGB from a subject without them. Empty where nothing was drawn, or where it has no frame to show."""
    clock: Literal["host", "cuda-events"] = "host"
    """Whose clock `elapsed_ns` is by; a GPU's own leaves out what the host does meanwhile."""
    cold_ns: int | None = Field(default=None, gt=0)
    """Of a device that works while the host goes on: one call alone, from the host's call until it is done."""


class TimedRunsReply(_Reply):
    """Reply to `time_workload`."""

    runs: list[TimedRun]


class BatchOpened(_Reply):
    """Reply to `batch_open`."""

    device: Short
    threads: int = Field(ge=1)
    layout: Short


class BatchFrames(_Reply):
    """Reply to `batch_read_frames`, beside its buffer."""

    frames: int = Field(ge=1)


class BytesAConsole(_Reply):
    """Bytes that one console of a batch takes, part by part."""

    state: int = Field(gt=0)
    prg_ram: int = Field(ge=0)
    chr_ram: int = Field(ge=0)
    draw_log: int = Field(ge=0)
    frame_buffer: int = Field(ge=0)


class BatchMemoryReply(_Reply):
    """Reply to `batch_memory`."""

    bytes: BytesAConsole


class CompiledFunction(_Reply):
    """One kernel, or one function that kernels call; `registers` is None for a function of its own."""

    name: Text
    is_kernel: bool
    registers: int | None = Field(ge=0)
    stack_bytes: int = Field(ge=0)
    spill_store_bytes: int = Field(ge=0)
    spill_load_bytes: int = Field(ge=0)
    code_bytes: int = Field(ge=0)


class Compilation(_Reply):
    """The kernels for one architecture. `compile_seconds` is what compiling took when it was done; `machine_code` holds
    a SHA-256 over the machine code and the constants of each binary."""

    compiler: Short
    compile_seconds: float = Field(ge=0)
    was_cached: bool
    functions: list[CompiledFunction] = Field(min_length=1, max_length=400)
    machine_code: dict[Short, Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]] = Field(
        default_factory=dict, max_length=20
    )


class CompilationReply(_Reply):
    """Reply to `compile_kernels`."""

    compilation: Compilation


class WarpModelReply(_Reply):
    """Reply to `model_warps`: figures by name."""

    model: dict[Annotated[str, Field(pattern=r"^[a-z_]{1,60}$")], float] = Field(max_length=60)


class VerdictReply(_Reply):
    """Reply to `judge`."""

    verdict: Literal["PASS", "FAIL", "INCONCLUSIVE", "NOT_APPLICABLE", "NOT_MEASURED", "WAIVED", "ERROR"]
    reason: Text = ""


class Shared(_Reply):
    """What was seen when a batch's RAM was handed to another library."""

    same_address: bool
    """The other library's array begins where the batch's does."""
    write_seen: bool
    """What the other library wrote, a console reads."""
    step_seen: bool
    """What a step changed, the other library's array shows."""
    outlives_the_batch: bool
    """The array still holds its values once the batch is gone."""


class SharedReply(_Reply):
    """Reply to `share_memory`."""

    shared: Shared


class EmptyResult(_Reply):
    """Reply to whatever returns buffers alone, or nothing."""
