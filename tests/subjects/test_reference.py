"""The reference console as a subject, end to end, on ROMs that ship with nesproof."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np
import pytest

from nesproof.harness.subjects.check import check_subject
from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.subjects.errors import SubjectRefused
from nesproof.harness.subjects.flat_cpu import BusAccess, FlatCase, FlatRun, Registers
from nesproof.harness.subjects.registry import find_subject

START = 0x08


@pytest.fixture(scope="module")
def opened() -> Iterator[Subject]:
    with open_subject("reference") as subject:
        yield subject


def test_it_declares_what_is_written_about_it(opened: Subject) -> None:
    assert opened.capabilities == set(find_subject("reference").capabilities)
    assert opened.info.build
    assert {"compiler_id", "compiler_version", "flags", "build_type"} <= set(opened.info.build)


def test_everything_that_it_declares_works(opened: Subject, rom: bytes) -> None:
    results = list(check_subject(opened, rom))
    assert {r.capability for r in results} >= {"ram", "digest", "state", "draw:every", "flat-cpu", "trace"}
    assert [r for r in results if not r.passed] == []


def test_a_run_repeats_itself_in_another_process(subject: Subject, rom: bytes) -> None:
    stream = np.random.default_rng(5).integers(0, 256, 200, dtype=np.uint8)
    subject.step(stream)
    with open_subject("reference") as other:
        other.load(rom)
        other.power_on()
        other.step(stream)
        assert other.digest() == subject.digest()
        assert np.array_equal(other.read_frame(), subject.read_frame())


def test_a_state_travels_to_another_process(subject: Subject, rom: bytes) -> None:
    subject.step(START, frames=90)
    state = subject.save_state()
    subject.step(0x80, frames=60)
    with open_subject("reference") as other:
        other.load(rom)
        other.power_on()
        other.load_state(state)
        other.step(0x80, frames=60)
        assert other.digest() == subject.digest()


@pytest.mark.parametrize("state", [b"", b"nonsense", bytes(20_000)])
def test_a_foreign_state_is_refused_and_nothing_changes(subject: Subject, state: bytes) -> None:
    subject.step(frames=3)
    before = subject.digest()
    with pytest.raises(SubjectRefused):
        subject.load_state(state)
    assert subject.digest() == before


@pytest.mark.parametrize(("patch", "words"), [((6, 0x50), "mapper"), ((0, 0x00), "begins with")])
def test_a_cartridge_that_it_cannot_run_is_refused_with_the_reason(
    subject: Subject, rom: bytes, patch: tuple[int, int], words: str
) -> None:
    bad = bytearray(rom)
    bad[patch[0]] = patch[1]
    with pytest.raises(SubjectRefused, match=words):
        subject.load(bytes(bad))
    subject.load(rom)
    subject.power_on()
    subject.step()


def test_stepping_in_pieces_is_stepping_at_once(subject: Subject) -> None:
    stream = np.tile(np.array([0x08, 0x80, 0x81, 0x00], np.uint8), 30)
    subject.step(stream)
    whole = subject.digest()
    subject.power_on()
    for byte in stream:
        subject.step(int(byte))
    assert subject.digest() == whole


def test_the_second_controller_is_read_from_the_second_column(subject: Subject) -> None:
    ones = np.zeros((60, 2), np.uint8)
    subject.step(ones)
    idle = subject.digest()
    subject.power_on()
    subject.step(frames=60)
    assert subject.digest() == idle


def test_power_on_is_cold_and_reset_is_not(subject: Subject) -> None:
    subject.step(frames=30)
    ram = subject.read_ram()
    subject.press_reset()
    assert np.array_equal(subject.read_ram(), ram)
    subject.power_on(fill=0x5A)
    assert (subject.read_ram() == 0x5A).all()


def test_the_frame_and_its_indices_agree(subject: Subject) -> None:
    subject.step(frames=80)
    indices, rgb = subject.read_frame_indices(), subject.read_frame()
    colours = {}
    for index, colour in zip(indices.reshape(-1).tolist(), map(tuple, rgb.reshape(-1, 3).tolist()), strict=True):
        assert colours.setdefault(index, colour) == colour
    assert len(colours) > 3


def test_nametables_follow_the_mirroring(subject: Subject, rom: bytes) -> None:
    subject.step(frames=60)
    vertical = subject.read_nametables()
    assert rom[6] & 1, "the ROM is wired for vertical mirroring"
    assert np.array_equal(vertical[0], vertical[2])
    assert np.array_equal(vertical[1], vertical[3])
    horizontal_rom = bytearray(rom)
    horizontal_rom[6] &= 0xFE
    subject.load(bytes(horizontal_rom))
    subject.power_on()
    subject.step(frames=60)
    horizontal = subject.read_nametables()
    assert np.array_equal(horizontal[0], horizontal[1])
    assert np.array_equal(horizontal[2], horizontal[3])


def test_an_instruction_shows_its_bus_accesses(opened: Subject) -> None:
    rmw = FlatCase("2a03", Registers(0x200, 0xFD, 0, 0, 0, 0x24), ((0x200, 0xE6), (0x201, 0x10), (0x10, 0x7F)), (0x10,))
    (result,) = opened.step_flat_cpu([rmw])
    assert result.registers == Registers(0x202, 0xFD, 0, 0, 0, 0xA4)
    assert result.ram == (0x80,)
    assert result.accesses == (
        BusAccess(0x200, 0xE6, False),
        BusAccess(0x201, 0x10, False),
        BusAccess(0x10, 0x7F, False),
        BusAccess(0x10, 0x7F, True),
        BusAccess(0x10, 0x80, True),
    )


def test_the_two_cpus_differ_in_decimal_mode(opened: Subject) -> None:
    cases = [
        FlatCase(variant, Registers(0x200, 0xFD, 0x19, 0, 0, 0x2C), ((0x200, 0x69), (0x201, 0x03)))
        for variant in ("6502", "2a03", "6502")
    ]
    assert [r.registers.a for r in opened.step_flat_cpu(cases)] == [0x22, 0x1C, 0x22]


def test_a_cpu_alone_runs_until_it_is_trapped(opened: Subject) -> None:
    memory = bytearray(0x10000)
    memory[0x400:0x408] = bytes([0xA2, 0x05, 0xCA, 0xD0, 0xFD, 0x4C, 0x05, 0x04])  # LDX #5; DEX; BNE; JMP *
    run = opened.run_flat_cpu("6502", bytes(memory), 0x400, max_instructions=1000)
    assert (run.pc, run.trapped, run.x) == (0x405, True, 0)
    assert run.instructions == 1 + 5 * 2 + 1
    assert run.cycles == 2 + 5 * 2 + 4 * 3 + 2 + 3
    cut = opened.run_flat_cpu("6502", bytes(memory), 0x400, max_instructions=4)
    assert isinstance(cut, FlatRun)
    assert not cut.trapped


def test_timed_runs_end_where_untimed_ones_do(subject: Subject, rom: bytes) -> None:
    buttons = bytes([0] * 40 + [START] * 10 + [0x80] * 70)
    runs = subject.time_workload(
        rom, buttons, warmup_frames=60, frames=60, draw="every", runs=2, warmup_runs=1, frame_counter=(0x10, 2)
    )
    subject.power_on()
    subject.step(np.frombuffer(buttons, np.uint8))
    ram = subject.read_ram()
    for run in runs:
        assert run.digest == subject.digest()
        assert run.ram_sha256 == hashlib.sha256(ram.tobytes()).hexdigest()
        assert run.frame_counter == int(ram[0x10]) | int(ram[0x11]) << 8
        assert run.elapsed_ns > 0
