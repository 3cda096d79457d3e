"""One watcher for each protocol by which test programs report; the protocols are the manifest's."""

from __future__ import annotations

import re
from collections.abc import Collection

from nesproof.harness.subjects.client import Subject
from nesproof.roms_manifest import Run
from nesproof.roms_manifest.protocols import ResultRam, ScreenCrc, ScreenText, Status6000
from nesproof.suites.hardware_roms.playback import Report, ResetWanted, Watcher
from nesproof.suites.hardware_roms.screen_text import ScreenReader, locate_font

__all__ = ["WAYS", "watcher_for"]

WAYS: dict[str, tuple[frozenset[str], ...]] = {
    "status-6000": (frozenset({"peek"}), frozenset({"frame"})),
    "result-ram": (frozenset({"ram", "frame"}),),
    "screen-text": (frozenset({"frame"}),),
    "screen-crc": (frozenset({"frame"}),),
}
"""What each protocol asks of a subject; where there are several ways, the first that a subject offers is taken."""

_SETTLED_FRAMES = 40
"""A result that could still change counts once it has stood for so long."""


def watcher_for(run: Run, rom: bytes, capabilities: Collection[str]) -> Watcher:
    """The watcher of a run's protocol, for a subject with these capabilities.

    Raises:
        ValueError: the protocol is none that a program reports by.
    """
    protocol = run.protocol
    if isinstance(protocol, Status6000):
        if "peek" in capabilities:
            return StatusWatcher(run.reset_delay_frames, address=protocol.address)
        return ShownStatusWatcher(run.reset_delay_frames, rom)
    if isinstance(protocol, ResultRam):
        return ResultWatcher(protocol, rom)
    if isinstance(protocol, ScreenText):
        return TextWatcher(protocol, rom)
    if isinstance(protocol, ScreenCrc):
        return CrcWatcher(protocol, rom)
    raise ValueError(f"No program reports by the protocol {protocol.kind!r}.")


class StatusWatcher:
    """`$6000`: 80 running, 81 wants a reset, below 80 done (00 passed); valid while `$6001` on hold DE B0 61.

    The MMC6 has its RAM at `$7000`, and the same there.
    """

    _SIGNATURE = bytes([0xDE, 0xB0, 0x61])
    _RUNNING, _RESET = 0x80, 0x81
    _TEXT_BYTES = 1024

    frames_between_looks = 4

    def __init__(self, reset_delay_frames: int | None, *, address: int = 0x6000) -> None:
        self._at = address
        self.way = f"the status at ${address:04X}"
        self._reset_delay_frames = reset_delay_frames
        self._may_ask = True
        self._last: int | None = None

    def look(self, subject: Subject) -> Report | ResetWanted | None:
        """Read the status; a request for a reset is honoured once, until the program runs again."""
        head = bytes(subject.peek(range(self._at, self._at + 4)))
        if head[1:] != self._SIGNATURE:
            self._last = None
            return None
        self._last = status = head[0]
        if status == self._RESET:
            return self._asked_for_reset()
        if status >= self._RUNNING:
            self._may_ask = True
            return None
        text = self._text(subject)
        return Report(passed=status == 0, reason=f"Status {status:02X} at ${self._at:04X}.", text=text)

    def so_far(self, subject: Subject) -> str:
        """The last status, and what the program has printed."""
        if self._last is None:
            return f"${self._at + 1:04X} to ${self._at + 3:04X} never held the signature."
        return f"the status at ${self._at:04X} is {self._last:02X}. {self._text(subject)}"

    def _asked_for_reset(self) -> Report | ResetWanted | None:
        if self._reset_delay_frames is None:
            return Report(passed=False, reason="It asks for a reset, which this program should not.")
        if not self._may_ask:
            return None
        self._may_ask = False
        return ResetWanted(self._reset_delay_frames)

    def _text(self, subject: Subject) -> str:
        raw = bytes(subject.peek(range(self._at + 4, self._at + 4 + self._TEXT_BYTES)))
        return raw.split(b"\0", 1)[0].decode("ascii", "replace").strip()


