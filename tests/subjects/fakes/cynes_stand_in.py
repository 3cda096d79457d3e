"""As much of cynes' face as its adapter uses: a console that counts frames and shows what was pressed.

`NES.lucky_draws` says, console by console, whether chance has set the flag that ends a step at once.
"""

import numpy as np

FLAG = 0x7FFF
REGISTERS = slice(0x7000, 0x7010)


class NES:
    lucky_draws = ()
    made = 0

    def __init__(self, path):
        with open(path, "rb") as rom:  # noqa: PTH123
            head = rom.read(16)
        if head[:4] != b"NES\x1a":
            raise RuntimeError("The specified file is not a NES ROM.")
        self._memory = np.zeros(0x10000, np.uint8)
        self._memory[FLAG] = NES.lucky_draws[NES.made] if NES.made < len(NES.lucky_draws) else 0
        NES.made += 1
        self._memory[0xFFFC] = 0x34
        self._frame = np.zeros((240, 256, 3), np.uint8)
        self.controller = 0
        self.resets = 0

    def step(self, frames=1):
        for _ in range(frames):
            if self._memory[FLAG]:
                self._memory[FLAG] = 0
                continue
            self._memory[0] += 1
            self._memory[REGISTERS] += 1
            self._memory[1:3] = self.controller & 0xFF, self.controller >> 8
            self._frame[:] = self._memory[0]
        return self._frame

    def reset(self):
        self.resets += 1

    def save(self):
        return self._memory[:0x8000].copy()

    def load(self, state):
        self._memory[:0x8000] = state

    def __getitem__(self, address):
        return int(self._memory[address])

    def __setitem__(self, address, value):
        self._memory[address] = value
