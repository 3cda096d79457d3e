"""What random programs are made of: each piece turns three bytes into a few instructions."""

# ruff: noqa: ARG001 - one signature for all pieces
from __future__ import annotations

from collections.abc import Callable, Sequence

from nesproof.suites.parity.opcodes import OPCODES, opcode_of

__all__ = ["HANDLER_PIECES", "PIECES", "WILD_PIECES", "Assembly", "Piece"]

NMI_COUNTER = 0xF0
_CALLS_THAT_COUNT = 4
_JUMPS = {"JMP", "JSR", "RTS", "RTI", "BRK", "JAM"}
_STACK = {"PHA", "PLA", "PHP", "PLP", "TXS", "TAS", "LAS"}


class Assembly:
    """Instructions from `origin` on; subroutines are known only at the end, and called by number until then."""

    def __init__(self, origin: int) -> None:
        self.origin = origin
        self.subroutines: list[int] = []
        self._bytes = bytearray()
        self._calls: list[tuple[int, int]] = []

    @property
    def here(self) -> int:
        """The address of the next instruction."""
        return self.origin + len(self._bytes)

    def emit(self, mnemonic: str, mode: str = "", operand: int = 0) -> None:
        """One instruction; the operand of a branch is its distance."""
        self.emit_code(opcode_of(mnemonic, mode), operand)

    def emit_code(self, code: int, operand: int = 0) -> None:
        """One instruction by its opcode."""
        size = OPCODES[code].size_bytes
        self._bytes += bytes([code, operand & 0xFF, operand >> 8 & 0xFF])[:size]

    def call(self, number: int) -> None:
        """JSR to a subroutine."""
        self._calls.append((len(self._bytes) + 1, number % _CALLS_THAT_COUNT))
        self.emit("JSR", "abs", 0)

    def bytes_with_calls(self) -> bytes:
        """All of it, with the subroutines' addresses put in."""
        for place, number in self._calls:
            self._bytes[place : place + 2] = self.subroutines[number].to_bytes(2, "little")
        return bytes(self._bytes)


Piece = Callable[[Assembly, int, int, int], None]


def _ram(low: int, high: int) -> int:
    """An address in RAM or one of its mirrors, outside the stack's page."""
    page = high & 0x1F
    return (page if page & 7 != 1 else page + 1) << 8 | low


_PLAIN = [
    code
    for code, opcode in enumerate(OPCODES)
    if opcode.mnemonic not in _JUMPS | _STACK and opcode.mode not in {"rel", "(abs)"}
]
"""Every opcode, unofficial ones included, that neither jumps nor moves the stack."""
_BRANCHES = [code for code, opcode in enumerate(OPCODES) if opcode.mode == "rel"]
_MODIFY = [opcode_of(name, "abs") for name in ("INC", "DEC", "ASL", "LSR", "ROL", "ROR", "SLO", "ISC", "DCP", "RRA")]
_READ = [opcode_of(name, "abs") for name in ("LDA", "LDX", "LDY", "BIT", "CMP", "ADC", "ORA", "LAX", "NOP")]
_STORE = [opcode_of(name, "abs") for name in ("STA", "STX", "STY", "SAX")]


def _pick(codes: Sequence[int], choice: int) -> int:
    return codes[choice % len(codes)]


def _set(code: Assembly, address: int, value: int) -> None:
    code.emit("LDA", "#", value)
    code.emit("STA", "abs", address)


# --- The CPU alone


def work(code: Assembly, a: int, b: int, c: int) -> None:
    """Two instructions of any kind on registers, immediate values and RAM."""
    for chosen in (_pick(_PLAIN, a), _pick(_PLAIN, a * 7 + b * 31 + c)):
        wide = OPCODES[chosen].size_bytes == 3
        code.emit_code(chosen, _ram(b, c) if wide else b)


