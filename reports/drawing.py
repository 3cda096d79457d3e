"""From an Altair chart to inline SVG: vl-convert draws it, and only known markup passes.

A drawing carries no style, and its colours are the page's custom properties, so it follows the page's light and dark
schemes under a content security policy that allows no inline style.
"""

from __future__ import annotations

from typing import Any, Final
from xml.etree import ElementTree as ET

import vl_convert

__all__ = ["BAND", "BASELINE", "CANDIDATE", "GRID", "INK", "THRESHOLD", "drawn", "measurable"]

INK, GRID, CANDIDATE, BASELINE, THRESHOLD, BAND = (f"#a1000{n}" for n in range(1, 7))
_COLOURS: Final = {
    INK: "var(--plot-ink)",
    GRID: "var(--plot-grid)",
    CANDIDATE: "var(--plot-candidate)",
    BASELINE: "var(--plot-baseline)",
    THRESHOLD: "var(--plot-threshold)",
    BAND: "var(--plot-band)",
}
"""Stand-in colours that Altair accepts, and the page's properties that take their place."""

_NAMESPACE = "http://www.w3.org/2000/svg"
_SVG = f"{{{_NAMESPACE}}}"
_ELEMENTS = frozenset({"svg", "g", "path", "line", "text", "rect", "tspan"})
_ATTRIBUTES = frozenset(
    {
        *("d", "x", "x2", "y", "y2", "dx", "dy", "width", "height", "viewBox", "transform"),
        *("fill", "fill-opacity", "opacity", "stroke", "stroke-dasharray", "stroke-linecap", "stroke-miterlimit"),
        *("stroke-opacity", "stroke-width", "font-family", "font-size", "font-style", "font-weight", "text-anchor"),
    }
)
_NAME_SHOWN = 40


def measurable(name: str, limit: int = _NAME_SHOWN) -> str:
    """The name, short, and within the characters that the drawing library can measure."""
    return "".join(c if ord(c) < 0x10000 else "\N{REPLACEMENT CHARACTER}" for c in name[:limit])


def drawn(chart: Any, *, title: str | None = None, description: str | None = None) -> str:
    """The chart as one `svg` element, or a paragraph in its place where it cannot be drawn.

    With a title it is an image that says its title and description to whoever cannot see it; without one it is hidden
    from them, and what stands around it speaks for it.
    """
    styled = (
        chart.configure(background="transparent", font="inherit", padding=4)
        .configure_view(stroke="transparent")
        .configure_axis(
            labelColor=INK, titleColor=INK, domainColor=GRID, tickColor=GRID, gridColor=GRID, labelFontSize=12,
            titleFontSize=12, titleFontWeight="normal", titlePadding=8,
        )
        .configure_axisX(grid=False)
        .configure_legend(labelColor=INK, labelFontSize=13, offset=6)
    )  # fmt: skip
    try:
        return _filtered(vl_convert.vegalite_to_svg(styled.to_dict()), title=title, description=description)
    except ValueError:  # vl-convert's error for whatever it cannot draw; the table beside the plot has the numbers
        return "<p>This plot could not be drawn.</p>"


def _filtered(svg: str, *, title: str | None, description: str | None) -> str:
    """The drawing with known elements and attributes only, and with the page's colours."""
    root = ET.fromstring(svg)  # noqa: S314 (vl-convert's own output)
    kept = _kept(root)
    kept.set("xmlns", _NAMESPACE)
    if title is None:
        kept.set("aria-hidden", "true")
    else:
        kept.set("role", "img")
        for place, (name, words) in enumerate((("title", title), ("desc", description))):
            if words is not None:
                element = ET.Element(name)
                element.text = words
                kept.insert(place, element)
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
