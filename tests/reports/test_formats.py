"""Each format says what the evidence says, the same every time, and is small enough for where it goes."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import math
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from rich.console import Console

from nesproof.harness.claims import ExitCode, Verdict
from nesproof.harness.cli.headline import headline, print_evidence
from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.model import CaseResult, RatioMeasurement
from nesproof.harness.judge.blocks import Replicate, effects_of
from nesproof.reports import FORMATS, render
from nesproof.reports.schemas import published_schemas
from nesproof.reports.views.samples import sample_sections
from nesproof.reports.views.tables import figure_tables

GOLDEN = Path(__file__).parent / "golden"
FILES = {"report.html", "report.md", "junit.xml", "report.json"}


@pytest.fixture(scope="module")
def rendered(evidence: Evidence, frames_dir: Path, sample: ModuleType) -> dict[str, bytes]:
    return render(evidence, frames_dir=frames_dir, bundle_id=sample.BUNDLE_ID)


def scrubbed(name: str, text: str) -> str:
    """The text without what depends on the drawing library, the PNG encoder, or the page's looks."""
    if name != "report.html":
        return text
    text = re.sub(r"<style>.*?</style>", "<style>…</style>", text, flags=re.S)
    text = re.sub(r"<script>.*?</script>", "<script>…</script>", text, flags=re.S)
    text = re.sub(r"sha256-[A-Za-z0-9+/=]+", "sha256-…", text)
    text = re.sub(r'(<div class="drawing"[^>]*>)<svg.*?</svg>', r"\1…", text, flags=re.S)
    return re.sub(r"data:image/png;base64,[A-Za-z0-9+/=]*", "data:image/png;base64,…", text)


@pytest.mark.parametrize("name", sorted(FILES))
def test_output_is_the_golden_one(
    name: str, rendered: dict[str, bytes], check_golden: Callable[[Path, str], None]
) -> None:
    check_golden(GOLDEN / name, scrubbed(name, rendered[name].decode()))


def test_every_format_makes_its_file(rendered: dict[str, bytes]) -> None:
    assert set(rendered) == {form.file_name for form in FORMATS} == FILES


def test_equal_evidence_gives_equal_bytes(
    evidence: Evidence, frames_dir: Path, sample: ModuleType, rendered: dict[str, bytes]
) -> None:
    again = Evidence.model_validate_json(evidence.model_dump_json())
    assert render(again, frames_dir=frames_dir, bundle_id=sample.BUNDLE_ID) == rendered


def test_headline_names_every_count(evidence: Evidence, rendered: dict[str, bytes]) -> None:
    counts = evidence.counts()
    markdown, html = rendered["report.md"].decode(), rendered["report.html"].decode()
    words = {v: v.value.lower().replace("_", " ") for v in Verdict}
    for verdict, word in words.items():
        assert f"{counts[verdict]} {word}" in markdown
        assert re.search(rf'v-{verdict.value}"[^>]*><b>{counts[verdict]}</b>', html)
    in_vain = {"cpu.single-step", "state.determinism"}
    unproven = sum(c.claim.is_unproven or c.claim.id in in_vain for c in evidence.claims)
    assert f"{unproven} unproven" in markdown
    assert f"; {unproven} UNPROVEN; 3 faults planted, 1 killed, 2 survived (2 of 4 pairs" in headline(evidence)
    assert f"<b>{unproven}</b>" in html


def test_the_terminal_names_the_command_that_would_decide_what_stayed_open(evidence: Evidence) -> None:
    shown = io.StringIO()
    print_evidence(evidence, Console(file=shown, width=80), bundle_id=None, place=None)
    lines = [line for line in shown.getvalue().splitlines() if line.startswith("To decide ")]
    open_claims = [r for r in evidence.claims if r.verdict is Verdict.INCONCLUSIVE]
    assert open_claims
    assert [line.split(": ", 1)[1] for line in lines] == [f"{r.rerun} --budget 10" for r in open_claims]


@pytest.mark.parametrize("exit_code", list(ExitCode))
def test_every_exit_code_has_its_meaning(evidence: Evidence, exit_code: ExitCode) -> None:
    files = render(evidence.model_copy(update={"exit_code": exit_code}), frames_dir=None)
    title = json.loads(files["report.json"])["exit_meaning"]
    assert json.loads(files["report.json"])["exit_code"] == int(exit_code)
    assert f"Exit code {int(exit_code)}." in files["report.html"].decode()
    assert title.lower() in files["report.html"].decode().lower()
    assert title.lower() in files["report.md"].decode().lower()


def test_a_strict_run_without_a_failure_says_so(evidence: Evidence) -> None:
    passing = tuple(c for c in evidence.claims if c.verdict is Verdict.PASS)
    strict = evidence.model_copy(update={"claims": passing, "strict": True, "exit_code": ExitCode.FAIL})
    files = render(strict, frames_dir=None)
    for name in ("report.html", "report.md", "report.json"):
        assert b"A claim does not hold" not in files[name]
        assert b"unproven, and this run is strict" in files[name]


