"""What a cartridge has beyond its file reaches the subjects that can be told, and no other is asked to run it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import nesproof
from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.subjects.errors import NotCapable, SubjectRefused
from nesproof.harness.subjects.registry import find_subject, subject_definitions
from nesproof.harness.subjects.replies import is_capability
from nesproof.roms_manifest import CartridgeFile, CartridgeSettings, Resolver, RomMissing

FAKES = Path(__file__).parent / "fakes"
ROM = b"TOY story"
ASKED = CartridgeSettings(region="ntsc", mapper=4, submapper=0, irq="nec", prg_ram="mmc6")
TOLD = {"region": "ntsc", "mapper": 4, "submapper": 0, "irq": "nec", "prg_ram": "mmc6"}
WINDOW = {"warmup_frames": 1, "frames": 2, "draw": "every", "runs": 1, "warmup_runs": 0, "frame_counter": (0, 1)}
PLAYER = "nes-test-roms/mmc3_test/5-MMC3"


@pytest.fixture
def telling(add_subject: Callable[..., str]) -> Iterator[Subject]:
    name = add_subject("telling-toy", ["{python}", "-I", "{worker}", str(FAKES / "settings_adapter.py")])
    with open_subject(name, timeout_s=20) as opened:
        yield opened


@pytest.fixture
def batches(add_subject: Callable[..., str]) -> Iterator[Subject]:
    options = json.dumps({"namespace": list(nesproof.__path__)})
    command = ["{python}", "-I", "{worker}", str(FAKES / "core_fake.py"), options]
    with open_subject(add_subject("core-fake", command), timeout_s=60) as opened:
        yield opened


def told(subject: Subject) -> dict[str, object]:
    text: dict[str, object] = json.loads(subject.read_ram()[0x100:].tobytes().rstrip(b"\0"))
    return text


@pytest.mark.parametrize(("rom", "expected"), [(CartridgeFile(ROM, ASKED), TOLD), (ROM, {})])
def test_a_subject_is_told_what_is_set_and_nothing_else(
    telling: Subject, rom: bytes, expected: dict[str, object]
) -> None:
    telling.load(rom)
    telling.power_on()
    assert told(telling) == expected


def test_a_timed_window_runs_the_same_cartridge(telling: Subject) -> None:
    rom = CartridgeFile(ROM, ASKED)
    [with_settings] = telling.time_workload(rom, bytes(3), **WINDOW)  # type: ignore[arg-type]
    telling.load(rom)
    telling.power_on()
    telling.step(frames=3)
    assert with_settings.ram_sha256 == hashlib.sha256(telling.read_ram().tobytes()).hexdigest()
    [without] = telling.time_workload(ROM, bytes(3), **WINDOW)  # type: ignore[arg-type]
    assert without.ram_sha256 != with_settings.ram_sha256


def test_a_subject_that_cannot_be_told_is_asked_nothing(toy: str) -> None:
    rom = CartridgeFile(ROM, ASKED)
    with open_subject(toy, timeout_s=20) as subject:
        subject.load(ROM)
        subject.power_on()
        subject.step(frames=2)
        with pytest.raises(NotCapable, match="cartridge-settings"):
            subject.load(rom)
        with pytest.raises(NotCapable, match="cartridge-settings"):
            subject.time_workload(rom, bytes(3), **WINDOW)  # type: ignore[arg-type]
        assert subject.read_ram()[0] == 2
        subject.load(bytes(rom))


def test_what_makes_no_sense_for_the_board_is_refused_with_the_reason(batches: Subject, rom: bytes) -> None:
    odd = CartridgeFile(rom, CartridgeSettings(irq="nec"))
    with pytest.raises(SubjectRefused, match="only an MMC3"):
        batches.load(odd)
    with pytest.raises(SubjectRefused, match="only an MMC3"):
        batches.open_batch(odd, lanes=1)
    batches.load(rom)


def test_only_our_own_consoles_say_that_they_can_be_told() -> None:
    able = {name for name, subject in subject_definitions().items() if "cartridge-settings" in subject.capabilities}
    assert able == {"reference", "core", "core-hostsim", "core-cuda"}


@pytest.mark.parametrize("name", ["reference", "core", "core-hostsim", "core-cuda"])
def test_our_consoles_name_the_boards_that_the_loader_knows(name: str) -> None:
    from nesproof.harness.subjects.console_adapter import board_capabilities

    boards = [c for c in find_subject(name).capabilities if c.startswith("mapper:")]
    assert boards == board_capabilities()


def test_a_variant_is_declared_where_the_loader_heeds_the_submapper() -> None:
    from nesproof.emulator.cartridge import SUPPORTED_BOARDS
    from nesproof.harness.subjects.console_adapter import board_capabilities

    heeded = {(b.mapper, s) for boards in SUPPORTED_BOARDS.values() for b in boards for s in b.submappers}
    declared = {tuple(map(int, (*c.removeprefix("mapper:").split("."), 0)[:2])) for c in board_capabilities()}
    assert declared == heeded | {(number, 0) for number in SUPPORTED_BOARDS}


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("mapper:4.1", True), ("mapper:4095.15", True), ("mapper:4", True), ("mapper:4.0", False),
        ("mapper:4.16", False), ("mapper:4.", False), ("mapper:4.1.1", False), ("mapper:.1", False),
    ],
)  # fmt: skip
def test_a_submapper_is_a_number_from_1_to_15(name: str, known: bool) -> None:
    assert is_capability(name) is known


@pytest.mark.parametrize(("irq", "status"), [("sharp", 0), ("nec", 1), (None, 0)])
def test_the_reference_runs_the_counter_that_is_asked_for(irq: str | None, status: int) -> None:
    try:
        data = Resolver().read(PLAYER)
    except RomMissing as missing:
        pytest.skip(str(missing))
    rom = bytes(data) if irq is None else CartridgeFile(data, CartridgeSettings.model_validate({"irq": irq}))
    with open_subject("reference") as subject:
        subject.load(rom)
        subject.power_on()
        subject.step(frames=120)
        assert subject.peek([0x6001, 0x6002, 0x6003]).tolist() == [0xDE, 0xB0, 0x61]
        assert (subject.peek([0x6000])[0] != 0) == status
