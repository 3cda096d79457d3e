"""One self-contained HTML file: no request leaves it, and its content security policy would stop any that tried."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment
from markupsafe import Markup

from nesproof.reports.figures import number
from nesproof.reports.format import Material
from nesproof.reports.html_parts import asset, content_policy, inline_svg, template_environment
from nesproof.reports.views.claims import claim_rows
from nesproof.reports.views.comparisons import comparison_rows, comparison_tables
from nesproof.reports.views.conformance import conformance_matrix
from nesproof.reports.views.falsification import matrix
from nesproof.reports.views.frames import frame_groups, frames, thumbnails
from nesproof.reports.views.headline import headline
from nesproof.reports.views.machine import surroundings
from nesproof.reports.views.mustpass import mustpass
from nesproof.reports.views.samples import SampleSection, sample_sections
from nesproof.reports.views.speeds import speed_rows
from nesproof.reports.views.suites import suite_sections
from nesproof.reports.views.tables import ModelBar, figure_tables

__all__ = ["HtmlPage"]


class HtmlPage:
    """The run as `report.html`."""

    file_name = "report.html"

    def render(self, material: Material) -> bytes:
        """The page, UTF-8."""
        evidence = material.evidence
        claims = claim_rows(evidence)
        shown = frames(evidence, material.frames_dir)
        samples = sample_sections(evidence)
        style, script = asset("report.css"), asset("report.js")
        beside = conformance_matrix([evidence])
        text = _environment().get_template("report.html.j2").render(
            headline=headline(evidence, material.bundle_id),
            notices=material.notices,
            home=material.home,
            claims=[c for c in claims if c.verdict != "NOT_SELECTED"],
            unselected=[c for c in claims if c.verdict == "NOT_SELECTED"],
            mustpass=mustpass(evidence),
            conformance=beside,
            thumbnails={} if beside is None else thumbnails(beside, shown),
            matrix=matrix(evidence),
            suites=suite_sections(evidence),
            gallery=frame_groups(shown),
            frame_by_path={frame.path: frame for frame in shown},
            samples=[(s, *_sample_plots(s)) for s in samples if s.processes],
            comparisons=comparison_tables(comparison_rows(evidence, material.frames_dir)),
            speeds=speed_rows(evidence),
            tables=[(t, _bars_plot(t.bars) if t.bars else None) for t in figure_tables(evidence)],
            surroundings=surroundings(evidence),
            schema=f"{evidence.schema_id} {evidence.schema_version}",
            style=Markup(style),  # noqa: S704 (a file of this package)
            script=Markup(script),  # noqa: S704 (a file of this package)
            policy=content_policy(style, script),
        )  # fmt: skip
        return text.encode()


def _sample_plots(section: SampleSection) -> tuple[Markup, Markup]:
    """Seconds to import, and most runs have nothing to draw."""
    from nesproof.reports.plots import block_ratio_plot, process_speed_plot

    return inline_svg(block_ratio_plot(section)), inline_svg(process_speed_plot(section))


def _bars_plot(bars: tuple[ModelBar, ...]) -> Markup:
    from nesproof.reports.plots import warp_model_plot

    return inline_svg(warp_model_plot(bars))


@cache
def _environment() -> Environment:
    environment = template_environment()
    environment.filters["number"] = number
    return environment
