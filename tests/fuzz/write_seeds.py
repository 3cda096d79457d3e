"""Writes the inputs that fuzzing starts from: `write_seeds.py FOLDER` makes a folder in it for each target.

Programs are the house ROMs, an empty one and single opcodes; their form is in the head of each fuzz target.
"""

from __future__ import annotations

import sys
from pathlib import Path

HOUSE = Path(__file__).resolve().parents[2] / "roms_manifest" / "house"


def program_seeds() -> dict[str, bytes]:
    """A configuration of 6 bytes each, then PRG and CHR."""
    seeds = {"empty": b"", "nops": bytes([1, 0x88, 0, 4, 0, 0]) + b"\xea" * 64}
    for name in ("scroller", "busy"):
        path = HOUSE / f"{name}.nes"
        if path.is_file():
            seeds[name] = bytes([0x12 | 0x04, 0x88, 0, 0x60, 8, 0]) + path.read_bytes()[16:]
    for opcode in range(256):
        seeds[f"opcode-{opcode:02x}"] = bytes([opcode & 0x3F, opcode, opcode, 3, 0xFF, 0]) + bytes([opcode, 0x14, 0x40])
    return seeds


def snapshot_seeds() -> dict[str, bytes]:
    """A choice byte, then edits of three bytes, or a whole body."""
    seeds = {f"edit-{choice:02x}": bytes([choice]) + bytes([32 + choice, 0, 1]) for choice in range(32)}
    seeds |= {f"whole-{choice:02x}": bytes([0xC0 | choice]) + bytes(2000) for choice in range(32)}
    seeds |= {f"no-header-{size}": b"\x80" + b"NESPROOF"[:size] for size in range(9)}
    return seeds


def flat_cpu_seeds() -> dict[str, bytes]:
    """The program counter, then memory."""
    return {f"opcode-{opcode:02x}": bytes([0, 0, opcode, 0x10, 0x20]) for opcode in range(256)}


def core_seeds() -> dict[str, bytes]:
    """A configuration of 7 bytes, edits of a snapshot, then PRG and CHR."""
    seeds = {}
    for name in ("scroller", "busy"):
        path = HOUSE / f"{name}.nes"
        if path.is_file():
            for more in (0x80, 0xC3, 0x9F, 0x05):
                head = bytes([0x12 | 0x04, 0x88, 0, 0x33, 8, 0, more])
                seeds[f"{name}-{more:02x}"] = head + bytes(range(3 * (more & 31))) + path.read_bytes()[16:]
    for opcode in range(256):
        more = opcode * 37 & 0xFF
        head = bytes([opcode & 0x3F, opcode, opcode, opcode * 7 & 0xFF, 0xFF, 0, more])
        edits = bytes(position * opcode & 0xFF for position in range(3 * (more & 31)))
        seeds[f"opcode-{opcode:02x}"] = head + edits + bytes([opcode, 0x14, 0x40])
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