def work_with_pointer(code: Assembly, a: int, b: int, c: int) -> None:
    """A pointer into RAM, ROM or I/O, and an instruction through it."""
    zero_page = b & 0x7E
    for offset, value in ((0, c), (1, (b * 7 + c) & 0xFF if a & 1 else b & 7)):
        code.emit("LDA", "#", value)
        code.emit("STA", "zp", zero_page + offset)
    code.emit("LDY", "#", a)
    through = [o for o in _PLAIN if OPCODES[o].mode == "(zp),Y"]
    code.emit_code(_pick(through, a), zero_page)


def branch_over(code: Assembly, a: int, b: int, c: int) -> None:
    """A branch over up to three instructions of two bytes."""
    count = 1 + c % 3
    code.emit_code(_pick(_BRANCHES, a), 2 * count)
    for n in range(count):
        code.emit(("ADC", "EOR", "SBC", "LDY")[b + n & 3], "#", b + n & 0xFF)


def counted_loop(code: Assembly, a: int, b: int, c: int) -> None:
    """A loop of 1 to 32 turns around one instruction on RAM."""
    code.emit("LDX", "#", 1 + (a & 31))
    start = code.here
    code.emit(("INC", "ROL", "ADC", "STA")[b & 3], "abs", _ram(c, b))
    code.emit("DEX")
    code.emit("BNE", "rel", start - code.here - 2)


def waiting(code: Assembly, a: int, b: int, c: int) -> None:
    """Up to a few scanlines of nothing."""
    code.emit("LDY", "#", 1 + (a & 1))
    outer = code.here
    code.emit("LDX", "#", 1 + (b & 0x3F))
    inner = code.here
    code.emit("DEX")
    code.emit("BNE", "rel", inner - code.here - 2)
    code.emit("DEY")
    code.emit("BNE", "rel", outer - code.here - 2)
    if c & 1:
        code.emit("NOP", "zp", c)


def stack(code: Assembly, a: int, b: int, c: int) -> None:
    """Something pushed, something done, something pulled."""
    code.emit(("PHA", "PHP")[a & 1])
    code.emit("ADC", "#", b)
    code.emit("TSX")
    code.emit("ROL", "abs,X", 0x0101)
    code.emit(("PLA", "PLP")[c & 1])


def flags(code: Assembly, a: int, b: int, c: int) -> None:
    """Flags, the one that lets interrupts in above all."""
    code.emit(("CLI", "SEI", "CLD", "SED", "CLC", "SEC", "CLV", "CLI")[a & 7])
    if b & 1:
        code.emit(("CLI", "SEI")[c & 1])


def break_(code: Assembly, a: int, b: int, c: int) -> None:
    """BRK, which comes back two bytes on."""
    code.emit("BRK")
    code.emit_code(0xEA)


def call(code: Assembly, a: int, b: int, c: int) -> None:
    """A subroutine in ROM."""
    code.call(a)


def code_in_ram(code: Assembly, a: int, b: int, c: int) -> None:
    """A few bytes of code are written to RAM and called there, more than once."""
    at = 0x0300 | (c & 0x7F)
    first = _pick([o for o in _PLAIN if OPCODES[o].size_bytes == 2 and OPCODES[o].mnemonic not in {"SHA"}], a)
    second = _pick(_READ + _STORE + _MODIFY, b)
    target = 0x2000 | (b & 7) if a & 1 else _ram(c, b)
    routine = [first, b, second, target & 0xFF, target >> 8, opcode_of("RTS")]
    for offset, value in enumerate(routine):
        _set(code, at + offset, value)
    for _ in range(1 + (c & 3)):
        code.emit("JSR", "abs", at + (0x0800 if a & 2 else 0))


def indirect_jump(code: Assembly, a: int, b: int, c: int) -> None:
    """JMP through a pointer; at a page's end its high byte comes from the page's start."""
    pointer = 0x0200 | (0xFF if a & 1 else b & 0xFE)
    target = code.here + 13
    _set(code, pointer, target & 0xFF)
    _set(code, pointer & 0xFF00 | (pointer + 1 & 0xFF), target >> 8)
    code.emit("JMP", "(abs)", pointer)


# --- PPU


