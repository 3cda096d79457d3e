"""Random 6502 programs that make a console work: PPU, APU, DMA, controllers, interrupts, code in RAM.

A program is a list of *genes*, four bytes each: a kind and three operands. Every list of genes is a valid program, and
a shorter list is a simpler program, which is what shrinking needs. `program(number)` draws a list from a number, the
same one everywhere.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from nesproof.suites.parity.program_pieces import HANDLER_PIECES, PIECES, WILD_PIECES, Assembly, Piece

__all__ = ["Gene", "assembled", "program"]

Gene = tuple[int, int, int, int]

_PRG_BYTES, _CHR_BYTES = 0x8000, 0x2000
_CHR_RAM_SHIFT = 7  # 64 << 7 is 8 KiB: https://www.nesdev.org/wiki/NES_2.0
_MAIN, _HANDLERS, _DATA, _VECTORS = 0x8000, 0xE000, 0xF000, 0xFFFA
_LONGEST_PIECE_BYTES = 96
_SUBROUTINES = 4
_KINDS_OF_CARTRIDGE = 8


def program(number: int) -> bytes:
    """Random program `number` as an iNES file. Every eighth also executes whatever bytes there are."""
    chance = random.Random(f"program {number}")

    def genes(count: int) -> list[Gene]:
        return [
            (chance.getrandbits(8), chance.getrandbits(8), chance.getrandbits(8), chance.getrandbits(8))
            for _ in range(count)
        ]

    return assembled(
        genes(64 + chance.getrandbits(9)),
        nmi=genes(1 + chance.getrandbits(3)),
        irq=genes(chance.getrandbits(2)),
        cartridge=chance.getrandbits(3),
        wild=number % 8 == 7,
        data_seed=number,
    )


def assembled(
    main: Sequence[Gene],
    *,
    nmi: Sequence[Gene] = (),
    irq: Sequence[Gene] = (),
    cartridge: int = 0,
    wild: bool = False,
    data_seed: int = 0,
) -> bytes:
    """The program of these genes as an iNES file: `main` over and over, with handlers of their own genes.

    `cartridge` 0 to 7: bit 0 is the mirroring, and 6 and 7 have CHR-RAM. What fills PRG- and CHR-ROM elsewhere is drawn
    from `data_seed`. Genes beyond what fits are left out.
    """
    chance = random.Random(f"data {data_seed}")
    code = Assembly(_MAIN)
    code.emit("LDX", "#", 0xFF)
    code.emit("TXS")
    for _ in range(2):  # a PPU takes no control before its first frame is over
        code.emit("BIT", "abs", 0x2002)
        code.emit("BPL", "rel", -5)
    start = code.here
    _put(code, main, WILD_PIECES if wild else PIECES, limit=_HANDLERS)
    code.emit("JMP", "abs", start)
    handlers = Assembly(_HANDLERS)
    subroutines = [_subroutine(handlers, chance) for _ in range(_SUBROUTINES)]
    code.subroutines[:] = handlers.subroutines[:] = subroutines
    nmi_at = handlers.here
    _handler(handlers, nmi, acknowledge=False)
    irq_at = handlers.here
    _handler(handlers, irq, acknowledge=True)
    prg = bytearray(chance.randbytes(_PRG_BYTES))
    for part in (code, handlers):
        prg[part.origin - _MAIN : part.here - _MAIN] = part.bytes_with_calls()
    vectors = b"".join(address.to_bytes(2, "little") for address in (nmi_at, _MAIN, irq_at))
    prg[_VECTORS - _MAIN :] = vectors
    has_chr_ram = cartridge % _KINDS_OF_CARTRIDGE >= 6
    header = bytearray(b"NES\x1a" + bytes([2, 0 if has_chr_ram else 1, cartridge & 1, 0x08]) + bytes(8))
    header[11] = _CHR_RAM_SHIFT if has_chr_ram else 0
    return bytes(header) + bytes(prg) + (b"" if has_chr_ram else chance.randbytes(_CHR_BYTES))


def _put(code: Assembly, genes: Sequence[Gene], pieces: Sequence[Piece], *, limit: int) -> None:
    for kind, a, b, c in genes:
        if code.here + _LONGEST_PIECE_BYTES > limit:
            return
        pieces[kind % len(pieces)](code, a, b, c)


def _subroutine(code: Assembly, chance: random.Random) -> int:
    at = code.here
    for _ in range(chance.getrandbits(2)):
        HANDLER_PIECES[0](code, chance.getrandbits(8), chance.getrandbits(8), chance.getrandbits(8))
    code.emit("RTS")
    return at


def _handler(code: Assembly, genes: Sequence[Gene], *, acknowledge: bool) -> None:
    for mnemonic in ("PHA", "TXA", "PHA", "TYA", "PHA"):
        code.emit(mnemonic)
    code.emit("INC", "zp", 0xF1 if acknowledge else 0xF0)
    if acknowledge:
        code.emit("LDA", "abs", 0x4015)
        code.emit("LDA", "#", 0x0F)
        code.emit("STA", "abs", 0x4015)
    _put(code, genes, HANDLER_PIECES, limit=_DATA)
    for mnemonic in ("PLA", "TAY", "PLA", "TAX", "PLA", "RTI"):
        code.emit(mnemonic)
