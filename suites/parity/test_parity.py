"""Two subjects, given the same cartridge and the same buttons, are one console."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from nesproof.harness.subjects.client import Subject
from nesproof.harness.suite_run import SuiteCase
from nesproof.harness.suite_run.recorder import Recorder
from nesproof.suites.parity.buttons import random_buttons
from nesproof.suites.parity.failing import fail_with, states_differ
from nesproof.suites.parity.following import StatesDiffer, follow_both
from nesproof.suites.parity.locating import Played, locate
from nesproof.suites.parity.settings import PlaySettings, settings_of


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
        try:
            parting = follow_both(subject, other_subject, buttons, seed=f"{rom_id}/{seed}")
        except StatesDiffer as fault:
            pytest.fail(f"Buttons {seed}: {states_differ(subject, other_subject, fault)}", pytrace=False)
        if parting is not None:
            played = Played(rom, buttons, rom_id=rom_id)
            fail_with(locate(subject, other_subject, played, parting), record, f"Buttons {seed}")
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
