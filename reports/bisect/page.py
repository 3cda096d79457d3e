"""The one self-contained HTML page of a bisection; no request leaves it, and its policy would stop any that tried."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from nesproof.harness.evidence.bisection import Bisection
from nesproof.reports.bisect.view import bisection_view
from nesproof.reports.plain_text import shortened

__all__ = ["render_bisection"]

_TEXT_SHOWN = 6_000


def render_bisection(document: Bisection, *, home: str | None = None) -> bytes:
    """The page, UTF-8. A bisection that is still under way is shown as far as it came. `home` is where the page leads
    back to, where it is one of many."""
    style = _asset("nesproof.reports", "report.css") + _asset("nesproof.reports.bisect", "bisect.css")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")
    policy = f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    template = _environment().get_template("bisect.html.j2")
    return template.render(
        view=bisection_view(document),
        home=home,
        style=Markup(style),  # noqa: S704 (files of this package)
        policy=policy,
    ).encode()


@cache
def _asset(package: str, name: str) -> str:
    return (files(package) / "templates" / name).read_text(encoding="utf-8")


def _bounded(value: object) -> object:
    return shortened(value, _TEXT_SHOWN) if type(value) is str else value


@cache
def _environment() -> Environment:
    return Environment(
        loader=ChoiceLoader([PackageLoader("nesproof.reports.bisect"), PackageLoader("nesproof.reports")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_bounded,
    )
