"""What a case hands over beside its outcome: figures, its last picture as a PNG, a file that shows a fault again."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from nesproof.harness.suite_run.lines import plain

__all__ = ["Recorder", "frame_file_name"]

_DETAIL_CHARACTERS = 2_000


def frame_file_name(suite: str, subject: str, case_id: str) -> str:
    """The file name of a case's picture: readable, safe in any file system, distinct for distinct cases."""
    slug = re.sub(r"[^A-Za-z0-9.-]+", "-", f"{suite}-{subject}-{case_id}").strip("-.")[:110]
    short = hashlib.sha256(f"{suite}\0{subject}\0{case_id}".encode()).hexdigest()[:8]
    return f"{slug}-{short}.png"


class Recorder:
    """The `record` fixture. A case's details and picture are kept whether it passes or not."""

    def __init__(self, frames_dir: Path | None, file_name: str) -> None:
        self._frames_dir = frames_dir
        self._file_name = file_name
        self.details: dict[str, int | float | str | bool] = {}
        self.frame_path: str | None = None
        self.reproduction_path: str | None = None

    def detail(self, name: str, value: int | float | str | bool) -> None:
        """Note one figure; text is stripped of what could steer a terminal, and NumPy scalars become Python's."""
        if isinstance(value, np.generic):
            value = value.item()
        self.details[name] = plain(value, limit=_DETAIL_CHARACTERS) if isinstance(value, str) else value

    def frame(self, rgb: NDArray[np.uint8]) -> None:
        """Keep a picture, uint8 [height, width, 3]. Without a folder for frames (a run by hand) nothing is written."""
        if rgb.ndim != 3 or rgb.shape[2] != 3 or rgb.dtype != np.uint8:
            raise ValueError(f"A picture is uint8 [height, width, 3], not {rgb.dtype} {list(rgb.shape)}.")
        if self._frames_dir is None:
            return
        self._frames_dir.mkdir(parents=True, exist_ok=True)
        Image.fromarray(rgb).save(self._frames_dir / self._file_name, format="PNG", optimize=True)
        self.frame_path = f"frames/{self._file_name}"

    def reproduction(self, text: str) -> str | None:
        """Keep a JSON text from which the suite can show again what did not pass; its path, None in a run by hand."""
        if self._frames_dir is None:
            return None
        folder = self._frames_dir.parent / "reproductions"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / Path(self._file_name).with_suffix(".json").name
        path.write_text(text, encoding="utf-8")
        self.reproduction_path = f"{folder.name}/{path.name}"
        return self.reproduction_path
