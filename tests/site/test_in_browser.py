"""The site opened from a disk in a headless Chromium without a network, and so are the pages that stand alone.

Each page is visited once in a run of the tests, whichever process comes first; the tests look at what was seen there.
"""

from __future__ import annotations

import io
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("playwright", reason="condition: no playwright; `pip install 'nesproof[dev]'` brings it")
pytest.importorskip("axe_playwright_python", reason="condition: no axe-core; `pip install 'nesproof[dev]'` brings it")

SMALLEST_TEXT_PX = 9.5
PAGES_ATTACKED = 2
"""Of each kind."""
EMPTY = ("empty/index.html", "empty/claims/index.html", "empty/scaling.html")
CLAIM = "site/claims/throughput.core.vs-nes-py.html"
KINDS = re.compile(r"[0-9]{8}T[0-9]{6}Z-[0-9a-f]{10}|claims/(?!index)[^/]+\.html$")


def kind_of(path: str) -> str:
    """What pages of one template share. A report stands for all of them, and an empty page for the empty ones."""
    if path.endswith("-report.html") or path == "alone/compared.html":
        return "alone/report.html"
    return "empty/index.html" if path.startswith("empty/") else KINDS.sub("*", path)


def models_of(paths: Iterable[str]) -> dict[str, str]:
    """Kind to the page that stands for it: the one whose path is the kind, or else the last."""
    models: dict[str, str] = {}
    for path in paths:
        if models.get(kind_of(path)) != kind_of(path):
            models[kind_of(path)] = path
    return models


@pytest.fixture(scope="module")
def browser(browsing: Any) -> Iterator[Any]:
    """Closed after this file: while it lives, an event loop runs in this thread, which other tests may want."""
    if browsing.chromium() is None:
        pytest.skip(browsing.NO_CHROMIUM)
    with browsing.browser() as started:
        yield started


@pytest.fixture(scope="module")
def folder(request: pytest.FixtureRequest, browsing: Any, to_browse: Any, invented: Any, once: Any) -> Path:
    """The pages, as files."""

    def write(place: Path) -> None:
        site = request.getfixturevalue("site")
        browsing.write_files(to_browse.calm_files(invented, site, place.with_name("frames-to-browse")), place)

    made: Path = once("pages-to-browse", write)
    return made


@pytest.fixture(scope="module")
def seen(request: pytest.FixtureRequest, browsing: Any, folder: Path, once: Any) -> dict[str, dict[str, Any]]:
    """Path to what the browser says of the page. axe-core looks at one of each kind."""
    if browsing.chromium() is None:
        pytest.skip(browsing.NO_CHROMIUM)

    def look(place: Path) -> None:
        watched = browsing.Watched.of(request.getfixturevalue("browser").new_context(), folder)
        pages = sorted(str(page.relative_to(folder)) for page in folder.rglob("*.html"))
        pages = [path for path in pages if not path.startswith("empty/") or path in EMPTY]
        models = models_of(pages).values()
        found = {path: browsing.visit(watched, path, whole=path in models) for path in pages}
        place.write_text(json.dumps(found), encoding="utf-8")

    found: dict[str, dict[str, Any]] = json.loads(once("pages-seen.json", look).read_text(encoding="utf-8"))
    return found


def test_pages_load_whole_and_without_a_complaint(seen: dict[str, dict[str, Any]]) -> None:
    assert len({kind_of(path) for path in seen if path.startswith("site/")}) >= 18
    for path, page in seen.items():
        assert page["troubles"] == [], path
        assert page["violations"] == [], path
        assert page["title"].strip(), path
        assert page["language"] == "en", path
        assert [level for level, _ in page["headings"]].count("H1") == 1, path


def test_links_and_anchors_lead_somewhere(seen: dict[str, dict[str, Any]], folder: Path) -> None:
    """As the browser resolves them, from a disk."""
    links = 0
    for path, page in seen.items():
        for link in (*page["links"], *page["loaded"]):
            parts = urlsplit(link)
            if parts.scheme == "data":
                continue
            assert parts.scheme == "file", (path, link)
            there = Path(unquote(parts.path)).relative_to(folder)
            assert (folder / there).is_file(), (path, link)
            if parts.fragment:
                assert unquote(parts.fragment) in seen[str(there)]["ids"], (path, link)
            links += 1
    assert links > 1000


