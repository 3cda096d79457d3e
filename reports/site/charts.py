"""The site's charts as inline SVG. Each says what it shows in a title and a description; a table beside it has the
numbers. Marks differ in shape and dash as well as in colour, so that nothing hangs on colour alone."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from nesproof.reports.drawing import BASELINE, CANDIDATE, INK, THRESHOLD, drawn, measurable
from nesproof.reports.figures import counted, number
from nesproof.reports.site.history import Series
from nesproof.reports.site.scaling import Curve, ScalingChart

__all__ = ["consoles_chart", "memory_chart", "series_chart"]

_WIDTH = 800
_POINTS_DRAWN = 120
_SHAPES = {"PASS": "circle", "FAIL": "cross", "WAIVED": "triangle-up", "INCONCLUSIVE": "diamond"}
_OTHER_SHAPE = "square"
_COLOURS = (CANDIDATE, BASELINE, THRESHOLD, INK)
_CURVE_SHAPES = ("circle", "square", "diamond", "triangle-up", "cross", "triangle-down", "triangle-left", "stroke")
_DASHES = ([1, 0], [7, 4], [2, 3], [9, 3, 2, 3], [4, 2], [12, 4], [1, 5], [6, 2, 1, 2])
_LARGEST = 1e300
_SHORTENED_FROM = 1e6
"""An axis that reaches this reads "131M"."""


def series_chart(series: Series, *, title: str) -> str:
    """A claim's figure run by run, with its interval, what is claimed, and where it stepped."""
    with_value = [p for p in series.points if p.record.value is not None and abs(p.record.value) < _LARGEST]
    shown = with_value[-_POINTS_DRAWN:]
    rows: list[dict[str, Any]] = []
    for point in shown:
        low, high = sorted(point.record.interval or (point.record.value or 0.0,) * 2)
        rows.append({
            "run": point.number, "value": point.record.value, "low": low, "high": high,
            "verdict": point.word, "threshold": point.record.claim.threshold,
        })  # fmt: skip
    frame = pd.DataFrame(rows, columns=["run", "value", "low", "high", "verdict", "threshold"])
    first, last = (shown[0].number, shown[-1].number) if shown else (1, 1)
    across = alt.X(
        "run:Q",
        title="run, oldest first, numbered as in the table",
        scale=alt.Scale(domain=[first - 0.5, last + 0.5], nice=False),
        axis=alt.Axis(format="d", tickMinStep=1),
    )
    metric = measurable(_metric(series), 60)
    axis = alt.Axis(format="~s" if max((abs(row["high"]) for row in rows), default=0) >= _SHORTENED_FROM else ",f")
    up = alt.Y("value:Q", title=metric, scale=alt.Scale(zero=False, nice=True, padding=14), axis=axis)
    base = alt.Chart(frame).encode(x=across)
    layers: list[Any] = []
    steps = [
        {"run": p.number - 0.5, "word": "step: " + p.step.direction} for p in shown if p.step is not None
    ]  # a step lies before the run that it was seen in
    if steps:
        rule = alt.Chart(pd.DataFrame(steps)).encode(x=across)
        layers.append(rule.mark_rule(color=INK, strokeDash=[2, 3], strokeWidth=1.5))
        words = rule.mark_text(color=INK, align="left", baseline="top", dx=4, dy=2, fontSize=12, fontWeight="bold")
        layers.append(words.encode(y=alt.value(0), text="word:N"))
    layers.append(base.mark_rule(color=CANDIDATE, strokeWidth=2).encode(y=alt.Y("low:Q", title=metric), y2="high:Q"))
    layers.append(base.mark_line(color=CANDIDATE, strokeWidth=1, opacity=0.55).encode(y=up))
    layers.append(
        base.mark_line(color=THRESHOLD, strokeDash=[6, 4], strokeWidth=2, interpolate="step").encode(
            y=alt.Y("threshold:Q", title=metric)
        )
    )
    verdicts = list(dict.fromkeys(p.word for p in shown))
    shapes = [_SHAPES.get(next(p.verdict for p in shown if p.word == word), _OTHER_SHAPE) for word in verdicts]
    legend = alt.Legend(title=None, orient="top", labelLimit=0, symbolOpacity=1, symbolSize=110)
    points = base.mark_point(color=CANDIDATE, filled=True, size=110, opacity=1).encode(
        y=up, shape=alt.Shape("verdict:N", scale=alt.Scale(domain=verdicts, range=shapes), legend=legend)
    )
    layers.append(points)
    return drawn(
        alt.layer(*layers).properties(width=_WIDTH, height=240), title=title, description=_series_words(series)
    )


