"""A table as CSV is a table: it comes back as it went in, and no spreadsheet runs what is in it."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nesproof.reports.csv_text import csv_bytes


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "  =", " @"])
def test_no_text_begins_a_formula(start: str) -> None:
    (_, (cell,)) = csv.reader(io.StringIO(csv_bytes(("a",), [(f"{start}cmd|' /C calc'!A0",)]).decode(), newline=""))
    assert cell.startswith("'")
    assert cell[1:] == f"{start}cmd|' /C calc'!A0".replace("\r", "\n")


def test_numbers_and_absence_are_written_as_such() -> None:
    data = csv_bytes(("a", "b", "c", "d", "e"), [(-1, -0.5, None, True, 1e-300)])
    assert data == b"a,b,c,d,e\n-1,-0.5,,yes,1e-300\n"


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.text(st.characters(codec="utf-8")), st.text(st.characters(codec="utf-8"))), max_size=5))
def test_texts_come_back(rows: list[tuple[str, str]]) -> None:
    header, *found = csv.reader(io.StringIO(csv_bytes(("a", "b"), rows).decode(), newline=""))
    assert header == ["a", "b"]
    assert [[cell.removeprefix("'") for cell in line] for line in found] == [
        [text.removeprefix("'").replace("\r\n", "\n").replace("\r", "\n") for text in row] for row in rows
    ]