def test_each_claim_shows_what_a_reader_needs(evidence: Evidence, rendered: dict[str, bytes]) -> None:
    html = re.sub(r"\s+", " ", rendered["report.html"].decode())
    for record in evidence.claims:
        body = html[html.index(f'<code class="id">{record.claim.id}</code>') :]
        body = body[: body.index("</tbody>")]
        assert f"<code>{record.rerun}</code>" in body
        assert record.claim.breaks_when in body
        assert ("<b>Unproven.</b>" in body) is (record.claim.id in evidence.unproven_claims())
        for fault in record.claim.killed_by:
            assert fault in body
        if record.remedy is not None:
            assert f"<code>{record.remedy}</code>" in body
        if record.measured is None:
            assert "not measured" in body


def test_failing_cases_come_before_passing_ones(rendered: dict[str, bytes]) -> None:
    html = rendered["report.html"].decode()
    suite = html[html.index(">Hardware test ROMs <small>on reference<") :]
    cases = ("ppu/vbl_nmi/05-nmi_timing", "ppu/oam_stress", "dma/sprdma_and_dmc_dma", "cpu/instr_test-v5/01-basics")
    places = [suite.index(f"<code>{case}</code>") for case in cases]
    assert places == sorted(places)


def test_page_is_self_contained(rendered: dict[str, bytes]) -> None:
    html = rendered["report.html"].decode()
    assert "default-src 'none'" in unescape(html)
    assert "unsafe-inline" not in html
    assert " style=" not in html
    assert not re.search(r"\son\w+=", re.sub(r"<script>.*?</script>", "", html, flags=re.S))
    for attribute, value in re.findall(r'\s(src|href|action|data|poster|srcset)="([^"]*)"', html):
        assert value.startswith(("#", "data:image/")), (attribute, value)
    assert "url(" not in html
    assert "@import" not in html


def test_policy_allows_this_style_and_this_script_alone(rendered: dict[str, bytes]) -> None:
    html = rendered["report.html"].decode()
    policy = unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', html).group(1))
    for element in ("style", "script"):
        found = re.findall(rf"<{element}>(.*?)</{element}>", html, flags=re.S)
        assert len(found) == 1
        digest = base64.b64encode(hashlib.sha256(found[0].encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy


def test_identifiers_are_unique_and_links_lead_somewhere(rendered: dict[str, bytes]) -> None:
    html = rendered["report.html"].decode()
    ids = re.findall(r'\sid="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href|aria-labelledby)="#?([^":]*)"', html)) <= set(ids)


def test_samples_stand_in_a_table_beside_their_plot(evidence: Evidence, rendered: dict[str, bytes]) -> None:
    html = rendered["report.html"].decode()
    timed = sum(isinstance(record.measurement, RatioMeasurement) for record in evidence.claims)
    assert html.count('class="drawing" role="img"') == 2 * timed + 1  # and the one of the schedules
    for label in ("Speed ratios by block", "Frames per second by process"):
        table = html[html.index(f'aria-label="{label}"') :]
        rows = table[table.index("<tbody>") : table.index("</tbody>")].count("<tr>")
        assert rows == (10 if "block" in label else 40)


def test_junit_counts_match_the_cases(evidence: Evidence, rendered: dict[str, bytes]) -> None:
    root = ET.fromstring(rendered["junit.xml"])
    claims = root.find("testsuite[@name='nesproof.claims']")
    assert claims is not None
    by_name = {case.attrib["name"]: case for case in claims.findall("testcase")}
    expected = {
        Verdict.PASS: None, Verdict.FAIL: "failure", Verdict.ERROR: "error", Verdict.NOT_MEASURED: "error",
        Verdict.INCONCLUSIVE: "skipped", Verdict.NOT_APPLICABLE: "skipped", Verdict.WAIVED: "skipped",
        Verdict.NOT_SELECTED: "skipped",
    }  # fmt: skip
    for record in evidence.claims:
        found = [c.tag for c in by_name[record.claim.id] if c.tag != "system-out"]
        wanted = expected[record.verdict]
        assert found == ([] if wanted is None else [wanted])
        if wanted == "skipped":
            assert record.verdict.value in by_name[record.claim.id].find("skipped").attrib["message"]
    for suite in root:
        assert int(suite.attrib["tests"]) == len(suite.findall("testcase"))
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.attrib[attribute]) == len(suite.findall(f"testcase/{tag}"))
    assert int(root.attrib["tests"]) == len(root.findall(".//testcase"))
    lost = root.find(".//testcase[@name='dma/sprdma_and_dmc_dma']/error")
    assert lost is not None


def test_json_follows_its_schema(rendered: dict[str, bytes]) -> None:
    schema = json.loads(published_schemas()["report-1.schema.json"])
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(json.loads(rendered["report.json"]))


