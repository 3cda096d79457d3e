"""Every test card passes on both consoles, says so in all its places, and goes on with a show.

What the show does is looked at on the fast console; that both do the same is the parity suite's.
"""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from house_cards import (
    CARD_IDS,
    FAILURES,
    PHASE,
    RESULT,
    SHOW,
    SIGNATURE,
    TESTS,
    VERDICT,
    card_image,
    frame_counter,
    powered,
    report,
    report_address,
    run_to,
)

from nesproof.emulator.console import ConsoleKind
from nesproof.roms_manifest import load_manifest

CARDS = tuple(identifier.rpartition("/")[2] for identifier in CARD_IDS)
KINDS: tuple[ConsoleKind, ...] = get_args(ConsoleKind)
PRESSED = 1 | 1 << 6
"""A and Left."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("card", CARDS)
def test_a_card_passes(card: str, kind: ConsoleKind) -> None:
    console = powered(card_image(card), kind)
    run_to(console, VERDICT, load_manifest()[f"house/cards/{card}"].run[0].limit_frames)
    console.step(0, frames=2)
    verdict = report(console, report_address(card))
    assert verdict.text.endswith(f" PASSED {console.ram[TESTS]:02d}\n"), verdict.text
    assert (verdict.status, verdict.signature) == (0, SIGNATURE)
    assert (console.ram[RESULT], console.ram[FAILURES]) == (0, 0)
    assert console.ram[TESTS] >= 6


@pytest.mark.parametrize("card", ["nrom", "mmc1-sxrom", "axrom", "mmc6"])
def test_the_report_is_none_before_the_verdict(card: str) -> None:
    console = powered(card_image(card))
    address = report_address(card)
    while console.ram[TESTS] == 0:
        console.step(0)
    assert console.peek(address) == 0x80
    for _ in range(300):
        if console.ram[PHASE] >= VERDICT:
            break
        now = report(console, address)
        # while a test writes everywhere in RAM, there is no signature
        assert now.signature != SIGNATURE or now.status == 0x80
        console.step(0)
    console.step(0, frames=2)
    assert report(console, address).status == 0


@pytest.mark.parametrize("card", CARDS)
def test_the_show_loses_no_frame_whatever_is_pressed(card: str) -> None:
    console = powered(card_image(card), "core")
    run_to(console, SHOW)
    console.step(0, frames=5)
    start = frame_counter(console)
    buttons = np.random.default_rng(7).integers(0, 256, (300, 2), dtype=np.uint8)
    pictures = set()
    for row in buttons:
        console.step(row[None, :])
        pictures.add(console.frame.tobytes())
    assert frame_counter(console) == start + len(buttons)
    assert len(pictures) == len(buttons)
    verdict = report(console, report_address(card))
    assert (verdict.status, verdict.signature) == (0, SIGNATURE)


@pytest.mark.parametrize("card", CARDS)
def test_buttons_change_the_course_of_the_show(card: str) -> None:
    console = powered(card_image(card), "core")
    run_to(console, SHOW)
    console.step(0, frames=5)
    state = console.save_state()
    courses = []
    for first, second in ((0, 0), (PRESSED, 0), (0, PRESSED)):
        console.load_state(state)
        console.step(np.array([[first, second]] * 2, np.uint8))
        console.step(0, frames=30)
        courses.append(bytes(console.ram[0x300:0x480]))
    assert len(set(courses)) == 3


@pytest.mark.parametrize("card", CARDS)
def test_every_ram_fill_runs_alike(card: str) -> None:
    runs = []
    for fill in (0x00, 0xFF, 0x5A):
        console = powered(card_image(card), "core", fill=fill)
        run_to(console, SHOW)
        console.step(0, frames=20)
        runs.append((bytes(console.ram[:0x100]), bytes(console.ram[0x200:]), console.frame.tobytes()))
    assert runs[0] == runs[1] == runs[2]


@pytest.mark.parametrize("card", CARDS)
def test_the_reset_button_starts_the_tests_anew(card: str) -> None:
    console = powered(card_image(card), "core")
    run_to(console, SHOW)
    console.step(0, frames=37)
    console.press_reset()
    console.step(0, frames=8)
    assert console.ram[PHASE] < VERDICT
    run_to(console, VERDICT)
    console.step(0, frames=2)
    assert report(console, report_address(card)).status == 0
