"""What a machine with a GPU is asked: does the GPU compute what the CPU does, how fast, and with how much memory.

Run by ci/gpu_check.sh. Figures of speed count only where the lanes' digests equal those of the CPU's batch.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nesproof.benchmarks.streams import LANE_STREAM_FRAMES, LANE_STREAMS
from nesproof.emulator import Batch, Cartridge
from nesproof.emulator.buttons import Record
from nesproof.emulator.gpu import CudaBatch, GpuMemoryError, GpuUnavailableError
from nesproof.harness.probes.gpu_watch import GpuWatch
from nesproof.roms_manifest import Resolver

ROMS = ("house/scroller", "house/busy")
BOARDS = ("house/cards/mmc1-sxrom", "house/cards/mmc3")
"""A board that moves windows, and one that has an IRQ besides; their cards play after 200 frames of tests."""
SIZES = (1, 2, 4, 8, 32, 128, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072)
WARMUP_FRAMES, FRAME_SKIP = 200, 4
SAMPLE_SECONDS = 0.5
RECORDS: dict[str, Record] = {"none": "none", "last-of-4": "last", "every": "all"}
PUBLISHED = {"what": "a published batched NES emulator, every lane pressing the same button", "gpu": "A100",
             "frames_per_second": 13.1e6, "bytes_a_console": 195_000}  # fmt: skip


class Difference(Exception):
    """The GPU computes something else."""


def main() -> int:
    """Run all parts; the evidence is written whatever becomes of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="largest batch of the sweep")
    arguments = parser.parse_args()
    evidence: dict[str, Any] = {"schema": "nesproof-gpu-check 1", "machine": platform.machine(), "published": PUBLISHED}
    started = time.monotonic()
    code = 0
    try:
        check(evidence, arguments.largest)
    except GpuUnavailableError as fault:
        evidence["fault"] = str(fault)
        code = 2
    except Difference as fault:
        evidence["fault"] = str(fault)
        code = 1
    evidence["seconds"] = round(time.monotonic() - started, 1)
    evidence["verdict"] = {0: "PASS", 1: "FAIL", 2: "NOT_APPLICABLE"}[code]
    arguments.out.write_text(json.dumps(evidence, indent=2) + "\n")
    say(f"{evidence['verdict']}{': ' + evidence['fault'] if code else ''}")
    return code


def check(evidence: dict[str, Any], largest: int) -> None:
    """Fill in the evidence, part by part."""
    cartridge = cartridge_of(ROMS[0])
    begun = time.monotonic()
    with CudaBatch(cartridge, 1) as first:
        evidence["gpu"] = {"name": first.gpu_name, "architecture": first.kernels["plain"].architecture}
        evidence["compile"] = {
            "seconds": round(time.monotonic() - begun, 2),
            "compiler": first.kernels["plain"].compiler,
            "registers": first.kernels["plain"].registers,
            "spill_bytes": first.kernels["plain"].spill_bytes,
            "was_cached": first.kernels["plain"].was_cached,
        }
    say(f"{evidence['gpu']['name']}: compiled in {evidence['compile']['seconds']} s")
    evidence["parity"] = [parity(rom) for rom in (*ROMS, *BOARDS)]
    evidence["independence"] = [independence(ROMS[0], 60), *(independence(rom, 240) for rom in BOARDS)]
    evidence["sweep"] = sweep(cartridge, largest)
    evidence["schedules"] = schedules(cartridge, min(largest, 32768))
    evidence["boards"] = [board(rom, min(largest, 32768)) for rom in BOARDS]


