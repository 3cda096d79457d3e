"""The 256 opcodes of the 6502 by name and addressing mode, unofficial ones included.

https://www.nesdev.org/wiki/CPU_unofficial_opcodes
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["MODE_BYTES", "OPCODES", "Opcode", "opcode_of"]


class Opcode(NamedTuple):
    """One row: the mnemonic, and the addressing mode in the notation that assemblers use ("" for none)."""

    mnemonic: str
    mode: str

    @property
    def size_bytes(self) -> int:
        """The opcode and its operand."""
        return 1 + MODE_BYTES[self.mode]


MODE_BYTES = {
    "": 0, "A": 0, "#": 1, "zp": 1, "zp,X": 1, "zp,Y": 1, "(zp,X)": 1, "(zp),Y": 1, "rel": 1,
    "abs": 2, "abs,X": 2, "abs,Y": 2, "(abs)": 2,
}  # fmt: skip
"""How many bytes of operand each addressing mode has."""

_ROWS = """
    BRK        ORA_(zp,X) JAM        SLO_(zp,X) NOP_zp     ORA_zp     ASL_zp     SLO_zp
    PHP        ORA_#      ASL_A      ANC_#      NOP_abs    ORA_abs    ASL_abs    SLO_abs
    BPL_rel    ORA_(zp),Y JAM        SLO_(zp),Y NOP_zp,X   ORA_zp,X   ASL_zp,X   SLO_zp,X
    CLC        ORA_abs,Y  NOP        SLO_abs,Y  NOP_abs,X  ORA_abs,X  ASL_abs,X  SLO_abs,X
    JSR_abs    AND_(zp,X) JAM        RLA_(zp,X) BIT_zp     AND_zp     ROL_zp     RLA_zp
    PLP        AND_#      ROL_A      ANC_#      BIT_abs    AND_abs    ROL_abs    RLA_abs
    BMI_rel    AND_(zp),Y JAM        RLA_(zp),Y NOP_zp,X   AND_zp,X   ROL_zp,X   RLA_zp,X
    SEC        AND_abs,Y  NOP        RLA_abs,Y  NOP_abs,X  AND_abs,X  ROL_abs,X  RLA_abs,X
    RTI        EOR_(zp,X) JAM        SRE_(zp,X) NOP_zp     EOR_zp     LSR_zp     SRE_zp
    PHA        EOR_#      LSR_A      ALR_#      JMP_abs    EOR_abs    LSR_abs    SRE_abs
    BVC_rel    EOR_(zp),Y JAM        SRE_(zp),Y NOP_zp,X   EOR_zp,X   LSR_zp,X   SRE_zp,X
    CLI        EOR_abs,Y  NOP        SRE_abs,Y  NOP_abs,X  EOR_abs,X  LSR_abs,X  SRE_abs,X
    RTS        ADC_(zp,X) JAM        RRA_(zp,X) NOP_zp     ADC_zp     ROR_zp     RRA_zp
    PLA        ADC_#      ROR_A      ARR_#      JMP_(abs)  ADC_abs    ROR_abs    RRA_abs
    BVS_rel    ADC_(zp),Y JAM        RRA_(zp),Y NOP_zp,X   ADC_zp,X   ROR_zp,X   RRA_zp,X
    SEI        ADC_abs,Y  NOP        RRA_abs,Y  NOP_abs,X  ADC_abs,X  ROR_abs,X  RRA_abs,X
    NOP_#      STA_(zp,X) NOP_#      SAX_(zp,X) STY_zp     STA_zp     STX_zp     SAX_zp
    DEY        NOP_#      TXA        XAA_#      STY_abs    STA_abs    STX_abs    SAX_abs
    BCC_rel    STA_(zp),Y JAM        SHA_(zp),Y STY_zp,X   STA_zp,X   STX_zp,Y   SAX_zp,Y
    TYA        STA_abs,Y  TXS        TAS_abs,Y  SHY_abs,X  STA_abs,X  SHX_abs,Y  SHA_abs,Y
    LDY_#      LDA_(zp,X) LDX_#      LAX_(zp,X) LDY_zp     LDA_zp     LDX_zp     LAX_zp
    TAY        LDA_#      TAX        LXA_#      LDY_abs    LDA_abs    LDX_abs    LAX_abs
    BCS_rel    LDA_(zp),Y JAM        LAX_(zp),Y LDY_zp,X   LDA_zp,X   LDX_zp,Y   LAX_zp,Y
    CLV        LDA_abs,Y  TSX        LAS_abs,Y  LDY_abs,X  LDA_abs,X  LDX_abs,Y  LAX_abs,Y
    CPY_#      CMP_(zp,X) NOP_#      DCP_(zp,X) CPY_zp     CMP_zp     DEC_zp     DCP_zp
    INY        CMP_#      DEX        SBX_#      CPY_abs    CMP_abs    DEC_abs    DCP_abs
    BNE_rel    CMP_(zp),Y JAM        DCP_(zp),Y NOP_zp,X   CMP_zp,X   DEC_zp,X   DCP_zp,X
    CLD        CMP_abs,Y  NOP        DCP_abs,Y  NOP_abs,X  CMP_abs,X  DEC_abs,X  DCP_abs,X
    CPX_#      SBC_(zp,X) NOP_#      ISC_(zp,X) CPX_zp     SBC_zp     INC_zp     ISC_zp
    INX        SBC_#      NOP        SBC_#      CPX_abs    SBC_abs    INC_abs    ISC_abs
    BEQ_rel    SBC_(zp),Y JAM        ISC_(zp),Y NOP_zp,X   SBC_zp,X   INC_zp,X   ISC_zp,X
    SED        SBC_abs,Y  NOP        ISC_abs,Y  NOP_abs,X  SBC_abs,X  INC_abs,X  ISC_abs,X
"""
"""Eight to a row, from $00."""


def _parsed(entry: str) -> Opcode:
    mnemonic, _, mode = entry.partition("_")
    return Opcode(mnemonic, mode)


OPCODES = tuple(_parsed(entry) for entry in _ROWS.split())
"""Entry n is opcode n."""

_CODES = {opcode: code for code, opcode in reversed(list(enumerate(OPCODES)))}


def opcode_of(mnemonic: str, mode: str = "") -> int:
    """The opcode of a mnemonic and an addressing mode; of several that do the same, the lowest.

    Raises:
        KeyError: there is none.
    """
    return _CODES[Opcode(mnemonic, mode)]
