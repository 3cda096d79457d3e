"""One self-contained HTML file: no request leaves it, and its content security policy would stop any that tried."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from nesproof.reports.figures import number
from nesproof.reports.format import Material
from nesproof.reports.plain_text import shortened
from nesproof.reports.views.claims import claim_rows
from nesproof.reports.views.frames import frame_groups, frames
from nesproof.reports.views.headline import headline
from nesproof.reports.views.machine import surroundings
from nesproof.reports.views.samples import sample_sections
from nesproof.reports.views.speeds import speed_rows
from nesproof.reports.views.suites import suite_sections
from nesproof.reports.views.tables import figure_tables

__all__ = ["HtmlPage"]

_TEXT_SHOWN = 4_000
"""Characters of any one text; messages and reasons are the longest."""


class HtmlPage:
    """The run as `report.html`."""

    file_name = "report.html"

    def render(self, material: Material) -> bytes:
        """The page, UTF-8."""
        from nesproof.reports.plots import block_ratio_plot, process_speed_plot, warp_model_plot  # seconds to import

        evidence = material.evidence
        claims = claim_rows(evidence)
        shown = frames(evidence, material.frames_dir)
        samples = sample_sections(evidence)
        style, script = _asset("report.css"), _asset("report.js")
        text = _environment().get_template("report.html.j2").render(
            headline=headline(evidence, material.bundle_id),
            claims=[c for c in claims if c.verdict != "NOT_SELECTED"],
            unselected=[c for c in claims if c.verdict == "NOT_SELECTED"],
            suites=suite_sections(evidence),
            gallery=frame_groups(shown),
            frame_by_path={frame.path: frame for frame in shown},
            samples=[(s, _inline(block_ratio_plot(s)), _inline(process_speed_plot(s))) for s in samples if s.processes],
            speeds=speed_rows(evidence),
            tables=[(t, _inline(warp_model_plot(t.bars)) if t.bars else None) for t in figure_tables(evidence)],
            surroundings=surroundings(evidence),
            schema=f"{evidence.schema_id} {evidence.schema_version}",
            style=Markup(style),  # noqa: S704 (a file of this package)
            script=Markup(script),  # noqa: S704 (a file of this package)
            policy=_policy(style, script),
        )  # fmt: skip
        return text.encode()


def _inline(svg: str) -> Markup:
    return Markup(svg)  # noqa: S704 (`plots` passes known elements and attributes only, with text escaped)


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


@cache
def _asset(name: str) -> str:
    return (files("nesproof.reports") / "templates" / name).read_text(encoding="utf-8")


def _bounded(value: object) -> object:
    """Whatever a template prints, cut where it is text of the evidence that would swamp the page."""
    return shortened(value, _TEXT_SHOWN) if type(value) is str else value


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("nesproof.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_bounded,
    )
    environment.filters["number"] = number
    return environment
