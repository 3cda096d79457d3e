"""The same inputs always give the same console, in whatever process and through a saved state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager

import numpy as np
import pytest
from numpy.typing import NDArray

from nesproof.harness.subjects.client import Subject
from nesproof.harness.suite_run import SuiteCase
from nesproof.harness.suite_run.recorder import Recorder
from nesproof.suites.determinism.play import (
    CHECKPOINT_FRAMES,
    digests,
    frames_of,
    inputs,
    only_rom,
    require_equal,
)

FreshSubject = Callable[[], AbstractContextManager[Subject]]


@pytest.mark.cases("replay")
def test_replay_in_two_processes(
    case: SuiteCase, subject: Subject, fresh_subject: FreshSubject, roms: Mapping[str, bytes], record: Recorder
) -> None:
    buttons = inputs(frames_of(case))
    ours = _play(subject, only_rom(roms), buttons)
    with fresh_subject() as other:
        theirs = _play(other, only_rom(roms), buttons)
    record.detail("checkpoints", len(ours))
    record.detail("last_digest", ours[-1])
    if "frame" in subject.capabilities:
        record.frame(subject.read_frame())
    require_equal("Two processes", ours, theirs)


@pytest.mark.cases("frames-at-once")
def test_frames_at_once_equal_frame_by_frame(case: SuiteCase, subject: Subject, roms: Mapping[str, bytes]) -> None:
    buttons = inputs(frames_of(case))
    at_once = _play(subject, only_rom(roms), buttons)
    subject.load(only_rom(roms))
    subject.power_on()
    one_by_one = []
    for frame, mask in enumerate(buttons, start=1):
        subject.step(int(mask))
        if frame % CHECKPOINT_FRAMES == 0:
            one_by_one.append(subject.digest())
    require_equal("Frames at once and one by one", at_once, one_by_one)


@pytest.mark.cases("state")
def test_a_saved_state_goes_on_in_a_fresh_process(
    case: SuiteCase, subject: Subject, fresh_subject: FreshSubject, roms: Mapping[str, bytes], record: Recorder
) -> None:
    frames = frames_of(case)
    buttons = inputs(frames)
    half = frames // 2
    subject.load(only_rom(roms))
    subject.power_on()
    subject.step(buttons[:half])
    before = subject.digest()
    state = subject.save_state()
    if subject.digest() != before:
        pytest.fail("Saving a state changed the console.", pytrace=False)
    running_on = digests(subject, buttons[half:])
    record.detail("state_bytes", len(state))
    with fresh_subject() as other:
        other.load(only_rom(roms))
        other.power_on()
        other.load_state(state)
        if other.digest() != before:
            pytest.fail("The digest after loading is not the one at saving.", pytrace=False)
        if other.save_state() != state:
            pytest.fail("A loaded state is not saved as the same bytes.", pytrace=False)
        require_equal("Running on and loading", running_on, digests(other, buttons[half:]), first_frame=half)
    subject.load_state(state)
    require_equal("Running on and going back", running_on, digests(subject, buttons[half:]), first_frame=half)


@pytest.mark.cases("one-bit")
def test_one_bit_of_ram_changes_the_digest(
    case: SuiteCase, subject: Subject, roms: Mapping[str, bytes], record: Recorder
) -> None:
    subject.load(only_rom(roms))
    subject.power_on()
    subject.step(inputs(frames_of(case)))
    ram = subject.read_ram()
    before = subject.digest()
    seen = {before}
    for address, value in enumerate(ram.tolist()):
        subject.poke(address, value ^ 1 << address % 8)
        seen.add(subject.digest())
        subject.poke(address, value)
    record.detail("bytes_changed", len(ram))
    if len(seen) != len(ram) + 1:
        missed = len(ram) + 1 - len(seen)
        pytest.fail(f"{missed} of {len(ram)} changes of one bit in RAM left the digest as it was.", pytrace=False)
    if subject.digest() != before:
        pytest.fail("The digest did not come back when the bits did.", pytrace=False)


@pytest.mark.cases("reset")
def test_reset_keeps_ram(case: SuiteCase, subject: Subject, roms: Mapping[str, bytes]) -> None:
    subject.load(only_rom(roms))
    subject.power_on()
    subject.step(inputs(frames_of(case)))
    for address in range(0, 2048, 5):
        subject.poke(address, address * 7 & 0xFF)
    before, digest = subject.read_ram(), subject.digest()
    subject.press_reset()
    changed = np.flatnonzero(subject.read_ram() != before)
    if changed.size:
        pytest.fail(f"Reset changed {changed.size} bytes of RAM, the first at ${changed[0]:04X}.", pytrace=False)
    if subject.digest() == digest:
        pytest.fail("Reset changed nothing at all.", pytrace=False)


@pytest.mark.cases("power-on")
def test_power_on_fills_ram(case: SuiteCase, subject: Subject, roms: Mapping[str, bytes]) -> None:
    for fill in (0x00, 0xFF, 0xA5):
        subject.load(only_rom(roms))
        subject.power_on()
        subject.step(inputs(frames_of(case)))
        subject.power_on(fill=fill)
        others = np.flatnonzero(subject.read_ram() != fill)
        if others.size:
            pytest.fail(f"After power-on with {fill:02X}, ${others[0]:04X} holds something else.", pytrace=False)


@pytest.mark.cases("power-on-forgets")
def test_power_on_forgets_what_was_before(case: SuiteCase, subject: Subject, roms: Mapping[str, bytes]) -> None:
    buttons = inputs(frames_of(case))
    first = _play(subject, only_rom(roms), buttons)
    subject.power_on()
    require_equal("Two runs from power-on", first, digests(subject, buttons))


@pytest.mark.cases("fill-independence")
def test_the_game_does_not_depend_on_the_fill(
    case: SuiteCase, subject: Subject, roms: Mapping[str, bytes], record: Recorder
) -> None:
    buttons = inputs(frames_of(case))
    pictures = []
    for fill in (0x00, 0xFF):
        subject.load(only_rom(roms))
        subject.power_on(fill=fill)
        shown = []
        for start in range(0, len(buttons), CHECKPOINT_FRAMES):
            subject.step(buttons[start : start + CHECKPOINT_FRAMES])
            shown.append(subject.read_frame_indices())
        pictures.append(np.stack(shown))
    record.detail("pictures", len(pictures[0]))
    differing = np.flatnonzero((pictures[0] != pictures[1]).any(axis=(1, 2)))
    if differing.size:
        frame = (int(differing[0]) + 1) * CHECKPOINT_FRAMES
        pytest.fail(f"RAM filled with FF leads to another picture by frame {frame}.", pytrace=False)
    if (pictures[0] == pictures[0][0]).all():
        pytest.fail("The picture stood still: nothing was compared.", pytrace=False)


def _play(subject: Subject, rom: bytes, buttons: NDArray[np.uint8]) -> list[str]:
    subject.load(rom)
    subject.power_on()
    return digests(subject, buttons)
