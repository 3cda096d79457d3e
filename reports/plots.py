"""Plots of raw samples as inline SVG: Altair describes them, vl-convert draws them, and only known markup passes.

A plot carries no style and no identifiers, and its colours are the page's custom properties, so it follows the
page's light and dark schemes under a content security policy that allows no inline style.
"""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import altair as alt
import pandas as pd
import vl_convert

from nesproof.reports.views.samples import SampleSection
from nesproof.reports.views.tables import ModelBar

__all__ = ["block_ratio_plot", "process_speed_plot", "warp_model_plot"]

_INK, _GRID, _CANDIDATE, _BASELINE, _THRESHOLD, _BAND = (f"#a1000{n}" for n in range(1, 7))
_COLOURS = {
    _INK: "var(--plot-ink)",
    _GRID: "var(--plot-grid)",
    _CANDIDATE: "var(--plot-candidate)",
    _BASELINE: "var(--plot-baseline)",
    _THRESHOLD: "var(--plot-threshold)",
    _BAND: "var(--plot-band)",
}
"""Stand-in colours that Altair accepts, and the page's properties that take their place."""

_SVG = "{http://www.w3.org/2000/svg}"
_ELEMENTS = frozenset({"svg", "g", "path", "line", "text", "rect", "tspan"})
_ATTRIBUTES = frozenset(
    {
        *("d", "x", "x2", "y", "y2", "dx", "dy", "width", "height", "viewBox", "transform"),
        *("fill", "fill-opacity", "opacity", "stroke", "stroke-dasharray", "stroke-linecap", "stroke-miterlimit"),
        *("stroke-opacity", "stroke-width", "font-family", "font-size", "font-style", "font-weight", "text-anchor"),
    }
)
_WIDTH = 800
_NAME_SHOWN = 40


def block_ratio_plot(section: SampleSection) -> str:
    """The ratio of each block, the threshold as a dashed line, the estimate's interval as a band."""
    blocks = pd.DataFrame(
        [{"block": b.block + 1, "ratio": b.ratio} for b in section.blocks], columns=["block", "ratio"]
    )
    order = alt.X("block:O", title="block, in the order in which it ran", axis=alt.Axis(labelAngle=0))
    height = alt.Y("ratio:Q", title="speed ratio", scale=alt.Scale(zero=False, nice=True, padding=12))
    layers: list[alt.Chart] = []
    if section.interval is not None:
        low, high = section.interval
        band = alt.Chart(pd.DataFrame([{"ratio": low, "high": high}]))
        layers.append(band.mark_rect(color=_BAND, opacity=1).encode(y=height, y2="high:Q"))
    if section.value is not None:
        value = alt.Chart(pd.DataFrame([{"ratio": section.value}]))
        layers.append(value.mark_rule(color=_CANDIDATE, strokeWidth=1.5).encode(y=height))
    claim = f"claimed: {section.threshold_word} {section.threshold}"
    threshold = alt.Chart(pd.DataFrame([{"ratio": section.threshold_value, "label": claim}])).encode(y=height)
    layers.append(threshold.mark_rule(color=_THRESHOLD, strokeDash=[6, 4], strokeWidth=2))
    label = threshold.mark_text(color=_THRESHOLD, align="left", baseline="middle", dx=8, fontSize=12, fontWeight="bold")
    layers.append(label.encode(x=alt.value(_WIDTH), text="label:N"))
    points = alt.Chart(blocks).encode(x=order, y=height)
    layers.append(points.mark_point(color=_CANDIDATE, filled=True, size=70, shape="diamond", opacity=1))
    return _drawn(alt.layer(*layers).properties(width=_WIDTH, height=220))


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
        color=alt.Color("side:N", scale=alt.Scale(domain=sides, range=[_CANDIDATE, _BASELINE]),
                        legend=alt.Legend(title=None, orient="top", labelLimit=0, symbolOpacity=1, symbolSize=90)),
        shape=alt.Shape("side:N", scale=alt.Scale(domain=sides, range=["diamond", "circle"])),
        size=alt.condition("datum.is_fastest", alt.value(80), alt.value(24)),
        opacity=alt.condition("datum.is_fastest", alt.value(1), alt.value(0.45)),
    )  # fmt: skip
    return _drawn(points.properties(width=_WIDTH, height=230))


