"""Whatever a document says stays text on every page, in every picture and in every file of the site."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections import Counter
from typing import Any, Literal, get_args, get_origin
from xml.etree import ElementTree as ET

import pytest
from pydantic import BaseModel

from nesproof.reports.plain_text import plain
from nesproof.reports.site import SiteInputs, site_files

ATTACKS = (
    "<script>alert(1)</script>",
    "</style></script><svg onload=alert(1)>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "{{ 7 * 7 }}{% raw %}",
    "\x1b[31mred\x1b]8;;https://example.com\x07link",
    "\u202egnp.exe\u202c\ufeff",
    "\x00\x07\x85\u2028\r\n\uffff\ud800",
    "../../etc/passwd",
    "=cmd()|' /C calc'!A0",
    "javascript:alert(1)",
    "]]>&x;<!--",
)
KEPT = frozenset(
    {"absolute", "memory", "instructions", "static", "none", "every", "last-of-4", "best", "state", "timing", "digest"}
)
"""Words that decide what is shown at all: planting in them would only empty the pages."""
TEXT_KEPT = "\n\t\u200c\u200d"


class Planter:
    """Puts hostile text in the place of every string, and tells strings apart by a number that stands behind it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.numbers: dict[str, int] = {}

    def __call__(self, value: Any) -> Any:
        if isinstance(value, BaseModel):
            fields = type(value).model_fields
            return value.model_copy(
                update={n: self(getattr(value, n)) for n, f in fields.items() if not is_fixed(f.annotation)}
            )
        if isinstance(value, tuple):
            return tuple(self(v) for v in value)
        if isinstance(value, dict):
            return {k: self(v) for k, v in value.items()}
        if type(value) is not str or value in KEPT:
            return value
        return f"{self.text} {self.numbers.setdefault(value, len(self.numbers)):04}"


def is_fixed(annotation: Any) -> bool:
    return get_origin(annotation) is Literal or any(get_origin(a) is Literal for a in get_args(annotation))


def built(invented: Any, text: str) -> dict[str, bytes]:
    plant = Planter(text)
    first, second, _, last = invented.runs()
    frames = {"x.png": b"no picture"}
    runs = tuple(invented.RunInput(evidence=plant(one), bundle_id=text, frames=frames) for one in (first, second, last))
    gates, bisections = (plant(invented.gate()),), (invented.bisection(),)
    commits = tuple(c.model_copy(update={"subject": text}) for c in bisections[0].commits)
    bisections = (bisections[0].model_copy(update={"commits": commits, "command": text}),)
    return dict(site_files(SiteInputs(runs, gates, bisections)))


def shape_of(site: dict[str, bytes], reading: Any) -> dict[str, Any]:
    """How often each tag occurs on the pages of each kind: names and order of some hang on what the documents say."""
    shapes: dict[str, Counter[Any]] = {}
    for path, data in site.items():
        if path.endswith(".html") and "-report" not in path:
            page = reading.Page(data)
            assert not page.others
            name = re.sub(r"[0-9]{8}T[0-9]{6}Z-[0-9a-f]{10}|claim-[0-9a-f]{16}", "*", path)
            shapes.setdefault(name, Counter()).update(page.tags)
    return shapes


@pytest.fixture(scope="module")
def calm(invented: Any, reading: Any) -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        reading.leave_undrawn(patch)
        return shape_of(built(invented, "benign"), reading)


@pytest.mark.parametrize("text", ATTACKS, ids=range(len(ATTACKS)))
def test_hostile_text_stays_text(invented: Any, reading: Any, calm: dict[str, Any], undrawn: None, text: str) -> None:
    check_stays_text(built(invented, text), text, reading, calm)


def test_hostile_text_stays_text_in_charts(invented: Any, reading: Any, calm: dict[str, Any], unreported: None) -> None:
    text = "</text><script>]]>&x;\x1b[31m\ud800\"'"
    check_stays_text(built(invented, text), text, reading, calm)


def check_stays_text(site: dict[str, bytes], text: str, reading: Any, calm: dict[str, Any]) -> None:
    shown = plain(text)
    parsed = {path: reading.Page(data) for path, data in site.items() if path.endswith(".html")}
    assert reading.broken_links(site, parsed) == []
    found = shape_of(site, reading)
    assert found.keys() == calm.keys()
    for path, tags in calm.items():
        assert found[path] == tags, path
    for path, data in site.items():
        assert re.fullmatch(r"[A-Za-z0-9_@./-]+", path)
        if path.startswith(("assets/", "frames/")):
            continue
        for character in set(data.decode()):
            assert character in TEXT_KEPT or unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}, path
        if path in parsed and not path.startswith(("gates/", "bisections/")) and "-report" not in path:
            words = shown.split()
            assert not words or words[0][:8] in parsed[path].text, path
        elif path.endswith(".svg"):
            assert [e.tag.rpartition("}")[2] for e in ET.fromstring(data).iter()] == [
                "svg", "title", "rect", "path", "g", "text", "text"
            ]  # fmt: skip
        elif path.endswith(".json"):
            json.loads(data)
        elif path.endswith(".csv"):
            for row in csv.reader(io.StringIO(data.decode())):
                assert not any(cell.lstrip().startswith(("=", "+", "@")) for cell in row)


@pytest.mark.parametrize("piece", ["<b>", "{{"])
def test_very_long_text_stays_text(
    invented: Any, reading: Any, calm: dict[str, Any], undrawn: None, piece: str
) -> None:
    site = built(invented, (piece * 8_000)[:8_000])
    found = shape_of(site, reading)
    for path, tags in calm.items():
        assert found[path] == tags, path
    assert max(len(data) for path, data in site.items() if path.endswith(".html")) < 40_000_000
