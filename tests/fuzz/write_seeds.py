"""Writes the inputs that fuzzing starts from: `write_seeds.py FOLDER` makes a folder in it for each target.

Programs are the house ROMs, an empty one and single opcodes; their form is in the head of each fuzz target.
"""

from __future__ import annotations

import sys
from pathlib import Path

MOST_ROM_BYTES = 100_000
HOUSE = Path(__file__).resolve().parents[2] / "roms_manifest" / "house"


BOARD_PROGRAM = bytes.fromhex(
    "a91e8d0120"  # LDA #$1E, STA PPUMASK
    "a9888d0020"  # LDA #$88, STA PPUCTRL
    "58"  # CLI
    "a5006935850085ffaa"  # LDA $00, ADC #$35, STA $00, STA $FF, TAX
    "9d0080fe0180"  # STA $8000,X, INC $8001,X
    "9d00a09d01a0"  # STA $A000,X, STA $A001,X
    "9d00c09d01c0"  # STA $C000,X, STA $C001,X
    "9d00e09d01e0"  # STA $E000,X, STA $E001,X
    "9d007ffe0070"  # STA $7F00,X, INC $7000,X
    "a5008d0620"  # LDA $00, STA PPUADDR
    "4c0b80"  # JMP $800B
).ljust(250, b"\xea") + bytes([0, 0x80] * 3)
"""Writes to every register that a board could have. It fills a page, so that all pages and banks hold the same."""


# As kBoards in any_cartridge.hpp: mapper and submapper.
BOARD_OF = {
    board: index
    for index, board in enumerate((
        (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (4, 4), (4, 1), (7, 0), (11, 0), (34, 2), (34, 1), (66, 0), (71, 0),
        (71, 1), (1, 5), (2, 1),
    ))
}  # fmt: skip


def house_programs() -> dict[str, tuple[bytes, bytes]]:
    """Of each house ROM that is small enough to be mutated: the cartridge's three bytes, and PRG and CHR."""
    found = {}
    for path in sorted(HOUSE.rglob("*.nes")):
        rom = path.read_bytes()
        if len(rom) > MOST_ROM_BYTES:
            continue
        is_nes_2 = rom[7] & 0x0C == 8
        mapper, submapper = rom[6] >> 4 | rom[7] & 0xF0, rom[8] >> 4 if is_nes_2 else 0
        board = BOARD_OF.get((mapper, submapper), BOARD_OF.get((mapper, 1 if rom[5] > 1 else 2), 0))
        prg_times = next((i for i, times in enumerate((1, 3, 4, 16)) if 2 * times >= rom[4]), 3)
        chr_times = next((i for i, times in enumerate((1, 3, 4, 16)) if times >= rom[5]), 3) if rom[5] else 0
        mirroring = 2 if rom[6] & 8 else rom[6] & 1
        kind = 2 | mirroring << 2 | (0x10 if rom[5] else 0)
        found[path.stem] = bytes([kind, 0x88, board | prg_times << 4 | chr_times << 6]), rom[16:]
    return found


def program_seeds() -> dict[str, bytes]:
    """A configuration of 7 bytes each, then PRG and CHR."""
    seeds = {"empty": b"", "nops": bytes([1, 0x88, 0, 0, 4, 0, 0]) + b"\xea" * 64}
    for name, (cartridge, content) in house_programs().items():
        seeds[name] = cartridge + bytes([0, 0x60, 8, 0]) + content
    for opcode in range(256):
        head = bytes([opcode & 0x3F, opcode, opcode * 5 & 0xFF, opcode, 3, 0xFF, 0])
        seeds[f"opcode-{opcode:02x}"] = head + bytes([opcode, 0x14, 0x40])
    for board in range(len(BOARD_OF)):
        for sizes in (0x00, 0x50, 0xF0):
            seeds[f"board-{board | sizes:02x}"] = bytes([0x12, 0x88, board | sizes, 0, 0x20, 0, 0]) + BOARD_PROGRAM
    return seeds


def snapshot_seeds() -> dict[str, bytes]:
    """A choice byte and a board, then edits of three bytes, or a whole body."""
    seeds = {f"edit-{choice:02x}": bytes([choice, choice * 3 & 0xFF, 32 + choice, 0, 1]) for choice in range(32)}
    seeds |= {f"whole-{choice:02x}": bytes([0xC0 | choice, choice & 15]) + bytes(2000) for choice in range(32)}
    seeds |= {f"no-header-{size}": b"\x80\0" + b"NESPROOF"[:size] for size in range(9)}
    return seeds


def flat_cpu_seeds() -> dict[str, bytes]:
    """The program counter, then memory."""
    return {f"opcode-{opcode:02x}": bytes([0, 0, opcode, 0x10, 0x20]) for opcode in range(256)}


def core_seeds() -> dict[str, bytes]:
    """A configuration of 8 bytes, edits of a snapshot, then PRG and CHR."""
    seeds = {}
    for name, (cartridge, content) in house_programs().items():
        for more in (0x80, 0xC3, 0x9F, 0x05):
            edits = bytes(range(3 * (more & 31)))
            seeds[f"{name}-{more:02x}"] = cartridge + bytes([0, 0x33, 8, 0, more]) + edits + content
    for opcode in range(256):
        more = opcode * 37 & 0xFF
        head = bytes([opcode & 0x3F, opcode, opcode * 5 & 0xFF, opcode, opcode * 7 & 0xFF, 0xFF, 0, more])
        edits = bytes(position * opcode & 0xFF for position in range(3 * (more & 31)))
        seeds[f"opcode-{opcode:02x}"] = head + edits + bytes([opcode, 0x14, 0x40])
    for board in range(len(BOARD_OF)):
        for more in (0x00, 0x40, 0x80, 0xE0):
            head = bytes([0x12, 0x88, board | 0x50, 0, 0x43, 0, 0, more])
            seeds[f"board-{board:02x}-{more:02x}"] = head + BOARD_PROGRAM
    return seeds


def main(folder: Path) -> None:
    """Write every seed."""
    made = {
        "program": program_seeds(),
        "snapshot": snapshot_seeds(),
        "flat_cpu": flat_cpu_seeds(),
        "core": core_seeds(),
    }
    for target, seeds in made.items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        for name, data in seeds.items():
            (folder / target / name).write_bytes(data)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
