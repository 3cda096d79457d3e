"""Every file of the site, from its documents: equal documents give equal bytes, in whatever order they come."""

from __future__ import annotations

from collections.abc import Iterator

from nesproof.reports.bisect import render_bisection
from nesproof.reports.gate import gate_html
from nesproof.reports.site.collection import Collection
from nesproof.reports.site.inputs import SiteInputs
from nesproof.reports.site.list_pages import list_pages
from nesproof.reports.site.machine_pages import machine_pages
from nesproof.reports.site.pages import Pages, filled, site_asset
from nesproof.reports.site.series_pages import series_pages

__all__ = ["site_files"]

_ASSETS = ("icon.svg", "site.css", "site.js")


_DRAFT = "This is a draft: it may hold what must not be published, and is labelled there."


def site_files(inputs: SiteInputs, *, draft: bool = False) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of every file, each path once. All text of the documents may be hostile, and stays text.

    `draft` says so at the head of every page.
    """
    collection = Collection.of(inputs)
    pages = Pages((_DRAFT,) if draft else ())
    for name in _ASSETS:
        yield f"assets/{name}", site_asset(name)
    for badge in collection.all_badges:
        yield f"{badge.path}.svg", filled("badge.svg.j2", badge=badge).encode()
        yield f"{badge.path}.json", badge.endpoint()
    for run in collection.runs:
        yield f"evidence/{run.slug}.json", run.document
    for gate in collection.gates:
        yield f"gates/{gate.slug}.json", gate.data
        yield f"gates/{gate.slug}.html", gate_html(gate.document, home="index.html")
    for bisection in collection.bisections:
        yield f"bisections/{bisection.slug}.json", bisection.data
        yield f"bisections/{bisection.slug}.html", render_bisection(bisection.document, home="index.html")
    yield from series_pages(collection, pages)
    yield from machine_pages(collection, pages)
    yield from list_pages(collection, pages)
