"""Faults of what is shown: pictures of another frame, or with another pixel. The state is right."""

from __future__ import annotations

from typing import Any

from nesproof.harness.faults.adapters.wrapping import Adapter

__all__ = ["FAULTS"]

_PIXEL = 12_345


class StaleFrame(Adapter):
    """Nothing is drawn anew: who looks sees what the last look should have shown."""

    _stale: dict[object, Any]

    def _last(self, key: object, shown: Any) -> Any:
        memory = self.__dict__.setdefault("_stale", {})
        before = memory.get(key, shown)
        memory[key] = shown
        return before

    def read_frame_indices(self) -> bytes:
        before: bytes = self._last("single", super().read_frame_indices())
        return before

    def read_frame(self) -> bytes:
        before: bytes = self._last("rgb", super().read_frame())
        return before

    def batch_read_frames(self, lanes: list[int]) -> tuple[int, bytes]:
        frames, data = super().batch_read_frames(lanes)
        return frames, self._last((frames, len(lanes)), data)

    def drawn_frames(self, lanes: list[int]) -> list[bytes]:
        before: list[bytes] = self._last(("drawn", len(lanes)), super().drawn_frames(lanes))
        return before


class PictureFreezes(Adapter):
    _first: bytes | None = None

    def read_frame_indices(self) -> bytes:
        self._first = self._first or super().read_frame_indices()
        return self._first


class OnePixelOff(Adapter):
    def read_frame_indices(self) -> bytes:
        return _one_off(super().read_frame_indices())

    def batch_read_frames(self, lanes: list[int]) -> tuple[int, bytes]:
        frames, data = super().batch_read_frames(lanes)
        return frames, _one_off(data)


class PictureShowsTheFill(Adapter):
    """What RAM held at power-on reaches the picture."""

    _fill = 0

    def power_on(self, fill: int) -> None:
        super().power_on(fill)
        self._fill = fill

    def read_frame_indices(self) -> bytes:
        return bytes([self._fill & 0x3F]) + super().read_frame_indices()[1:]


def _one_off(picture: bytes) -> bytes:
    return picture[:_PIXEL] + bytes([picture[_PIXEL] ^ 1]) + picture[_PIXEL + 1 :]


FAULTS = {
    "stale-frame": StaleFrame,
    "picture-freezes": PictureFreezes,
    "one-pixel-off": OnePixelOff,
    "picture-shows-the-fill": PictureShowsTheFill,
}
