"""A console of nesproof's with one bit flipped at a chosen CPU cycle: runs in the worker's process.

Options: `namespace`, the folders of the harness under test; `adapter`, its own_adapter.py; `device` (None: the
reference); `at_cycle`: the flip comes
at the first boundary at or after it; `field`, `index`, `bit`: what is flipped. With `only` "frames" units run one by
one are right, so that the fault shows in frames and blocks alone. With `pixel` it is a pixel, and not the state. The
fault is a function of the state, since searching means going back and forth.
"""

import importlib.util

import numpy as np

FRAME_CYCLES = 30_000


def make_adapter(options):
    spec = importlib.util.spec_from_file_location("own_adapter", options["adapter"])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    device = options.get("device")
    settings = {"module": "core_adapter", "device": device} if device else {"module": "reference_adapter"}
    adapter = module.make_adapter({"namespace": options["namespace"], **settings})
    adapter.__class__ = type("Parting", (Parting, type(adapter)), {"options": options})
    if device and options.get("only") != "frames":
        adapter.capabilities.remove("blocks")
    return adapter


class Parting:
    def step(self, buttons, players):
        for at in range(0, len(buttons), players):
            row = np.frombuffer(buttons[at : at + players].ljust(2, b"\0"), np.uint8)
            before = self._cycle()
            if not before < self.options["at_cycle"] <= before + FRAME_CYCLES:
                self._console.step(row[np.newaxis])
            elif self.options.get("only") == "frames":
                self._console.step(row[np.newaxis])
                self._flip_if_passed(before)
            else:
                self.hold(row)
                while True:
                    before = self._cycle()
                    frame_ended = self._console.step_instruction()
                    self._flip_if_passed(before)
                    if frame_ended:
                        break

    def trace(self, instructions, start_pc):
        if self.options.get("only") == "frames":
            return super().trace(instructions, start_pc)
        rows = []
        for _ in range(instructions):
            before = self._cycle()
            rows.append(super().trace(1, None))
            self._flip_if_passed(before)
        return b"".join(rows)

    def run_blocks(self, blocks, buttons):
        before = self._cycle()
        run = super().run_blocks(blocks, buttons)
        self._flip_if_passed(before)
        return run

    def read_frame_indices(self):
        picture = bytearray(super().read_frame_indices())
        if "pixel" in self.options and self._cycle() >= self.options["at_cycle"]:
            row, column = self.options["pixel"]
            picture[256 * row + column] ^= 1
        return bytes(picture)

    def _cycle(self):
        return self._console.cpu.cycle

    def _flip_if_passed(self, before):
        if "field" in self.options and before < self.options["at_cycle"] <= self._cycle():
            state = self._console.state().copy()
            state[self.options["field"]].reshape(-1)[self.options.get("index", 0)] ^= 1 << self.options.get("bit", 0)
            self._console.load_state(state.tobytes())
