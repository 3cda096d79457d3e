"""Which consoles of a batch are held against the reference, how a console comes to its window, and where the reference
stands at its end."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.evidence.model import ExpectedState, LaneDigest, LanePicture
from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.workloads import Workload
from nesproof.roms_manifest import Resolver

__all__ = ["FIRST_PICTURES", "REFERENCE", "WAIT_LIMIT_FRAMES", "expected_state", "sampled_lanes", "wait_for_game"]

REFERENCE = "reference"
"""The subject that says where a window must end."""

WAIT_LIMIT_FRAMES = 600

FIRST_PICTURES = 60
"""Of so many of a window's first frames the reference's pictures are kept, for spot checks."""


def sampled_lanes(lanes: int) -> tuple[int, ...]:
    """At most four lanes of a batch: the first two, one in the middle, the last."""
    return tuple(sorted({0, min(1, lanes - 1), lanes // 2, lanes - 1}))


def expected_state(
    workload: Workload,
    rom: bytes,
    *,
    lanes: int = 1,
    resolver: Resolver | None = None,
    log_path: Path | None = None,
) -> ExpectedState:
    """Where untimed runs of the reference stand at the end of the workload's window, one for each sampled lane, and
    what they show there.

    Raises:
        SubjectFailed, SubjectUnavailable: the reference did not run.
        SubjectRefused: it does not run this cartridge.
    """
    streams = np.frombuffer(workload.input_stream(lanes=lanes, resolver=resolver), np.uint8).reshape(lanes, -1)
    with open_subject(REFERENCE, log_path=log_path) as subject:
        subject.load(rom)
        digests, pictures = [], []
        first_pictures: tuple[str, ...] = ()
        shows = {"digest", "frame-indices"} <= subject.capabilities
        for lane in reversed(sampled_lanes(lanes)):  # lane 0 last, so that its RAM can be read
            subject.power_on()
            subject.step(streams[lane][: workload.warmup_frames])
            wait_for_game(workload, read_ram=subject.read_ram, step=subject.step)
            window = streams[lane][workload.warmup_frames :]
            if shows:
                shown = _pictures(subject, window[:FIRST_PICTURES])
                if len(window) > FIRST_PICTURES + 1:
                    subject.step(window[FIRST_PICTURES:-1])
                shown += _pictures(subject, window[FIRST_PICTURES:][-1:])
                pictures.append(LanePicture(lane=lane, picture=shown[-1]))
                first_pictures = tuple(shown[:FIRST_PICTURES])
            else:
                subject.step(window)
            digests.append(LaneDigest(lane=lane, digest=subject.digest()))
        ram = subject.read_ram()
    first = workload.frame_counter_address
    return ExpectedState(
        digest=digests[-1].digest,
        ram_sha256=hashlib.sha256(ram.tobytes()).hexdigest(),
        frame_counter=int.from_bytes(ram[first : first + workload.frame_counter_bytes].tobytes(), "little"),
        lane_digests=tuple(reversed(digests)) if lanes > 1 else (),
        pictures=tuple(reversed(pictures)),
        first_pictures=first_pictures,
    )


def wait_for_game(workload: Workload, *, read_ram: Callable[[], NDArray[np.uint8]], step: Callable[[], None]) -> int:
    """After warm-up, step a frame without a button until RAM, uint8 [2048], holds what the workload waits for.

    How many frames that took; after WAIT_LIMIT_FRAMES the window begins all the same.
    """
    for waited in range(WAIT_LIMIT_FRAMES if workload.wait_for else 0):
        ram = read_ram()
        if all(int(ram[address]) == value for address, value in workload.wait_for):
            return waited
        step()
    return WAIT_LIMIT_FRAMES if workload.wait_for else 0


def _pictures(subject: Subject, buttons: NDArray[np.uint8]) -> list[str]:
    """A number for the picture of each frame, stepped with these buttons, as timed runs give it."""
    if not len(buttons):
        return []
    _, pictures = subject.follow(buttons, pictures=True)
    return [int(picture).to_bytes(8, "little").hex() for picture in ([] if pictures is None else pictures)]
