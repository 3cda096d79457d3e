"""A toy console with every capability, for tests of the protocol: small enough to predict by hand.

RAM byte 0 counts frames, byte 1 holds player 1's last button, byte 2 player 2's. A cartridge must begin with b"TOY".
"""

from __future__ import annotations

import hashlib
import struct
import sys
import time


class Toy:
    name = "toy"
    version = "1.0"

    def __init__(self):
        self.packages = [("toy-package", "0.1")]
        self.build = {"compiler": "none", "level": 3}
        self.capabilities = [
            "ram", "peek", "poke", "nametables", "frame", "frame-indices", "reset", "power-on-fill", "second-player",
            "digest", "state", "trace", "flat-cpu", "flat-cpu-6502", "flat-cpu-bus", "timing", "mapper:0", "draw:every",
        ]  # fmt: skip
        self.rom = None
        self.ram = bytearray(2048)

    def load(self, rom):
        if not rom.startswith(b"TOY"):
            raise ValueError("it is no toy\x1b[31m cartridge")
        self.rom = rom

    def power_on(self, fill):
        self.ram = bytearray([fill]) * 2048
        self.ram[0] = 0

    def press_reset(self):
        self.ram[3] += 1

    def step(self, buttons, players):
        if players == 1 and 0xEE in buttons:
            raise RuntimeError("EE jams the toy")
        for at in range(0, len(buttons), players):
            self.ram[0] = (self.ram[0] + 1) % 256
            self.ram[1] = buttons[at]
            self.ram[2] = buttons[at + 1] if players == 2 else 0
        sys.stdout.write("stepped\n")

    def read_ram(self):
        return bytes(self.ram)

    def peek(self, addresses):
        return bytes(self.ram[a % 2048] for a in addresses)

    def poke(self, address, value):
        self.ram[address % 2048] = value

    def read_nametables(self):
        return bytes(range(256)) * 16

    def read_frame(self):
        return bytes([self.ram[0], 2, 3]) * (240 * 256)

    def read_frame_indices(self):
        return bytes([self.ram[0] % 64]) * (240 * 256)

    def digest(self):
        return hashlib.sha256(self.ram).hexdigest()[:16]

    def save_state(self):
        return b"S" + bytes(self.ram)

    def load_state(self, state):
        if len(state) != 2049:
            raise ValueError("the state has the wrong size")
        self.ram = bytearray(state[1:])

    def trace(self, instructions, start_pc):
        rows = [
            struct.pack("<H5BhHQ", (start_pc or 0x8000) + i, 1, 2, 3, 4, 5, -1, 6, 7 * i) for i in range(instructions)
        ]
        return b"".join(rows)

    def run_flat_cpu(self, variant, memory, pc, max_instructions):
        return {
            "pc": pc, "instructions": max_instructions, "cycles": 2 * max_instructions, "trapped": variant == "6502",
            "a": memory[0], "x": 0, "y": 0, "p": 0x24, "s": 0xFD,
        }  # fmt: skip

    def step_flat_cpu(self, cases):
        results = []
        for variant, registers, ram, asked in cases:
            memory = dict(ram)
            accesses = [(address, memory.get(address, 0), variant == "2a03") for address in asked]
            results.append((registers, [memory.get(address, 0) for address in asked], accesses))
        return results

    def time_run(self, rom, buttons, warmup_frames, frames, draw):
        self.load(rom)
        self.power_on(0)
        self.step(buttons[:warmup_frames], 1)
        started = time.perf_counter_ns()
        self.step(buttons[warmup_frames:], 1)
        return time.perf_counter_ns() - started


def make_adapter(options):
    if options.get("cannot_start"):
        raise ImportError("no module named anything")
    return Toy()
