"""The suite `parity`: no program is forgotten, its buttons are the same everywhere, and short runs pass here."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from nesproof.harness.suite_run import expected_cases, load_suite, run_suite
from nesproof.roms_manifest import Resolver, load_manifest
from nesproof.suites.parity.buttons import random_buttons
from nesproof.suites.parity.opcodes import OPCODES, opcode_of
from nesproof.suites.parity.random_programs import assembled, program
from nesproof.suites.parity.settings import PlaySettings, ProgramsSettings, SoakSettings, settings_of

needs_both = pytest.mark.skipif(
    any(find_spec(f"nesproof.emulator.{name}") is None for name in ("_reference", "_core")),
    reason="the consoles are not built",
)

CARDS = {rom.id: rom.mapper for rom in load_manifest().collection("house") if rom.id.startswith("house/cards/")}
NROM = sorted(rom.id for rom in load_manifest().values() if rom.mapper == 0 and rom.id not in CARDS)
OTHERS = {
    rom.id: rom.mapper
    for rom in load_manifest().collection("nes-test-roms")
    if rom.mapper != 0 and rom.run[0].protocol.kind != "refusal"
}
BOARDS = {0, 1, 2, 3, 4, 7, 11, 34, 66, 71}


@pytest.mark.parametrize("against", ["reference", "core"])
@pytest.mark.parametrize(("length", "frames", "seeds"), [("short", 60, 1), ("long", 1000, 4)])
def test_every_nrom_program_is_a_case(against: str, length: str, frames: int, seeds: int) -> None:
    definition = load_suite("parity")
    named = expected_cases(definition, f"{against}/{length}/*")
    cases = [definition[case] for case in named if case.split("/")[2] not in {"cards", "boards"}]
    assert sorted(case.roms[0] for case in cases) == NROM
    for case in cases:
        assert case.id == f"{against}/{length}/{case.roms[0]}"
        assert case.against == against
        assert settings_of(case, PlaySettings) == PlaySettings(frames=frames, seeds=seeds)


@pytest.mark.parametrize("against", ["reference", "core"])
def test_every_card_and_every_program_for_another_board_is_a_case(against: str) -> None:
    definition = load_suite("parity")
    boards: dict[str, set[int | None]] = {}
    for glob, roms, frames, seeds in (
        ("short/cards", CARDS, 150, 1), ("long/cards", CARDS, 1000, 2), ("long/boards", OTHERS, 1000, 2),
    ):  # fmt: skip
        cases = [definition[case] for case in expected_cases(definition, f"{against}/{glob}/*")]
        assert sorted(case.roms[0] for case in cases) == sorted(roms)
        for case in cases:
            assert case.against == against
            assert settings_of(case, PlaySettings) == PlaySettings(frames=frames, seeds=seeds)
            boards.setdefault(case.id.split("/")[3], set()).add(roms[case.roms[0]])
    assert sorted(mapper for (mapper,) in boards.values()) == sorted(BOARDS), "a word for each mapper"


def test_each_board_is_played_for_long() -> None:
    definition = load_suite("parity")
    cases = [definition[case] for case in expected_cases(definition, "reference/soak/boards/*")]
    assert sorted(CARDS[case.roms[0]] or 0 for case in cases) == sorted(BOARDS)
    for case in cases:
        settings = settings_of(case, SoakSettings)
        assert settings.frames == 100_000
        assert settings.most_growth_bytes == 8 << 20


def test_buttons_are_the_same_everywhere() -> None:
    buttons = random_buttons("house/scroller", 3, 1000)
    assert buttons.shape == (1000, 2)
    known = "399bca8c056fc473f86cf5bfcc560b56a5b274566efadbc65fa4697c827733fe"
    assert hashlib.sha256(buttons.tobytes()).hexdigest() == known
    assert np.array_equal(random_buttons("house/scroller", 3, 100), buttons[:100])
    assert not np.array_equal(random_buttons("house/scroller", 4, 1000), buttons)
    assert not np.array_equal(buttons[:, 0], buttons[:, 1])
    assert set(np.unpackbits(buttons[:, :1], axis=1).sum(axis=0)) & {0} == set(), "some button is never pressed"


def test_ten_million_units_of_random_programs_are_cases() -> None:
    definition = load_suite("parity")
    cases = [
        settings_of(definition[case], ProgramsSettings)
        for case in expected_cases(definition, "reference/random-programs/long-*")
    ]
    numbers = [n for case in cases for n in range(case.first, case.first + case.count)]
    assert len(numbers) == len(set(numbers))
    assert sum(case.count * case.units for case in cases) >= 11_000_000


def test_random_programs_are_the_same_everywhere_and_valid() -> None:
    images = [program(number) for number in range(24)]
    assert len(set(images)) == 24
    known = "a6edf388f473b6b7f0d23d72b0e1ddc26d256297f2ceaee10b8ef7e820c7dc53"
    assert hashlib.sha256(b"".join(images)).hexdigest() == known
    for image in images:
        assert image[:4] == b"NES\x1a"
        assert len(image) == 16 + 0x8000 + 0x2000 * image[5]
    assert {image[5] for image in images} == {0, 1}, "CHR-RAM and CHR-ROM"


def test_any_list_of_genes_is_a_program() -> None:
    everything = [(kind, 0xFF, 0xFF, 0xFF) for kind in range(256)]
    assert len(assembled(everything * 40, nmi=everything * 40, irq=everything * 40, wild=True)) == 16 + 0x8000 + 0x2000
    assert assembled([]) == assembled([])
    assert all(OPCODES[opcode_of(*opcode)] == opcode for opcode in OPCODES)


@needs_both
@pytest.mark.parametrize(
    ("subject", "cases"),
    [("core", "reference/short/*"), ("core", "reference/random-programs/short"), ("core-hostsim", "core/short/house/*"),
     ("core-hostsim", "core/short/cards/*"), ("core-hostsim", "core/random-programs/short")],
)  # fmt: skip
def test_the_short_cases_pass(subject: str, cases: str, tmp_path: Path) -> None:
    resolver = Resolver()
    definition = load_suite("parity")
    chosen = [definition[case] for case in expected_cases(definition, cases)]
    found = tuple(case.id for case in chosen if all(resolver.find(rom) is not None for rom in case.roms))
    assert found
    run = run_suite("parity", subject=subject, cases=found, work_dir=tmp_path, timeout_s=300, jobs=2)
    assert run.problem is None
    assert {case.id: case.message for case in run.cases if case.outcome != "passed"} == {}
