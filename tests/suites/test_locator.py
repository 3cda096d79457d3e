"""The first-divergence locator, on consoles that part at a chosen instruction: it must name that one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nesproof
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.runner.attachments import gather_frames, gather_reproductions
from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.suite_run import run_suite
from nesproof.roms_manifest import Resolver
from nesproof.suites.parity import replay as replaying
from nesproof.suites.parity.buttons import random_buttons
from nesproof.suites.parity.divergence import Divergence
from nesproof.suites.parity.following import Parting, follow_both
from nesproof.suites.parity.locating import Played, locate, locate_from
from nesproof.suites.parity.lockstep import UNITS_AT_ONCE, in_lockstep
from nesproof.suites.parity.random_programs import program
from nesproof.suites.parity.reproduction import packed_state, read_reproduction

pytestmark = pytest.mark.skipif(
    any(find_spec(f"nesproof.emulator.{name}") is None for name in ("_reference", "_core")),
    reason="the consoles are not built",
)

ROM = "house/scroller"
FRAMES = 90
Open = Callable[..., Subject]


@pytest.fixture
def open_parting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens a subject with one flip: `at_cycle`, `field`, and more as parting_adapter.py says."""
    with ExitStack() as stack:

        def opened(**flip: Any) -> Subject:
            adapter = str(files("nesproof.harness.subjects") / "own_adapter.py")
            options = {"namespace": list(nesproof.__path__), "adapter": adapter, **flip}
            here = str(Path(__file__).with_name("parting_adapter.py"))
            command = json.dumps(["{python}", "{worker}", here, json.dumps(options)])
            definition = tmp_path / "subjects.toml"
            definition.write_text(f'[[subject]]\nname = "parting"\ncapabilities = ["ram"]\ncommand = {command}\n')
            monkeypatch.setenv("NESPROOF_SUBJECT_FILE", str(definition))
            return stack.enter_context(open_subject("parting"))

        yield opened


@pytest.fixture
def reference() -> Iterator[Subject]:
    with open_subject("reference") as subject:
        yield subject


@pytest.fixture(scope="module")
def rom() -> bytes:
    return Resolver().read(ROM)


def unit_that_passes(subject: Subject, rom: bytes, buttons: np.ndarray, cycle: int) -> tuple[int, np.void]:
    """The frame and the row of the unit that ends at or after `cycle`, from the trace of a console that is right."""
    subject.load(rom)
    subject.power_on()
    frame = 0
    while True:
        state = subject.save_state()
        rows, _ = subject.units.run(1)
        start = int(rows["cycle"][0])
        subject.load_state(state)
        if start + 30_000 > cycle:
            rows, _ = subject.units.run(14_000, buttons=tuple(buttons[frame].tolist()))
            number = int(np.searchsorted(rows["cycle"], cycle)) - 1
            return frame, rows[number]
        subject.step(buttons[frame : frame + 1])
        frame += 1


def parted(one: Subject, other: Subject, rom: bytes, buttons: np.ndarray) -> Parting:
    for subject in (one, other):
        subject.load(rom)
        subject.power_on()
    parting = follow_both(one, other, buttons, seed="test")
    assert parting is not None, "the flip was not seen"
    return parting


def located(one: Subject, other: Subject, rom: bytes, **played: Any) -> Divergence:
    buttons = random_buttons(ROM, 0, FRAMES)
    found = Played(rom, buttons, **{"rom_id": ROM, **played})
    return locate(one, other, found, parted(one, other, rom, buttons))


@pytest.mark.parametrize("device", [None, "cpu"])
@pytest.mark.parametrize(
    ("at_cycle", "field", "index", "bit"),
    [
        (1_800_123, "cpu_a", 0, 7),
        (1_500_777, "bus_ram", 0x7F0, 3),
        (2_000_002, "ppu_v", 0, 14),
        (1_234_567, "apu_noise_shifter", 0, 2),
        (2_222_222, "ppu_oam", 255, 0),
    ],
)
def test_a_flipped_bit_is_found_at_its_instruction(
    open_parting: Open,
    reference: Subject,
    rom: bytes,
    device: str | None,
    at_cycle: int,
    field: str,
    index: int,
    bit: int,
) -> None:
    flip = {"device": device, "at_cycle": at_cycle, "field": field, "index": index, "bit": bit}
    divergence = located(open_parting(**flip), reference, rom)
    frame, row = unit_that_passes(reference, rom, random_buttons(ROM, 0, FRAMES), at_cycle)
    place = divergence.place
    assert (place.found_by, place.frame, place.lane) == ("unit", frame, 0)
    assert (place.cycle, place.pc) == (int(row["cycle"]), int(row["pc"]))
    assert (place.scanline, place.dot) == (int(row["scanline"]), int(row["dot"]))
    (difference,) = divergence.fields
    assert (difference.name, difference.index or 0) == (field, index)
    assert difference.one ^ difference.other == 1 << bit
    assert divergence.picture.shape == (240, 3 * 256 + 16, 3)
    text = divergence.text()
    assert f"{place.pc:04X}" in text
    assert field in text
    assert sum(line.startswith(">") for line in text.splitlines()) == 1


