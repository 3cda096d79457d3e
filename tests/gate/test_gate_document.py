"""The gate's document: derived anew from its own samples, refused where it says otherwise, inert where it is shown."""

from __future__ import annotations

import io
import json
import os
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import gate_parts as parts
import jsonschema
import pytest

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.gate.check import contradictions_of, read_document
from nesproof.harness.gate.document import GateDocument, GateFlags, gate_schema
from nesproof.reports.gate import gate_html, gate_json, gate_markdown


@pytest.fixture(scope="module")
def document() -> GateDocument:
    """A slower head."""
    with pytest.MonkeyPatch.context() as patch:
        timed = parts.timing(parts.change(patch, parts.FakeProcesses(slower=0.08)))
    counted = parts.table("memory", parts.memory(100), parts.memory(100))
    records = [
        parts.record(parts.claim(), timing=timed.id),
        parts.record(parts.claim("memory"), table=counted.id),
    ]
    made: GateDocument = parts.document(records, timings=(timed,), tables=(counted,))
    return made


def altered(document: GateDocument, change: Any) -> GateDocument:
    data = document.model_dump(mode="json")
    change(data)
    return GateDocument.model_validate(data)


# --- Deriving anew


def test_it_follows_from_its_samples_after_a_round_trip(document: GateDocument, tmp_path: Path) -> None:
    path = parts.written(document, tmp_path)
    again = read_document(path)
    assert again == document
    assert contradictions_of(again) == []
    assert document.exit_code == 1


def _unasked(data: Any) -> None:
    data["claims"][0].update(verdict="NOT_SELECTED", timing=None)
    data["exit_code"] = 0


def _verdict(data: Any) -> None:
    data["claims"][0]["verdict"] = "PASS"


def _exit_code(data: Any) -> None:
    data["exit_code"] = 0


def _reason(data: Any) -> None:
    data["claims"][0]["reason"] = "All is well."


def _change(data: Any) -> None:
    data["claims"][0]["change"] = 0.001


def _faster_samples(data: Any) -> None:
    for sample in data["timings"][0]["measurement"]["samples"]:
        sample["elapsed_ns"] -= 7_000_000 if sample["side"] == "candidate" else 0


def _fewer_blocks(data: Any) -> None:
    measured = data["timings"][0]["measurement"]
    measured["aa_samples"] = [s for s in measured["aa_samples"] if s["block"] < 15]


def _memory(data: Any) -> None:
    data["tables"][0]["candidate"]["rows"][0]["figures"]["bytes"] = 101


def _another_commit(data: Any) -> None:
    data["timings"][0]["measurement"]["candidate"] = "c" * 40


def _shorter_window(data: Any) -> None:
    data["timings"][0]["window_frames"] = 60


def _comparisons(data: Any) -> None:
    data["timings"][0]["measurement"]["comparisons"] = 7


def _idle(data: Any) -> None:
    data["timings"][0]["measurement"]["load"]["other_cpu_share"] = 0.9


def _twice(data: Any) -> None:
    data["claims"].append(data["claims"][0])


def _hidden(data: Any) -> None:
    data["claims"][0]["verdict"] = "NOT_SELECTED"


@pytest.mark.parametrize(
    "change",
    [
        _verdict, _exit_code, _reason, _change, _faster_samples, _fewer_blocks, _memory, _another_commit,
        _shorter_window, _comparisons, _idle, _twice, _hidden, _unasked,
    ],
    ids=lambda change: change.__name__.strip("_"),
)  # fmt: skip
def test_a_document_that_says_otherwise_is_found_out(document: GateDocument, change: Any) -> None:
    assert contradictions_of(altered(document, change))


