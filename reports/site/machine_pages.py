"""The pages that go machine by machine: scaling, peers, conformance, frames, badges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from markupsafe import Markup

from nesproof.reports.conformance import conformance_csv
from nesproof.reports.html_parts import inline_svg
from nesproof.reports.site.collection import Collection
from nesproof.reports.site.gallery import SitePicture, galleries, site_picture
from nesproof.reports.site.pages import Pages, filled
from nesproof.reports.site.runs import MachineGroup, Run
from nesproof.reports.site.scaling import MachineScaling, MemoryPart, ScalingChart, scaling
from nesproof.reports.views.comparisons import ComparisonTable, comparison_rows, comparison_tables
from nesproof.reports.views.conformance import conformance_matrix
from nesproof.reports.views.conformance_parts import ConformanceMatrix

__all__ = ["machine_pages"]


@dataclass(frozen=True)
class _Scaling:
    machine: MachineGroup
    runs: tuple[Run, ...]
    drawn: tuple[tuple[ScalingChart, Markup | None, Markup | None], ...]
    memory_run: Run | None
    memory: tuple[MemoryPart, ...]


@dataclass(frozen=True)
class _Peers:
    machine: MachineGroup
    tables: tuple[tuple[Run, ComparisonTable], ...]
    pictures: dict[tuple[str, str], SitePicture]
    """Of comparisons, by run and id: both frames and their difference, where the two part."""


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
    return _Scaling(entry.machine, entry.runs, tuple(drawn), entry.memory_run, entry.memory)


def _peers(collection: Collection) -> Iterator[_Peers]:
    """Of each machine and each baseline on a workload the newest run that holds several subjects beside it, else the
    newest that holds any."""
    for machine, runs in collection.machines.items():
        chosen: dict[tuple[str, str], tuple[Run, ComparisonTable]] = {}
        for run in reversed(runs):
            for table in comparison_tables(comparison_rows(run.evidence)):
                key = (table.workload, table.baseline.subject)
                if key not in chosen or (len(chosen[key][1].rows) == 1 and len(table.rows) > 1):
                    chosen[key] = (run, table)
        if chosen:
            tables = tuple(chosen[key] for key in sorted(chosen))
            used = {run.slug: run for run, _ in tables}
            yield _Peers(machine, tables, {k: p for run in used.values() for k, p in _parting(run).items()})


def _parting(run: Run) -> dict[tuple[str, str], SitePicture]:
    found = {}
    for comparison in run.evidence.comparisons:
        first = None if comparison.behaviour is None else comparison.behaviour.first_picture
        if first is not None and first.picture is not None:
            found[run.slug, comparison.id] = site_picture(run, first.picture)
    return found


def _matrices(collection: Collection) -> Iterator[_Conformance]:
    """Of each machine the newest run that holds at least half as much (cases times subjects) as the one with most."""
    for runs in collection.machines.values():
        found = [matrix for run in runs if (matrix := _matrix(run)) is not None]
        sizes = [len(one.matrix.columns) * one.matrix.cases for one in found]
        large = [one for one, size in zip(found, sizes, strict=True) if 2 * size >= max(sizes)]
        yield from large[-1:]


def _matrix(run: Run) -> _Conformance | None:
    matrix = conformance_matrix([run.evidence]) or conformance_matrix([run.evidence], least_columns=1)
    if matrix is None:
        return None
    if run.labels:  # the label goes wherever a column goes, into the CSV as well
        named = (replace(column, label=f"{column.label} ({run.label_words})") for column in matrix.columns)
        matrix = replace(matrix, columns=tuple(named))
    return _Conformance(run, matrix, f"conformance/{run.slug}.csv")
