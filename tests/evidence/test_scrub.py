"""What names a person, a machine or a place is replaced; the project's own words are not."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image, PngImagePlugin

from nesproof.harness.evidence.scrub import Scrubber, clean_png, scrubber_for_this_machine

SCRUBBER = Scrubber(
    paths=(("/home/mary/games", "<roms>"), ("/home/mary", "<home>")), names=(("mary", "<user>"), ("tower", "<host>"))
)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("/home/mary/games/x.nes", "<roms>/x.nes"),
        ("-I/home/mary/include", "-I<home>/include"),
        ("file:///home/mary", "file://<home>"),
        ("../../home/mary/games/x", "<roms>/x"),
        ("../mary/games/x", "<roms>/x"),
        ("/home/maryann", "/home/maryann"),
        ("mary@tower:", "<user>@<host>:"),
        ("MARY", "<user>"),
        ("rosemary is a herb", "rosemary is a herb"),
        ("a \x1b[31mred\x1b[0m b\x07", "a red b"),
    ],
)
def test_text(text: str, clean: str) -> None:
    assert SCRUBBER.text(text) == clean


def test_identifiers_keep_words_but_no_paths() -> None:
    document = {"id": "mary.claim", "message": "mary", "log": "/home/mary/x", "deep": [{"reason": "on tower"}]}
    assert SCRUBBER.document(document) == {
        "id": "mary.claim",
        "message": "<user>",
        "log": "<home>/x",
        "deep": [{"reason": "on <host>"}],
    }


def test_text_does_not_grow_beyond_its_cap() -> None:
    scrubber = Scrubber(paths=(("/ab", "<a-long-placeholder>"),), names=())
    long = "/ab " * 16_000
    assert len(scrubber.document(long)) <= len(long)


def test_of_a_long_log_the_end_is_kept() -> None:
    log = SCRUBBER.log(b"x" * 100 + b"the end", limit_bytes=7)
    assert log == b"[100 bytes before this were cut off]\nthe end"


def test_a_log_that_is_no_text_stays_readable() -> None:
    assert SCRUBBER.log(b"\xff\xfe ok \x00").decode()


def test_names_that_many_machines_share_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER", "root")
    monkeypatch.setenv("LOGNAME", "oddusrqzx")
    text = scrubber_for_this_machine().text("the root of oddusrqzx")
    assert text == "the root of <user>"


def test_host_names_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "oddhostqzx.example.org")
    text = scrubber_for_this_machine().text("oddhostqzx.example.org oddhostqzx OddHostQzx")
    assert "qzx" not in text.lower()


def test_further_paths(tmp_path: Path) -> None:
    scrubber = scrubber_for_this_machine([(tmp_path, "<work>")])
    assert scrubber.text(f"{tmp_path}/a") == "<work>/a"


# --- Pictures --------------------------------------------------------------------------------------------------------


def png(image: Image.Image, **fields: str) -> bytes:
    info = PngImagePlugin.PngInfo()
    for key, value in fields.items():
        info.add_text(key, value)
    out = io.BytesIO()
    image.save(out, "PNG", pnginfo=info)
    return out.getvalue()


@pytest.mark.parametrize("mode", ["RGB", "P", "L"])
def test_a_picture_loses_its_metadata_and_nothing_else(mode: str) -> None:
    image = Image.effect_noise((16, 16), 90).convert(mode)
    clean = clean_png(png(image, Author="mary", Comment="/home/mary"))
    assert b"mary" not in clean
    with Image.open(io.BytesIO(clean)) as again:
        assert again.convert("RGB").tobytes() == image.convert("RGB").tobytes()
        assert not again.info


@pytest.mark.parametrize(
    "data", [b"", b"GIF89a", b"\x89PNG\r\n\x1a\n", png(Image.effect_noise((64, 64), 90))[:900], b"x" * 5_000_000]
)
def test_no_picture(data: bytes) -> None:
    with pytest.raises(ValueError, match="picture"):
        clean_png(data)


def test_a_picture_too_large() -> None:
    with pytest.raises(ValueError, match="pixels"):
        clean_png(png(Image.new("1", (5_000, 5_000))))