class ResultWatcher:
    """A result code in RAM; while the program works, the byte holds the number of the check that it is at."""

    way = "the result code in RAM"
    frames_between_looks = 4

    def __init__(self, protocol: ResultRam, rom: bytes) -> None:
        self._protocol = protocol
        self._reader = ScreenReader(locate_font(rom))
        self._looks_alike = 0
        self._code = 0

    def look(self, subject: Subject) -> Report | None:
        """A pass once the passing code has stood for a while and the screen agrees."""
        self._code = int(subject.read_ram()[self._protocol.address])
        self._looks_alike = self._looks_alike + 1 if self._code == self._protocol.passed else 0
        if (self._looks_alike - 1) * self.frames_between_looks < _SETTLED_FRAMES:
            return None
        text = self._reader.read(subject.read_frame())
        reason = f"Result code {self._code} at ${self._protocol.address:02X}."
        if "FAIL" in text.upper():
            return Report(passed=False, reason=f"{reason} The screen says that it failed.", text=text)
        # The programs show the code, or the word; a screen with neither is not finished. A subject that draws so badly
        # that its letters cannot be read is judged by the code alone: its picture is not what is tested here.
        says_so = f"${self._protocol.passed:02X}" in text or "PASSED" in text.upper()
        illegible = "?" in text
        if not says_so and not illegible:
            return None
        return Report(passed=True, reason=reason, text=text)

    def so_far(self, subject: Subject) -> str:
        """The code, which the program's readme explains."""
        text = self._reader.read(subject.read_frame())
        return f"result code {self._code} at ${self._protocol.address:02X} (its readme explains it). {text}"


class _ScreenWatcher:
    way = "the screen"
    # A picture is dear to fetch and to read.
    frames_between_looks = 10

    def __init__(self, rom: bytes) -> None:
        self._reader = ScreenReader(locate_font(rom))

    def so_far(self, subject: Subject) -> str:
        """What stands on the screen."""
        return f"the screen says: {self._screen(subject) or 'nothing'}"

    def _screen(self, subject: Subject) -> str:
        return self._reader.read(subject.read_frame())


class TextWatcher(_ScreenWatcher):
    """Words on the screen."""

    def __init__(self, protocol: ScreenText, rom: bytes) -> None:
        super().__init__(rom)
        self._protocol = protocol

    def look(self, subject: Subject) -> Report | None:
        """The first of the words that appears; a word of failure weighs more than the word of success."""
        text = self._screen(subject)
        if any(word in text for word in self._protocol.failed):
            return Report(passed=False, reason="The screen says that it failed.", text=text)
        if self._protocol.expected in text:
            return Report(passed=True, reason=f"The screen says {self._protocol.expected!r}.", text=text)
        return None


class ShownStatusWatcher(_ScreenWatcher):
    """What a program with a status at `$6000` writes on the screen as well: a word at its end, and, where it wants a
    reset, a message after whose disappearance the button is to be pressed."""

    _PASSED = re.compile(r"^ *(Passed|All [0-9]+ tests passed) *$", re.MULTILINE)
    _FAILED = re.compile(r"^ *(Failed|Error|Internal error)\b", re.MULTILINE)
    _RESET = "Press reset"

    def __init__(self, reset_delay_frames: int | None, rom: bytes) -> None:
        super().__init__(rom)
        self._reset_delay_frames = reset_delay_frames
        self._was_asked = False

    def look(self, subject: Subject) -> Report | ResetWanted | None:
        """The word at the end; a reset is pressed once the message that asks for it has gone."""
        text = self._screen(subject)
        if self._FAILED.search(text):
            return Report(passed=False, reason="The screen says that it failed.", text=text)
        if self._PASSED.search(text):
            return Report(passed=True, reason="The screen says that it passed.", text=text)
        is_asked, was_asked = self._RESET in text, self._was_asked
        self._was_asked = is_asked
        if was_asked and not is_asked:
            if self._reset_delay_frames is None:
                return Report(passed=False, reason="It asks for a reset, which this program should not.", text=text)
            return ResetWanted(self._reset_delay_frames)
        return None


class CrcWatcher(_ScreenWatcher):
    """A CRC on the screen, of which several are right."""

    _CRC = re.compile(r"\b[0-9A-F]{8}\b")

    def __init__(self, protocol: ScreenCrc, rom: bytes) -> None:
        super().__init__(rom)
        self._protocol = protocol
        self._last = ""
        self._looks_alike = 0

    def look(self, subject: Subject) -> Report | None:
        """Judge the CRC once the whole screen has stood still for a while."""
        text = self._screen(subject)
        self._looks_alike = self._looks_alike + 1 if text == self._last else 1
        self._last = text
        found = self._CRC.findall(text)
        if not found or (self._looks_alike - 1) * self.frames_between_looks < _SETTLED_FRAMES:
            return None
        wrong = [crc for crc in found if crc not in self._protocol.accepted]
        right = " or ".join(self._protocol.accepted)
        return Report(passed=not wrong, reason=f"CRC {', '.join(found)} on the screen; right are {right}.", text=text)
