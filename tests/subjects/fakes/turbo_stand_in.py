"""As much of env-supermariobrosnes-turbo-emu's face as its adapter uses: lanes that count frames and show what is
held."""

import enum

import numpy as np


class State(enum.Enum):
    DEFAULT = -1
    NONE = 0


class Actions(enum.Enum):
    ALL = 0
    FILTERED = 1


class EnvSuperMarioBrosNesTurboEmuVecEnv:
    def __init__(
        self,
        game,
        state=None,
        use_restricted_actions="default",
        *,
        num_envs=1,
        num_threads=None,
        rom_path=None,
        obs_copy="safe_view",
        obs_resize=(84, 84),
        obs_grayscale=True,
        obs_layout="chw",
        frame_skip=4,
        frame_stack=4,
        info_filter="all",
    ):
        assert game == "SuperMarioBros-Nes-v0"
        assert state is State.NONE
        assert use_restricted_actions is Actions.ALL
        assert (obs_resize, obs_grayscale, obs_layout, frame_stack) == (None, False, "hwc", 1)
        self.num_envs = num_envs
        self.num_threads = min(num_threads or 2, num_envs)
        self._frame_skip = frame_skip
        self._ram = np.zeros((num_envs, 2048), np.uint8)
        self._obs = np.zeros((num_envs, 224, 240, 3), np.uint8)

    def _seen(self):
        self._obs[:] = self._ram[:, 0].reshape(-1, 1, 1, 1)
        return self._obs

    def step(self, actions):
        assert actions.shape == (self.num_envs, 9)
        assert not actions[:, 1].any()
        self._ram[:, 0] += self._frame_skip
        self._ram[:, 1] = actions @ (1 << np.arange(9)) & 0xFF
        self._ram[:, 2] = actions[:, 8]
        return self._seen(), None, None, None, {}

    def reset(self, *, options=None):
        options = options or {}
        mask = options.get("reset_mask", np.ones(self.num_envs, np.bool_))
        for lane, snapshot in enumerate(options.get("snapshots", [None] * self.num_envs)):
            if mask[lane]:
                self._ram[lane] = 0 if snapshot is None else np.frombuffer(snapshot, np.uint8)
        return self._seen(), {}

    def ram(self):
        return self._ram.copy()

    def capture_snapshots(self, mask):
        return tuple(self._ram[lane].tobytes() if mask[lane] else None for lane in range(self.num_envs))

    def encode_snapshots(self, snapshots):
        return tuple(None if s is None else b"SNAP" + s for s in snapshots)

    def decode_snapshots(self, payloads):
        if any(p is not None and (p[:4] != b"SNAP" or len(p) != 2052) for p in payloads):
            raise ValueError("portable snapshot magic does not match")
        return tuple(None if p is None else p[4:] for p in payloads)
