"""The community's hardware test programs, each by the protocol that it reports by."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np
import pytest

from nesproof.harness.subjects.client import Subject
from nesproof.harness.subjects.errors import SubjectRefused
from nesproof.harness.suite_run import SuiteCase
from nesproof.harness.suite_run.recorder import Recorder
from nesproof.roms_manifest import Resolver, Run
from nesproof.suites.hardware_roms.playback import play
from nesproof.suites.hardware_roms.settings import EyeSettings, RefusalSettings, ReportSettings, settings_of
from nesproof.suites.hardware_roms.watchers import watcher_for

_SECOND_FRAMES = 60


@pytest.mark.cases("report")
def test_program_reports_a_pass(
    case: SuiteCase, subject: Subject, roms: Mapping[str, bytes], resolver: Resolver, record: Recorder
) -> None:
    settings = settings_of(case, ReportSettings)
    run = _run_of(resolver, case.roms[0], settings.run)
    rom = roms[case.roms[0]]
    watcher = watcher_for(run, rom, subject.capabilities)
    played = play(subject, rom, run, watcher, limit_frames=settings.limit_frames)
    record.detail("read_from", watcher.way)
    record.detail("frames", played.frames)
    record.detail("resets", played.resets)
    record.detail("text", played.report.text)
    if "frame" in subject.capabilities:
        record.frame(subject.read_frame())
    if not played.report.passed:
        pytest.fail(f"{played.report.reason}\n{played.report.text}".strip(), pytrace=False)


@pytest.mark.cases("eye")
def test_picture_is_the_one_looked_at(
    case: SuiteCase, subject: Subject, roms: Mapping[str, bytes], record: Recorder
) -> None:
    settings = settings_of(case, EyeSettings)
    subject.load(roms[case.roms[0]])
    subject.power_on()
    subject.step(0, frames=settings.frames - _SECOND_FRAMES)
    a_second_earlier = subject.read_frame_indices()
    subject.step(0, frames=_SECOND_FRAMES)
    indices = subject.read_frame_indices()
    rgb = subject.read_frame()
    record.frame(rgb)
    found = hashlib.sha256(indices.tobytes()).hexdigest()
    colours = len(np.unique(rgb.reshape(-1, 3), axis=0))
    record.detail("frames", settings.frames)
    record.detail("colours", colours)
    record.detail("picture_sha256", found)
    if colours < settings.least_colours:
        pytest.fail(f"The picture has {colours} colours, not {settings.least_colours} or more.", pytrace=False)
    if settings.picture_sha256 is None:
        if np.array_equal(indices, a_second_earlier):
            pytest.fail("The picture stands still.", pytrace=False)
    elif found != settings.picture_sha256:
        pytest.fail(
            f"Frame {settings.frames} is not the picture that was looked at (SHA-256 {found} instead of "
            f"{settings.picture_sha256}). What was seen there: {settings.seen}",
            pytrace=False,
        )


@pytest.mark.cases("refusal")
def test_board_is_refused_with_the_reason(case: SuiteCase, subject: Subject, roms: Mapping[str, bytes]) -> None:
    settings = settings_of(case, RefusalSettings)
    try:
        subject.load(roms[case.roms[0]])
    except SubjectRefused as refusal:
        missing = [word for word in settings.words if word not in refusal.reason]
        if missing:
            pytest.fail(f"The reason does not name {', '.join(missing)}: {refusal.reason}", pytrace=False)
    else:
        pytest.fail("It was loaded, although its board is not supported.", pytrace=False)


def _run_of(resolver: Resolver, rom_id: str, name: str) -> Run:
    for run in resolver.manifest[rom_id].run:
        if run.name == name:
            return run
    raise LookupError(f"The manifest has no run {name!r} of {rom_id}.")