def test_charts_have_a_size_and_words(seen: dict[str, dict[str, Any]]) -> None:
    charts = {path: page["drawings"] for path, page in seen.items() if page["drawings"]}
    assert {kind_of(path) for path in charts} >= {"site/scaling.html", "site/*", "alone/report.html"}
    for path, drawings in charts.items():
        for drawing in drawings:
            assert drawing["width"] >= 300, path
            assert drawing["height"] >= 50, path
            assert drawing["inked"] >= 3, path
            assert drawing["role"] == "img", path
            assert len(drawing["words"]) > 10, path
    for drawing in (*charts["site/scaling.html"], *charts[CLAIM]):
        assert drawing["more"], drawing
    assert [drawing["shapes"] for drawing in charts[CLAIM]] == [2], "a pass and a fail differ in shape"


def test_pictures_have_a_size_and_words(seen: dict[str, dict[str, Any]]) -> None:
    pictures = [(path, picture) for path, page in seen.items() for picture in page["pictures"]]
    assert len(pictures) > 500
    for path, picture in pictures:
        assert picture["width"] > 5, (path, picture)
        assert picture["height"] > 5, (path, picture)
        assert picture["isHidden"] or picture["words"], (path, picture)


def test_tables_sort_and_filter(seen: dict[str, dict[str, Any]]) -> None:
    for path, page in seen.items():
        assert page["sorted"]["complaints"] == [], path
        assert page["filtered"]["complaints"] == [], path
    assert sum(page["sorted"]["columns"] for page in seen.values()) > 100
    assert sum(page["filtered"]["fields"] for page in seen.values()) > 8


def test_a_table_sorts_by_mouse_and_by_keyboard(browser: Any, browsing: Any, folder: Path) -> None:
    watched = browsing.Watched.of(browser.new_context(viewport=browsing.DESKTOP), folder)
    page = watched.page
    watched.open("site/claims/index.html")
    header = page.get_by_role("columnheader", name=re.compile("^Claimed"))
    claims = page.locator("tbody tr:visible th a")
    as_written = claims.all_inner_texts()
    header.get_by_role("button").click()
    assert header.get_attribute("aria-sort") == "ascending"
    page.keyboard.press("Enter")
    assert header.get_attribute("aria-sort") == "descending"
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert header.get_attribute("aria-sort") is None
    assert page.locator("th[aria-sort=ascending]").count() == 1
    assert page.evaluate("document.activeElement.closest('th').getAttribute('aria-sort')") == "ascending"
    page.keyboard.press("Space")
    page.keyboard.press("Space")
    assert claims.all_inner_texts() == as_written
    field = page.get_by_role("searchbox")
    field.press_sequentially("nes-py")
    assert claims.all_inner_texts() == [claim for claim in as_written if "nes-py" in claim]
    assert page.get_by_role("status").inner_text() == f"2 of {len(as_written)} rows"
    field.fill("")
    assert claims.all_inner_texts() == as_written
    assert watched.troubles == []


def test_the_first_thing_that_the_keyboard_reaches_skips_what_is_the_same_on_every_page(
    browser: Any, browsing: Any, folder: Path
) -> None:
    watched = browsing.Watched.of(browser.new_context(viewport=browsing.DESKTOP), folder)
    for path in ("site/index.html", CLAIM, "alone/report.html", "alone/gate.html"):
        watched.open(path)
        watched.page.keyboard.press("Tab")
        skip = watched.page.locator(".skip")
        assert skip.evaluate("link => link === document.activeElement"), path
        assert skip.is_visible(), path
        watched.page.keyboard.press("Enter")
        assert watched.page.evaluate("document.querySelector(':target').tagName") == "MAIN", path


def test_a_fragment_opens_the_fold_that_it_leads_into(browser: Any, browsing: Any, folder: Path) -> None:
    watched = browsing.Watched.of(browser.new_context(viewport=browsing.DESKTOP), folder)
    watched.open("alone/report.html")
    closed = watched.page.evaluate(
        "[...document.querySelectorAll('details:not([open]) [id], details[id]:not([open])')].map(part => part.id)"
    )
    assert closed
    watched.page.evaluate("fragment => { location.hash = fragment; }", closed[0])
    watched.page.wait_for_function(
        "id => document.getElementById(id).closest('details').open", arg=closed[0], timeout=5_000
    )


