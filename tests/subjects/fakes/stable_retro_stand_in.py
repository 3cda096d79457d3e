"""As much of stable-retro's face as its adapter uses: a core that counts frames, one a process, some run unasked."""

import enum
import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np


class State(enum.Enum):
    DEFAULT = -1
    NONE = 0


class Actions(enum.Enum):
    ALL = 0


class Integrations:
    CUSTOM_ONLY = "custom"
    paths = ()

    @classmethod
    def add_custom_path(cls, path):
        cls.paths = (path,)


data = SimpleNamespace(Integrations=Integrations)


class RetroEmulator:
    loaded = 0

    def __init__(self, path):
        if RetroEmulator.loaded:
            raise RuntimeError("Cannot create multiple emulator instances per process")
        if Path(path).read_bytes()[:4] != b"NES\x1a":
            raise RuntimeError("Could not load ROM")
        RetroEmulator.loaded += 1
        self.memory = np.full(2048, 0xFF, np.uint8)
        self.memory[:4] = 0
        self.pads = [0, 0]
        self.step()

    def __del__(self):
        if hasattr(self, "memory"):
            RetroEmulator.loaded -= 1

    def step(self):
        self.memory[0] += 1
        self.memory[1:3] = self.pads

    def set_button_mask(self, mask, player=0):
        assert len(mask) == 9
        self.pads[player] = int((mask.astype(int) << np.arange(9)).sum() & 0xFF) | int(mask[8]) << 1

    def get_screen(self):
        return np.full((224, 240, 3), self.memory[0], np.uint8)

    def get_state(self):
        return self.memory.tobytes()

    def set_state(self, state):
        self.memory[:] = np.frombuffer(state, np.uint8)
        return True


class Memory:
    def __init__(self, em):
        self._em = em

    @property
    def blocks(self):
        whole = self._em.memory.tobytes()
        return {0: whole[:1024], 1024: whole[1024:], 0x6000: bytes(range(256))}

    def assign(self, address, kind, value):
        assert kind == "|u1"
        self._em.memory[address] = value


class RetroEnv:
    def __init__(self, game, *, state, use_restricted_actions, inttype, render_mode):
        assert (state, use_restricted_actions, inttype) == (State.NONE, Actions.ALL, "custom")
        assert render_mode == "rgb_array"
        folder = Path(Integrations.paths[0]) / game
        assert all(json.loads((folder / f"{name}.json").read_text()) is not None for name in ("data", "scenario"))
        self.em = RetroEmulator(folder / "rom.nes")
        self.data = SimpleNamespace(memory=Memory(self.em))
        self.em.step()
        self._was_reset = False

    def reset(self):
        self._was_reset = True
        self.em.step()
        return self.em.get_screen(), {}

    def step(self, action):
        assert self._was_reset
        self.em.set_button_mask(action, 0)
        self.em.step()
        return self.em.get_screen(), 0.0, False, False, {}

    def close(self):
        del self.data
        del self.em
