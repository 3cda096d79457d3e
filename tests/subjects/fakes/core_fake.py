"""The core's adapter with reference consoles in place of the compiled core: what holds for any batch can be tested.

Options: `namespace` as for the real adapter, `fault`, which breaks the batch in a named way, and `gpu`, to be timed as
what runs on a GPU is.
"""

import importlib
import sys
import types

import numpy as np


class FakeBatch:
    """The face of `nesproof.emulator.Batch` over a list of reference consoles."""

    device = "cpu"

    def __init__(self, cartridge, lanes, threads, fault):
        from nesproof.emulator import Console

        self.consoles = [Console(cartridge) for _ in range(lanes)]
        self.num_envs = lanes
        self.threads = threads or 1
        self.fault = fault
        self.recorded = None
        self.pictures = None

    def close(self):
        self.consoles = []

    def _lanes(self, mask):
        return range(self.num_envs) if mask is None else [int(lane) for lane in mask]

    def power_on(self, mask=None, *, fill=0):
        for lane in self._lanes(mask):
            self.consoles[lane].power_on(fill)

    def press_reset(self, mask=None):
        for lane in self._lanes(mask):
            self.consoles[lane].press_reset()

    def step(self, buttons=0, frames=None, *, record="none"):
        assert buttons.shape[:2] == (self.num_envs, frames)
        rows = buttons[np.zeros(self.num_envs, int)] if self.fault == "lanes-share-buttons" else buttons
        if self.fault == "skips-frames" and frames > 1:
            rows = rows[:, 1:]
        pictures = []
        for console, row in zip(self.consoles, rows, strict=True):
            shown = []
            for held in row:
                console.step(held[np.newaxis])
                shown.append(console.frame)
            pictures.append(shown[{"none": len(shown), "last": -1, "last2": -2, "all": 0}[record] :])
        self.recorded = np.array(pictures) if record != "none" else None

    def draw(self):
        if self.recorded is None:
            raise RuntimeError("nothing was recorded")
        self.pictures = self.recorded
        return self.frame

    @property
    def frames(self):
        return self.pictures

    @property
    def frame(self):
        return self.pictures[:, -1]

    def read_ram(self):
        return np.stack([console.ram for console in self.consoles])

    def save_states(self, mask=None):
        return np.stack([np.frombuffer(self.consoles[lane].save_state(), np.uint8) for lane in self._lanes(mask)])

    def load_states(self, states, mask=None):
        for lane, state in zip(self._lanes(mask), states, strict=True):
            self.consoles[lane].load_state(state.tobytes())

    def digest(self):
        return np.array([console.digest() for console in self.consoles], np.uint64)

    @property
    def memory(self):
        return types.SimpleNamespace(
            state_bytes=5000, prg_ram_bytes=0, chr_ram_bytes=0, draw_log_bytes=100, frame_buffer_bytes=61440
        )


def make_adapter(options):
    namespace = types.ModuleType("nesproof")
    namespace.__path__ = options["namespace"]
    sys.modules["nesproof"] = namespace
    core = importlib.import_module("nesproof.harness.subjects.core_adapter")

    class FakeCore(core.CoreAdapter):
        kind = "reference"

        def _make_batch(self, rom, lanes, *, threads, idle_skipping, emphasis=False):
            return FakeBatch(core.cartridge_of(rom), lanes, threads, options.get("fault"))

        def _build_info(self):
            return None

        def _further_capabilities(self):
            return ["threads"]

        def timing_details(self):
            return {"clock": "cuda-events", "cold_ns": 50_000} if options.get("gpu") else super().timing_details()

    fake = FakeCore("cpu")
    fake.name = options.get("name", "core-fake")
    return fake
