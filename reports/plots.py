"""Plots of raw samples as inline SVG: Altair describes them, `drawing` draws them."""

from __future__ import annotations

import altair as alt
import pandas as pd

from nesproof.reports.drawing import BAND, BASELINE, CANDIDATE, INK, THRESHOLD, drawn, measurable
from nesproof.reports.views.samples import SampleSection
from nesproof.reports.views.tables import ModelBar

__all__ = ["block_ratio_plot", "process_speed_plot", "warp_model_plot"]

_WIDTH = 800


def block_ratio_plot(section: SampleSection) -> str:
    """The ratio of each block, the threshold where there is one as a dashed line, the estimate's interval as a band."""
    blocks = pd.DataFrame(
        [{"block": b.block + 1, "ratio": b.ratio} for b in section.blocks], columns=["block", "ratio"]
    )
    order = alt.X("block:O", title="block, in the order in which it ran", axis=alt.Axis(labelAngle=0))
    height = alt.Y("ratio:Q", title="speed ratio", scale=alt.Scale(zero=False, nice=True, padding=12))
    layers: list[alt.Chart] = []
    if section.interval is not None:
        low, high = section.interval
        band = alt.Chart(pd.DataFrame([{"ratio": low, "high": high}]))
        layers.append(band.mark_rect(color=BAND, opacity=1).encode(y=height, y2="high:Q"))
    if section.value is not None:
        value = alt.Chart(pd.DataFrame([{"ratio": section.value}]))
        layers.append(value.mark_rule(color=CANDIDATE, strokeWidth=1.5).encode(y=height))
    if section.threshold_value is not None:
        layers += _threshold_layers(section, height)
    points = alt.Chart(blocks).encode(x=order, y=height)
    layers.append(points.mark_point(color=CANDIDATE, filled=True, size=70, shape="diamond", opacity=1))
    return drawn(alt.layer(*layers).properties(width=_WIDTH, height=220))


def _threshold_layers(section: SampleSection, height: alt.Y) -> list[alt.Chart]:
    """The claimed ratio, and in words what it is."""
    claim = f"claimed: {section.threshold_word} {section.threshold}"
    threshold = alt.Chart(pd.DataFrame([{"ratio": section.threshold_value, "label": claim}])).encode(y=height)
    label = threshold.mark_text(color=THRESHOLD, align="left", baseline="middle", dx=8, fontSize=12, fontWeight="bold")
    return [
        threshold.mark_rule(color=THRESHOLD, strokeDash=[6, 4], strokeWidth=2),
        label.encode(x=alt.value(_WIDTH), text="label:N"),
    ]


def process_speed_plot(section: SampleSection) -> str:
    """Every timed run of every process in drawn order, and the fastest run of each, by side."""
    rows = [
        {"process": p.order, "side": _side_label(section, p.side), "fps": fps, "is_fastest": fps == p.fastest}
        for p in section.processes
        for fps in p.runs
    ]
    runs = pd.DataFrame(rows, columns=["process", "side", "fps", "is_fastest"])
    sides = [_side_label(section, "candidate"), _side_label(section, "baseline")]
    domain = [0.5, len(section.processes) + 0.5]
    points = alt.Chart(runs).mark_point(filled=True, opacity=1).encode(
        x=alt.X("process:Q", title="process, in the order in which it ran", scale=alt.Scale(domain=domain, nice=False),
                axis=alt.Axis(format="d", tickMinStep=1)),
        y=alt.Y("fps:Q", title="frames per second", scale=alt.Scale(zero=True, nice=True), axis=alt.Axis(format="~s")),
        color=alt.Color("side:N", scale=alt.Scale(domain=sides, range=[CANDIDATE, BASELINE]),
                        legend=alt.Legend(title=None, orient="top", labelLimit=0, symbolOpacity=1, symbolSize=90)),
        shape=alt.Shape("side:N", scale=alt.Scale(domain=sides, range=["diamond", "circle"])),
        size=alt.condition("datum.is_fastest", alt.value(80), alt.value(24)),
        opacity=alt.condition("datum.is_fastest", alt.value(1), alt.value(0.45)),
    )  # fmt: skip
    return drawn(points.properties(width=_WIDTH, height=230))


def warp_model_plot(bars: tuple[ModelBar, ...]) -> str:
    """Active lanes of a warp by set of lanes, a bar for each schedule, its value above it."""
    rows = pd.DataFrame(
        [{"set": measurable(b.set), "schedule": measurable(b.schedule), "lanes": b.value} for b in bars],
        columns=["set", "schedule", "lanes"],
    )
    sets, schedules = (list(dict.fromkeys(rows[name])) for name in ("set", "schedule"))
    colours = [CANDIDATE, BASELINE, THRESHOLD, INK]
    place = alt.Chart(rows).encode(
        x=alt.X("set:N", title="set of lanes", sort=sets, axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("schedule:N", sort=schedules),
        y=alt.Y("lanes:Q", title="active lanes in a step", scale=alt.Scale(domain=[0, 32], nice=False, clamp=True)),
    )
    shades = alt.Scale(domain=schedules, range=[colours[n % len(colours)] for n in range(len(schedules))])
    legend = alt.Legend(title=None, orient="top", labelLimit=0, symbolOpacity=1)
    painted = place.mark_bar(opacity=1).encode(color=alt.Color("schedule:N", scale=shades, legend=legend))
    labels = place.mark_text(color=INK, baseline="bottom", dy=-3, fontSize=12).encode(
        text=alt.Text("lanes:Q", format=".1f")
    )
    return drawn(alt.layer(painted, labels).properties(width=_WIDTH, height=230))


def _side_label(section: SampleSection, side: str) -> str:
    """The subject's name, short, and within the characters that the drawing library can measure."""
    name = section.candidate if side == "candidate" else section.baseline
    return f"{measurable(name)} ({side})"
