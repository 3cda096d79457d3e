"""Trying a subject out: everything that it declares is exercised once on a house ROM, and shown to do something."""

# ruff: noqa: ARG001 - one signature for all trials
from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from nesproof.harness.judge.planted_cases import planted_cases
from nesproof.harness.subjects.check_program import HOUSE, TITLE_FRAMES, CheckProgram
from nesproof.harness.subjects.client import Subject
from nesproof.harness.subjects.errors import NotCapable, SubjectRefused
from nesproof.harness.subjects.flat_cpu import FlatCase, FlatResult, Registers
from nesproof.harness.subjects.replies import CAPABILITIES, TimedRun
from nesproof.harness.subjects.timing import TimingOptions
from nesproof.roms_manifest import CartridgeFile, CartridgeSettings

__all__ = ["Check", "check_subject"]

START = 0x08
RESET_VECTOR = 0xFFFC


@dataclass(frozen=True)
class Check:
    """One capability tried. `shown` says in a few words what was seen, or why it fails."""

    capability: str
    passed: bool
    shown: str


class _Wrong(Exception):
    """A capability answered, but wrongly."""


def check_subject(subject: Subject, rom: bytes, program: CheckProgram | None = None) -> Iterator[Check]:
    """Exercise each declared capability on `rom`, the bytes of `program` (the house's by default); one result each, as
    they come.

    Raises:
        SubjectFailed: the subject broke; what came before stands.
    """
    program = program or HOUSE
    if subject.capabilities != {"judge"}:  # which is no console
        subject.load(rom)
        subject.power_on()
    for name in CAPABILITIES:
        if name in subject.capabilities and name in _TRIALS:
            yield _tried(name, lambda name=name: _TRIALS[name](subject, rom, program))  # type: ignore[misc]
    for name in sorted(subject.capabilities - set(CAPABILITIES)):
        if name.startswith("draw:"):
            mode = name.removeprefix("draw:")
            yield _tried(name, lambda mode=mode: _time(subject, rom, program, mode))  # type: ignore[misc]


def _tried(name: str, trial: Callable[[], str]) -> Check:
    try:
        return Check(name, True, trial())
    except (_Wrong, NotCapable, SubjectRefused) as fault:
        return Check(name, False, str(fault))


def _demand(condition: bool, otherwise: str) -> None:
    if not condition:
        raise _Wrong(otherwise)


def _at_title(subject: Subject) -> None:
    subject.power_on()
    subject.step(frames=TITLE_FRAMES)