def test_without_a_script_everything_is_still_there(
    browser: Any, browsing: Any, folder: Path, seen: dict[str, dict[str, Any]]
) -> None:
    watched = browsing.Watched.of(browser.new_context(java_script_enabled=False, viewport=browsing.DESKTOP), folder)
    for path in models_of(seen).values():
        watched.open(path)
        facts = watched.ask("facts")
        assert watched.page.locator("th button, .filter").count() == 0, path
        assert watched.ask("tables") == seen[path]["tables"], path
        for what in ("title", "headings", "links", "drawings"):
            assert facts[what] == seen[path][what], (path, what)
        assert watched.troubles == [], path


@pytest.mark.parametrize("window", ["desktop", "phone"])
def test_no_page_is_wider_than_its_window_and_text_can_be_read(seen: dict[str, dict[str, Any]], window: str) -> None:
    for path, page in seen.items():
        if window not in page["fit"]:
            continue
        fit = page["fit"][window]
        assert fit["width"] <= fit["window"], path
        assert fit["cut"] == [], path
        assert fit["smallest"]["size"] >= SMALLEST_TEXT_PX, (path, fit["smallest"])
        assert page["unreachable"] == [], path


def test_axe_core_finds_nothing_in_either_scheme(seen: dict[str, dict[str, Any]]) -> None:
    looked_at = {path: page["axe"] for path, page in seen.items() if page["axe"]}
    assert looked_at.keys() == set(models_of(seen).values())
    assert len(looked_at) >= 21
    for path, found in looked_at.items():
        assert found == {"light": [], "dark": []}, path


def test_verdicts_are_told_by_words_that_no_other_verdict_has(seen: dict[str, dict[str, Any]]) -> None:
    marks: dict[str, set[str]] = defaultdict(set)
    for path, page in seen.items():
        for mark, words in page["told"]:
            assert mark, (path, words)
            assert words, (path, mark)
            marks[words].add(mark)
    assert {"pass", "fail", "not applicable", "waived", "inconclusive", "not measured", "error"} <= marks.keys()
    assert {words: told for words, told in marks.items() if len(told) > 1} == {}


def test_verdicts_are_told_by_shapes_where_there_is_no_colour(browser: Any, browsing: Any, folder: Path) -> None:
    context = browser.new_context(
        viewport=browsing.DESKTOP, device_scale_factor=4, forced_colors="active", color_scheme="light"
    )
    watched = browsing.Watched.of(context, folder)
    watched.open("alone/report.html")
    shapes = {}
    for item in watched.page.locator(".tally li").all():
        drawn = Image.open(io.BytesIO(item.locator(".mark").screenshot())).convert("L")
        shapes[item.inner_text()] = np.asarray(drawn.resize((48, 48))) < 128
    assert len(shapes) == 9
    for one, shape in shapes.items():
        assert 0.04 < shape.mean() < 0.96, one
        for other, another in shapes.items():
            assert one == other or (shape != another).mean() > 0.03, (one, other)


def test_what_a_stranger_wrote_is_text_and_does_nothing(
    browser: Any, browsing: Any, to_browse: Any, invented: Any, tmp_path: Path
) -> None:
    files = to_browse.hostile_files(invented)
    browsing.write_files(files, tmp_path)
    context = browser.new_context(viewport=browsing.PHONE, color_scheme="light")
    watched = browsing.Watched.of(context, tmp_path)
    pages = sorted(path for path in files if path.endswith(".html"))
    assert len({kind_of(path) for path in pages}) >= 18
    attacked, of_kind = 0, Counter[str]()
    for path in pages:
        of_kind[kind_of(path)] += 1
        if of_kind[kind_of(path)] > PAGES_ATTACKED:
            continue
        watched.open(path)
        page, fit = watched.ask("facts"), watched.ask("fit")
        assert watched.troubles == [], path
        assert page["harm"] is None, path
        assert page["violations"] == [], path
        assert page["handlers"] == [], path
        is_alone = "-report" in path or path.startswith(("gates/2", "bisections/2"))
        script = "inline" if is_alone else f"{tmp_path}/assets/site.js"
        assert page["scripts"] in ([script], [] if is_alone else None), path
        assert not {"iframe", "base", "textarea", "object", "embed", "form"} & {tag for tag, _ in page["elements"]}, (
            path
        )
        assert page["title"].endswith(": nesproof") or page["title"].startswith("nesproof"), path
        assert all(urlsplit(link).scheme == "file" for link in page["links"]), path
        assert fit["width"] <= fit["window"], path
        assert fit["cut"] == [], path
        attacked += "<script>window.harm = 1</script><img src=x" in page["text"]
    assert attacked > 20