def test_a_flip_that_units_do_not_show_is_found_by_blocks(open_parting: Open, reference: Subject, rom: bytes) -> None:
    at_cycle = 1_811_111
    flip = {"device": "cpu", "at_cycle": at_cycle, "field": "bus_ram", "index": 0x7F0, "only": "frames"}
    divergence = located(open_parting(**flip), reference, rom)
    place = divergence.place
    assert place.found_by == "block"
    frame, _ = unit_that_passes(reference, rom, random_buttons(ROM, 0, FRAMES), at_cycle)
    assert place.frame == frame
    assert divergence.reproduction.blocks is not None
    assert place.cycle is not None
    assert place.cycle <= at_cycle
    assert [difference.name for difference in divergence.fields] == ["bus_ram"]


def test_a_wrong_pixel_is_found_where_the_state_is_right(open_parting: Open, reference: Subject, rom: bytes) -> None:
    divergence = located(open_parting(at_cycle=1_600_000, pixel=(77, 200)), reference, rom)
    place = divergence.place
    assert (place.found_by, place.scanline, place.dot) == ("frame", 77, 201)
    assert divergence.pixel == (77, 200)
    (end,) = (line for line in divergence.window.splitlines() if line.startswith(">"))
    assert "line 240 dot 3" in end or "line 241 dot   0" in end
    assert divergence.fields == ()
    red = (divergence.picture[:, 2 * 264 :] == (255, 32, 32)).all(axis=2)
    assert [tuple(place) for place in np.argwhere(red).tolist()] == [(77, 200)]


def test_a_case_fails_with_the_place_the_picture_and_the_file(open_parting: Open, tmp_path: Path) -> None:
    open_parting(at_cycle=1_500_777, field="bus_ram", index=0x7F0)
    case = "reference/short/house/scroller"
    run = run_suite("parity", subject="parting", cases=(case,), work_dir=tmp_path / "work", timeout_s=120)
    assert run.problem is None
    (result,) = run.cases
    assert result.outcome == "failed"
    assert "bus_ram[$07F0]" in result.message
    assert "scanline" in result.message
    frames = gather_frames(tmp_path / "work", [run])
    assert list(frames) == [result.frame]
    files = gather_reproductions(tmp_path / "work", [run])
    assert list(files) == [result.reproduction]
    found = read_reproduction(files[str(result.reproduction)])
    assert found.subjects == ("parting", "reference")
    assert result.details["replay"] == f"python -m nesproof.suites.parity.replay {result.reproduction}"


def test_the_file_parts_them_again_and_right_consoles_agree_on_it(
    open_parting: Open, reference: Subject, rom: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parting = open_parting(at_cycle=1_800_123, field="cpu_x")
    divergence = located(parting, reference, rom)
    data = divergence.reproduction.model_dump_json().encode()
    found = read_reproduction(data)
    again = replaying.replay(found, parting, reference)
    assert again is not None
    assert again.place == divergence.place
    assert again.fields == divergence.fields
    path = tmp_path / "divergence.json"
    path.write_bytes(data)
    assert replaying.main([str(path), "core", "reference"]) == 0
    assert replaying.main([str(path)]) == 1
    assert capsys.readouterr().out.splitlines()[0] == "core and reference agree."


def test_a_file_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "divergence.json"
    path.write_text("{}")
    assert replaying.main([str(path)]) == 2
    assert "no divergence" in capsys.readouterr().err
    assert replaying.main([str(tmp_path / "absent")]) == 2
    assert replaying.main([]) == 2


def test_a_state_that_would_unpack_without_end_is_refused(open_parting: Open, rom: bytes) -> None:
    sample = {
        "rom": ROM, "rom_sha256": hashlib.sha256(rom).hexdigest(), "subjects": ["core", "reference"], "frame": 0,
        "buttons": [0, 0], "states": [packed_state(bytes(4 << 20)), "AAAA"], "history": "0000",
    }  # fmt: skip
    found = read_reproduction(json.dumps(sample).encode())
    with pytest.raises(ConfigurationError, match="larger than any state"):
        found.unpacked_states()


def test_random_programs_that_part_between_frames_are_located(open_parting: Open, reference: Subject) -> None:
    """The flip comes while units are compared one by one, in the middle of a program."""
    one = open_parting(at_cycle=101_234, field="apu_noise_shifter", bit=4)
    image, held = program(3), (0x81, 0x10)
    for subject in (one, reference):
        subject.load(image)
        subject.power_on()
        subject.step(held[0], frames=3)
    lockstep = in_lockstep((one, reference), 20_000, buttons=held)
    assert lockstep.parted is not None
    assert lockstep.frames == 0, "the fourth frame begins at cycle 87,000 and ends at 117,000"
    played = Played(image, np.zeros((0, 2), np.uint8), program=3)
    found = locate_from((one, reference), lockstep.parted, held, played, frame=0, at_least_units=2 * UNITS_AT_ONCE)
    assert found.place.found_by == "unit"
    assert found.place.cycle is not None
    assert 101_234 - 600 < found.place.cycle < 101_234
    assert [difference.name for difference in found.fields] == ["apu_noise_shifter"]
    again = replaying.replay(read_reproduction(found.reproduction.model_dump_json().encode()), one, reference)
    assert again is not None
    assert again.place == found.place
