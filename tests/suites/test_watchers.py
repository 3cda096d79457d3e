"""The protocols by which test programs report, against memory and pictures made up here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from nesproof.roms_manifest import Hold, Run
from nesproof.suites.hardware_roms.playback import Played, play
from nesproof.suites.hardware_roms.screen_text import FontMissing, ScreenReader, locate_font, read_screen
from nesproof.suites.hardware_roms.watchers import watcher_for

GLYPH_A = bytes.fromhex("386cc6c6fec6c600")
GLYPH_B = bytes.fromhex("fcc6c6fcc6c6fc00")
EVERYTHING = frozenset({"peek", "ram", "frame", "reset"})
SCREEN_ALONE = frozenset({"frame", "reset"})
SIGNATURE = [0xDE, 0xB0, 0x61]


def glyph(code: int) -> bytes:
    if code == 0x20:
        return bytes(8)
    return {0x41: GLYPH_A, 0x42: GLYPH_B}.get(code, bytes([code, 0x81, code ^ 0xFF, 0x42, code, 0x18, 0x3C, 0x7E]))


def font_rom(stride: int) -> bytes:
    last = {8: 0x5F, 16: 0x7E}[stride]
    tiles = b"".join(glyph(code) * (stride // 8) for code in range(0x20, last + 1))
    return bytes(777) + tiles + b"\x55" * 64


def picture(text: str) -> NDArray[np.uint8]:
    frame = np.full((240, 256, 3), (10, 20, 30), dtype=np.uint8)
    for row, line in enumerate(text.splitlines(), start=2):
        for column, character in enumerate(line, start=1):
            rows = np.unpackbits(np.frombuffer(glyph(ord(character)), dtype=np.uint8)).reshape(8, 8).astype(bool)
            frame[row * 8 : row * 8 + 8, column * 8 : column * 8 + 8][rows] = (200, 200, 200)
    return frame


class FakeConsole:
    """A console whose program is a function of the frame number and of how often reset was pressed."""

    capabilities = frozenset({"peek", "ram", "frame"})

    def __init__(self, program: Callable[[FakeConsole], None]) -> None:
        self.program = program
        self.memory = np.zeros(0x10000, dtype=np.uint8)
        self.text = ""
        self.frame = 0
        self.resets: list[int] = []
        self.buttons: list[int] = []

    def load(self, rom: bytes) -> None:
        pass

    def power_on(self, *, fill: int = 0) -> None:
        self.frame = 0

    def press_reset(self) -> None:
        self.resets.append(self.frame)

    def step(self, buttons: NDArray[np.uint8]) -> None:
        for mask in buttons.tolist():
            self.buttons.append(mask)
            self.program(self)
            self.frame += 1

    def peek(self, addresses: Sequence[int]) -> NDArray[np.uint8]:
        return self.memory[list(addresses)]

    def read_ram(self) -> NDArray[np.uint8]:
        return self.memory[:2048].copy()

    def read_frame(self) -> NDArray[np.uint8]:
        return picture(self.text)

    def status(self, value: int, text: str = "", *, at: int = 0x6000) -> None:
        self.memory[at : at + 4] = [value, *SIGNATURE]
        self.memory[at + 4 : at + 4 + len(text) + 1] = [*text.encode(), 0]


def played(
    console: FakeConsole,
    limit_frames: int = 400,
    rom: bytes | None = None,
    capabilities: frozenset[str] = EVERYTHING,
    **run: Any,
) -> Played:
    entry = Run.model_validate({"limit_frames": limit_frames, **run})
    program = font_rom(16) if rom is None else rom
    watcher = watcher_for(entry, program, capabilities)
    return play(console, program, entry, watcher, limit_frames=limit_frames)  # type: ignore[arg-type]


STATUS = {"protocol": {"kind": "status-6000"}}
CRC = {"protocol": {"kind": "screen-crc", "accepted": ["159A7A8F", "5E3DF9C4"]}}
TEXT = {"protocol": {"kind": "screen-text", "expected": "PASSED", "failed": ["FAIL OP"]}}
RESULT = {"protocol": {"kind": "result-ram", "address": 0xF8}}


class TestShownStatus:
    """The same programs on a console that shows its picture alone."""

    @pytest.mark.parametrize("said", ["Passed", "All 16 tests passed"])
    def test_pass(self, said: str) -> None:
        def program(c: FakeConsole) -> None:
            c.text = "02-implied" if c.frame < 50 else f"02-implied\n\n{said}"

        done = played(FakeConsole(program), capabilities=SCREEN_ALONE, **STATUS)
        assert done.report.passed
        assert said in done.report.text
        assert 50 <= done.frames <= 61

    @pytest.mark.parametrize("said", ["Failed", "Failed #3", "Error 2", "Internal error"])
    def test_every_word_of_failure(self, said: str) -> None:
        def program(c: FakeConsole) -> None:
            c.text = f"02-implied\n\n{said}" if c.frame > 20 else "02-implied"

        done = played(FakeConsole(program), capabilities=SCREEN_ALONE, **STATUS)
        assert not done.report.passed
        assert done.frames < 60
        assert said in done.report.text

    def test_a_word_within_a_line_is_no_verdict(self) -> None:
        def program(c: FakeConsole) -> None:
            c.text = "Passed or Failed is told below"

        done = played(FakeConsole(program), limit_frames=100, capabilities=SCREEN_ALONE, **STATUS)
        assert not done.report.passed
        assert "No verdict within 100 frames" in done.report.reason

    def test_reset_is_pressed_once_the_message_has_gone(self) -> None:
        def program(c: FakeConsole) -> None:
            if c.resets:
                c.text = "registers\n\nPassed"
            else:
                c.text = "Press reset AFTER this message" if 20 <= c.frame < 60 else "registers"

        console = FakeConsole(program)
        done = played(console, capabilities=SCREEN_ALONE, reset_delay_frames=7, **STATUS)
        assert done.report.passed
        assert len(console.resets) == 1
        assert 67 <= console.resets[0] <= 77

    def test_a_reset_that_no_one_expects_is_a_failure(self) -> None:
        def program(c: FakeConsole) -> None:
            c.text = "Press reset AFTER" if c.frame < 40 else ""

        done = played(FakeConsole(program), capabilities=SCREEN_ALONE, **STATUS)
        assert not done.report.passed
        assert "asks for a reset" in done.report.reason


class TestStatus:
    def test_pass(self) -> None:
        def program(c: FakeConsole) -> None:
            c.status(0x80 if c.frame < 50 else 0x00, "02-implied\n\nPassed")

        done = played(FakeConsole(program), **STATUS)
        assert done.report.passed
        assert done.report.text == "02-implied\n\nPassed"
        assert 50 <= done.frames <= 56

    def test_an_mmc6_has_it_at_7000(self) -> None:
        def program(c: FakeConsole) -> None:
            c.status(0x80 if c.frame < 50 else 0x03, "Failed", at=0x7000)

        done = played(FakeConsole(program), protocol={"kind": "status-6000", "address": 0x7000})
        assert not done.report.passed
        assert done.report.reason == "Status 03 at $7000."
        assert played(FakeConsole(program), **STATUS).report.reason.endswith("never held the signature.")

    def test_failure_shows_code_and_text(self) -> None:
        def program(c: FakeConsole) -> None:
            c.status(0x80 if c.frame < 9 else 0x03, "Failed #3")

        done = played(FakeConsole(program), **STATUS)
        assert not done.report.passed
        assert "03" in done.report.reason
        assert done.report.text == "Failed #3"

    def test_zero_without_the_signature_is_no_pass(self) -> None:
        done = played(FakeConsole(lambda c: None), **STATUS)
        assert not done.report.passed
        assert "never held the signature" in done.report.reason

    @pytest.mark.parametrize("position", [0x6001, 0x6002, 0x6003])
    def test_half_a_signature_is_no_signature(self, position: int) -> None:
        def program(c: FakeConsole) -> None:
            c.status(0x00)
            c.memory[position] ^= 0x01

        assert not played(FakeConsole(program), **STATUS).report.passed

    def test_a_program_that_never_ends_fails_at_the_limit(self) -> None:
        done = played(FakeConsole(lambda c: c.status(0x80, "still at it")), limit_frames=60, **STATUS)
        assert not done.report.passed
        assert done.frames == 60
        assert "No verdict within 60 frames: the status at $6000 is 80. still at it" in done.report.reason

    def test_reset_is_pressed_once_after_the_delay(self) -> None:
        def program(c: FakeConsole) -> None:
            if c.resets:
                # The request stands for some frames after the reset, until the program runs again.
                c.status(0x81 if c.frame < c.resets[0] + 9 else 0x00)
            else:
                c.status(0x81 if c.frame >= 20 else 0x80)

        console = FakeConsole(program)
        done = played(console, **STATUS, reset_delay_frames=10)
        assert done.report.passed
        assert done.resets == 1
        assert console.resets[0] >= 20 + 10

    def test_a_second_request_is_honoured_when_the_program_ran_in_between(self) -> None:
        def program(c: FakeConsole) -> None:
            since = c.frame - (c.resets[-1] if c.resets else 0)
            c.status(0x00 if len(c.resets) == 2 and since > 20 else 0x80 if since < 20 else 0x81)

        done = played(FakeConsole(program), **STATUS, reset_delay_frames=7)
        assert done.report.passed
        assert done.resets == 2

    def test_an_unforeseen_request_is_a_failure(self) -> None:
        done = played(FakeConsole(lambda c: c.status(0x81)), **STATUS)
        assert not done.report.passed
        assert "asks for a reset" in done.report.reason


class TestResultCode:
    def run(self, program: Callable[[FakeConsole], None], **options: Any) -> Played:
        return played(FakeConsole(program), rom=font_rom(8), **RESULT, **options)

    def test_pass_once_it_stands(self) -> None:
        def program(c: FakeConsole) -> None:
            c.memory[0xF8] = 1 if c.frame > 30 else 4
            c.text = "PASSED" if c.frame > 31 else ""

        done = self.run(program)
        assert done.report.passed
        assert done.report.text == "PASSED"
        assert done.frames >= 70

    def test_a_code_that_only_passes_by_is_no_pass(self) -> None:
        def program(c: FakeConsole) -> None:
            c.memory[0xF8] = 1 if c.frame % 40 < 30 else 2
            c.text = "PASSED"

        done = self.run(program)
        assert not done.report.passed

    def test_another_code_fails_at_the_limit_and_is_named(self) -> None:
        def program(c: FakeConsole) -> None:
            c.memory[0xF8] = 6
            c.text = "FAILED #6"

        done = self.run(program, limit_frames=80)
        assert not done.report.passed
        assert "result code 6 at $F8" in done.report.reason
        assert "FAILED #6" in done.report.reason

    def test_a_screen_that_says_failed_is_believed(self) -> None:
        def program(c: FakeConsole) -> None:
            c.memory[0xF8] = 1
            c.text = "FAILED #2"

        assert not self.run(program).report.passed

    @pytest.mark.parametrize(("text", "passed"), [("$01", True), ("$03", False), ("", False), ("AB", False)])
    def test_the_screen_must_say_so_too(self, text: str, passed: bool) -> None:
        def program(c: FakeConsole) -> None:
            c.memory[0xF8] = 1
            c.text = text

        assert self.run(program).report.passed is passed

    def test_a_screen_that_cannot_be_read_leaves_it_to_the_code(self) -> None:
        class BadlyDrawn(FakeConsole):
            def read_frame(self) -> NDArray[np.uint8]:
                # Every letter lacks its left half, which no shift mends.
                frame = picture("PASSED")
                frame.reshape(30, 8, 32, 8, 3)[:, :, :, :4] = frame[0, 0]
                return frame

        def program(c: FakeConsole) -> None:
            c.memory[0xF8] = 1

        done = played(BadlyDrawn(program), rom=font_rom(8), **RESULT)
        assert "?" in done.report.text
        assert done.report.passed

    def test_another_address_is_not_looked_at(self) -> None:
        def program(c: FakeConsole) -> None:
            c.memory[0xF0] = 1
            c.text = "PASSED"

        assert not self.run(program).report.passed


class TestScreenText:
    def test_the_word_of_success(self) -> None:
        def program(c: FakeConsole) -> None:
            c.text = "6502 TIMING TEST\nPASSED" if c.frame > 100 else "6502 TIMING TEST"

        done = played(FakeConsole(program), **TEXT)
        assert done.report.passed
        assert 100 < done.frames <= 120

    def test_the_word_of_failure_weighs_more(self) -> None:
        def program(c: FakeConsole) -> None:
            c.text = "PASSED\nFAIL OP :$69"

        done = played(FakeConsole(program), **TEXT)
        assert not done.report.passed
        assert "FAIL OP :$69" in done.report.text

    def test_an_empty_screen_is_no_pass(self) -> None:
        done = played(FakeConsole(lambda c: None), limit_frames=40, **TEXT)
        assert not done.report.passed
        assert "the screen says: nothing" in done.report.reason

    def test_what_is_held_is_held_in_its_frames(self) -> None:
        console = FakeConsole(lambda c: None)
        hold = [Hold(buttons=("B",), first_frame=2, frames=3)]
        played(console, limit_frames=12, **TEXT, hold=hold)
        assert console.buttons == [0, 0, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0]


class TestScreenCrc:
    @pytest.mark.parametrize("crc", ["159A7A8F", "5E3DF9C4"])
    def test_each_right_answer(self, crc: str) -> None:
        def program(c: FakeConsole) -> None:
            c.text = f"11 22\n{crc}" if c.frame > 20 else "11 22"

        assert played(FakeConsole(program), **CRC).report.passed

    @pytest.mark.parametrize("text", ["00000000", "159A7A8F\n00000000", "159A7A8E"])
    def test_a_wrong_answer(self, text: str) -> None:
        def program(c: FakeConsole) -> None:
            c.text = text

        done = played(FakeConsole(program), **CRC)
        assert not done.report.passed
        assert "159A7A8F or 5E3DF9C4" in done.report.reason

    def test_a_screen_that_still_changes_is_not_judged(self) -> None:
        def program(c: FakeConsole) -> None:
            c.text = f"159A7A8F\n{c.frame // 30:02d}"

        assert not played(FakeConsole(program), **CRC).report.passed


@pytest.mark.parametrize("stride", [8, 16])
def test_text_is_read_off_the_picture(stride: int) -> None:
    font = locate_font(font_rom(stride))
    assert read_screen(picture("RESULT: $1A\n\nAB (OK)"), font) == "RESULT: $1A\nAB (OK)"


def test_what_is_no_glyph_reads_as_a_question_mark() -> None:
    frame = picture("AB")
    frame[100, 100] = 255
    assert "?" in read_screen(frame, locate_font(font_rom(8)))


SAID = "6502 TIMING TEST\n\nFAIL OP :$00\nPASSED"


def drawn_badly(how: str) -> NDArray[np.uint8]:
    frame = picture(SAID)
    if how == "some pixels off":
        return np.roll(frame, (5, 3), axis=(0, 1))
    if how == "turned around the edge":
        return np.roll(frame, (2, 165), axis=(0, 1))
    frame[1::2] = frame[0, 0]
    return frame


@pytest.mark.parametrize("how", ["some pixels off", "turned around the edge", "without every other row"])
def test_a_picture_that_is_drawn_badly_is_read_all_the_same(how: str) -> None:
    font = locate_font(font_rom(8))
    frame = drawn_badly(how)
    assert "?" in read_screen(frame, font)
    reader = ScreenReader(font)
    wanted = "6502 TIMING TEST\nFAIL OP :$00\nPASSED"
    assert reader.read(frame) == wanted
    assert reader.read(frame) == wanted
    # It reads a picture that is right as it is, whatever came before.
    assert reader.read(picture("PASSED")) == "PASSED"


def test_letters_are_not_found_by_chance() -> None:
    noise = np.random.default_rng(5).integers(0, 2, (240, 256, 1), dtype=np.uint8) * np.full(3, 200, np.uint8)
    text = ScreenReader(locate_font(font_rom(16))).read(noise)
    assert "Passed" not in text
    assert text.count("?") > 900


def test_a_program_without_the_font_is_named() -> None:
    with pytest.raises(FontMissing):
        locate_font(GLYPH_A * 100)


def test_a_protocol_without_a_report_has_no_watcher() -> None:
    with pytest.raises(ValueError, match="eye"):
        watcher_for(Run.model_validate({"protocol": {"kind": "eye"}, "limit_frames": 600}), b"", EVERYTHING)
