"""The first page, and the lists of documents: reproductions, gates, bisections, evidence."""

from __future__ import annotations

from collections.abc import Iterator

from nesproof.harness.evidence.reproductions import RunSource, reproductions
from nesproof.reports.reproductions import reproductions_csv, reproductions_json
from nesproof.reports.site.collection import Collection
from nesproof.reports.site.overview import machine_cards, newest_steps, totals
from nesproof.reports.site.pages import Pages, filled
from nesproof.reports.views.reproductions import reproduction_table

__all__ = ["list_pages"]

_STEPS_SHOWN = 20


def list_pages(collection: Collection, pages: Pages) -> Iterator[tuple[str, bytes]]:
    """The pages, and the reproductions as files."""
    found = reproductions(RunSource(run.slug, run.evidence) for run in collection.runs)
    yield "reproductions.csv", reproductions_csv(found)
    yield "reproductions.json", reproductions_json(found)
    yield pages.page(
        "reproductions.html",
        "reproductions.html.j2",
        table_=reproduction_table(found),
        machines=found.machines,
        runs={run.slug: run for run in collection.runs},
        slugs=collection.slugs,
    )
    yield pages.page("gates/index.html", "gate_list.html.j2", rows=[(g.slug, g.view) for g in collection.gates])
    yield pages.page(
        "bisections/index.html",
        "bisection_list.html.j2",
        rows=[(b.slug, b.created, b.view) for b in collection.bisections],
        slugs=collection.slugs,
    )
    yield pages.page(
        "evidence.html",
        "downloads.html.j2",
        runs=collection.runs[::-1],
        gates=collection.gates,
        bisections=collection.bisections,
    )
    steps = newest_steps(collection.histories)
    yield pages.page(
        "index.html",
        "overview.html.j2",
        totals=totals(collection.machines),
        cards=[
            (card, filled("badge.svg.j2", badge=card.badges.whole))
            for card in machine_cards(collection.machines, collection.badges, collection.histories)
        ],
        steps=steps[:_STEPS_SHOWN],
        steps_left_out=max(0, len(steps) - _STEPS_SHOWN),
        claim_count=len(collection.histories),
        gate_count=len(collection.gates),
        bisection_count=len(collection.bisections),
    )
