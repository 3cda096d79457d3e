"""The pages that go machine by machine: scaling, peers, conformance, frames, badges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from markupsafe import Markup

from nesproof.reports.conformance import conformance_csv
from nesproof.reports.site.collection import Collection
from nesproof.reports.site.gallery import SitePicture, galleries, site_picture
from nesproof.reports.site.pages import Pages, filled, inline_svg
from nesproof.reports.site.runs import MachineGroup, Run
from nesproof.reports.site.scaling import MachineScaling, MemoryPart, ScalingChart, scaling
from nesproof.reports.views.comparisons import ComparisonTable, comparison_rows, comparison_tables
from nesproof.reports.views.conformance import ConformanceMatrix, conformance_matrix

__all__ = ["machine_pages"]


@dataclass(frozen=True)
class _Scaling:
    machine: MachineGroup
    run: Run | None
    drawn: tuple[tuple[ScalingChart, Markup | None, Markup | None], ...]
    memory_run: Run | None
    memory: tuple[MemoryPart, ...]


@dataclass(frozen=True)
class _Peers:
    machine: MachineGroup
    run: Run
    tables: tuple[ComparisonTable, ...]
    pictures: dict[str, SitePicture]
    """Of comparisons, by id: both frames and their difference, where the two part."""


@dataclass(frozen=True)
class _Conformance:
    run: Run
    matrix: ConformanceMatrix
    csv: str


def machine_pages(collection: Collection, pages: Pages) -> Iterator[tuple[str, bytes]]:
    """The pages, with the files that they show."""
    entries = [_with_charts(entry) for entry in scaling(collection.runs)]
    yield pages.page("scaling.html", "scaling.html.j2", entries=entries)
    peers = tuple(_peers(collection))
    shown = galleries(collection.runs)
    pictures = [picture for one in peers for picture in one.pictures.values()]
    pictures += [frame.picture for gallery in shown for group in gallery.groups for frame in group.frames]
    yield from {picture.file: picture.png for picture in pictures if picture.file is not None}.items()
    yield pages.page("peers.html", "peers.html.j2", entries=peers)
    yield pages.page("frames.html", "gallery.html.j2", galleries=shown)
    matrices = tuple(_matrices(collection))
    for one in matrices:
        yield one.csv, conformance_csv(one.matrix)
    yield pages.page("conformance.html", "conformance.html.j2", entries=matrices)
    yield pages.page(
        "badges.html",
        "badges.html.j2",
        entries=[
            {
                "machine": one.machine,
                "run": one.run,
                "whole": [(badge, filled("badge.svg.j2", badge=badge)) for badge in (one.whole, *one.subjects)],
                "claims": [(h, badge, filled("badge.svg.j2", badge=badge)) for h, badge in one.claims],
            }
            for one in collection.badges
        ],
    )


def _with_charts(entry: MachineScaling) -> _Scaling:
    """Seconds to import, and many machines have nothing to draw."""
    made_up = "" if entry.machine.fixture is None else " (fixture: made up)"
    drawn = []
    for chart in entry.charts:
        speed = memory = None
        if chart.drawn:
            from nesproof.reports.site.charts import consoles_chart, memory_chart

            where = f"{chart.workload}, {chart.drawing}, on {entry.machine.title}{made_up}"
            speed = inline_svg(consoles_chart(chart, title=f"Frames per second over consoles: {where}"))
            if chart.with_memory:
                memory = inline_svg(memory_chart(chart, title=f"Bytes a console over consoles: {where}"))
        drawn.append((chart, speed, memory))
    return _Scaling(entry.machine, entry.run, tuple(drawn), entry.memory_run, entry.memory)


def _peers(collection: Collection) -> Iterator[_Peers]:
    """The newest run of each machine that compared anything."""
    for machine, runs in collection.machines.items():
        compared = [run for run in runs if run.evidence.comparisons]
        if compared:
            run = compared[-1]
            yield _Peers(machine, run, comparison_tables(comparison_rows(run.evidence)), _parting(run))


def _parting(run: Run) -> dict[str, SitePicture]:
    found = {}
    for comparison in run.evidence.comparisons:
        first = None if comparison.behaviour is None else comparison.behaviour.first_picture
        if first is not None and first.picture is not None:
            found[comparison.id] = site_picture(run, first.picture)
    return found


def _matrices(collection: Collection) -> Iterator[_Conformance]:
    """Of each machine the newest run that lets several subjects be held side by side, else the newest with suites."""
    for runs in collection.machines.values():
        found = None
        for least in (2, 1):
            for run in reversed(runs):
                found = found or _matrix(run, least)
        if found is not None:
            yield found


def _matrix(run: Run, least_columns: int) -> _Conformance | None:
    matrix = conformance_matrix([run.evidence], least_columns=least_columns)
    if matrix is None:
        return None
    if run.labels:  # the label goes wherever a column goes, into the CSV as well
        named = (replace(column, label=f"{column.label} ({run.label_words})") for column in matrix.columns)
        matrix = replace(matrix, columns=tuple(named))
    return _Conformance(run, matrix, f"conformance/{run.slug}.csv")
