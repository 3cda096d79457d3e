"""The gate as one self-contained HTML file, under a policy that lets no request leave it."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment
from markupsafe import Markup

from nesproof.harness.gate.document import GateDocument
from nesproof.reports.gate.view import gate_view
from nesproof.reports.html_parts import asset, content_policy, template_environment

__all__ = ["gate_html"]


def gate_html(document: GateDocument, *, home: str | None = None) -> bytes:
    """The page, UTF-8. It has no script. `home` is where it leads back to, where it is one page of many."""
    style = asset("report.css") + asset("gate.css")
    text = _environment().get_template("gate.html.j2").render(
        view=gate_view(document),
        home=home,
        style=Markup(style),  # noqa: S704 (files of this package)
        policy=content_policy(style),
    )  # fmt: skip
    return text.encode()


@cache
def _environment() -> Environment:
    return template_environment()
