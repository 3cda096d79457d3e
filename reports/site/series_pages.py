"""The pages about claims and runs over time: a page a claim, a page a run with its whole report, a page a pair."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from markupsafe import Markup

from nesproof.harness.claims import Verdict
from nesproof.reports.format import Material
from nesproof.reports.html_page import HtmlPage
from nesproof.reports.html_parts import inline_svg
from nesproof.reports.site.collection import Collection
from nesproof.reports.site.differences import NEWEST_COMPARED
from nesproof.reports.site.history import ClaimHistory, Series
from nesproof.reports.site.moved import STEP_WORDS
from nesproof.reports.site.pages import Pages, filled
from nesproof.reports.site.runs import Run
from nesproof.reports.views.claims import claim_rows, claimed
from nesproof.reports.views.headline import headline
from nesproof.reports.wording import BY_URGENCY

__all__ = ["series_pages"]

_URGENCY: Final = {verdict.value: place for place, verdict in enumerate(BY_URGENCY)}


def series_pages(collection: Collection, pages: Pages) -> Iterator[tuple[str, bytes]]:
    """The pages, and the lists that lead to them."""
    yield pages.page(
        "claims/index.html",
        "claim_list.html.j2",
        histories=collection.histories,
        machines=tuple(collection.machines),
        urgency=_URGENCY,
        step_words=STEP_WORDS,
    )
    for history in collection.histories:
        yield pages.page(
            f"claims/{history.slug}.html",
            "claim.html.j2",
            history=history,
            charted=[(series, _chart(history, series)) for series in history.series],
            badges=_badges(collection, history),
            claimed=claimed,
        )
    rows = []
    for run in collection.runs:
        yield f"runs/{run.slug}-report.html", _whole_report(run)
        yield _run_page(collection, pages, run)
        counts = run.evidence.counts()
        told = (counts[Verdict.PASS], counts[Verdict.FAIL], counts[Verdict.ERROR])
        rows.append((run, headline(run.evidence, run.bundle_id), *told))
    yield pages.page("runs/index.html", "run_list.html.j2", rows=rows[::-1])
    yield pages.page(
        "differences/index.html", "difference_list.html.j2", pairs=collection.differences, newest=NEWEST_COMPARED
    )
    for pair in collection.differences:
        yield pages.page(
            f"differences/{pair.slug}.html",
            "difference.html.j2",
            pair=pair,
            slugs=collection.slugs,
            step_words=STEP_WORDS,
        )


def _chart(history: ClaimHistory, series: Series) -> Markup | None:
    """Seconds to import, and many claims have nothing to draw."""
    if not series.has_figures:
        return None
    from nesproof.reports.site.charts import series_chart

    made_up = "" if series.machine.fixture is None else " (fixture: made up)"
    return inline_svg(series_chart(series, title=f"{history.claim.id} on {series.machine.title}{made_up}"))


def _badges(collection: Collection, history: ClaimHistory) -> list[tuple[object, str, Markup]]:
    return [
        (of_machine.machine, badge.path, filled("badge.svg.j2", badge=badge))
        for of_machine in collection.badges
        for badged, badge in of_machine.claims
        if badged is history
    ]


def _run_page(collection: Collection, pages: Pages, run: Run) -> tuple[str, bytes]:
    return pages.page(
        f"runs/{run.slug}.html",
        "run.html.j2",
        run=run,
        headline=headline(run.evidence, run.bundle_id),
        claims=[row for row in claim_rows(run.evidence) if row.is_selected],
        pairs=[pair for pair in collection.differences if run in (pair.before, pair.after)],
        slugs=collection.slugs,
        urgency=_URGENCY,
    )


def _whole_report(run: Run) -> bytes:
    """The run's own report, with the pictures that came with it."""
    with tempfile.TemporaryDirectory(prefix="nesproof-") as folder:
        frames_dir = Path(folder)
        for name, data in run.frames.items():
            if name not in {".", ".."} and "/" not in name and "\\" not in name and "\0" not in name:
                (frames_dir / name).write_bytes(data)
        said = tuple(label.sentence for label in run.labels if label.word != "fixture")  # which the report says itself
        shown = Material(
            evidence=run.evidence,
            frames_dir=frames_dir if run.frames else None,
            bundle_id=run.bundle_id,
            notices=said,
            home=f"{run.slug}.html",
        )
        return HtmlPage().render(shown)
