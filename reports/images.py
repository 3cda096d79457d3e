"""Pictures from a bundle, decoded and encoded afresh before they enter a page."""

from __future__ import annotations

import base64
import io
import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np
from PIL import Image

__all__ = ["FreshPicture", "Picture", "UnshowablePicture", "embedded", "encoded_afresh"]

LARGEST_FILE_BYTES = 2_000_000
LARGEST_SIDE = 1024
"""In pixels; a frame is 256 by 240."""


class UnshowablePicture(ValueError):
    """Why there is no picture, in a sentence."""


@dataclass(frozen=True)
class FreshPicture:
    """A picture's pixels, encoded by us as PNG. Width and height are in pixels."""

    png: bytes
    width: int
    height: int


@dataclass(frozen=True)
class Picture:
    """A picture as a data URI, or in words why there is none."""

    data_uri: str | None
    width: int
    height: int
    problem: str | None

    @property
    def is_wide(self) -> bool:
        """True for several frames side by side, which need a row of their own."""
        return self.width > 2 * self.height


def embedded(path: str, frames_dir: Path | None, room_bytes: int) -> Picture:
    """The picture at `path` of the bundle (`frames/x.png`), where it fits into `room_bytes` of page text.

    The file is decoded as PNG and nothing else, within caps on its size and sides, and only its pixels are kept.
    """
    if frames_dir is None:
        return _words("The picture is not at hand; it is in the bundle.")
    folder, name = PurePosixPath(path).parent.as_posix(), PurePosixPath(path).name
    if folder != "frames":
        return _words("The picture lies outside the bundle's frames.")
    try:
        status = (frames_dir / name).lstat()
        if not stat.S_ISREG(status.st_mode):
            return _words("The picture is not a plain file.")
        if status.st_size > LARGEST_FILE_BYTES:
            return _words("The picture's file is too large to show.")
        data = (frames_dir / name).read_bytes()
    except (OSError, ValueError):
        return _words("The picture is missing.")
    return _encoded(data, room_bytes)


def encoded_afresh(data: bytes) -> FreshPicture:
    """The pixels of a PNG of unknown origin as a PNG of ours; nothing else of the file is kept.

    Raises:
        UnshowablePicture: it is no PNG, is broken, or is larger than the caps on file and sides.
    """
    if len(data) > LARGEST_FILE_BYTES:
        raise UnshowablePicture("The picture's file is too large to show.")
    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as opened:
            width, height = opened.size
            if max(width, height) > LARGEST_SIDE:
                raise UnshowablePicture("The picture has too many pixels to show.")
            pixels = opened.convert("RGB")
        return FreshPicture(_png(pixels), width, height)
    except UnshowablePicture:
        raise
    except Exception as fault:  # a decoder may raise anything on bytes from a stranger
        raise UnshowablePicture("The picture is broken.") from fault


def _encoded(data: bytes, room_bytes: int) -> Picture:
    try:
        fresh = encoded_afresh(data)
    except UnshowablePicture as why:
        return _words(str(why))
    uri = "data:image/png;base64," + base64.b64encode(fresh.png).decode("ascii")
    if len(uri) > room_bytes:
        return _words("The picture is left out for size; it is in the bundle.")
    return Picture(uri, fresh.width, fresh.height, None)


def _png(pixels: Image.Image) -> bytes:
    """The pixels as a PNG, with a palette where 256 colours are enough, as on a NES; no colour changes."""
    channels = np.asarray(pixels).astype(np.uint32).reshape(-1, 3)
    packed = channels[:, 0] << 16 | channels[:, 1] << 8 | channels[:, 2]
    colours, indices = np.unique(packed, return_inverse=True)
    if len(colours) <= 256:
        indexed = Image.frombytes("P", pixels.size, indices.astype(np.uint8).tobytes())
        indexed.putpalette(
            np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1).astype(np.uint8).tobytes()
        )
        pixels = indexed
    buffer = io.BytesIO()
    pixels.save(buffer, format="PNG", optimize=True)
    return buffer.getvalue()


def _words(problem: str) -> Picture:
    return Picture(None, 0, 0, problem)