def warp_model_plot(bars: tuple[ModelBar, ...]) -> str:
    """Active lanes of a warp by set of lanes, a bar for each schedule, its value above it."""
    rows = pd.DataFrame(
        [{"set": _measurable(b.set), "schedule": _measurable(b.schedule), "lanes": b.value} for b in bars],
        columns=["set", "schedule", "lanes"],
    )
    sets, schedules = (list(dict.fromkeys(rows[name])) for name in ("set", "schedule"))
    colours = [_CANDIDATE, _BASELINE, _THRESHOLD, _INK]
    place = alt.Chart(rows).encode(
        x=alt.X("set:N", title="set of lanes", sort=sets, axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("schedule:N", sort=schedules),
        y=alt.Y("lanes:Q", title="active lanes in a step", scale=alt.Scale(domain=[0, 32], nice=False, clamp=True)),
    )
    shades = alt.Scale(domain=schedules, range=[colours[n % len(colours)] for n in range(len(schedules))])
    legend = alt.Legend(title=None, orient="top", labelLimit=0, symbolOpacity=1)
    drawn = place.mark_bar(opacity=1).encode(color=alt.Color("schedule:N", scale=shades, legend=legend))
    labels = place.mark_text(color=_INK, baseline="bottom", dy=-3, fontSize=12).encode(
        text=alt.Text("lanes:Q", format=".1f")
    )
    return _drawn(alt.layer(drawn, labels).properties(width=_WIDTH, height=230))


def _side_label(section: SampleSection, side: str) -> str:
    """The subject's name, short, and within the characters that the drawing library can measure."""
    name = section.candidate if side == "candidate" else section.baseline
    return f"{_measurable(name)} ({side})"


def _measurable(name: str) -> str:
    return "".join(c if ord(c) < 0x10000 else "\N{REPLACEMENT CHARACTER}" for c in name[:_NAME_SHOWN])


def _drawn(chart: Any) -> str:
    styled = (
        chart.configure(background="transparent", font="inherit", padding=4)
        .configure_view(stroke="transparent")
        .configure_axis(
            labelColor=_INK, titleColor=_INK, domainColor=_GRID, tickColor=_GRID, gridColor=_GRID, labelFontSize=12,
            titleFontSize=12, titleFontWeight="normal", titlePadding=8,
        )
        .configure_axisX(grid=False)
        .configure_legend(labelColor=_INK, labelFontSize=13, offset=6)
    )  # fmt: skip
    try:
        return _filtered(vl_convert.vegalite_to_svg(styled.to_dict()))
    except ValueError:  # vl-convert's error for whatever it cannot draw; the table beside the plot has the numbers
        return "<p>This plot could not be drawn.</p>"


def _filtered(svg: str) -> str:
    """The drawing with known elements and attributes only, and with the page's colours."""
    root = ET.fromstring(svg)  # noqa: S314 (vl-convert's own output)
    kept = _kept(root)
    kept.set("xmlns", "http://www.w3.org/2000/svg")
    kept.set("aria-hidden", "true")
    return ET.tostring(kept, encoding="unicode")


def _kept(element: ET.Element) -> ET.Element:
    copy = ET.Element(element.tag.removeprefix(_SVG), {})
    for name, value in element.attrib.items():
        if name in _ATTRIBUTES and value != "inherit":
            copy.set(name, _COLOURS.get(value, value))
    copy.text = element.text
    for child in element:
        if child.tag.removeprefix(_SVG) in _ELEMENTS and not _is_invisible(child):
            copy.append(_kept(child))
    return copy


def _is_invisible(element: ET.Element) -> bool:
    attributes: dict[str, Any] = element.attrib
    return attributes.get("display") == "none" or attributes.get("class") in {"background", "foreground"}
