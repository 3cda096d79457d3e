"""Several consoles of one cartridge in a subject's process, stepped together: `Subject.open_batch` makes one.

A console of a batch is a *lane*; lane i is row i of every array, always. Lanes share nothing but the cartridge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.subjects.cartridge_settings import cartridge_args
from nesproof.harness.subjects.conversation import Conversation
from nesproof.harness.subjects.replies import BatchFrames, BatchMemoryReply, BatchOpened, BytesAConsole
from nesproof.harness.subjects.worker import MAX_BUFFER_BYTES

__all__ = ["Record", "SubjectBatch"]

Record = Literal["none", "last", "last2", "all"]
"""Which frames of a step are kept for drawing."""

RAM_BYTES = 2048
FRAME_BYTES = 240 * 256
_STATE_BYTES_AT_MOST = 1 << 20
"""Of one console's state; only how many travel in one message hangs on it."""


class SubjectBatch:
    """The batch that a subject holds; opening another, or loading a cartridge, ends it.

    `device`, `threads` and `layout` are what the subject says of how it works; nothing of it may change a result.
    Raises, from every method, what `Subject` raises.
    """

    def __init__(
        self,
        talk: Conversation,
        rom: bytes,
        *,
        lanes: int,
        threads: int | None,
        idle_skipping: bool,
    ) -> None:
        if lanes < 1:
            raise ValueError(f"a batch has at least one lane, not {lanes}")
        self._talk = talk
        self.lanes = lanes
        args = {"lanes": lanes, "threads": threads, "idle_skipping": idle_skipping, **cartridge_args(rom)}
        opened = talk.ask("batch_open", args, [rom], model=BatchOpened)
        self.device, self.threads, self.layout = opened.device, opened.threads, opened.layout

    def power_on(self, lanes: Sequence[int] | None = None, *, fill: int = 0) -> None:
        """Switch lanes (all by default) off and on; their RAM then holds `fill`."""
        if not 0 <= fill <= 0xFF:
            raise ValueError(f"fill must be a byte, but is {fill}")
        self._talk.ask("batch_power_on", {"fill": fill, "lanes": self._listed(lanes)})

    def press_reset(self, lanes: Sequence[int] | None = None) -> None:
        """Press the reset button of lanes (all by default)."""
        self._talk.ask("batch_press_reset", {"lanes": self._listed(lanes)})

    def step(self, buttons: NDArray[np.uint8], *, record: Record = "none") -> None:
        """Run whole frames on every lane.

        `buttons` is uint8 [lanes, F] (first controller) or [lanes, F, 2] (both), constant within a frame. `record`
        says which of the F frames can be read afterwards.
        """
        array = np.asarray(buttons)
        shapes = array.ndim in {2, 3} and array.shape[0] == self.lanes and array.shape[1] > 0
        if array.dtype != np.uint8 or not shapes or (array.ndim == 3 and array.shape[2] != 2):
            wanted = f"uint8 [{self.lanes}, F] or [{self.lanes}, F, 2]"
            raise ValueError(f"buttons must be {wanted}, not {array.dtype} {list(array.shape)}")
        args = {"frames": array.shape[1], "players": array.ndim - 1, "record": record}
        self._talk.ask("batch_step", args, [np.ascontiguousarray(array).tobytes()])

    def digests(self) -> NDArray[np.uint64]:
        """The digest of each lane's state, uint64 [lanes]; the number that `Subject.digest` prints in hexadecimal."""
        return np.frombuffer(bytearray(self._talk.ask_bytes("batch_digest", size=8 * self.lanes)), "<u8")

    def read_ram(self, lanes: Sequence[int] | None = None) -> NDArray[np.uint8]:
        """The 2 KiB of RAM of lanes (all by default), uint8 [K, 2048]; a copy."""
        parts = [
            self._talk.ask_bytes("batch_read_ram", {"lanes": chunk}, size=len(chunk) * RAM_BYTES)
            for chunk in self._chunks(lanes, RAM_BYTES)
        ]
        return np.frombuffer(bytearray(b"".join(parts)), np.uint8).reshape(-1, RAM_BYTES)

    def read_frames(self, lanes: Sequence[int] | None = None) -> NDArray[np.uint8]:
        """The recorded frames of the last step, oldest first, palette indices, uint8 [K, R, 240, 256].

        Raises:
            SubjectRefused: the last step recorded none.
        """
        listed = self._chosen(lanes)
        first = self._read_frames(listed[:1])
        rest = [self._read_frames(chunk) for chunk in self._chunks(listed[1:], first.nbytes)]
        return np.concatenate([first, *rest])

    def save_states(self, lanes: Sequence[int] | None = None) -> list[bytes]:
        """The whole state of lanes (all by default), in their order; `Subject.load_state` takes each as well."""
        states: list[bytes] = []
        for chunk in self._chunks(lanes, _STATE_BYTES_AT_MOST):
            data = self._talk.ask_bytes("batch_save_states", {"lanes": chunk})
            size, rest = divmod(len(data), len(chunk))
            if rest or not size:
                what = f"{len(data)} bytes are no {len(chunk)} states of equal size"
                raise self._talk.garbage("batch_save_states", what)
            states += [data[at : at + size] for at in range(0, len(data), size)]
        return states

    def load_states(self, states: Sequence[bytes], lanes: Sequence[int] | None = None) -> None:
        """Put lanes (all by default) into saved states, one each; nothing changes where one of them is refused.

        Raises:
            SubjectRefused: one of them is foreign or damaged.
        """
        listed = self._chosen(lanes)
        if len(states) != len(listed) or len({len(state) for state in states}) > 1:
            raise ValueError(f"{len(states)} states were given for {len(listed)} lanes, or not all of one size")
        self._talk.ask("batch_load_states", {"lanes": listed}, [b"".join(states)])

    def permute(self, order: Sequence[int]) -> None:
        """Move states between lanes: lane i gets what lane `order[i]` held."""
        listed = [int(lane) for lane in order]
        if sorted(listed) != list(range(self.lanes)):
            raise ValueError(f"an order of {self.lanes} lanes names each of them once")
        self._talk.ask("batch_permute", {"order": listed})

    def memory(self) -> BytesAConsole:
        """Bytes that a lane takes, part by part; the draw log and the frames count once something was recorded."""
        return self._talk.ask("batch_memory", model=BatchMemoryReply).bytes

    def _read_frames(self, lanes: list[int]) -> NDArray[np.uint8]:
        args: Mapping[str, Any] = {"lanes": lanes}
        reply, (data,) = self._talk.ask_both("batch_read_frames", args, model=BatchFrames, count=1)
        if len(data) != len(lanes) * reply.frames * FRAME_BYTES:
            what = f"{len(data)} bytes are no {reply.frames} frames of {len(lanes)} lanes"
            raise self._talk.garbage("batch_read_frames", what)
        return np.frombuffer(bytearray(data), np.uint8).reshape(len(lanes), reply.frames, 240, 256)

    def _chosen(self, lanes: Sequence[int] | None) -> list[int]:
        chosen = list(range(self.lanes)) if lanes is None else [int(lane) for lane in lanes]
        if any(not 0 <= lane < self.lanes for lane in chosen) or len(set(chosen)) != len(chosen):
            raise ValueError(f"lanes are 0 to {self.lanes - 1}, each at most once")
        return chosen

    def _listed(self, lanes: Sequence[int] | None) -> list[int] | None:
        return None if lanes is None else self._chosen(lanes)

    def _chunks(self, lanes: Sequence[int] | None, bytes_a_lane: int) -> list[list[int]]:
        """The lanes in groups whose reply fits into one message."""
        listed = self._chosen(lanes)
        most = max(1, MAX_BUFFER_BYTES // bytes_a_lane)
        return [listed[at : at + most] for at in range(0, len(listed), most)]
