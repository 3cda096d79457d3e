"""nestest's automatic run, from its log's own start."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from nesproof.harness.subjects.client import Subject
from nesproof.harness.suite_run import SuiteCase
from nesproof.harness.suite_run.recorder import Recorder
from nesproof.roms_manifest import Resolver, RomMissing
from nesproof.roms_manifest.protocols import NestestLog
from nesproof.suites.nestest.log import LogLine, first_difference, parse_log

_CODES_IN_THE_MAKING = (0x10, 0x11)


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
    (rom,) = roms.values()
    subject.load(rom)
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
