"""The one self-contained HTML page of a bisection; no request leaves it, and its policy would stop any that tried."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment
from markupsafe import Markup

from nesproof.harness.evidence.bisection import Bisection
from nesproof.reports.bisect.view import bisection_view
from nesproof.reports.html_parts import asset, content_policy, template_environment

__all__ = ["render_bisection"]

_PACKAGE = "nesproof.reports.bisect"


def render_bisection(document: Bisection, *, home: str | None = None) -> bytes:
    """The page, UTF-8. A bisection that is still under way is shown as far as it came. `home` is where the page leads
    back to, where it is one of many."""
    style = asset("report.css") + asset("bisect.css", _PACKAGE)
    template = _environment().get_template("bisect.html.j2")
    return template.render(
        view=bisection_view(document),
        home=home,
        style=Markup(style),  # noqa: S704 (files of this package)
        policy=content_policy(style),
    ).encode()


@cache
def _environment() -> Environment:
    return template_environment(_PACKAGE, text_shown=6_000)