def consoles_chart(chart: ScalingChart, *, title: str) -> str:
    """Frames per second over consoles, both axes in powers, one line a subject and way to run it."""
    return _curves(
        chart.drawn,
        [(p.consoles, p.frames_per_second, c) for c in chart.drawn for p in c.points],
        title=title,
        up="frames per second, all consoles together",
        description="; ".join(
            f"{curve.name}: {number(curve.points[0].frames_per_second)} frames per second with "
            f"{counted(curve.points[0].consoles, 'console')}, {number(curve.points[-1].frames_per_second)} with "
            f"{curve.points[-1].consoles:,}"
            for curve in chart.drawn
        ),
    )


def memory_chart(chart: ScalingChart, *, title: str) -> str:
    """Bytes a console over consoles."""
    curves = chart.with_memory
    return _curves(
        curves,
        [(p.consoles, p.bytes_a_console, c) for c in curves for p in c.points if p.bytes_a_console is not None],
        title=title,
        up="bytes a console",
        description="; ".join(f"{curve.name}: see the table for its bytes a console" for curve in curves),
    )


def _curves(
    curves: tuple[Curve, ...],
    readings: list[tuple[int, float, Curve]],
    *,
    title: str,
    up: str,
    description: str,
) -> str:
    names = {id(curve): f"{n}. {measurable(curve.name, 60)}" for n, curve in enumerate(curves, start=1)}
    rows = pd.DataFrame(
        [{"consoles": n, "figure": y, "curve": names[id(c)]} for n, y, c in readings if 0 < y < _LARGEST],
        columns=["consoles", "figure", "curve"],
    )
    domain = list(names.values())
    count = range(len(domain))
    legend = alt.Legend(title=None, orient="top", columns=2, labelLimit=0, symbolOpacity=1, symbolSize=90)
    place = alt.Chart(rows).encode(
        x=alt.X(
            "consoles:Q",
            title="consoles",
            scale=alt.Scale(type="log", base=2, nice=False, padding=12),
            axis=alt.Axis(format=",", tickCount=9),
        ),
        y=alt.Y(
            "figure:Q",
            title=up,
            scale=alt.Scale(type="log", nice=False, padding=12),
            axis=alt.Axis(format="~s", tickCount=6),
        ),
        color=alt.Color(
            "curve:N",
            scale=alt.Scale(domain=domain, range=[_COLOURS[n % len(_COLOURS)] for n in count]),
            legend=legend,
        ),
    )
    line = place.mark_line(strokeWidth=2).encode(
        strokeDash=alt.StrokeDash(
            "curve:N", scale=alt.Scale(domain=domain, range=[_DASHES[n % len(_DASHES)] for n in count]), legend=legend
        )
    )
    points = place.mark_point(filled=True, size=70, opacity=1).encode(
        shape=alt.Shape(
            "curve:N",
            scale=alt.Scale(domain=domain, range=[_CURVE_SHAPES[n % len(_CURVE_SHAPES)] for n in count]),
            legend=legend,
        )
    )
    layered = alt.layer(line, points).properties(width=_WIDTH, height=320)
    return drawn(layered, title=title, description=description)


def _metric(series: Series) -> str:
    claim = series.points[-1].record.claim
    if claim.kind == "ratio":
        return f"times the speed of {claim.baseline}"
    return (claim.metric or claim.kind).replace("_", " ")


def _series_words(series: Series) -> str:
    points = series.points
    steps = counted(len(series.steps), "step")
    return (
        f"{counted(len(points), 'run')}, from {points[0].run.day} to {points[-1].run.day}. The newest measured "
        f"{points[-1].measured}, which is {points[-1].word}. {steps}."
    )
