"""The page of a bisection: everything that was asked, text from a history without power over it, no request."""

from __future__ import annotations

import re
from typing import Any

from nesproof.harness.bisect.run import bisect
from nesproof.harness.evidence.bisection import Bisection
from nesproof.reports.bisect import render_bisection
from nesproof.reports.bisect.view import bisection_view

HOSTILE = '<script>alert(1)</script> "onload= \x1b]0;title\x07\u202e&amp;'


def found(written: Any, **settings: Any) -> Bisection:
    document = written.document(24)
    commits = tuple(c.model_copy(update={"subject": f"{HOSTILE} {n}"}) for n, c in enumerate(document.commits))
    document = document.model_copy(update={"commits": commits, "command": f"nesproof bisect {HOSTILE}"})
    return bisect(document, written.Written(**settings), keep=lambda _: None)


def test_the_page_shows_every_step_and_no_markup_of_a_commit(written: Any) -> None:
    document = found(written, broken=lambda n: n >= 17, silent={11, 12, 13})
    page = render_bisection(document).decode()
    assert page == render_bisection(document).decode()
    assert "<script" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert not re.search(r"""(?:src|href)=["'](?!#|data:)""", page)
    assert "default-src &#39;none&#39;" in page
    assert page.count("<tr>") == len(document.steps) + 1
    assert "this_is_not_c" in page
    assert f"First bad commit: {written.sha(17)[:12]}" in page
    assert page.count('class="result"') == 1


def test_the_view_counts_what_the_document_holds(written: Any) -> None:
    document = found(written, broken=lambda n: n >= 17, silent={16, 17})
    view = bisection_view(document)
    assert view.title == "One of 3 commits"
    assert (view.mark, view.exit_code) == ("INCONCLUSIVE", 3)
    assert [row.number for row in view.rows] == list(range(1, len(document.steps) + 1))
    assert len(view.commits) == 25
    assert sum(commit.is_result for commit in view.commits) == 3
    places = [commit.x for commit in view.commits]
    assert places == sorted(places)
    for row in view.rows:
        if row.start is not None:
            assert row.start <= row.x <= row.start + row.width
    facts = dict(view.facts)
    assert facts["Builds"].endswith("failed, 0 from the cache")
    assert "Caveat" not in facts
    assert view.unasked == 24 - len({step.sha for step in document.steps} - {document.good.sha})


def test_a_bisection_under_way_and_one_that_asked_nothing_yet_have_a_page(written: Any) -> None:
    document = found(written, broken=lambda n: n >= 17)
    under_way = document.model_copy(update={"result": None, "exit_code": None, "steps": document.steps[:3]})
    assert "Under way" in render_bisection(under_way).decode()
    assert "No commit was asked yet." in render_bisection(written.document(3)).decode()


def test_what_was_timed_on_a_busy_machine_is_called_diagnostic(written: Any) -> None:
    measurement = written.timed(0.05)
    busy = measurement.model_copy(
        update={"load": measurement.load.model_copy(update={"busy": True, "overridden": True})}
    )
    document = found(written, broken=lambda n: n >= 17)
    for load, diagnostic in ((measurement, False), (busy, True)):
        step = document.steps[0].model_copy(update={"measurement": load})
        changed = document.model_copy(update={"steps": (step, *document.steps[1:])})
        assert changed.is_diagnostic() == diagnostic
        assert ("Caveat" in dict(bisection_view(changed).facts)) == diagnostic
