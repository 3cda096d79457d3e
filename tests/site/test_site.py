"""The site of the invented inputs: the same bytes each time, every link leads somewhere, machines are never mixed."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections import Counter
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from nesproof.harness.claims import Verdict
from nesproof.harness.judge import contradictions
from nesproof.reports.site import SiteInputs, site_files
from nesproof.reports.site.history import histories
from nesproof.reports.site.moved import moved
from nesproof.reports.site.pages import NAVIGATION, POLICY
from nesproof.reports.site.runs import by_machine, runs_of

ALONE = re.compile(r"runs/.*-report\.html|gates/2.*|bisections/2.*")
"""Pages that stand alone, with their own style and policy."""


def own_pages(parsed: dict[str, Any]) -> dict[str, Any]:
    return {path: page for path, page in parsed.items() if not ALONE.fullmatch(path)}


def test_the_inputs_follow_from_their_own_samples(invented: Any) -> None:
    for evidence in invented.runs():
        assert contradictions(evidence) == []


def test_the_same_documents_in_another_order_give_the_same_bytes(
    invented: Any, site: dict[str, bytes], unreported: None
) -> None:
    inputs = invented.inputs()
    shuffled = list(inputs.runs)
    random.Random(5).shuffle(shuffled)
    twice = (*shuffled, replace(shuffled[0], frames={}, bundle_id=None))
    again = dict(site_files(replace(inputs, runs=twice, gates=inputs.gates * 2)))
    assert again.keys() == site.keys()
    assert [path for path in site if again[path] != site[path] and "-report" not in path] == []


def test_every_link_leads_somewhere(site: dict[str, bytes], parsed: dict[str, Any], reading: Any) -> None:
    assert reading.broken_links(site, parsed) == []
    assert {target for target, _ in NAVIGATION} <= site.keys()


def test_every_file_is_reached_from_the_first_page(site: dict[str, bytes], parsed: dict[str, Any]) -> None:
    import posixpath

    reached, waiting = {"index.html"}, ["index.html"]
    while waiting:
        path = waiting.pop()
        for _, target in parsed[path].links if path in parsed else ():
            there = posixpath.normpath(posixpath.join(posixpath.dirname(path), target.partition("#")[0]))
            if there in site and there not in reached:
                reached.add(there)
                waiting.append(there)
    assert site.keys() - reached == set()


def test_no_page_can_load_anything_but_the_site(site: dict[str, bytes], parsed: dict[str, Any]) -> None:
    for path, page in own_pages(parsed).items():
        assert page.policy == POLICY
        root = "../" * path.count("/")
        loaded = [target for name, target in page.links if name == "src"]
        assert loaded[0] == f"{root}assets/site.js"
        assert all(target.startswith(f"{root}frames/") for target in loaded[1:])
        assert Counter(tag for tag, _ in page.tags)["script"] == 1
        assert "style" not in {tag for tag, _ in page.tags}
    for path in parsed.keys() - own_pages(parsed).keys():
        assert parsed[path].policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    for name in ("site.css", "site.js", "icon.svg"):
        assert not re.search(rb"https?://(?!www\.w3\.org/2000/svg)|@import|url\(", site[f"assets/{name}"])


def test_pages_can_be_read_without_eyes_mouse_or_script(parsed: dict[str, Any], site: dict[str, bytes]) -> None:
    for path, page in own_pages(parsed).items():
        text = site[path].decode()
        assert [n for n, times in Counter(page.ids).items() if times > 1] == [], path
        assert page.headings[0] == 1, path
        assert page.headings.count(1) == 1, path
        assert all(after - before <= 1 for before, after in itertools.pairwise(page.headings)), path
        assert '<html lang="en">' in text
        assert '<a class="skip" href="#main">' in text
        assert text.count('aria-current="page"') == (1 if path in dict(NAVIGATION) else 0)
        for table in page.tables:
            assert table.caption.strip(), path
            assert all(cell.strip() for cell in table.head), (path, table.head)
            assert all(len(row) == len(table.head) for row in table.rows), (path, table.caption)
        assert not re.search(r"<th(?![^>]*scope=)(?=[ >])", text), path
        for picture in re.findall(r'<svg[^>]*role="img"[^>]*>(?:<title>)?', text):
            assert "aria-label=" in picture or picture.endswith("<title>"), path
        assert all("alt=" in image for image in re.findall(r"<img[^>]*>", text)), path


def test_charts_say_what_they_show_and_a_table_has_the_numbers(parsed: dict[str, Any], site: dict[str, bytes]) -> None:
    text = site["claims/throughput.core.vs-nes-py.html"].decode()
    drawings = re.findall(r'<svg [^>]*role="img"><title>([^<]*)</title><desc>([^<]*)</desc><g', text)
    assert [title.partition(" on ")[0] for title, _ in drawings] == ["throughput.core.vs-nes-py"]
    assert drawings[0][1].startswith("3 runs, from 2026-08-01 to 2026-08-03. The newest measured 9")
    assert "step: worse" in re.sub(r"<desc>.*?</desc>", "", text)
    rows = parsed["claims/throughput.core.vs-nes-py.html"].tables[0].rows
    assert [row[0] for row in rows] == ["1", "2", "3"]
    for row, value in zip(rows, (120, 96, 97), strict=True):
        assert abs(float(row[4]) - value) < 2
    scaling = site["scaling.html"].decode()
    assert "Frames per second over consoles: scroller-random-buttons@1, draws nothing, on" in scaling
    assert "Bytes a console over consoles: scroller-random-buttons@1, draws nothing" in scaling
    sweep = parsed["scaling.html"].table("scroller-random-buttons@1, draws the last of 4 frames")
    assert [sweep.rows[8][n] for n in (0, 2, 3)] == ["core-cuda", "sweep", "65,536"]


def test_machines_are_never_mixed(invented: Any, parsed: dict[str, Any]) -> None:
    runs = runs_of(invented.inputs().runs)
    for history in histories(runs):
        for series in history.series:
            assert {point.run.machine for point in series.points} == {series.machine}
    machines = by_machine(runs)
    assert [len(of) for of in machines.values()] == [3, 1]
    # The same machine, made up and measured: two series all the same.
    measured = invented.evidence(invented.COMMITS[0], day=5, machine=invented.GPU, with_comparisons=False)
    both = runs_of([*invented.inputs().runs, invented.RunInput(evidence=measured)])
    assert [(m.fixture is None, len(of)) for m, of in by_machine(both).items()] == [(True, 3), (True, 1), (False, 1)]
    page = parsed["claims/memory.core.html"]
    assert [len(table.rows) for table in page.tables] == [3, 1]


def test_a_changed_workload_or_way_of_measuring_starts_a_series_of_its_own(invented: Any) -> None:
    first, second, *_ = invented.runs()
    for change in ({"workload": "scroller-random-buttons@2"}, {"candidate_run": {"draw": "every"}}):
        claims = []
        for record in second.claims:
            claim = record.claim
            if claim.id == "throughput.core.vs-nes-py":
                claim = type(claim).model_validate({**claim.model_dump(), **change})
            claims.append(record.model_copy(update={"claim": claim}))
        other = second.model_copy(update={"claims": tuple(claims)})
        found = {h.claim.id: h for h in histories(runs_of(map(invented.RunInput, (first, other))))}
        assert len(found["throughput.core.vs-nes-py"].series) == 2
        assert len(found["memory.core"].series) == 1
        assert not found["throughput.core.vs-nes-py"].series[0].steps


def test_steps_are_marked_and_offered_as_ends_to_bisect(invented: Any, parsed: dict[str, Any]) -> None:
    found = {h.claim.id: h for h in histories(runs_of(invented.inputs().runs))}
    good, bad, mended = invented.COMMITS
    (slower,) = found["throughput.core.vs-nes-py"].series[0].steps
    assert (slower.direction, slower.before.commit, slower.after.commit) == ("worse", good, bad)
    assert slower.command == f"nesproof bisect throughput.core.vs-nes-py --good {good} --bad {bad}"
    assert "from pass to fail" in slower.why
    (dearer,) = found["instructions.core"].series[0].steps
    assert dearer.why == "counted 36,000, then 37,200"
    broken, healed = found["core.hardware"].series[0].steps
    assert (broken.direction, healed.direction) == ("worse", "better")
    assert (healed.after.commit, healed.command) == (mended, None)
    assert found["memory.core"].series[0].steps == ()
    page = parsed["claims/throughput.core.vs-nes-py.html"]
    assert slower.command in page.text
    assert [row[-1] for row in page.tables[0].rows] == ["", "step: worse", ""]
    assert slower.command in parsed["index.html"].text


def test_small_moves_in_one_direction_add_up_to_a_step(invented: Any) -> None:
    levels = (36_000.0, 36_050.0, 36_100.0, 36_150.0)
    runs = [
        invented.evidence(commit * 40, day=day, instructions=level, with_comparisons=False)
        for commit, day, level in zip("abcd", range(1, 5), levels, strict=True)
    ]
    found = {h.claim.id: h for h in histories(runs_of(map(invented.RunInput, runs)))}
    (step,) = found["instructions.core"].series[0].steps
    assert (step.before.commit, step.after.commit) == ("a" * 40, "c" * 40)


def test_another_promise_or_a_waiver_is_no_step(invented: Any) -> None:
    """What holds no longer because more is promised, or is let through, is no doing of a commit."""
    first = invented.runs()[0]
    found = next(r for r in first.claims if r.claim.id == "throughput.core.vs-nes-py")
    more = found.model_copy(
        update={"claim": found.claim.model_copy(update={"at_least": 200.0}), "verdict": Verdict.FAIL}
    )
    assert moved(found, more) is None
    assert moved(found, found.model_copy(update={"verdict": Verdict.FAIL})) == ("worse", "from pass to fail")
    waived, failing = (found.model_copy(update={"verdict": v}) for v in (Verdict.WAIVED, Verdict.FAIL))
    assert moved(waived, failing) is None
    assert moved(waived, found) == ("better", "from waived to pass")
    slower = found.model_copy(update={"interval": (90.0, 95.0)})
    assert moved(found, slower) is not None


def test_an_answer_is_what_a_step_is_held_against(invented: Any) -> None:
    """A run between two answers that has none neither steps nor hides a step."""
    first, second, third, _ = invented.runs()
    silent = second.model_copy(
        update={
            "claims": tuple(
                r.model_copy(update={"verdict": Verdict.ERROR, "value": None, "interval": None}) for r in second.claims
            )
        }
    )
    found = {h.claim.id: h for h in histories(runs_of(map(invented.RunInput, (first, silent, third))))}
    (step,) = found["throughput.core.vs-nes-py"].series[0].steps
    assert (step.before.commit, step.after.commit) == (first.source.commit, third.source.commit)


def test_what_was_made_up_says_so_wherever_it_shows(
    invented: Any, site: dict[str, bytes], parsed: dict[str, Any]
) -> None:
    (run,) = (run for run in runs_of(invented.inputs().runs) if run.labels)
    fixture = f"it was made up: {invented.FIXTURE}"
    for path in (
        "index.html",
        f"runs/{run.slug}.html",
        "claims/memory.core.html",
        "scaling.html",
        "conformance.html",
        "frames.html",
        "badges.html",
    ):
        assert fixture in parsed[path].text, path
    for path, page in own_pages(parsed).items():
        text = site[path].decode()
        links = list(re.finditer(rf'href="[^"]*runs/{run.slug}\.html">.*?</a>', text))
        for link in links:
            assert 'class="tag label"' in text[link.end() : link.end() + 40], path
        for table in page.tables:
            for row in table.rows:
                if any(run.machine.title in cell for cell in row):
                    assert "fixture" in " ".join(row), (path, row)
    machine = run.machine.slug
    for path, data in site.items():
        if path.startswith(f"badges/{machine}/"):
            assert b"fixture" in data, path
    assert sum(path.startswith(f"badges/{machine}/") for path in site) > 10
    assert fixture in parsed[f"runs/{run.slug}-report.html"].text
    assert json.loads(site[f"evidence/{run.slug}.json"])["fixture"] == invented.FIXTURE
    marked = [row for row in parsed["reproductions.html"].tables[0].rows if "(fixture)" in " ".join(row)]
    assert len(marked) == 7


def test_badges_are_pictures_and_endpoints(invented: Any, site: dict[str, bytes]) -> None:
    machine, *_ = by_machine(runs_of(invented.inputs().runs))
    claim = json.loads(site[f"badges/{machine.slug}/claims/memory.core.json"])
    assert claim == {"schemaVersion": 1, "label": "memory.core", "message": "4,800 bytes", "color": "brightgreen"}
    failing = json.loads(site[f"badges/{machine.slug}/claims/throughput.core.vs-nes-py.json"])
    assert (failing["message"], failing["color"]) == ("fail", "red")
    for path, data in site.items():
        if path.endswith(".svg"):
            assert ET.fromstring(data).tag == "{http://www.w3.org/2000/svg}svg"
    picture = site[f"badges/{machine.slug}/claims/memory.core.svg"].decode()
    assert "<title>memory.core: 4,800 bytes</title>" in picture


def test_a_pair_of_runs_lists_what_changed(invented: Any, parsed: dict[str, Any]) -> None:
    runs = runs_of(invented.inputs().runs)
    page = parsed[f"differences/{runs[0].slug}--{runs[1].slug}.html"]
    assert "3 claims changed, 4 the same" in page.text
    changed = {re.sub(r".*\s", "", row[0].strip()): row[1] for row in page.tables[0].rows}
    assert changed == {
        "core.hardware": "worse",
        "throughput.core.vs-nes-py": "worse",
        "instructions.core": "worse",
    }
    pairs = [path for path in parsed if path.startswith("differences/2")]
    assert len(pairs) == 3
    assert not any(runs[3].slug in path for path in pairs)


def test_the_conformance_matrix_shows_who_fails_where(parsed: dict[str, Any], site: dict[str, bytes]) -> None:
    page = parsed["conformance.html"]
    totals = {row[0]: row[1:4] for row in page.tables[0].rows}
    assert totals["nes-py 8.2.1"] == ["3", "5", "1"]
    cases = page.table("hardware_roms: cases")
    row = next(row for row in cases.rows if row[0].startswith("mapper/mmc3"))
    assert "cannot run" in row[-1]
    assert "mapper:4" in row[-1]
    assert b"cannot run" in next(data for path, data in site.items() if path.startswith("conformance/"))


def test_the_frames_are_encoded_afresh_and_named_by_their_bytes(site: dict[str, bytes], invented: Any) -> None:
    import hashlib

    frames = {path: data for path, data in site.items() if path.startswith("frames/")}
    assert len(frames) > 10
    for path, data in frames.items():
        assert path == f"frames/{hashlib.sha256(data).hexdigest()[:24]}.png"
        assert data not in {invented.picture(name) for name in invented.frames_of(invented.runs()[0])}


def test_what_cannot_be_shown_of_a_bundle_becomes_words(invented: Any, undrawn: None) -> None:
    one = invented.runs()[0].model_copy(update={"comparisons": ()})
    frames = {
        name.removeprefix("frames/"): data
        for name, data in zip(
            invented.frames_of(one), (b"", b"\x89PNG broken", b"\0" * 3_000_000, invented.picture("x")), strict=False
        )
    }
    page = dict(site_files(SiteInputs(runs=(invented.RunInput(evidence=one, frames=frames),))))["frames.html"].decode()
    assert "The picture is broken." in page
    assert "The picture&#39;s file is too large to show." in page
    assert "The picture is missing." in page
    assert page.count("<img ") == 1


def test_the_documents_can_be_taken_and_read_again(invented: Any, site: dict[str, bytes]) -> None:
    from nesproof.harness.evidence import Evidence

    taken = [Evidence.model_validate_json(data) for path, data in site.items() if path.startswith("evidence/")]
    assert sorted(taken, key=lambda e: e.created_utc) == list(invented.runs())
    for path, data in site.items():
        if path.endswith(".json"):
            assert data.isascii() or path == "reproductions.json"


def test_a_site_of_nothing_has_every_page_and_says_so(reading: Any) -> None:
    site = dict(site_files(SiteInputs()))
    parsed = {path: reading.Page(data) for path, data in site.items() if path.endswith(".html")}
    assert {target for target, _ in NAVIGATION} == parsed.keys()
    assert reading.broken_links(site, parsed) == []
    assert "No run is published here." in parsed["index.html"].text


def test_an_unproven_claim_is_not_published(invented: Any, undrawn: None) -> None:
    one = invented.runs()[0]
    claims = tuple(
        r.model_copy(update={"claim": r.claim.model_copy(update={"killed_by": ()})})
        if r.claim.id == "core.klaus"
        else r
        for r in one.claims
    )
    run = invented.RunInput(evidence=one.model_copy(update={"claims": claims, "comparisons": ()}))
    site = dict(site_files(SiteInputs(runs=(run,))))
    page = site["claims/core.klaus.html"].decode()
    assert "Unproven, and so not published." in page
    assert "1 of 1 case passed" not in page
    assert not any("core.klaus" in path for path in site if path.startswith("badges/"))


@pytest.mark.parametrize("draft", ["Something was timed on a busy machine.", None])
def test_a_draft_and_a_contradiction_are_said_wherever_the_run_shows(
    invented: Any, reading: Any, draft: str | None, undrawn: None
) -> None:
    run = invented.RunInput(
        evidence=invented.runs()[0].model_copy(update={"comparisons": ()}), draft=draft, is_consistent=draft is not None
    )
    site = dict(site_files(SiteInputs(runs=(run,)), draft=True))
    word, sentence = ("draft", draft) if draft else ("inconsistent", "Its verdicts do not follow from its own samples.")
    for path in ("index.html", "badges.html", "conformance.html"):
        page = reading.Page(site[path])
        assert sentence in page.text
        assert "This is a draft" in page.text
    for path, data in site.items():
        if path.startswith("badges/") and path.endswith(".json"):
            assert json.loads(data)["message"] == word


def test_a_small_run_hides_nothing_that_a_larger_one_said(invented: Any, reading: Any, undrawn: None) -> None:
    """A later run of a claim or two leaves curves, comparisons and the matrix to the run before it."""
    whole, sweeping = invented.runs()[2], invented.runs()[3]
    later = {"created_utc": whole.created_utc.replace(day=20)}
    compared = whole.model_copy(
        update={**later, "claims": (), "suites": (), "comparisons": (whole.comparisons[0], whole.comparisons[1])}
    )
    quick = sweeping.model_copy(update={**later, "claims": sweeping.claims[:3], "suites": sweeping.suites[:2]})
    runs = [invented.RunInput(evidence=one) for one in (whole, sweeping, compared, quick)]
    site = dict(site_files(SiteInputs(runs=tuple(runs))))
    slugs = {run.evidence.created_utc: run.slug for run in runs_of(runs) if run.machine.fixture is None}
    page = {path: reading.Page(data) for path, data in site.items() if path.endswith(".html")}
    assert "8 claims, 7 selected" in page["index.html"].text
    assert "2 runs; newest answer of each claim: 2 fail, 4 pass" in page["index.html"].text
    sweep = page["scaling.html"].table("scroller-random-buttons@1, draws the last of 4 frames")
    assert len(sweep.rows) == 9
    beside = site["peers.html"].decode().partition("against reference</h3>")[2]
    assert f"runs/{slugs[whole.created_utc]}.html" in beside
    assert f"runs/{slugs[compared.created_utc]}.html" not in beside
    assert len(page["conformance.html"].tables[0].rows) == 3
    assert len(page["conformance.html"].table("hardware_roms: cases").rows) == 6


def test_what_else_changed_stands_beside_a_step(invented: Any) -> None:
    first, second, *_ = invented.runs()
    machine = second.machine.model_copy(update={"kernel": "6.9.1"})
    packages = tuple(p.model_copy(update={"version": "9"}) for p in second.packages[:1])
    longer = tuple(
        s.model_copy(update={"expected": (*s.expected, "dma/new")}) if s.id == "hardware_roms-core" else s
        for s in second.suites
    )
    other = second.model_copy(update={"machine": machine, "packages": packages, "suites": longer})
    found = {h.claim.id: h for h in histories(runs_of(map(invented.RunInput, (first, other))))}
    (step,) = found["core.hardware"].series[0].steps
    assert step.also_changed == (
        "the suite asks other cases (1 more, 0 no longer)",
        "kernel: 6.8.0 → 6.9.1",
        "numpy: 2.3.5 → 9",
    )