def parity(rom: str, num_envs: int = 70, frames: int = 240) -> dict[str, Any]:
    """Random buttons for two players on every lane: digests, RAM and pictures equal the CPU's."""
    cartridge = cartridge_of(rom)
    held = np.random.default_rng(7).integers(0, 256, (num_envs, frames, 2), np.uint8)
    with Batch(cartridge, num_envs) as cpu, CudaBatch(cartridge, num_envs) as gpu:
        for batch in (cpu, gpu):
            batch.step(held[:, :-2])
            batch.step(held[:, -2:], record="last2")
        same(f"{rom}: digests", gpu.digest().numpy(), cpu.digest())
        same(f"{rom}: RAM", gpu.read_ram().numpy(), cpu.read_ram())
        same(f"{rom}: pictures", (gpu.draw(), gpu.frames)[1].numpy(), (cpu.draw(), cpu.frames)[1])
        states = gpu.save_states()
        same(f"{rom}: snapshots", states.numpy(), cpu.save_states())
        gpu.power_on()
        gpu.load_states(states)
        same(f"{rom}: loaded snapshots", gpu.digest().numpy(), cpu.digest())
    say(f"{rom}: {num_envs} consoles x {frames} frames equal the CPU's")
    return {"rom": rom, "consoles": num_envs, "frames": frames, "equal": ["digest", "ram", "pictures", "snapshots"]}


def independence(rom: str, frames: int) -> dict[str, Any]:
    """A lane's result depends on its own buttons alone, however many there are and wherever it stands."""
    cartridge = cartridge_of(rom)
    sizes = (1, 2, 31, 32, 33, 1000)
    held = np.random.default_rng(8).integers(0, 256, (max(sizes), frames), np.uint8)
    with Batch(cartridge, max(sizes)) as cpu:
        cpu.step(held)
        expected = cpu.digest()
    for size in sizes:
        with CudaBatch(cartridge, size) as gpu:
            gpu.step(held[:size].copy())
            same(f"{rom}: independence at {size}", gpu.digest().numpy(), expected[:size])
    order = np.random.default_rng(9).permutation(max(sizes))
    with CudaBatch(cartridge, max(sizes)) as gpu:
        gpu.step(held[order])
        same(f"{rom}: permuted lanes", gpu.digest().numpy(), expected[order])
    say(f"{rom}: lanes are independent at {', '.join(map(str, sizes))}")
    return {"rom": rom, "sizes": list(sizes), "frames": frames, "permuted": True}


def sweep(cartridge: Cartridge, largest: int) -> list[dict[str, Any]]:
    """Frames a second by number of consoles, decorrelated, not drawing and drawing one frame of four and each."""
    rows = []
    for size in (size for size in SIZES if size <= largest):
        for draw in ("none", "last-of-4", "every"):
            try:
                rows.append(timed(cartridge, size, draw))
            except GpuMemoryError as fault:
                rows.append({"num_envs": size, "draw": draw, "does_not_fit": str(fault)})
            say(describe(rows[-1]))
    return rows


def schedules(cartridge: Cartridge, size: int) -> list[dict[str, Any]]:
    """The same with the schedules that the kernels' own is compared with."""
    return [timed(cartridge, size, "none", schedule=name) for name in ("smallest-key", "largest-group", "free-running")]


def board(rom: str, size: int) -> dict[str, Any]:
    """What a board's kernels are, and how fast its card's show goes."""
    cartridge = cartridge_of(rom)
    with CudaBatch(cartridge, 1) as one:
        kernels = one.kernels["plain"]
    row = timed(cartridge, size, "none")
    say(f"{rom}: {describe(row).strip()}")
    return {"rom": rom, "registers": kernels.registers, "spill_bytes": kernels.spill_bytes,
            "compile_seconds": round(kernels.compile_seconds, 2), **row}  # fmt: skip


