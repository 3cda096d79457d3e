"""A card on the wrong board, or with a bank in the wrong place, fails, and names the test that did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from house_cards import FAILURES, RESULT, SIGNATURE, TESTS, VERDICT, card_image, powered, report, report_address, run_to

_HEADER_BYTES = 16
_PAGE_BYTES = 0x2000
_CHR_MARK = 0x1F0


@dataclass(frozen=True)
class Broken:
    """A card, what is done to it, and the test that must find it."""

    card: str
    finds: str
    settings: dict[str, Any] = field(default_factory=dict)
    header: dict[int, int] = field(default_factory=dict)
    """Bytes of the header, by their place."""


WRONG_BOARDS = (
    Broken("nrom", "MIRRORING", header={6: 0x01}),
    Broken("uxrom", "BUS CONFLICTS", {"submapper": 1}),
    Broken("uxrom", "MIRRORING", header={6: 0x20}),
    Broken("uxrom", "BUS CONFLICTS", {"mapper": 71}),
    Broken("cnrom", "BUS CONFLICTS", {"submapper": 1}),
    Broken("cnrom", "MIRRORING", header={6: 0x30}),
    Broken("axrom", "NO BUS CONFLICTS", {"submapper": 2}),
    Broken("axrom", "ONE SCREEN OR OTHER", {"mapper": 34, "submapper": 2}),
    Broken("bnrom", "BUS CONFLICTS", {"mapper": 7, "submapper": 1}),
    Broken("bnrom", "MIRRORING", {"mapper": 7, "submapper": 2}),
    Broken("gxrom", "MIRRORING", header={6: 0x21}),
    Broken("color-dreams", "MIRRORING", header={6: 0xB0}),
    Broken("nina-001", "MIRRORING", header={6: 0x20}),
    Broken("camerica", "NO BUS CONFLICTS", {"mapper": 2, "submapper": 2}),
    Broken("camerica", "REGISTER PLACES", {"mapper": 2, "submapper": 1}),
    Broken("fire-hawk", "ONE SCREEN OR OTHER", {"submapper": 0}),
    Broken("mmc1-sxrom", "PRG-RAM BANKS", header={10: 0x07}),
    Broken("mmc3", "IRQ LATCH 0", {"irq": "nec"}),
    Broken("mmc3", "IRQ STAYS AT 0", {"irq": "nec"}),
    Broken("mmc3", "MIRRORING", header={6: 0x49}),
    Broken("mmc3-nec", "IRQ LATCH 0", {"irq": "sharp"}),
    Broken("mmc3-nec", "IRQ STAYS AT 0", {"irq": "sharp"}),
    Broken("mmc3-four-screen", "MIRRORING", header={6: 0x40}),
)

# The page whose number is spoilt, and the test that reads it: never a page that holds the code.
WRONG_PAGES = {
    "nrom": (1, "PROGRAM"),
    "mmc1-sxrom": (62, "FIRST FIXED"),
    "mmc1-skrom": (17, "BANKS OF 32 KIB"),
    "uxrom": (29, "EVERY BANK"),
    "cnrom": (0, "PROGRAM"),
    "mmc3": (61, "BANKS AT C000"),
    "axrom": (31, "EVERY BANK"),
    "color-dreams": (12, "EVERY BANK"),
    "bnrom": (10, "EVERY BANK"),
    "nina-001": (5, "EVERY BANK"),
    "gxrom": (13, "EVERY BANK"),
    "camerica": (28, "EVERY BANK"),
    "fire-hawk": (3, "EVERY BANK"),
}

WRONG_PATTERNS = {
    "nrom": (7, "PATTERNS"),
    "mmc1-skrom": (127, "PATTERNS 4 KIB"),
    "cnrom": (31, "EVERY BANK"),
    "mmc3": (255, "PATTERNS SWAPPED"),
    "color-dreams": (120, "EVERY PATTERN BANK"),
    "nina-001": (63, "PATTERNS"),
    "gxrom": (24, "EVERY PATTERN BANK"),
}


def _fails(card: str, finds: str, image: bytes, **settings: Any) -> None:
    console = powered(image, **settings)
    run_to(console, VERDICT)
    console.step(0, frames=2)
    text = report(console, report_address(card)).text
    lines = text.splitlines()
    failed = {line[3:].partition(" GOT ")[0]: int(line[:2]) for line in lines if " GOT " in line}
    assert finds in failed, text
    assert len(failed) == console.ram[FAILURES]
    first = min(failed.values())
    assert console.ram[RESULT] == first <= console.ram[TESTS]
    assert lines[-1].endswith(f" FAILED {first:02d}")


@pytest.mark.filterwarnings("ignore::nesproof.emulator.cartridge.CartridgeWarning")
@pytest.mark.parametrize("broken", WRONG_BOARDS, ids=lambda broken: f"{broken.card}-{broken.finds}".replace(" ", "-"))
def test_the_wrong_board_is_found(broken: Broken) -> None:
    image = bytearray(card_image(broken.card))
    for place, value in broken.header.items():
        image[place] = value
    _fails(broken.card, broken.finds, bytes(image), **broken.settings)


@pytest.mark.parametrize("card", WRONG_PAGES)
def test_a_page_of_the_program_in_the_wrong_place_is_found(card: str) -> None:
    page, finds = WRONG_PAGES[card]
    image = bytearray(card_image(card))
    end = _HEADER_BYTES + page * _PAGE_BYTES + 0x1FE0
    assert image[end] == page
    image[end : end + 2] = bytes([page ^ 0x80, page ^ 0x80 ^ 0xFF])
    _fails(card, finds, bytes(image))


@pytest.mark.parametrize("card", WRONG_PATTERNS)
def test_a_page_of_patterns_in_the_wrong_place_is_found(card: str) -> None:
    page, finds = WRONG_PATTERNS[card]
    image = bytearray(card_image(card))
    mark = _HEADER_BYTES + image[4] * 0x4000 + page * 0x400 + _CHR_MARK
    assert image[mark] == page
    image[mark : mark + 2] = bytes([page ^ 1, page ^ 1 ^ 0xFF])
    _fails(card, finds, bytes(image))


@pytest.mark.filterwarnings("ignore::nesproof.emulator.cartridge.CartridgeWarning")
def test_the_mmc6_card_on_an_mmc3_fails_and_cannot_report() -> None:
    console = powered(card_image("mmc6"), prg_ram="mmc3")
    run_to(console, VERDICT)
    console.step(0, frames=2)
    # what opens the MMC6's RAM protects the MMC3's
    assert report(console, report_address("mmc6")).signature != SIGNATURE
    assert console.ram[RESULT] == 8  # RAM
    assert console.ram[FAILURES] == 4
