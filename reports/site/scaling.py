"""Speed and memory over the number of consoles, one machine at a time: from sweeps, comparisons and timed claims."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.model import FigureRow, FiguresMeasurement, RatioMeasurement, RunRecord
from nesproof.reports.figures import amount, counted
from nesproof.reports.site.runs import MachineGroup, Run, by_machine
from nesproof.reports.views.runs import drawing_words
from nesproof.reports.views.speeds import median_speed
from nesproof.reports.wording import ABSENT

__all__ = ["Curve", "CurvePoint", "MachineScaling", "MemoryPart", "ScalingChart", "scaling"]

_DRAWS: tuple[Literal["none", "every", "last-of-4"], ...] = ("none", "every", "last-of-4")
_CURVES_DRAWN = 8
"""More in one picture cannot be told apart; the table has them all."""


@dataclass(frozen=True)
class CurvePoint:
    """One number of consoles. Figures are numbers; None where the document has none."""

    consoles: int
    frames_per_second: float
    bytes_a_console: float | None
    measurements: int
    """How many figures of the run say so; the median of them is shown."""

    @property
    def a_console(self) -> float:
        """Frames per second of each console."""
        return self.frames_per_second / self.consoles


@dataclass(frozen=True)
class Curve:
    """One subject run in one way, fewest consoles first."""

    subject: str
    how: str
    source: str
    """"sweep", or "timed beside another"."""
    run: Run
    points: tuple[CurvePoint, ...]

    @property
    def name(self) -> str:
        """The curve's name in a legend."""
        return f"{self.subject}, {self.how}" if self.how else self.subject


@dataclass(frozen=True)
class ScalingChart:
    """All curves of one workload and one way to draw; `drawn` are those with more than one point."""

    anchor: str
    workload: str
    drawing: str
    curves: tuple[Curve, ...]

    @property
    def drawn(self) -> tuple[Curve, ...]:
        """The curves that a picture shows."""
        return tuple(curve for curve in self.curves if len(curve.points) > 1)[:_CURVES_DRAWN]

    @property
    def with_memory(self) -> tuple[Curve, ...]:
        """Those of them that say how much memory a console takes."""
        return tuple(c for c in self.drawn if sum(p.bytes_a_console is not None for p in c.points) > 1)


@dataclass(frozen=True)
class MemoryPart:
    """Bytes a console of one subject, as counted."""

    subject: str
    workload: str
    part: str
    bytes: float
    shown: str


@dataclass(frozen=True)
class MachineScaling:
    """What the runs of one machine say about scaling."""

    machine: MachineGroup
    runs: tuple[Run, ...]
    """The runs that the curves are from, newest first."""
    charts: tuple[ScalingChart, ...]
    memory_run: Run | None
    memory: tuple[MemoryPart, ...]


def scaling(runs: Iterable[Run]) -> tuple[MachineScaling, ...]:
    """One entry a machine that has anything to say.

    A curve is of one run: the newest in which it has several points, else the newest that has it at all. Memory is of
    the newest run that counted any.
    """
    found = []
    for machine, its_runs in by_machine(runs).items():
        newest_first = its_runs[::-1]
        charts = _charts(newest_first)
        memory = next(((run, parts) for run in newest_first if (parts := _memory(run.evidence))), None)
        if charts or memory is not None:
            used = {curve.run.slug for chart in charts for curve in chart.curves}
            found.append(
                MachineScaling(
                    machine=machine,
                    runs=tuple(run for run in newest_first if run.slug in used),
                    charts=charts,
                    memory_run=None if memory is None else memory[0],
                    memory=() if memory is None else memory[1],
                )
            )
    return tuple(found)


@dataclass(frozen=True)
class _Reading:
    workload: str
    draw: str
    subject: str
    how: str
    source: str
    consoles: int
    frames_per_second: float
    bytes_a_console: float | None = None