def _ram(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    subject.power_on()
    before = subject.read_ram()
    subject.step(frames=TITLE_FRAMES)
    changed = int((subject.read_ram() != before).sum())
    _demand(changed > 0, f"no byte of RAM changed in {TITLE_FRAMES} frames")
    return f"{changed} bytes changed in {TITLE_FRAMES} frames"


def _peek(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    _at_title(subject)
    peeked = subject.peek(range(0x800))
    _demand(np.array_equal(peeked, subject.read_ram()), "the bus shows other bytes than RAM holds")
    try:
        low, high = (int(value) for value in subject.peek([RESET_VECTOR, RESET_VECTOR + 1]))
    except SubjectRefused:
        return "RAM agrees; the cartridge's ROM is not shown"
    return f"RAM agrees; reset vector ${high << 8 | low:04X}"


def _poke(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    _at_title(subject)
    value = int(subject.read_ram()[0x7FF]) ^ 0xFF
    subject.poke(0x7FF, value)
    _demand(int(subject.read_ram()[0x7FF]) == value, "the byte did not change")
    return "a byte of RAM changed"


def _nametables(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    _at_title(subject)
    kinds = len(np.unique(subject.read_nametables()))
    _demand(kinds > 1, "every byte is the same")
    return f"{kinds} different bytes"


def _frame(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    _at_title(subject)
    colours = len(np.unique(subject.read_frame().reshape(-1, 3), axis=0))
    _demand(colours > 1, "the title screen has one colour")
    return f"{colours} colours on the title screen"


def _frame_indices(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    _at_title(subject)
    indices = subject.read_frame_indices()
    _demand(int(indices.max()) < 64, f"a palette index of {indices.max()}")
    colours = len(np.unique(indices))
    _demand(colours > 1, "the title screen has one colour")
    return f"{colours} palette entries on the title screen"


def _reset(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    _at_title(subject)
    before = subject.read_ram()
    subject.press_reset()
    kept = int((subject.read_ram() == before).sum())
    _demand(kept == len(before), f"{len(before) - kept} bytes of RAM did not survive the button")
    subject.step(frames=2)
    return "RAM survives"


def _fill(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    subject.power_on(fill=0xA5)
    _demand(bool((subject.read_ram() == 0xA5).all()), "RAM does not hold the fill")
    return "RAM holds the byte"


def _second_player(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    subject.power_on()
    subject.step(np.zeros((2, 2), np.uint8))
    return "two controllers accepted"


def _digest(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    _at_title(subject)
    first = subject.digest()
    _at_title(subject)
    _demand(subject.digest() == first, "the same run ends in another digest")
    subject.step()
    _demand(subject.digest() != first, "a frame later it is the same")
    return first


def _state(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    _at_title(subject)
    state = subject.save_state()
    subject.step(START, frames=30)
    there = subject.read_ram()
    subject.load_state(state)
    subject.step(START, frames=30)
    _demand(np.array_equal(subject.read_ram(), there), "running on from a loaded state leads elsewhere")
    return f"{len(state)} bytes; running on from it leads to the same RAM"


def _trace(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    subject.power_on()
    rows = subject.trace(100)
    _demand(bool((np.diff(rows["cycle"].astype(np.int64)) > 0).all()), "the cycle count does not rise")
    return f"100 instructions, {int(rows['cycle'][-1] - rows['cycle'][0])} cycles"


def _units(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    _at_title(subject)
    rows, digests = subject.units.run(100, buttons=(START, 0), digest_every=10)
    _demand(bool((np.diff(rows["cycle"].astype(np.int64)) > 0).all()), "the cycle count does not rise")
    _demand(f"{digests[-1]:016x}" == subject.digest(), "the last digest is not the one that it says afterwards")
    _demand(len(set(digests.tolist())) == len(digests), "the digest stands still")
    fields = subject.units.state_fields()
    _demand(fields.dtype.itemsize == len(subject.save_state()), "the fields do not fill a state")
    return f"100 units, a digest every 10, {len(fields.fields)} fields"


def _blocks(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    _at_title(subject)
    before = subject.digest()
    run = subject.units.run_blocks(20, buttons=(START, 0))
    _demand(0 < run <= 20, f"20 blocks were asked for; it says {run}")
    _demand(subject.digest() != before, "nothing changed")
    return f"{run} blocks and a unit"


def _inc_zero_page(subject: Subject) -> FlatResult:
    inc_zero_page = FlatCase(
        "2a03", Registers(0x0200, 0xFD, 0, 0, 0, 0x24), ((0x0200, 0xE6), (0x0201, 0x10), (0x10, 0x41)), (0x10,)
    )
    return subject.step_flat_cpu([inc_zero_page])[0]


def _flat_cpu(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    result = _inc_zero_page(subject)
    _demand(result.ram == (0x42,) and result.cycles == 5, f"INC $10 left {result.ram} after {result.cycles} cycles")
    return "INC $10: the byte and five cycles"


def _flat_cpu_bus(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    kinds = "".join("w" if access.is_write else "r" for access in _inc_zero_page(subject).accesses or ())
    _demand(kinds == "rrrww", f"INC $10 did {kinds}")
    return "INC $10: five bus accesses, the value written twice"


def _flat_cpu_6502(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    adc = FlatCase("6502", Registers(0x0200, 0xFD, 0x19, 0, 0, 0x2C), ((0x0200, 0x69), (0x0201, 0x03)))
    (result,) = subject.step_flat_cpu([adc])
    _demand(result.registers.a == 0x22, f"19 + 03 in decimal mode is {result.registers.a:02X}")
    return "19 + 03 = 22 in decimal mode"


def _batch(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    batch = subject.open_batch(rom, lanes=3)
    held = np.zeros((3, TITLE_FRAMES + 60), np.uint8)
    held[1, TITLE_FRAMES : TITLE_FRAMES + 3] = START
    batch.step(held)
    alone = [batch.read_ram([lane])[0] for lane in range(3)]
    _demand(np.array_equal(alone[0], alone[2]), "two lanes with the same buttons differ")
    _demand(not np.array_equal(alone[0], alone[1]), "a lane with other buttons is the same")
    batch.permute([1, 2, 0])
    moved = batch.read_ram()
    _demand(np.array_equal(moved, np.stack([alone[1], alone[2], alone[0]])), "moved lanes hold something else")
    if "digest" in subject.capabilities:
        digests = batch.digests()
        _demand(digests[0] != digests[1] == digests[2], "equal lanes have other digests, or others have equal ones")
    where = f"3 lanes on {batch.device}, {batch.layout}: stepped, moved"
    if "state" not in subject.capabilities:
        return where
    batch.load_states(batch.save_states([0]), [1])
    _demand(np.array_equal(batch.read_ram([1])[0], alone[1]), "a lane that was put into a state holds something else")
    return f"{where}, saved and loaded"


def _threads(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    seen = []
    for threads in (1, 2):
        batch = subject.open_batch(rom, lanes=64, threads=threads)
        _demand(batch.threads == threads, f"{threads} threads were asked for; it says {batch.threads}")
        batch.step(np.arange(64, dtype=np.uint8).repeat(30).reshape(64, 30))
        seen.append(batch.read_ram())
    _demand(np.array_equal(seen[0], seen[1]), "the number of threads changes RAM")
    return "1 and 2 threads lead to the same RAM"


def _idle_skipping(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    seen = []
    for skips in (True, False):
        batch = subject.open_batch(rom, lanes=1, idle_skipping=skips)
        batch.step(np.zeros((1, TITLE_FRAMES), np.uint8))
        seen.append(batch.read_ram())
    _demand(np.array_equal(seen[0], seen[1]), "skipping idle loops changes RAM")
    return "on and off lead to the same RAM"


def _memory(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    batch = subject.open_batch(rom, lanes=2)
    batch.step(np.zeros((2, 2), np.uint8), record="last")
    if "frame-indices" in subject.capabilities:
        batch.read_frames([0])
    parts = batch.memory()
    _demand(parts.state >= 2048 + 256, f"{parts.state} bytes cannot hold RAM and OAM")
    return f"{parts.state:,} bytes of state a console"


def _dlpack(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    shared = subject.share_memory(rom, "numpy")
    _demand(shared.same_address and shared.write_seen and shared.step_seen, "NumPy got a copy")
    return "NumPy shares the memory of a batch"


def _timing(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    modes = sorted(c.removeprefix("draw:") for c in subject.capabilities if c.startswith("draw:"))
    _demand(bool(modes), "it declares no way to draw")
    return f"drawing: {', '.join(modes)}"


def _time(subject: Subject, rom: bytes, program: CheckProgram, draw: str) -> str:
    frames = 120
    runs = subject.time_workload(
        rom,
        program.warmup + bytes(frames),
        warmup_frames=len(program.warmup),
        frames=frames,
        draw=draw,
        runs=2,
        warmup_runs=0,
        frame_counter=program.counter,
        options=TimingOptions(frame_skip=4 if draw == "last-of-4" else 1, wait_for=program.wait_for),
    )
    _demand(runs[0].ram_sha256 == runs[1].ram_sha256, "two runs of one window end in different RAM")
    shows = draw != "none" and {"frame", "frame-indices"} & subject.capabilities
    _demand(not shows or all(run.pictures for run in runs), "a timed run does not say what it drew last")
    _play_to_window(subject, program)
    subject.step(frames=frames)
    stepped = hashlib.sha256(subject.read_ram().tobytes()).hexdigest()
    _demand(stepped == runs[0].ram_sha256, "the timed loop ends elsewhere than stepping does")
    best_ns = min(run.elapsed_ns for run in runs)
    return f"about {frames * 1e9 / best_ns:,.0f} frames/s, ending where stepping ends"


def _play_to_window(subject: Subject, program: CheckProgram) -> None:
    """Power on and step to where a timed window begins."""
    subject.power_on()
    subject.step(np.frombuffer(program.warmup, np.uint8))
    for _ in range(TimingOptions().wait_limit_frames if program.wait_for else 0):
        ram = subject.read_ram()
        if all(int(ram[address]) == value for address, value in program.wait_for):
            return
        subject.step()


def _timing_wait(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    wanted = 90
    waits = dataclasses.replace(program, wait_for=program.wait_for or ((program.counter[0], wanted),))
    _play_to_window(subject, waits)
    begun = program.frames_counted(subject.read_ram())
    (run,) = _timed(subject, rom, waits, 20)
    counted = (run.frame_counter - begun) % (1 << 8 * program.counter[1])
    _demand(counted in {20, 21, 22}, f"20 frames after RAM held what was waited for the game has counted {counted}")
    return f"20 frames from where RAM held {waits.wait_for}"


def _timing_passes(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    once, thrice = (_timed(subject, rom, program, 60, passes=passes)[0] for passes in (1, 3))
    _demand(once.ram_sha256 == thrice.ram_sha256, "three passes over a window end elsewhere than one")
    return "three passes end where one does"


def _timed(subject: Subject, rom: bytes, program: CheckProgram, frames: int, passes: int = 1) -> list[TimedRun]:
    draw = next(c.removeprefix("draw:") for c in sorted(subject.capabilities) if c in {"draw:every", "draw:none"})
    return subject.time_workload(
        rom, program.warmup + bytes(frames), warmup_frames=len(program.warmup), frames=frames, draw=draw, runs=1,
        warmup_runs=0, frame_counter=program.counter, options=TimingOptions(passes=passes, wait_for=program.wait_for),
    )  # fmt: skip


def _judge(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    cases = [planted_cases()[case_id] for case_id in ("suites/all-passed", "suites/one-failed")]
    for case in cases:
        given = subject.judge(case.asked().model_dump_json().encode())
        wanted = "none" if case.verdict is None else case.verdict.value
        _demand(given.verdict == wanted, f"{case.id} is {wanted}; it says {given.verdict}")
    return "a suite that passed passes, one that failed fails"


def _cartridge_settings(subject: Subject, rom: bytes, program: CheckProgram) -> str:
    _at_title(subject)
    wanted = subject.read_ram()
    odd = bytearray(rom)
    odd[6] |= 0xF0
    odd[7] |= 0xF0
    subject.load(CartridgeFile(bytes(odd), CartridgeSettings(mapper=rom[6] >> 4 | rom[7] & 0xF0)))
    _at_title(subject)
    same = np.array_equal(subject.read_ram(), wanted)
    subject.load(rom)
    _demand(same, "with its header's board corrected, the program ends elsewhere")
    return "a board that the header does not name"


_TRIALS: dict[str, Callable[[Subject, bytes, CheckProgram], str]] = {
    "ram": _ram,
    "peek": _peek,
    "poke": _poke,
    "nametables": _nametables,
    "frame": _frame,
    "frame-indices": _frame_indices,
    "reset": _reset,
    "power-on-fill": _fill,
    "second-player": _second_player,
    "digest": _digest,
    "state": _state,
    "trace": _trace,
    "units": _units,
    "blocks": _blocks,
    "flat-cpu": _flat_cpu,
    "flat-cpu-6502": _flat_cpu_6502,
    "flat-cpu-bus": _flat_cpu_bus,
    "cartridge-settings": _cartridge_settings,
    "batch": _batch,
    "threads": _threads,
    "idle-skipping": _idle_skipping,
    "memory": _memory,
    "dlpack": _dlpack,
    "timing": _timing,
    "timing-wait": _timing_wait,
    "timing-passes": _timing_passes,
    "judge": _judge,
}
