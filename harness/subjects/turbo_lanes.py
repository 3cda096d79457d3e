"""env-supermariobrosnes-turbo-emu's vector environment as consoles, side by side; `turbo_adapter.py` says what it does.

Loaded by its path in the worker's own environment, beside the adapter.
"""

from __future__ import annotations

from typing import Any

import env_supermariobrosnes_turbo_emu as turbo  # type: ignore[import-not-found,unused-ignore]
import numpy as np

from .retro_pads import MASKS, framed
from .timed_window import wait_for_ram

GAME = "SuperMarioBros-Nes-v0"
ROM_NAME = "cartridge.nes"


class Lanes:
    """A vector environment as consoles, side by side."""

    def __init__(self, count: int, threads: int | None, frame_skip: int = 1) -> None:
        self.count = count
        self._skip = frame_skip
        try:
            self.env = turbo.EnvSuperMarioBrosNesTurboEmuVecEnv(
                GAME,
                state=turbo.State.NONE,
                use_restricted_actions=turbo.Actions.ALL,
                num_envs=count,
                num_threads=threads,
                rom_path=ROM_NAME,
                obs_copy="unsafe_view",
                obs_resize=None,
                obs_grayscale=False,
                obs_layout="hwc",
                frame_skip=frame_skip,
                frame_stack=1,
                info_filter="none",
            )
        except RuntimeError as fault:
            raise ValueError(f"it does not take this cartridge: {fault}") from fault
        self.threads = int(self.env.num_threads)
        self._picture = self.env.reset()[0]

    def rows(self, windows: list[bytes]) -> list[Any]:
        """The action of each call, [lanes, 9]. Raises ValueError where a button changes within a call."""
        stream = np.array([list(window) for window in windows], np.uint8)
        calls = stream.reshape(self.count, -1, self._skip)
        if (calls != calls[:, :, :1]).any():
            raise ValueError(f"the buttons change within a call of {self._skip} frames")
        return [MASKS[calls[:, call, 0]] for call in range(calls.shape[1])]

    def step(self, windows: list[bytes]) -> None:
        """Step every lane through its buttons."""
        for row in self.rows(windows):
            self._picture = self.env.step(row)[0]

    def power_on(self, lanes: list[int] | None) -> None:
        """A cold start of these lanes."""
        self.env.reset(options={"reset_mask": self._mask(lanes)})

    def ram(self, lanes: list[int]) -> bytes:
        """RAM of these lanes."""
        ram: bytes = self.env.ram()[self._listed(lanes)].tobytes()
        return ram

    def picture(self, lane: int) -> bytes:
        """The last picture of a lane, RGB [240, 256, 3], with a black border."""
        return framed(self._picture[lane])

    def save(self, lanes: list[int]) -> list[bytes]:
        """Portable snapshots of these lanes."""
        encoded = self.env.encode_snapshots(self.env.capture_snapshots(self._mask(lanes)))
        return [encoded[lane] for lane in self._listed(lanes)]

    def load(self, states: list[bytes], lanes: list[int]) -> None:
        """Put lanes into snapshots, or none where one is refused."""
        payloads: list[bytes | None] = [None] * self.count
        for lane, state in zip(self._listed(lanes), states, strict=True):
            payloads[lane] = state
        handles = self.env.decode_snapshots(payloads)
        self.env.reset(options={"reset_mask": self._mask(lanes), "snapshots": list(handles)})

    def _listed(self, lanes: list[int] | None) -> list[int]:
        listed = list(range(self.count)) if lanes is None else lanes
        if not listed or max(listed) >= self.count:
            raise ValueError(f"there are {self.count} lanes")
        return listed

    def _mask(self, lanes: list[int] | None) -> Any:
        mask = np.zeros(self.count, np.bool_)
        mask[self._listed(lanes)] = True
        return mask

    def wait_for(self, wanted: dict[str, Any] | None) -> None:
        """Frames without a button until the first lane's RAM holds what is wanted."""
        wait_for_ram(wanted, lambda: self.ram([0]), lambda: self.step([b"\0"] * self.count))
