"""What the cases of this suite share: their inputs, checkpoints, and how two runs are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from nesproof.harness.subjects.client import Subject
from nesproof.harness.suite_run import SuiteCase

__all__ = ["CHECKPOINT_FRAMES", "digests", "frames_of", "inputs", "only_rom", "require_equal"]

CHECKPOINT_FRAMES = 60

_A, _B, _START, _LEFT, _RIGHT = 0x01, 0x02, 0x08, 0x40, 0x80
_TITLE_FRAMES = 40
_PHRASES = ((_RIGHT, 23), (_RIGHT | _A, 17), (_RIGHT | _B, 31), (_LEFT, 7), (_RIGHT | _A | _B, 19), (0, 5))


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    frames: int = Field(ge=2 * CHECKPOINT_FRAMES, multiple_of=CHECKPOINT_FRAMES)


def frames_of(case: SuiteCase) -> int:
    """How many frames the case plays."""
    return _Settings.model_validate(case.settings).frames


def only_rom(roms: Mapping[str, bytes]) -> bytes:
    """The bytes of the case's one ROM."""
    (rom,) = roms.values()
    return rom


def inputs(frames: int) -> NDArray[np.uint8]:
    """Buttons for that many frames, uint8 [frames]: wait at the title, press Start, then run and jump about."""
    buttons = np.zeros(frames, dtype=np.uint8)
    buttons[_TITLE_FRAMES : _TITLE_FRAMES + 10] = _START
    at = _TITLE_FRAMES + 20
    while at < frames:
        for mask, length in _PHRASES:
            buttons[at : at + length] = mask
            at += length
    return buttons


def digests(subject: Subject, buttons: NDArray[np.uint8]) -> list[str]:
    """Step through `buttons`; the digest at every checkpoint."""
    found = []
    for start in range(0, len(buttons), CHECKPOINT_FRAMES):
        subject.step(buttons[start : start + CHECKPOINT_FRAMES])
        found.append(subject.digest())
    return found


def require_equal(what: str, one: Sequence[str], other: Sequence[str], *, first_frame: int = 0) -> None:
    """Fail at the first checkpoint at which two runs part, or when there was nothing to compare."""
    if not one:
        pytest.fail(f"{what}: there was no checkpoint.", pytrace=False)
    for number, (ours, theirs) in enumerate(zip_longest(one, other), start=1):
        if ours != theirs:
            frame = first_frame + number * CHECKPOINT_FRAMES
            pytest.fail(f"{what}: parted by frame {frame}: {ours} is not {theirs}.", pytrace=False)
    if len(set(one)) != len(one):
        pytest.fail(f"{what}: the digest stood still while the console ran.", pytrace=False)
