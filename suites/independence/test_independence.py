"""Lanes of a batch: each is a console of its own, and how they are stepped changes nothing."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from nesproof.harness.subjects.client import Subject
from nesproof.harness.suite_run import SuiteCase
from nesproof.harness.suite_run.recorder import Recorder
from nesproof.suites.independence.lanes import (
    alone,
    chunks,
    lane_buttons,
    only_rom,
    pictures_alone,
    require_alive,
    require_lanes_equal,
    staggered,
)
from nesproof.suites.independence.parting import where_a_lane_parts
from nesproof.suites.independence.settings import settings_of

_PICTURES_AT_MOST = 33
_THREADS = (1, 2, 3, 5)


@pytest.mark.cases("single")
def test_each_lane_is_a_single_console(
    case: SuiteCase, subject: Subject, other_subject: Subject, roms: Mapping[str, bytes], record: Recorder
) -> None:
    settings, rom = settings_of(case), only_rom(roms)
    buttons = lane_buttons(case.id, settings.lanes, settings.frames)
    batch = staggered(subject.open_batch(rom, lanes=settings.lanes))
    batch.step(buttons, record="last")
    ours = batch.digests()
    require_alive(batch)
    differing = np.flatnonzero(ours != alone(other_subject, rom, buttons))
    if differing.size:
        where = where_a_lane_parts(subject, other_subject, rom, buttons, int(differing[0]))
        pytest.fail(f"{differing.size} of {settings.lanes} lanes are not consoles alone. {where}", pytrace=False)
    looked_at = np.unique(np.linspace(0, settings.lanes - 1, _PICTURES_AT_MOST).astype(int)).tolist()
    pictures = batch.read_frames(looked_at)[:, 0]
    expected = pictures_alone(other_subject, rom, buttons, looked_at)
    wrong = np.flatnonzero((pictures != expected).any(axis=(1, 2)))
    if wrong.size:
        pytest.fail(f"The picture of lane {looked_at[int(wrong[0])]} is not that of a console alone.", pytrace=False)
    record.detail("lanes", settings.lanes)
    record.detail("frames", settings.lanes * settings.frames)
    record.detail("device", batch.device)
    record.detail("layout", batch.layout)


@pytest.mark.cases("permute")
def test_permuting_lanes_permutes_results(case: SuiteCase, subject: Subject, roms: Mapping[str, bytes]) -> None:
    settings, rom = settings_of(case), only_rom(roms)
    buttons = lane_buttons(case.id, settings.lanes, settings.frames)
    then = settings.frames * 2 // 3
    order = np.random.default_rng(settings.lanes).permutation(settings.lanes)
    batch = staggered(subject.open_batch(rom, lanes=settings.lanes))
    batch.step(buttons[:, :then])
    thenway, states = batch.digests(), batch.save_states()
    batch.step(buttons[:, then:])
    straight, ram = batch.digests(), batch.read_ram()
    require_alive(batch)
    batch.load_states(states)
    batch.permute(order.tolist())
    require_lanes_equal("Permuting where they stand", batch.digests(), thenway[order])
    batch.step(buttons[order, then:])
    require_lanes_equal("Permuted lanes with permuted buttons", batch.digests(), straight[order])
    if not np.array_equal(batch.read_ram(), ram[order]):
        pytest.fail("RAM of permuted lanes is not permuted RAM.", pytrace=False)


@pytest.mark.cases("one-lane")
def test_one_lanes_buttons_change_no_other_lane(case: SuiteCase, subject: Subject, roms: Mapping[str, bytes]) -> None:
    settings, rom = settings_of(case), only_rom(roms)
    buttons = lane_buttons(case.id, settings.lanes, settings.frames)
    batch = staggered(subject.open_batch(rom, lanes=settings.lanes))
    batch.step(buttons)
    before = batch.digests()
    for lane in sorted({0, 1, settings.lanes // 2, settings.lanes - 1}):
        changed = buttons.copy()
        changed[lane] = lane_buttons(f"{case.id}, another", settings.lanes, settings.frames)[lane]
        staggered(batch)
        batch.step(changed)
        after = batch.digests()
        if after[lane] == before[lane]:
            pytest.fail(f"Other buttons for lane {lane} changed nothing at all.", pytrace=False)
        after[lane] = before[lane]
        require_lanes_equal(f"Changing the buttons of lane {lane}", after, before)


@pytest.mark.cases("some-lanes")
def test_power_and_reset_of_some_lanes_leave_the_others(
    case: SuiteCase, subject: Subject, roms: Mapping[str, bytes]
) -> None:
    settings, rom = settings_of(case), only_rom(roms)
    buttons = lane_buttons(case.id, settings.lanes, settings.frames)
    then = settings.frames * 2 // 3
    batch = staggered(subject.open_batch(rom, lanes=settings.lanes))
    batch.step(buttons)
    straight = batch.digests()
    chosen = list(range(0, settings.lanes, 3))
    others = sorted(set(range(settings.lanes)) - set(chosen))
    for what in ("power", "reset"):
        staggered(batch)
        batch.step(buttons[:, :then])
        thenway = batch.digests()
        if what == "power":
            batch.power_on(chosen, fill=0xA5)
        else:
            batch.press_reset(chosen)
        touched = batch.digests()
        require_lanes_equal(f"{what} of other lanes", touched[others], thenway[others], others)
        if (touched[chosen] == thenway[chosen]).any():
            pytest.fail(f"{what} left a lane as it was.", pytrace=False)
        batch.step(buttons[:, then:])
        require_lanes_equal(f"After {what} of other lanes", batch.digests()[others], straight[others], others)


@pytest.mark.cases("threads")
def test_the_number_of_threads_changes_nothing(
    case: SuiteCase, subject: Subject, roms: Mapping[str, bytes], record: Recorder
) -> None:
    settings, rom = settings_of(case), only_rom(roms)
    buttons = lane_buttons(case.id, settings.lanes, settings.frames)
    seen = []
    for threads in _THREADS:
        batch = staggered(subject.open_batch(rom, lanes=settings.lanes, threads=threads))
        batch.step(buttons, record="last2")
        seen.append((batch.digests(), batch.read_frames()))
    record.detail("threads", ", ".join(map(str, _THREADS)))
    for threads, (digests, frames) in zip(_THREADS[1:], seen[1:], strict=True):
        require_lanes_equal(f"1 and {threads} threads", digests, seen[0][0])
        if not np.array_equal(frames, seen[0][1]):
            pytest.fail(f"1 and {threads} threads draw different pictures.", pytrace=False)


@pytest.mark.cases("layout")
def test_the_layout_changes_nothing(
    case: SuiteCase, subject: Subject, other_subject: Subject, roms: Mapping[str, bytes], record: Recorder
) -> None:
    settings, rom = settings_of(case), only_rom(roms)
    buttons = lane_buttons(case.id, settings.lanes, settings.frames)
    digests, pictures, layouts = [], [], []
    for one in (subject, other_subject):
        batch = staggered(one.open_batch(rom, lanes=settings.lanes))
        batch.step(buttons, record="last2")
        digests.append(batch.digests())
        pictures.append(batch.read_frames())
        layouts.append(batch.layout)
    record.detail("layouts", " and ".join(layouts))
    require_lanes_equal(" and ".join(layouts), digests[0], digests[1])
    if not np.array_equal(pictures[0], pictures[1]):
        pytest.fail("The pictures differ.", pytrace=False)


@pytest.mark.cases("chunks")
def test_the_grouping_of_frames_changes_nothing(
    case: SuiteCase, subject: Subject, roms: Mapping[str, bytes], record: Recorder
) -> None:
    settings, rom = settings_of(case), only_rom(roms)
    buttons = lane_buttons(case.id, settings.lanes, settings.frames)
    batch = staggered(subject.open_batch(rom, lanes=settings.lanes))
    batch.step(buttons, record="all")
    at_once, pictures = batch.digests(), batch.read_frames()
    require_alive(batch)
    staggered(batch)
    for chunk in chunks(case.id, settings.frames):
        batch.step(buttons[:, chunk])
    require_lanes_equal("At once, drawn, and in groups, not drawn", batch.digests(), at_once)
    staggered(batch)
    for frame in range(settings.frames):
        batch.step(buttons[:, frame : frame + 1], record="last")
        shown = batch.read_frames()[:, 0]
        wrong = np.flatnonzero((shown != pictures[:, frame]).any(axis=(1, 2)))
        if wrong.size:
            pytest.fail(f"Lane {wrong[0]} draws another picture in frame {frame}.", pytrace=False)
    require_lanes_equal("At once and one by one", batch.digests(), at_once)
    record.detail("pictures", settings.lanes * settings.frames)


@pytest.mark.cases("states")
def test_a_state_goes_on_in_another_lane_and_another_batch(
    case: SuiteCase, subject: Subject, other_subject: Subject, roms: Mapping[str, bytes], record: Recorder
) -> None:
    settings, rom = settings_of(case), only_rom(roms)
    buttons = lane_buttons(case.id, settings.lanes, settings.frames)
    then = settings.frames * 2 // 3
    batch = staggered(subject.open_batch(rom, lanes=settings.lanes))
    batch.step(buttons[:, :then])
    thenway, states = batch.digests(), batch.save_states()
    batch.step(buttons[:, then:])
    straight = batch.digests()
    require_alive(batch)
    for lanes in (1, 2, 31, 33, settings.lanes + 7):
        taken = [(7 * lane + 3) % settings.lanes for lane in range(lanes)]
        another = subject.open_batch(rom, lanes=lanes)
        another.step(lane_buttons("something else before", lanes, 9))
        another.load_states([states[lane] for lane in taken])
        require_lanes_equal(f"Loaded into {lanes} lanes", another.digests(), thenway[taken])
        another.step(buttons[taken, then:])
        require_lanes_equal(f"Going on in {lanes} lanes", another.digests(), straight[taken])
    other_subject.load(rom)
    for lane in (0, settings.lanes - 1):
        other_subject.load_state(states[lane])
        other_subject.step(buttons[lane, then:])
        if int(other_subject.digest(), 16) != int(straight[lane]):
            pytest.fail(f"A single console goes on otherwise from the state of lane {lane}.", pytrace=False)
    record.detail("state_bytes", len(states[0]))


@pytest.mark.cases("idle-skipping")
def test_skipping_idle_loops_changes_nothing(
    case: SuiteCase, subject: Subject, roms: Mapping[str, bytes], record: Recorder
) -> None:
    settings, rom = settings_of(case), only_rom(roms)
    buttons = lane_buttons(case.id, settings.lanes, settings.frames)
    seen = []
    for skips in (True, False):
        batch = staggered(subject.open_batch(rom, lanes=settings.lanes, idle_skipping=skips))
        digests = []
        for chunk in chunks(case.id, settings.frames):
            batch.step(buttons[:, chunk])
            digests.append(batch.digests())
        seen.append(np.concatenate(digests))
    record.detail("digests", len(seen[0]))
    require_lanes_equal("Skipping and not", seen[0], seen[1], [n % settings.lanes for n in range(len(seen[0]))])
