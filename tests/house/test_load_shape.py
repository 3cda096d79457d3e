"""What a frame of the scroller costs, and that busy never waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from nesproof.emulator.console import Console

PLAY = 3
SAMPLED_EVERY_FRAMES = 37
MOST_INSTRUCTIONS_A_FRAME = 15_000
PRE_RENDER_SCANLINE = 261


@dataclass(frozen=True)
class FrameCost:
    """Instructions of one frame, from NMI to NMI."""

    game: int
    idle: int
    polling: int
    mask_scanline: int
    """Scanline of the last thing that must happen in vertical blank."""


def _frame_cost(console: Console, labels: dict[str, int]) -> FrameCost:
    """Trace the next whole frame with the buttons held as they are, then go back."""
    state = console.save_state()
    trace = console.trace(2 * MOST_INSTRUCTIONS_A_FRAME)
    console.load_state(state)
    pc = trace["pc"]
    first, second = np.flatnonzero(pc == labels["nmi"])[:2]
    frame = pc[first:second]
    idle = frame == labels["forever"]
    polling = (frame >= labels["await_clear"]) & (frame < labels["split_armed"])
    polling |= (frame >= labels["await_hit"]) & (frame < labels["split_now"])
    sound = first + np.flatnonzero(frame == labels["play_sound"])[0]
    return FrameCost(
        game=int((~idle & ~polling).sum()),
        idle=int(idle.sum()),
        polling=int(polling.sum()),
        mask_scanline=int(trace["scanline"][sound]),
    )


def _play_costs(console: Console, labels: dict[str, int], stream: bytes) -> list[FrameCost]:
    costs = []
    for frame, buttons in enumerate(stream):
        console.step(buttons)
        playing = console.ram[labels["game_mode"]] == PLAY and not console.ram[labels["paused"]]
        if playing and frame % SAMPLED_EVERY_FRAMES == 0:
            costs.append(_frame_cost(console, labels))
    return costs


@pytest.mark.parametrize(
    ("corpus_name", "start"),
    [
        ("scroller-random.buttons", 0),
        ("scroller-random.buttons", 5 * 3600),
        ("scroller-held-right.buttons", 0),
    ],
)
def test_game_code_of_a_frame_in_play(
    corpus_name: str,
    start: int,
    corpus: Callable[[str], bytes],
    house_console: Callable[..., Console],
    scroller_labels: dict[str, int],
) -> None:
    console = house_console("scroller")
    costs = _play_costs(console, scroller_labels, corpus(corpus_name)[start : start + 1800])
    assert len(costs) >= 20
    assert 4_000 <= np.mean([cost.game for cost in costs]) <= 5_000
    # the rest is spent as in the classic: most of it idle, some of it polling
    assert np.mean([cost.idle for cost in costs]) > 3_000
    assert np.mean([cost.polling for cost in costs]) > 100
    # vertical blank is long enough for what must be sent in it
    assert all(241 <= cost.mask_scanline < PRE_RENDER_SCANLINE for cost in costs)
    assert console.ram[scroller_labels["lag_frames"]] == 0


def test_busy_never_idles_and_never_polls(house_console: Callable[..., Console], busy_labels: dict[str, int]) -> None:
    console = house_console("busy")
    console.step(0, frames=30)
    pc = console.trace(60_000)["pc"].astype(np.int64)
    # no instruction jumps to itself
    assert (np.diff(pc) != 0).all()
    # outside the NMI handler nothing reads $2002
    opcodes = np.array([console.peek(int(address)) for address in np.unique(pc)])
    operands = np.array([console.peek(int(a) + 1) | console.peek(int(a) + 2) << 8 for a in np.unique(pc)])
    reads_status = np.isin(opcodes, [0x2C, 0xAD, 0xAE, 0xAC]) & (operands == 0x2002)
    in_nmi = (np.unique(pc) >= busy_labels["nmi"]) & (np.unique(pc) <= busy_labels["irq"])
    assert reads_status.any()
    assert not (reads_status & ~in_nmi).any()
    # and it gets somewhere: every frame has other cells
    start = busy_labels["cells"]
    fields = []
    for _ in range(30):
        console.step(0, frames=1)
        fields.append(bytes(console.ram[start : start + 896]))
    assert len(set(fields)) == 30