def ppu_write(code: Assembly, a: int, b: int, c: int) -> None:
    """One PPU register, by one of its mirrors."""
    code.emit("LDA", "#", b)
    code.emit_code(_pick(_STORE, c), 0x2000 | (c & 0x1F) << 8 | (a & 7))


def ppu_read(code: Assembly, a: int, b: int, c: int) -> None:
    """One PPU register read, in one of the ways to read."""
    code.emit_code(_pick(_READ, b), 0x2000 | (c & 0x1F) << 8 | (2, 2, 4, 7, 7, a & 7)[a % 6])


def ppu_modify(code: Assembly, a: int, b: int, c: int) -> None:
    """Read, written back, written."""
    code.emit_code(_pick(_MODIFY, b), 0x2000 | (a & 7))


def ppu_indexed(code: Assembly, a: int, b: int, c: int) -> None:
    """Indexed accesses around $2000-$2007, whose dummy reads count."""
    code.emit("LDX", "#", b)
    mnemonic = ("STA", "LDA", "INC", "LDY")[a & 3]
    code.emit(mnemonic, "abs,X", (0x2007 - (b if c & 1 else b & 0x0F) + (c & 0x100)) & 0xFFFF)


def rendering(code: Assembly, a: int, b: int, c: int) -> None:
    """PPUMASK with rendering on, mostly, and PPUCTRL with the NMI on, mostly."""
    _set(code, 0x2001, 0x18 | b & 0xE6 if a & 7 else b)
    _set(code, 0x2000, c | 0x80 if a & 0x18 else c)


def video_memory(code: Assembly, a: int, b: int, c: int) -> None:
    """PPUADDR, then a few bytes written or read."""
    code.emit("BIT", "abs", 0x2002)
    _set(code, 0x2006, (0x20 | a & 0x0F, 0x3F, a & 0x1F)[c % 3])
    _set(code, 0x2006, b)
    for _ in range(1 + (c >> 2 & 7)):
        code.emit("STA" if c & 0x20 else "LDA", "abs", 0x2007)


def scroll(code: Assembly, a: int, b: int, c: int) -> None:
    """PPUSCROLL twice, or PPUADDR and PPUSCROLL mixed."""
    if c & 1:
        code.emit("BIT", "abs", 0x2002)
    _set(code, 0x2005 + (c >> 1 & 1), a)
    _set(code, 0x2005 + (c >> 2 & 1), b)


def oam_dma(code: Assembly, a: int, b: int, c: int) -> None:
    """A page to OAM: RAM mostly, else ROM, or what lies between them."""
    _set(code, 0x2003, b if c & 1 else 0)
    _set(code, 0x4014, a & 7 if c & 0x0E else a)


def sprites(code: Assembly, a: int, b: int, c: int) -> None:
    """Up to 16 sprites near one line, and their page moved to OAM."""
    code.emit("LDX", "#", 0xC0 | b)
    code.emit("TXA")
    start = code.here
    code.emit("STA", "abs,X", 0x0700)
    code.emit("ADC", "#", 1 + (b & 0x1F))
    if c & 1:
        code.emit("AND", "#", a | 0x0F)
    code.emit("INX")
    code.emit("BNE", "rel", start - code.here - 2)
    _set(code, 0x4014, 0x07)


def poll_status(code: Assembly, a: int, b: int, c: int) -> None:
    """Reads of PPUSTATUS until a flag comes: up to 32 times, or until the vertical blank whenever that is."""
    bound = c & 15
    if bound:
        code.emit("LDX", "#", 1 + (b & 31))
    start = code.here
    code.emit("BIT", "abs", 0x2002)
    if bound:
        code.emit(("BMI", "BVS")[a & 1], "rel", 3)
        code.emit("DEX")
        code.emit("BNE", "rel", start - code.here - 2)
    else:
        code.emit("BPL", "rel", start - code.here - 2)


