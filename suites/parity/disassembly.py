"""One instruction as text, from its bytes: what a trace shows beside the registers."""

from __future__ import annotations

from collections.abc import Sequence

from nesproof.suites.parity.opcodes import OPCODES

__all__ = ["LONGEST_BYTES", "disassembled"]

LONGEST_BYTES = 3

_OPERANDS = {
    "": "", "A": "A", "#": "#${0:02X}", "zp": "${0:02X}", "zp,X": "${0:02X},X", "zp,Y": "${0:02X},Y",
    "(zp,X)": "(${0:02X},X)", "(zp),Y": "(${0:02X}),Y", "rel": "${0:04X}",
    "abs": "${0:04X}", "abs,X": "${0:04X},X", "abs,Y": "${0:04X},Y", "(abs)": "(${0:04X})",
}  # fmt: skip


def disassembled(pc: int, data: Sequence[int]) -> str:
    """The instruction at `pc` whose bytes, at least three, are `data`: `B1 30     LDA ($30),Y`."""
    opcode = OPCODES[data[0]]
    size = opcode.size_bytes
    operand = data[1] if size == 2 else data[1] | data[2] << 8
    if opcode.mode == "rel":
        operand = pc + 2 + (operand ^ 0x80) - 0x80 & 0xFFFF
    shown = " ".join(f"{byte:02X}" for byte in data[:size])
    return f"{shown:<9} {opcode.mnemonic} {_OPERANDS[opcode.mode].format(operand)}".rstrip()
