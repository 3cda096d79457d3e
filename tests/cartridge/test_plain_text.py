"""Text from files is shown as text: no escape reaches a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nesproof.emulator.cartridge.plain_text import plain_text, shown_bytes


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07rest", "rest"),
        ("\x1b]8;;http://x\x1b\\link", "link"),
        ("\x9b2Jx", "x"),
        ("\x1bPq#0\x1b\\x", "x"),
        ("\x1bcx", "x"),
        ("\x1b", ""),
        ("a\nb\tc\x7f", "a\\x0ab\\x09c\\x7f"),
        ("\u202eabc", "\\u202eabc"),
        ("\udcff", "\\udcff"),
        ("é 🎮", "é 🎮"),
    ],
)
def test_examples(text, shown):
    assert plain_text(text) == shown


@given(st.text(st.characters(codec=None), max_size=400))
def test_always_printable_and_short(text):
    shown = plain_text(text)
    assert shown.isprintable()
    assert len(shown) <= 160
    shown.encode("utf-8")


@given(st.binary(max_size=40))
def test_bytes_are_printable(data):
    assert shown_bytes(data).isprintable()
