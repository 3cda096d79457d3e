"""nestest's automatic run, from its log's own start, and its menu, with the controller."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from nesproof.harness.subjects.client import Subject
from nesproof.harness.suite_run import SuiteCase
from nesproof.harness.suite_run.recorder import Recorder
from nesproof.roms_manifest import Resolver, RomMissing
from nesproof.roms_manifest.protocols import NestestLog
from nesproof.suites.nestest.log import LogLine, first_difference, parse_log
from nesproof.suites.nestest.menu import menu_font, read_menu, read_shown_menu

_CODES_IN_THE_MAKING = (0x10, 0x11)
_SELECT, _START = 0x04, 0x08


class MenuSettings(BaseModel):
    """Which page of the menu, and how many entries it has."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    page: Literal[1, 2]
    entries: int = Field(ge=1)


@pytest.fixture
def protocol(case: SuiteCase, resolver: Resolver) -> NestestLog:
    protocols = [run.protocol for run in resolver.manifest[case.roms[0]].run]
    return next(p for p in protocols if isinstance(p, NestestLog))


@pytest.fixture
def log(protocol: NestestLog, resolver: Resolver) -> list[LogLine]:
    try:
        text = resolver.read(protocol.log).decode("ascii")
    except RomMissing as fault:
        pytest.skip(str(fault))
    return parse_log(text)


@pytest.mark.cases("log")
def test_every_line_is_equal(
    subject: Subject, roms: Mapping[str, bytes], protocol: NestestLog, log: list[LogLine], record: Recorder
) -> None:
    if len(log) != protocol.lines:
        pytest.fail(f"The log has {len(log)} lines, not {protocol.lines}.", pytrace=False)
    subject.load(next(iter(roms.values())))
    subject.power_on()
    trace = subject.trace(len(log), start_pc=protocol.start)
    difference = first_difference(log, trace)
    record.detail("lines", len(log))
    record.detail("equal_lines", len(log) if difference is None else difference.line - 1)
    if difference is not None:
        pytest.fail(f"Line {difference.line} differs (L the log, O ours):\n{difference.shown}", pytrace=False)


@pytest.mark.cases("result-bytes")
def test_result_bytes_end_at_zero(
    case: SuiteCase, subject: Subject, roms: Mapping[str, bytes], protocol: NestestLog, record: Recorder
) -> None:
    # The program copies its codes from $10 and $11 to $02 and $03 only where one is not zero. So the former are looked
    # at after a power-on that leaves them at FF, the latter after one that leaves them at 00.
    wrong = []
    for fill, addresses in ((0x00, protocol.zero_at_end), (0xFF, _CODES_IN_THE_MAKING)):
        subject.load(roms[case.roms[0]])
        subject.power_on(fill=fill)
        subject.trace(protocol.lines, start_pc=protocol.start)
        ram = subject.read_ram()
        for address in addresses:
            record.detail(f"${address:02X}", int(ram[address]))
            if ram[address] != 0:
                wrong.append(f"${address:02X} holds {ram[address]:02X}")
    if wrong:
        pytest.fail(f"A check failed: {', '.join(wrong)} (nestest's readme lists the codes).", pytrace=False)


@pytest.mark.cases("menu")
def test_every_entry_of_the_menu_says_ok(
    case: SuiteCase, subject: Subject, roms: Mapping[str, bytes], record: Recorder
) -> None:
    settings = MenuSettings.model_validate(case.settings)
    subject.load(roms[case.roms[0]])
    subject.power_on()
    subject.step(0, frames=30)
    if settings.page == 2:
        _press(subject, _SELECT, frames_after=30)
    before = _menu(subject, roms[case.roms[0]])
    _press(subject, _START, frames_after=240)
    after = _menu(subject, roms[case.roms[0]])
    if "frame" in subject.capabilities:
        record.frame(subject.read_frame())
    record.detail("read_from", "the nametable" if "nametables" in subject.capabilities else "the screen")
    record.detail("entries", len(after))
    if len(before) != settings.entries or set(before.values()) != {"--"}:
        pytest.fail(f"The menu is not there, with nothing run yet: {dict(before)}", pytrace=False)
    if list(after) != list(before):
        pytest.fail(f"The menu has other entries after the run: {dict(after)}", pytrace=False)
    if wrong := {title: result for title, result in after.items() if result != "OK"}:
        shown = ", ".join(f"{title}: {result}" for title, result in wrong.items())
        pytest.fail(f"Not OK (nestest's readme lists the codes): {shown}", pytrace=False)


def _menu(subject: Subject, rom: bytes) -> Mapping[str, str]:
    if "nametables" in subject.capabilities:
        return read_menu(subject.read_nametables()[0])
    return read_shown_menu(subject.read_frame(), menu_font(rom))


def _press(subject: Subject, button: int, *, frames_after: int) -> None:
    subject.step(button, frames=4)
    subject.step(0, frames=frames_after)