def wait_for_nmi(code: Assembly, a: int, b: int, c: int) -> None:
    """An idle loop until the NMI handler has counted; mostly something else, since it takes its time."""
    if c & 7:
        work(code, a, b, c)
        return
    code.emit("LDA", "#", 0x80 | a & 0x7F)
    code.emit("STA", "abs", 0x2000)
    code.emit("LDA", "zp", NMI_COUNTER)
    start = code.here
    code.emit("CMP", "zp", NMI_COUNTER)
    code.emit("BEQ", "rel", start - code.here - 2)


# --- APU, DMC, controllers


def apu_write(code: Assembly, a: int, b: int, c: int) -> None:
    """One register of a channel, $4015 or $4017."""
    register = a % 0x18
    _set(code, 0x4015 if register in {0x14, 0x16} else 0x4000 + register, b)


def apu_status(code: Assembly, a: int, b: int, c: int) -> None:
    """$4015, read, or read and written."""
    code.emit_code(_pick(_READ + _MODIFY, a), 0x4015)


def samples(code: Assembly, a: int, b: int, c: int) -> None:
    """The DMC: rate, loop and IRQ, address, a short length, on."""
    _set(code, 0x4010, b)
    _set(code, 0x4012, c)
    _set(code, 0x4013, a & 3)
    _set(code, 0x4015, 0x10 | a >> 4)


def frame_counter(code: Assembly, a: int, b: int, c: int) -> None:
    """$4017, at one alignment or the other."""
    if a & 1:
        code.emit("NOP", "zp", 0)
    _set(code, 0x4017, b & 0xC0)


def controllers(code: Assembly, a: int, b: int, c: int) -> None:
    """The strobe, and reads of both ports."""
    _set(code, 0x4016, 1)
    if a & 1:
        _set(code, 0x4016, 0)
    for n in range(1 + (b & 3)):
        code.emit_code(_pick(_READ, c + n), 0x4016 + (b >> n + 2 & 1))


def io_indexed(code: Assembly, a: int, b: int, c: int) -> None:
    """Indexed accesses around $4014-$4017 and beyond, whose dummy reads count."""
    code.emit("LDX", "#", b)
    base = 0x4014 + (a & 3) - (b if c & 1 else 0)
    code.emit(("LDA", "STA", "LDY", "LDA")[a >> 2 & 3], "abs,X", base & 0xFFFF)


def io_modify(code: Assembly, a: int, b: int, c: int) -> None:
    """$4016 or $4014 read, written back, written; OAM DMA from an instruction that writes twice."""
    code.emit_code(_pick(_MODIFY, b), (0x4016, 0x4017, 0x4014, 0x4015)[a & 3])


def open_bus(code: Assembly, a: int, b: int, c: int) -> None:
    """An address that nothing answers at."""
    code.emit_code(_pick(_READ, b), 0x4018 + (a << 4) + (c & 7))


def anything(code: Assembly, a: int, b: int, c: int) -> None:
    """Three bytes as they are, unless they would stop the CPU."""
    code.emit_code(a if OPCODES[a].mnemonic != "JAM" else 0xEA, b | c << 8)


_CPU: tuple[Piece, ...] = (
    *(work,) * 20, work_with_pointer, work_with_pointer, branch_over, counted_loop, waiting, waiting, stack, flags,
    break_, call, code_in_ram, code_in_ram, indirect_jump,
)  # fmt: skip
_SHORT_IO: tuple[Piece, ...] = (
    ppu_write, ppu_read, ppu_modify, ppu_indexed, rendering, video_memory, scroll, oam_dma, apu_write, apu_write,
    apu_status, samples, frame_counter, controllers, io_indexed, io_modify, open_bus,
)  # fmt: skip

PIECES: tuple[Piece, ...] = (
    *_CPU, *_SHORT_IO, rendering, rendering, ppu_write, ppu_read, sprites, poll_status, poll_status, wait_for_nmi,
    samples, oam_dma,
)  # fmt: skip
HANDLER_PIECES: tuple[Piece, ...] = (work, work_with_pointer, branch_over, *_SHORT_IO)
WILD_PIECES: tuple[Piece, ...] = (*PIECES, *(anything,) * 6)