def timed(cartridge: Cartridge, size: int, draw: str, **options: Any) -> dict[str, Any]:
    """One figure: warm-up, then steps of four frames for a while, timed on the GPU; checked on a sample of lanes."""
    held = streams(size)
    record = RECORDS[draw]
    with CudaBatch(cartridge, size, **options) as gpu:
        gpu.step(np.ascontiguousarray(held[:, :WARMUP_FRAMES]))
        windows = [
            np.ascontiguousarray(held[:, at : at + FRAME_SKIP])
            for at in range(WARMUP_FRAMES, held.shape[1], FRAME_SKIP)
        ]
        if draw != "none":
            run(gpu, windows.pop(0), record)  # compiles what draws
        gpu.synchronize()
        one = time.monotonic()
        run(gpu, windows[0], record)
        gpu.synchronize()
        steps = min(len(windows) - 1, max(1, int(SAMPLE_SECONDS / (time.monotonic() - one))))
        watch = GpuWatch()
        with watch:
            begin = gpu.mark()
            for window in windows[1 : 1 + steps]:
                run(gpu, window, record)
            milliseconds = gpu.milliseconds(begin, gpu.mark())
        watch.close()
        played = WARMUP_FRAMES + FRAME_SKIP * (1 + steps + (draw != "none"))
        check_sample(cartridge, gpu, held, played)
        memory = gpu.memory
    frames = size * steps * FRAME_SKIP
    return {
        "num_envs": size,
        "draw": draw,
        "schedule": options.get("schedule", "smallest-key"),
        "frame_skip": FRAME_SKIP,
        "steps": steps,
        "milliseconds": round(milliseconds, 3),
        "frames_per_second": round(1000 * frames / milliseconds),
        "env_steps_per_second": round(1000 * frames / FRAME_SKIP / milliseconds),
        "bytes_a_console": {name: getattr(memory, name) for name in memory.__dataclass_fields__},
        "gpu": None if watch.condition is None else watch.condition.model_dump(),
        "digest": "equal on a sample",
    }


def run(gpu: CudaBatch, held: NDArray[np.uint8], record: Record) -> None:
    """One step, and its pictures."""
    gpu.step(held, record=record)
    if record != "none":
        gpu.draw()


def check_sample(cartridge: Cartridge, gpu: CudaBatch, held: NDArray[np.uint8], frames: int) -> None:
    """No digest, no speed."""
    lanes = np.unique(np.linspace(0, gpu.num_envs - 1, 64).astype(np.int64))
    with Batch(cartridge, len(lanes)) as cpu:
        cpu.step(np.ascontiguousarray(held[lanes, :frames]))
        same(f"{gpu.num_envs} consoles after {frames} frames", gpu.digest().numpy()[lanes], cpu.digest())


def streams(size: int) -> NDArray[np.uint8]:
    """Random play for every lane, uint8 [size, F]: lane l has stream l modulo their number."""
    data = (files("nesproof.benchmarks") / "corpora" / "scroller-random-lanes.buttons").read_bytes()
    rows = np.frombuffer(data, np.uint8).reshape(LANE_STREAMS, LANE_STREAM_FRAMES)
    return rows[np.arange(size) % LANE_STREAMS]


def cartridge_of(rom: str) -> Cartridge:
    """A house ROM."""
    return Cartridge.load(Resolver().read(rom))


def same(what: str, left: NDArray[Any], right: NDArray[Any]) -> None:
    """Raise Difference unless two arrays are equal; says which lane differs first."""
    if np.array_equal(left, right):
        return
    lanes = np.flatnonzero((left != right).reshape(len(left), -1).any(axis=1)) if left.shape == right.shape else []
    raise Difference(f"{what}: the GPU differs from the CPU, first on lane {lanes[0] if len(lanes) else '?'}")


def describe(row: dict[str, Any]) -> str:
    """One line for people."""
    if "does_not_fit" in row:
        return f"{row['num_envs']:>7} consoles, draw {row['draw']:<9}: {row['does_not_fit']}"
    throttled = ", ".join((row["gpu"] or {}).get("throttle_reasons", ()))
    speed = f"{row['frames_per_second'] / 1e6:9.3f} M frames/s{f' (throttled: {throttled})' if throttled else ''}"
    return f"{row['num_envs']:>7} consoles, draw {row['draw']:<9}: {speed}"


def say(line: str) -> None:
    """Progress."""
    print(f"gpu_check: {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
