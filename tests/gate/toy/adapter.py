"""The toy console as a subject. What a timed run reports is no measured time: it is what the library says that a frame
takes, with the noise that the options ask for, so that a verdict in a test is no matter of the machine.
"""

import base64
import ctypes
import pathlib
import random
import zlib


class Toy:
    name, version = "toy", "1.0"
    packages, build = [("toy", "1.0")], {"compiler": "cc"}

    def __init__(self, options):
        self.lib = ctypes.CDLL(str(pathlib.Path(__file__).with_name("libtoy.so")))
        self.lib.toy_digest.restype = ctypes.c_uint64
        self.lib.toy_ram.restype = ctypes.POINTER(ctypes.c_uint8 * 2048)
        for function in (self.lib.toy_ns_per_frame, self.lib.toy_state_bytes):
            function.restype = ctypes.c_long
        self.options = options
        self.capabilities = [
            "ram", "peek", "poke", "digest", "power-on-fill", "timing", "timing-passes", "draw:none", "mapper:0",
        ]  # fmt: skip
        if options.get("batch"):
            self.capabilities += ["batch", "memory", "idle-skipping"]
        self.timed = False
        self.lib.toy_power_on(0)

    def load(self, rom):
        self.power_on(0)

    def power_on(self, fill):
        self.timed = False
        self.lib.toy_power_on(fill)

    def step(self, buttons, players):
        self.timed = False
        self.lib.toy_step(bytes(buttons[::players]), len(buttons) // players)

    def read_ram(self):
        # It plays no NES: where the reference stands at the end of the workload's window it was told.
        if self.timed:
            return zlib.decompress(base64.b64decode(self.options["ram"]))
        return bytes(self.lib.toy_ram().contents)

    def peek(self, addresses):
        return bytes(self.read_ram()[a % 2048] for a in addresses)

    def poke(self, address, value):
        self.lib.toy_ram().contents[address % 2048] = value

    def digest(self):
        return self.options["digest"] if self.timed else f"{self.lib.toy_digest():016x}"

    def time_run(self, rom, buttons, warmup_frames, frames, draw, passes=1, **_):
        for _pass in range(passes):
            self.power_on(0)
            self.step(buttons, 1)
        self.timed = True
        noise = 1 + abs(random.gauss(0, self.options.get("noise", 0.004)))
        return int(passes * frames * self.lib.toy_ns_per_frame() * noise)

    # Several consoles: only so far that their memory can be asked for.

    def batch_open(self, rom, lanes, threads, idle_skipping):
        self.load(rom)
        self.lanes = lanes
        return {"device": "cpu", "threads": 1, "layout": "aos"}

    def batch_digest(self):
        return [int(self.digest(), 16)]

    def batch_read_ram(self, lanes):
        return self.read_ram()

    def batch_step(self, buttons, frames, players, record):
        pass

    def batch_memory(self):
        parts = ("prg_ram", "chr_ram", "draw_log", "frame_buffer")
        return {"state": self.lib.toy_state_bytes(), **dict.fromkeys(parts, 0)}


def make_adapter(options):
    return Toy(options)
