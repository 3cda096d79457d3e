"""The generators of the committed input streams: pure functions of a seed, the same on every machine.

``python -m nesproof.benchmarks.streams`` writes ``corpora/*.buttons`` again. One byte a frame:
A 01, B 02, Select 04, Start 08, Up 10, Down 20, Left 40, Right 80 (hexadecimal).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

__all__ = [
    "LANE_STREAMS",
    "LANE_STREAM_FRAMES",
    "RANDOM_STREAMS",
    "STREAM_FRAMES",
    "held_right_stream",
    "random_stream",
]

RANDOM_STREAMS = 16
"""Streams in ``scroller-random.buttons``. ``random_stream`` makes any number of others."""
STREAM_FRAMES = 3600
LANE_STREAMS = 256
"""Streams in ``scroller-random-lanes.buttons``, for the lanes of a batch: the first frames of as many of the above."""
LANE_STREAM_FRAMES = 400

_A, _B, _START, _LEFT, _RIGHT = 0x01, 0x02, 0x08, 0x40, 0x80
_TITLE_FRAMES = 60
_START_EVERY_FRAMES = 300
_START_HELD_FRAMES = 3
_SECOND_START_FRAMES = 8


def _numbers(seed: int) -> Iterator[int]:
    """SplitMix64: unsigned 64-bit numbers."""
    mask = (1 << 64) - 1
    state = seed & mask
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield z ^ (z >> 31)


def _with_starts(play: bytearray) -> bytes:
    """Press Start after the title appeared, and twice in a row every 300 frames.

    A game that is over so begins again; one that runs is paused for eight frames and goes on.
    """
    frames = len(play)
    for frame in range(min(_TITLE_FRAMES, frames)):
        play[frame] = 0
    for start in range(_TITLE_FRAMES, frames, _START_EVERY_FRAMES):
        presses = (start,) if start == _TITLE_FRAMES else (start, start + _SECOND_START_FRAMES)
        for press in presses:
            for frame in range(press, min(press + _START_HELD_FRAMES, frames)):
                play[frame] = _START
    return bytes(play)


def random_stream(seed: int, frames: int = STREAM_FRAMES) -> bytes:
    """``frames`` bytes of plausible random play: spells of running and waiting, with jumps."""
    numbers = _numbers(seed)
    play = bytearray()
    while len(play) < frames:
        length = 8 + next(numbers) % 40
        direction = next(numbers) % 20
        held = _RIGHT if direction < 14 else _LEFT if direction < 17 else 0
        if next(numbers) % 5 < 2:
            held |= _B
        spell = bytearray([held]) * length
        if next(numbers) % 4 < 3:
            begin = next(numbers) % length
            for frame in range(begin, min(length, begin + 3 + next(numbers) % 24)):
                spell[frame] |= _A
        play += spell
    return _with_starts(play[:frames])


def held_right_stream(frames: int = STREAM_FRAMES) -> bytes:
    """``frames`` bytes of Right held all the time, with a jump of 20 frames every 48."""
    play = bytearray(_RIGHT | (_A if frame % 48 < 20 else 0) for frame in range(frames))
    return _with_starts(play)


def main() -> int:
    """Write the generated corpora beside this file."""
    corpora = Path(__file__).parent / "corpora"
    streams = b"".join(random_stream(seed) for seed in range(RANDOM_STREAMS))
    (corpora / "scroller-random.buttons").write_bytes(streams)
    lanes = b"".join(random_stream(seed, LANE_STREAM_FRAMES) for seed in range(LANE_STREAMS))
    (corpora / "scroller-random-lanes.buttons").write_bytes(lanes)
    (corpora / "scroller-held-right.buttons").write_bytes(held_right_stream())
    return 0


if __name__ == "__main__":
    sys.exit(main())