def _charts(newest_first: tuple[Run, ...]) -> tuple[ScalingChart, ...]:
    chosen: dict[tuple[str, str], dict[tuple[str, str, str], Curve]] = {}
    for run in newest_first:
        for (workload, draw, *of_curve), points in _points_of(run.evidence).items():
            subject, how, source = of_curve
            curve = Curve(subject, how, source, run, points)
            curves = chosen.setdefault((workload, draw), {})
            kept = curves.get((subject, how, source))
            if kept is None or (len(kept.points) == 1 and len(points) > 1):
                curves[subject, how, source] = curve
    ordered = sorted(chosen.items(), key=lambda item: (item[0][0], _order_of(item[0][1]), item[0][1]))
    return tuple(
        ScalingChart(
            anchor=f"chart-{number}",
            workload=workload,
            drawing=drawing_words(draw) if draw in _DRAWS else f"draws: {draw}",
            curves=tuple(curve for _, curve in sorted(curves.items(), key=lambda c: (-len(c[1].points), c[0]))),
        )
        for number, ((workload, draw), curves) in enumerate(ordered, start=1)
    )


def _points_of(evidence: Evidence) -> dict[tuple[str, str, str, str, str], tuple[CurvePoint, ...]]:
    """The points of each curve of one run, by workload, drawing, subject, how it was run, and where they are from."""
    grouped: dict[tuple[str, str, str, str, str], dict[int, list[_Reading]]] = {}
    for reading in _readings(evidence):
        key = (reading.workload, reading.draw, reading.subject, reading.how, reading.source)
        grouped.setdefault(key, {}).setdefault(reading.consoles, []).append(reading)
    return {
        key: tuple(_point(consoles, met) for consoles, met in sorted(points.items())) for key, points in grouped.items()
    }


def _order_of(draw: str) -> int:
    return _DRAWS.index(draw) if draw in _DRAWS else len(_DRAWS)


def _point(consoles: int, readings: list[_Reading]) -> CurvePoint:
    sizes = [r.bytes_a_console for r in readings if r.bytes_a_console is not None]
    return CurvePoint(
        consoles=consoles,
        frames_per_second=statistics.median(r.frames_per_second for r in readings),
        bytes_a_console=statistics.median(sizes) if sizes else None,
        measurements=len(readings),
    )


def _readings(evidence: Evidence) -> Iterator[_Reading]:
    yield from _of_sweeps(evidence)
    sides: tuple[Literal["candidate", "baseline"], ...] = ("candidate", "baseline")
    for _, measurement in evidence.measurements():
        if isinstance(measurement, RatioMeasurement):
            for side in sides:
                run, subject = measurement.side(side)
                speed = median_speed(measurement, side)
                if speed is not None:
                    yield _Reading(
                        measurement.workload_of(side),
                        run.draw,
                        subject,
                        _how(run),
                        "timed beside another",
                        run.num_envs,
                        speed,
                    )


def _of_sweeps(evidence: Evidence) -> Iterator[_Reading]:
    """The rows of a sweep: they name a number of consoles and what is drawn. Several claims may rest on one sweep."""
    seen: list[FiguresMeasurement] = []
    for record in evidence.claims:
        measurement = record.measurement
        if not isinstance(measurement, FiguresMeasurement) or measurement.of != "absolute" or measurement in seen:
            continue
        seen.append(measurement)
        for row in measurement.rows:
            consoles, draw = row.labels.get("num_envs"), row.labels.get("draw")
            speed = row.figures.get("frames_per_second")
            if type(consoles) is int and consoles > 0 and isinstance(draw, str) and speed is not None and speed > 0:
                yield _Reading(
                    workload=measurement.workload or ABSENT,
                    draw=draw,
                    subject=measurement.subject,
                    how="",
                    source="sweep",
                    consoles=consoles,
                    frames_per_second=speed,
                    bytes_a_console=_memory_of(row),
                )


def _memory_of(row: FigureRow) -> float | None:
    size = row.figures.get("bytes_a_console")
    return size if size is not None and size > 0 else None


def _how(run: RunRecord) -> str:
    words = [counted(run.threads, "thread")]
    if not run.idle_skipping:
        words.append("idle skipping off")
    return ", ".join(words)


def _memory(evidence: Evidence) -> tuple[MemoryPart, ...]:
    parts: dict[tuple[str, str, str], float] = {}
    for record in evidence.claims:
        measurement = record.measurement
        if isinstance(measurement, FiguresMeasurement) and measurement.of == "memory":
            for row in measurement.rows:
                if "part" in row.labels and "bytes" in row.figures:
                    key = (measurement.subject, measurement.workload or ABSENT, str(row.labels["part"]))
                    parts.setdefault(key, row.figures["bytes"])
    return tuple(
        MemoryPart(subject, workload, part.replace("_", " "), size, amount(size))
        for (subject, workload, part), size in parts.items()
    )
