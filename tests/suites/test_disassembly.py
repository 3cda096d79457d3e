"""The table of opcodes and the disassembler, against what nestest's log says of every instruction that it runs."""

from __future__ import annotations

import re

import pytest

from nesproof.roms_manifest import Resolver
from nesproof.roms_manifest.errors import RomError
from nesproof.suites.parity.disassembly import disassembled
from nesproof.suites.parity.opcodes import MODE_BYTES, OPCODES, opcode_of


@pytest.mark.parametrize(
    ("pc", "data", "text"),
    [
        (0xC000, (0xEA, 0, 0), "EA        NOP"),
        (0xC000, (0x0A, 1, 2), "0A        ASL A"),
        (0xC000, (0xA9, 0x7F, 2), "A9 7F     LDA #$7F"),
        (0xC000, (0xB1, 0x30, 0), "B1 30     LDA ($30),Y"),
        (0xC000, (0x01, 0x30, 0), "01 30     ORA ($30,X)"),
        (0xC000, (0xD0, 0xFE, 0), "D0 FE     BNE $C000"),
        (0xFFF0, (0xF0, 0x7F, 0), "F0 7F     BEQ $0071"),
        (0xC000, (0x6C, 0xFF, 0x02), "6C FF 02  JMP ($02FF)"),
        (0xC000, (0x9E, 0x00, 0x03), "9E 00 03  SHX $0300,Y"),
        (0xC000, (0x02, 0, 0), "02        JAM"),
    ],
)
def test_an_instruction_as_text(pc: int, data: tuple[int, int, int], text: str) -> None:
    assert disassembled(pc, data) == text


def test_the_table_is_whole() -> None:
    assert len(OPCODES) == 256
    assert {opcode.mode for opcode in OPCODES} == set(MODE_BYTES)
    assert sum(opcode.mnemonic == "JAM" for opcode in OPCODES) == 12
    with pytest.raises(KeyError):
        opcode_of("LDA", "rel")


def test_every_instruction_of_nestests_log() -> None:
    """nestest writes `*` before unofficial opcodes, and ISB where others write ISC."""
    try:
        log = Resolver().read("nes-test-roms/other/nestest.log").decode("ascii")
    except (RomError, KeyError):
        pytest.skip("not at hand: nestest's log (nesproof roms fetch)")
    lines = 0
    for line in log.splitlines():
        found = re.match(r"([0-9A-F]{4})  ((?:[0-9A-F]{2} ){1,3}) *\*?([A-Z]{3})(?: (\S+))?", line)
        assert found is not None, line
        pc, data = int(found[1], 16), [int(byte, 16) for byte in found[2].split()]
        shown = disassembled(pc, [*data, 0, 0][:3])
        mnemonic = found[3].replace("ISB", "ISC")
        operand = (found[4] or "").strip()
        assert shown == f"{' '.join(found[2].split()):<9} {mnemonic} {operand}".rstrip(), line
        lines += 1
    assert lines == 8_991