def test_a_page_with_a_hundred_frames_stays_small(evidence: Evidence, frames_dir: Path) -> None:
    frame = "frames/vbl_basics.png"
    cases = tuple(CaseResult(id=f"eye/{n}", outcome="passed", frame=frame) for n in range(100))
    run = evidence.suites[2].model_copy(update={"cases": cases, "expected": tuple(c.id for c in cases)})
    html = render(evidence.model_copy(update={"suites": (run,)}), frames_dir=frames_dir)["report.html"]
    assert html.count(b"data:image/png") == 100
    assert len(html) < 5_000_000


def test_markdown_fits_a_comment_whatever_the_evidence(evidence: Evidence) -> None:
    record = evidence.claims[0]
    many = tuple(
        record.model_copy(update={"reason": "x" * 60_000, "measured": "y" * 4_000, "verdict": Verdict.FAIL})
        for _ in range(300)
    )
    cases = tuple(CaseResult(id=f"case {n}", outcome="failed", message="&" * 60_000) for n in range(300))
    run = evidence.suites[0].model_copy(update={"cases": cases, "expected": tuple(c.id for c in cases)})
    text = render(evidence.model_copy(update={"claims": many, "suites": (run,)}), frames_dir=None)["report.md"].decode()
    assert len(text) < 65_536
    assert text.count("<details>") == text.count("</details>")
    assert "left out" in text or "more" in text


def test_what_was_made_up_says_so_in_every_format(evidence: Evidence) -> None:
    words = "drawn by hand for a test of the page"
    shown = render(evidence.model_copy(update={"fixture": words}), frames_dir=None)
    assert set(shown) == FILES
    for name, data in shown.items():
        assert words in data.decode(), name
    terminal = io.StringIO()
    made_up = evidence.model_copy(update={"fixture": f"\x1b[31m{words}"})
    print_evidence(made_up, Console(file=terminal, width=200), bundle_id=None, place=None)
    assert f"it was made up: {words}" in terminal.getvalue()


def test_an_empty_run_renders(evidence: Evidence) -> None:
    bare = evidence.model_copy(
        update={"claims": (), "suites": (), "subjects": (), "roms": (), "packages": (), "workloads": (), "build": None}
    )
    files = render(bare, frames_dir=None)
    assert b"No claim was selected" in files["report.html"]
    assert files["report.html"].count(b"not measured") >= 4


def test_the_block_ratios_shown_are_what_the_judge_weighs(evidence: Evidence) -> None:
    timed = [r for r in evidence.claims if isinstance(r.measurement, RatioMeasurement)]
    sections = sample_sections(evidence)
    assert len(sections) > 1
    for section, record in zip(sections, timed, strict=True):
        measurement = record.measurement
        assert isinstance(measurement, RatioMeasurement)
        shortest: dict[tuple[int, int], Replicate] = {}
        for s in sorted(measurement.samples, key=lambda s: -s.elapsed_ns):
            shortest[s.block, s.position] = Replicate(s.block, s.position, s.side, s.frames, s.elapsed_ns)
        weighed = effects_of(list(shortest.values()), threshold=section.threshold_value)
        shown = [math.log(block.ratio / section.threshold_value) for block in section.blocks]
        assert shown == pytest.approx(weighed, abs=1e-12)


def test_every_speed_says_what_it_hangs_on(rendered: dict[str, bytes]) -> None:
    html = rendered["report.html"].decode()
    section = html[html.index('id="speeds"') : html.index('id="counts"')]
    row = section[section.index("throughput.core.threads") :]
    cells = re.findall(r"<td[^>]*>(.*?)</td>", row[: row.index("</tr>")], flags=re.S)
    assert "1.970" in cells[0]
    assert cells[1:7] == ["core", "nothing", "64", "2", "4", "on"]
    frames, env_steps = (float(cell.replace(",", "")) for cell in cells[7:9])
    assert frames == pytest.approx(4 * env_steps, abs=4)


def test_counted_figures_stand_in_tables_with_their_claims(rendered: dict[str, bytes]) -> None:
    html = rendered["report.html"].decode()
    section = html[html.index('id="counts"') : html.index('id="faults"')]
    assert '<td>resident</td><td class="right">13,016</td>' in section
    assert "1 of 1 end states equal the reference" in section
    assert section.count("<svg") == 1
    assert re.findall(r"<code>(m[a-z.-]+)</code></a>", section) == ["memory.core.state", "model.active-lanes"]


def test_claims_that_rest_on_one_table_share_it(evidence: Evidence) -> None:
    record = next(r for r in evidence.claims if r.claim.id == "memory.core.state")
    other = record.model_copy(update={"claim": record.claim.model_copy(update={"id": "memory.other"})})
    (table,) = figure_tables(evidence.model_copy(update={"claims": (record, other)}))
    assert [claim_id for _, claim_id in table.claims] == ["memory.core.state", "memory.other"]
