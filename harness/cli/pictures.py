"""Frames as files: a PNG, a numbered series, an animation, a contact sheet. Each file is whole or absent."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from nesproof.harness.whole_file import replacing

__all__ = ["FrameSink", "contact_sheet", "write_gif", "write_png"]

Frame = NDArray[np.uint8]
"""RGB, uint8 [240, 256, 3] (or any height and width)."""

NTSC_FRAMES_PER_S = 60.0988
SHEET_COLUMNS = 4
GAP = 4


@dataclass
class FrameSink:
    """Takes frames while a ROM plays: every so many, or the last alone.

    With `every`, `png` names a series: `title.png` becomes `title-000060.png`. `kept` holds the frames where `keep`.
    """

    png: Path | None
    every: int
    keep: bool
    kept: list[Frame] = field(default_factory=list)
    written: list[Path] = field(default_factory=list)

    def wants(self, frame: int, total: int) -> bool:
        """True where the picture after `frame` frames of `total` is asked for."""
        if self.png is None and not self.keep:
            return False
        return frame == total or (self.every > 0 and frame % self.every == 0)

    def take(self, frame: int, picture: Frame) -> None:
        """Write or keep one picture."""
        if self.keep:
            self.kept.append(picture)
        if self.png is not None:
            path = self.png.with_stem(f"{self.png.stem}-{frame:06d}") if self.every else self.png
            write_png(path, picture)
            self.written.append(path)


def write_png(path: Path, picture: Frame) -> None:
    """Write one picture as PNG.

    Raises:
        OSError: the disk is full, the folder is absent or not writable; what was there before is untouched.
    """
    with replacing(path) as out:
        Image.fromarray(picture).save(out, "PNG")


def write_gif(path: Path, pictures: list[Frame], *, every_frames: int) -> None:
    """Write pictures taken `every_frames` frames apart as an endless animation at the console's speed."""
    first, *rest = (Image.fromarray(p).quantize(64) for p in pictures)
    # Viewers slow down what is shorter than 20 ms.
    duration_ms = max(20, round(1000 * every_frames / NTSC_FRAMES_PER_S))
    with replacing(path) as out:
        first.save(out, "GIF", save_all=True, append_images=rest, duration=duration_ms, loop=0)


def contact_sheet(pictures: list[Frame]) -> Frame:
    """The pictures side by side, four to a row."""
    height, width = pictures[0].shape[:2]
    columns = min(SHEET_COLUMNS, len(pictures))
    rows = math.ceil(len(pictures) / columns)
    sheet = np.full((rows * (height + GAP) - GAP, columns * (width + GAP) - GAP, 3), 255, np.uint8)
    for index, picture in enumerate(pictures):
        top, left = index // columns * (height + GAP), index % columns * (width + GAP)
        sheet[top : top + height, left : left + width] = picture
    return sheet
