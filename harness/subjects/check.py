"""Trying a subject out: everything that it declares is exercised once on a house ROM, and shown to do something."""

# ruff: noqa: ARG001 - one signature for all trials
from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from nesproof.harness.subjects.client import Subject
from nesproof.harness.subjects.errors import NotCapable, SubjectRefused
from nesproof.harness.subjects.flat_cpu import FlatCase, Registers
from nesproof.harness.subjects.replies import CAPABILITIES

__all__ = ["CHECK_ROM", "Check", "check_subject"]

CHECK_ROM = "house/scroller"
"""The ROM that is run: nesproof's own, so that it is always there."""

START = 0x08
TITLE_FRAMES = 60
RESET_VECTOR = 0xFFFC


@dataclass(frozen=True)
class Check:
    """One capability tried. `shown` says in a few words what was seen, or why it fails."""

    capability: str
    passed: bool
    shown: str


class _Wrong(Exception):
    """A capability answered, but wrongly."""


def check_subject(subject: Subject, rom: bytes) -> Iterator[Check]:
    """Exercise each declared capability; one result each, as they come.

    Raises:
        SubjectFailed: the subject broke; what came before stands.
    """
    subject.load(rom)
    subject.power_on()
    for name in CAPABILITIES:
        if name in subject.capabilities:
            yield _tried(name, lambda name=name: _TRIALS[name](subject, rom))  # type: ignore[misc]
    for name in sorted(subject.capabilities - set(CAPABILITIES)):
        if name.startswith("draw:"):
            yield _tried(name, lambda name=name: _time(subject, rom, name.removeprefix("draw:")))  # type: ignore[misc]


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


def _ram(subject: Subject, rom: bytes) -> str:
    subject.power_on()
    before = subject.read_ram()
    subject.step(frames=TITLE_FRAMES)
    changed = int((subject.read_ram() != before).sum())
    _demand(changed > 0, f"no byte of RAM changed in {TITLE_FRAMES} frames")
    return f"{changed} bytes changed in {TITLE_FRAMES} frames"


def _peek(subject: Subject, rom: bytes) -> str:
    _at_title(subject)
    peeked = subject.peek(range(0x800))
    _demand(np.array_equal(peeked, subject.read_ram()), "the bus shows other bytes than RAM holds")
    low, high = (int(value) for value in subject.peek([RESET_VECTOR, RESET_VECTOR + 1]))
    return f"RAM agrees; reset vector ${high << 8 | low:04X}"


def _poke(subject: Subject, rom: bytes) -> str:
    _at_title(subject)
    value = int(subject.read_ram()[0x7FF]) ^ 0xFF
    subject.poke(0x7FF, value)
    _demand(int(subject.read_ram()[0x7FF]) == value, "the byte did not change")
    return "a byte of RAM changed"


def _nametables(subject: Subject, rom: bytes) -> str:
    _at_title(subject)
    kinds = len(np.unique(subject.read_nametables()))
    _demand(kinds > 1, "every byte is the same")
    return f"{kinds} different bytes"


def _frame(subject: Subject, rom: bytes) -> str:
    _at_title(subject)
    colours = len(np.unique(subject.read_frame().reshape(-1, 3), axis=0))
    _demand(colours > 1, "the title screen has one colour")
    return f"{colours} colours on the title screen"


def _frame_indices(subject: Subject, rom: bytes) -> str:
    _at_title(subject)
    indices = subject.read_frame_indices()
    _demand(int(indices.max()) < 64, f"a palette index of {indices.max()}")
    colours = len(np.unique(indices))
    _demand(colours > 1, "the title screen has one colour")
    return f"{colours} palette entries on the title screen"


def _reset(subject: Subject, rom: bytes) -> str:
    _at_title(subject)
    before = subject.read_ram()
    subject.press_reset()
    kept = int((subject.read_ram() == before).sum())
    _demand(kept == len(before), f"{len(before) - kept} bytes of RAM did not survive the button")
    subject.step(frames=2)
    return "RAM survives"


def _fill(subject: Subject, rom: bytes) -> str:
    subject.power_on(fill=0xA5)
    _demand(bool((subject.read_ram() == 0xA5).all()), "RAM does not hold the fill")
    return "RAM holds the byte"


def _second_player(subject: Subject, rom: bytes) -> str:
    subject.power_on()
    subject.step(np.zeros((2, 2), np.uint8))
    return "two controllers accepted"


def _digest(subject: Subject, rom: bytes) -> str:
    _at_title(subject)
    first = subject.digest()
    _at_title(subject)
    _demand(subject.digest() == first, "the same run ends in another digest")
    subject.step()
    _demand(subject.digest() != first, "a frame later it is the same")
    return first


def _state(subject: Subject, rom: bytes) -> str:
    _at_title(subject)
    state = subject.save_state()
    subject.step(START, frames=30)
    there = subject.read_ram()
    subject.load_state(state)
    subject.step(START, frames=30)
    _demand(np.array_equal(subject.read_ram(), there), "running on from a loaded state leads elsewhere")
    return f"{len(state)} bytes; running on from it leads to the same RAM"


def _trace(subject: Subject, rom: bytes) -> str:
    subject.power_on()
    rows = subject.trace(100)
    _demand(bool((np.diff(rows["cycle"].astype(np.int64)) > 0).all()), "the cycle count does not rise")
    return f"100 instructions, {int(rows['cycle'][-1] - rows['cycle'][0])} cycles"


def _flat_cpu(subject: Subject, rom: bytes) -> str:
    inc_zero_page = FlatCase(
        "2a03", Registers(0x0200, 0xFD, 0, 0, 0, 0x24), ((0x0200, 0xE6), (0x0201, 0x10), (0x10, 0x41)), (0x10,)
    )
    (result,) = subject.step_flat_cpu([inc_zero_page])
    kinds = "".join("w" if access.is_write else "r" for access in result.accesses)
    _demand(result.ram == (0x42,) and kinds == "rrrww", f"INC $10 left {result.ram} and did {kinds}")
    return "INC $10: five bus accesses, the value written twice"


def _timing(subject: Subject, rom: bytes) -> str:
    modes = sorted(c.removeprefix("draw:") for c in subject.capabilities if c.startswith("draw:"))
    _demand(bool(modes), "it declares no way to draw")
    return f"drawing: {', '.join(modes)}"


def _time(subject: Subject, rom: bytes, draw: str) -> str:
    frames = 120
    runs = subject.time_workload(
        rom,
        bytes(TITLE_FRAMES + frames),
        warmup_frames=TITLE_FRAMES,
        frames=frames,
        draw=draw,
        runs=2,
        warmup_runs=0,
        frame_counter=(0, 2),
    )
    _demand(runs[0].ram_sha256 == runs[1].ram_sha256, "two runs of one window end in different RAM")
    subject.power_on()
    subject.step(frames=TITLE_FRAMES + frames)
    stepped = hashlib.sha256(subject.read_ram().tobytes()).hexdigest()
    _demand(stepped == runs[0].ram_sha256, "the timed loop ends elsewhere than stepping does")
    best_ns = min(run.elapsed_ns for run in runs)
    return f"about {frames * 1e9 / best_ns:,.0f} frames/s, ending where stepping ends"


_TRIALS: dict[str, Callable[[Subject, bytes], str]] = {
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
    "flat-cpu": _flat_cpu,
    "timing": _timing,
}
