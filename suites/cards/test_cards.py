"""A test card walks its board's banks, modes and RAM, says how that went, and goes on with a show for ever."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from nesproof.harness.subjects.client import Subject
from nesproof.harness.subjects.errors import SubjectRefused
from nesproof.harness.suite_run import SuiteCase
from nesproof.harness.suite_run.recorder import Recorder
from nesproof.roms_manifest import Resolver
from nesproof.suites.cards.result import card_watcher
from nesproof.suites.hardware_roms.playback import play

_SECOND_FRAMES = 60


class Settings(BaseModel):
    """A card has failed where it says nothing within `limit_frames`; it is then played on until `frames`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    limit_frames: int = Field(ge=1)
    frames: int = Field(default=360, ge=1)


@pytest.mark.cases("card")
def test_the_card_says_that_the_board_is_right(
    case: SuiteCase, subject: Subject, roms: Mapping[str, bytes], resolver: Resolver, record: Recorder
) -> None:
    settings = Settings.model_validate(case.settings)
    ((rom_id, rom),) = roms.items()
    run = resolver.manifest[rom_id].run[0]
    watcher = card_watcher(run, rom, subject.capabilities)
    try:
        subject.load(rom)
    except SubjectRefused as refusal:
        pytest.fail(f"The board is declared, and the cartridge refused: {refusal.reason}", pytrace=False)
    played = play(subject, rom, run, watcher, limit_frames=settings.limit_frames)
    record.detail("read_from", watcher.way)
    record.detail("frames", played.frames)
    record.detail("text", played.report.text)
    moves = _shows_something_else(subject, played.frames, settings.frames)
    if "frame" in subject.capabilities:
        record.frame(subject.read_frame())
    if not played.report.passed:
        pytest.fail(f"{played.report.reason}\n{played.report.text}".strip(), pytrace=False)
    if not moves:
        pytest.fail(f"The show stands still before frame {settings.frames}.", pytrace=False)


def _shows_something_else(subject: Subject, played_frames: int, frames: int) -> bool:
    """Play on to `frames`; whether the picture there is another than a second before, as far as it can be seen."""
    subject.step(0, frames=max(0, frames - _SECOND_FRAMES - played_frames))
    earlier = _picture(subject)
    subject.step(0, frames=_SECOND_FRAMES)
    later = _picture(subject)
    return earlier is None or later is None or not np.array_equal(earlier, later)


def _picture(subject: Subject) -> NDArray[np.uint8] | None:
    if "frame-indices" in subject.capabilities:
        return subject.read_frame_indices()
    return subject.read_frame() if "frame" in subject.capabilities else None
