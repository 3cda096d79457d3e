"""Pictures enter a page only after they were decoded and encoded afresh; whatever else they are becomes words."""

from __future__ import annotations

import base64
import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from nesproof.reports.images import LARGEST_FILE_BYTES, Picture, embedded

ROOM = 1_000_000


def pixels_of(picture: Picture) -> np.ndarray:
    assert picture.data_uri is not None
    head, _, data = picture.data_uri.partition(",")
    assert head == "data:image/png;base64"
    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        assert not image.info.keys() - {"transparency"}
        return np.asarray(image.convert("RGB"))


@pytest.mark.parametrize("colours", [1, 6, 256, 4096])
def test_no_pixel_changes(tmp_path: Path, colours: int) -> None:
    rng = np.random.default_rng(1)
    palette = rng.integers(0, 256, (colours, 3), dtype=np.uint8)
    frame = palette[rng.integers(0, colours, (240, 256))]
    Image.fromarray(frame).save(tmp_path / "x.png")
    picture = embedded("frames/x.png", tmp_path, ROOM)
    assert (picture.width, picture.height, picture.problem) == (256, 240, None)
    assert np.array_equal(pixels_of(picture), frame)


def test_metadata_is_dropped(tmp_path: Path) -> None:
    info = PngImagePlugin.PngInfo()
    info.add_text("Author", "somebody at /home/somebody")
    Image.new("RGB", (256, 240)).save(tmp_path / "x.png", pnginfo=info)
    picture = embedded("frames/x.png", tmp_path, ROOM)
    pixels_of(picture)
    assert picture.data_uri is not None
    assert b"somebody" not in base64.b64decode(picture.data_uri.partition(",")[2])


def bomb(side: int) -> bytes:
    """A PNG that is a few bytes long and claims very many pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


def a_png(**options: object) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (256, 240), (9, 9, 9)).save(buffer, **{"format": "PNG", **options})
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "broken"),
        (b"not a picture", "broken"),
        (a_png()[:120], "broken"),
        (a_png(format="JPEG"), "broken"),
        (a_png(format="GIF"), "broken"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "broken"),
        (bomb(8_000), "too many pixels"),
        (bomb(60_000), "broken"),
        (a_png() + bytes(LARGEST_FILE_BYTES), "too large"),
        (None, "missing"),
    ],
)
def test_what_is_no_picture_becomes_words(tmp_path: Path, data: bytes | None, word: str) -> None:
    if data is not None:
        (tmp_path / "x.png").write_bytes(data)
    picture = embedded("frames/x.png", tmp_path, ROOM)
    assert picture.data_uri is None
    assert word in (picture.problem or "")


def test_links_folders_and_paths_outside_are_refused(tmp_path: Path) -> None:
    frames = tmp_path / "frames"
    frames.mkdir()
    (tmp_path / "secret.png").write_bytes(a_png())
    (frames / "link.png").symlink_to(tmp_path / "secret.png")
    (frames / "folder.png").mkdir()
    for path in ("frames/link.png", "frames/folder.png", "frames/..", "frames/../secret.png", "../secret.png",
                 "logs/x.png", str(tmp_path / "secret.png"), "frames/\0.png"):  # fmt: skip
        assert embedded(path, frames, ROOM).data_uri is None, path


def test_a_picture_that_does_not_fit_becomes_words(tmp_path: Path) -> None:
    (tmp_path / "x.png").write_bytes(a_png())
    assert "left out" in (embedded("frames/x.png", tmp_path, 50).problem or "")
    assert "not at hand" in (embedded("frames/x.png", None, ROOM).problem or "")


@pytest.mark.parametrize(("width", "is_wide"), [(256, False), (480, False), (784, True)])
def test_several_frames_side_by_side_are_wide(tmp_path: Path, width: int, is_wide: bool) -> None:
    Image.new("RGB", (width, 240)).save(tmp_path / "x.png")
    assert embedded("frames/x.png", tmp_path, ROOM).is_wide is is_wide