def test_check_on_the_command_line(document: GateDocument, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from nesproof.harness.cli.app import main

    def ended(path: Path) -> int:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["nesproof", "gate", "--check", str(path)])
            with pytest.raises(SystemExit) as left:
                main()
        return int(left.value.code or 0)

    assert ended(parts.written(document, tmp_path)) == 0
    assert "2 verdicts derived anew" in capfd.readouterr().out
    assert ended(parts.written(altered(document, _verdict), tmp_path)) == 1
    assert "the samples give FAIL" in capfd.readouterr().err
    assert ended(tmp_path / "none.json") == 2
    assert ended(Path("/dev/zero")) == 2
    os.mkfifo(tmp_path / "pipe")
    assert ended(tmp_path / "pipe") == 2


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema_id": "nesproof.gate"}', "[" * 100_000])
def test_what_is_no_document_is_refused_in_one_sentence(text: str, tmp_path: Path) -> None:
    path = tmp_path / "gate.json"
    path.write_text(text)
    with pytest.raises(ConfigurationError):
        read_document(path)


def test_the_schema_is_one_that_its_documents_keep(document: GateDocument) -> None:
    schema = json.loads(gate_schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(gate_json(document)), schema)
    assert schema["properties"]["schema_id"]["const"] == "nesproof.gate"


# --- Showing it

HOSTILE = "</td><script>alert(1)</script> @octocat #1 [x](https://evil.example) `code` | \x1b[31mred\x1b[0m \u202eback"


@pytest.fixture(scope="module")
def hostile() -> GateDocument:
    """A stranger's text wherever one can put some."""
    with pytest.MonkeyPatch.context() as patch:
        timed = parts.timing(parts.change(patch, parts.FakeProcesses()))
    counted = parts.table("memory", parts.memory(100), parts.memory(101))
    claims = [parts.claim(sentence=HOSTILE), parts.claim("memory"), parts.claim("exact")]
    from nesproof.harness.evidence.model import UnavailableMeasurement

    absence = UnavailableMeasurement(missing="tool:x", reason=HOSTILE, remedy=HOSTILE)
    records = [
        parts.record(claims[0], timing=timed.id),
        parts.record(claims[1], table=counted.id),
        parts.record(claims[2], measurement=absence),
    ]
    made: GateDocument = parts.document(
        records,
        timings=(timed,),
        tables=(counted,),
        repeat=f"nesproof gate {HOSTILE}",
        baseline=parts.revision("a", subject=HOSTILE),
        candidate=parts.revision("b", subject=HOSTILE),
        yardstick=(HOSTILE,),
        plan=(HOSTILE,),
        flags=GateFlags(profile="quick", budget_s=600, order_seed=3, allow_busy=True),
    )
    return made


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.policy = ""
        self.styled = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        self.links += [str(given[name]) for name in ("src", "href", "action") if name in given]
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = str(given["content"])
        assert not any(name.startswith("on") or name == "style" for name in given), attrs


def test_html_is_inert_and_alone(hostile: GateDocument) -> None:
    text = gate_html(hostile).decode()
    page = _Page()
    page.feed(text)
    assert "script" not in page.tags
    assert all(link.startswith("#") or link == "data:," for link in page.links), page.links
    assert page.policy.startswith("default-src 'none'")
    assert "unsafe" not in page.policy
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "&lt;script&gt;" in text
    for word in ("pass", "fail", "not applicable"):  # readable without colour
        assert f"</svg>{word}</span>" in text


def test_markdown_is_what_a_comment_may_be(hostile: GateDocument) -> None:
    text = gate_markdown(hostile)
    sys.path.insert(0, str(Path(__file__).parents[2] / "ci" / "comment"))
    try:
        from gate_comment.inert import require_inert
    finally:
        sys.path.pop(0)
    assert require_inert(text) == text
    with pytest.raises(Exception, match="HTML"):
        require_inert(f"{text}<script>")
    assert "nesproof gate" in text.splitlines()[0]


def test_markdown_of_many_claims_fits_into_a_comment() -> None:
    long = "word " * 70
    records = [parts.record(parts.claim("exact", id=f"toy.case-{n}", sentence=long)) for n in range(400)]
    text = gate_markdown(parts.document(records))
    assert len(text) < 65_000
    assert "And 280 more" in text
    assert text.count("<details>") == text.count("</details>")
    assert "Repeat it in a clone" in text


def test_every_format_has_the_command_that_repeats_it(document: GateDocument) -> None:
    assert document.repeat in gate_markdown(document)
    assert document.repeat in gate_html(document).decode()
    assert json.loads(gate_json(document))["repeat"] == document.repeat


def test_the_terminal_shows_before_after_floor_and_verdict(document: GateDocument) -> None:
    from rich.console import Console

    from nesproof.harness.cli.gate_table import print_gate

    console = Console(width=140, record=True, file=io.StringIO())
    print_gate(document, console, place="gate/gate.html")
    text = console.export_text()
    for shown in ("66.", "72.", "+8.", "±0.", "FAIL", "PASS", "Exit code 1", document.repeat, "gate/gate.html"):
        assert shown in text, shown
