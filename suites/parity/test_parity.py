"""Two subjects, given the same cartridge and the same buttons, are one console."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NoReturn

import numpy as np
import pytest

from nesproof.harness.subjects.client import Subject
from nesproof.harness.suite_run import SuiteCase
from nesproof.harness.suite_run.recorder import Recorder
from nesproof.suites.parity.buttons import random_buttons
from nesproof.suites.parity.failing import fail_with, states_differ
from nesproof.suites.parity.following import StatesDiffer, follow_both
from nesproof.suites.parity.locating import Played, locate, locate_from
from nesproof.suites.parity.lockstep import UNITS_AT_ONCE, in_lockstep
from nesproof.suites.parity.process_memory import ProcessMemory
from nesproof.suites.parity.random_programs import program
from nesproof.suites.parity.settings import PlaySettings, ProgramsSettings, SoakSettings, settings_of

_FRAMES_A_CALL = 2_000
_MOST_JAMS = 40
_LEAST_SHARE = 0.8
"""Of the units that a case is to compare; what a program lacks that jams again and again."""
_WARM_UP_FRAMES = 3
"""Random programs wait that long for the PPU."""


@pytest.fixture(autouse=True)
def _two_subjects(subject: Subject, other_subject: Subject) -> None:
    if subject.name == other_subject.name:
        pytest.skip(f"{subject.name} is not held against itself.")


@pytest.mark.cases("play")
def test_both_play_alike(
    case: SuiteCase, subject: Subject, other_subject: Subject, roms: Mapping[str, bytes], record: Recorder
) -> None:
    settings = settings_of(case, PlaySettings)
    ((rom_id, rom),) = roms.items()
    compared = 0
    record.detail("against", other_subject.name)
    for seed in range(settings.seeds):
        buttons = random_buttons(rom_id, seed, settings.frames)
        for console in (subject, other_subject):
            console.load(rom)
            console.power_on()
        _play_alike(subject, other_subject, Played(rom, buttons, rom_id=rom_id), record, f"{rom_id}, buttons {seed}")
        compared += settings.frames
        end = other_subject.digest()
        subject.power_on()
        subject.step(buttons)
        if subject.digest() != end:
            pytest.fail(
                f"Buttons {seed}: {settings.frames} frames in one call end elsewhere than one by one.", pytrace=False
            )
        record.detail("frames_compared", compared)
        record.detail("last_digest", end)
    record.frame(subject.read_frame())


@pytest.mark.cases("soak")
def test_both_go_on_alike_for_long(
    case: SuiteCase, subject: Subject, other_subject: Subject, roms: Mapping[str, bytes], record: Recorder
) -> None:
    """No state is loaded on the way, which would let a count that overflows begin anew. Memory stays flat."""
    settings = settings_of(case, SoakSettings)
    ((rom_id, rom),) = roms.items()
    buttons = random_buttons(rom_id, 0, settings.frames)
    for console in (subject, other_subject):
        console.load(rom)
        console.power_on()
    record.detail("against", other_subject.name)
    memory = [ProcessMemory(console) for console in (subject, other_subject)]
    for start in range(0, settings.frames, settings.every_frames):
        end = min(settings.frames, start + settings.every_frames)
        states = subject.save_state(), other_subject.save_state()
        for console in (subject, other_subject):
            for at in range(start, end, _FRAMES_A_CALL):
                console.step(buttons[at : min(end, at + _FRAMES_A_CALL)])
        pictures = subject.read_frame_indices(), other_subject.read_frame_indices()
        if subject.digest() != other_subject.digest() or not np.array_equal(*pictures):
            played = Played(rom, buttons[:end], rom_id=rom_id)
            _fail_after_long((subject, other_subject), played, states, start, record)
        record.detail("frames_compared", end)
        for one in memory:
            record.detail(f"growth_bytes_{one.name}", growth := one.growth_bytes())
            if settings.most_growth_bytes is not None and growth > settings.most_growth_bytes:
                pytest.fail(f"{one.name} has grown by {growth:,} bytes by frame {end}.", pytrace=False)
    record.frame(subject.read_frame())


def _fail_after_long(
    subjects: tuple[Subject, Subject], played: Played, states: tuple[bytes, bytes], start: int, record: Recorder
) -> NoReturn:
    what = f"{played.rom_id}, between frames {start} and {len(played.buttons)}"
    for subject, state in zip(subjects, states, strict=True):
        subject.load_state(state)
    _play_alike(*subjects, replace(played, buttons=played.buttons[start:]), record, what)
    pytest.fail(
        f"{what}: they part, but not when they go on from their saved states: a count overflows.", pytrace=False
    )


@pytest.mark.cases("programs")
def test_random_programs_run_alike(case: SuiteCase, subject: Subject, other_subject: Subject, record: Recorder) -> None:
    settings = settings_of(case, ProgramsSettings)
    frames = units = jammed = 0
    record.detail("against", other_subject.name)
    for number in range(settings.first, settings.first + settings.count):
        rom = program(number)
        buttons = random_buttons("random programs", number, settings.frames)
        played = Played(rom, buttons, program=number)
        for console in (subject, other_subject):
            console.load(rom)
            console.power_on()
        _play_alike(subject, other_subject, played, record, f"Random program {number}")
        frames += settings.frames
        record.frame(subject.read_frame())
        if settings.units:
            compared, jams = _step_alike(subject, other_subject, played, record, settings.units)
            units += compared
            jammed += jams
    record.detail("programs", settings.count)
    record.detail("frames_compared", frames)
    if settings.units:
        record.detail("units_compared", units)
        record.detail("jammed", jammed)
        if units < _LEAST_SHARE * settings.count * settings.units:
            pytest.fail(f"The programs jam too often: only {units} units were compared.", pytrace=False)


def _play_alike(subject: Subject, other: Subject, played: Played, record: Recorder, what: str) -> None:
    try:
        parting = follow_both(subject, other, played.buttons, seed=what)
    except StatesDiffer as fault:
        pytest.fail(f"{what}: {states_differ(subject, other, fault)}", pytrace=False)
    if parting is not None:
        fail_with(locate(subject, other, played, parting), record, what)


def _step_alike(subject: Subject, other: Subject, played: Played, record: Recorder, units: int) -> tuple[int, int]:
    """How many units were compared, and how often the CPU jammed and was reset."""
    held = int(played.buttons[-1, 0]), int(played.buttons[-1, 1])
    played = Played(played.rom, played.buttons[:0], program=played.program)  # no whole frames lead there
    done = jams = frame = 0
    for console in (subject, other):
        console.power_on()
    while done < units and jams <= _MOST_JAMS:
        for console in (subject, other):
            console.step(held[0], frames=_WARM_UP_FRAMES)
        lockstep = in_lockstep((subject, other), units - done, buttons=held)
        frame += _WARM_UP_FRAMES + lockstep.frames
        if lockstep.parted is not None:
            states, most = lockstep.parted, 2 * UNITS_AT_ONCE
            found = locate_from((subject, other), states, held, played, frame=frame, at_least_units=most)
            fail_with(found, record, f"Random program {played.program}, after {done + lockstep.units} units")
        done += lockstep.units
        if lockstep.jammed:
            jams += 1
            for console in (subject, other):
                console.press_reset()
    return done, jams
