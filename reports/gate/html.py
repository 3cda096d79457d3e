"""The gate as one self-contained HTML file, under a policy that lets no request leave it."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from nesproof.harness.gate.document import GateDocument
from nesproof.reports.gate.view import gate_view
from nesproof.reports.html_page import asset, content_policy
from nesproof.reports.plain_text import shortened

__all__ = ["gate_html"]

_TEXT_SHOWN = 4_000


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


def _bounded(value: object) -> object:
    return shortened(value, _TEXT_SHOWN) if type(value) is str else value


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("nesproof.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_bounded,
    )
