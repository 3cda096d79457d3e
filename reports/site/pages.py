"""A page of the site: a template, filled, with links that are relative so that they work from a folder on a disk."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from nesproof.reports.figures import amount, bytes_text, counted, number
from nesproof.reports.html_page import asset
from nesproof.reports.plain_text import shortened

__all__ = ["NAVIGATION", "POLICY", "Pages", "filled", "inline_svg", "site_asset"]

POLICY: Final = (
    "default-src 'none'; style-src 'self' file:; script-src 'self' file:; img-src 'self' file:; "
    "base-uri 'none'; form-action 'none'"
)
"""Nothing but the site's own files. `file:` is for pages that are opened from a disk, whose own files not every browser
takes for 'self'; from a server nothing can be loaded by it."""

NAVIGATION: Final = (
    ("index.html", "Overview"),
    ("claims/index.html", "Claims"),
    ("runs/index.html", "Runs"),
    ("differences/index.html", "Differences"),
    ("scaling.html", "Scaling"),
    ("peers.html", "Peers"),
    ("conformance.html", "Conformance"),
    ("reproductions.html", "Reproductions"),
    ("gates/index.html", "Gates"),
    ("bisections/index.html", "Bisections"),
    ("frames.html", "Frames"),
    ("badges.html", "Badges"),
    ("evidence.html", "Evidence"),
)
"""The pages that every page leads to."""

_TEXT_SHOWN = 4_000


@dataclass(frozen=True)
class Pages:
    """Fills templates. `notices` stand at the head of every page."""

    notices: tuple[str, ...] = ()

    def page(self, path: str, template: str, **shown: Any) -> tuple[str, bytes]:
        """The page at `path` of the site, UTF-8."""
        section = path.partition("/")[0] + "/index.html" if "/" in path else path
        text = _environment().get_template(template).render(
            **shown,
            root="../" * path.count("/"),
            path=path,
            section=section,
            navigation=NAVIGATION,
            policy=POLICY,
            notices=self.notices,
        )  # fmt: skip
        return path, text.encode()


def inline_svg(svg: str) -> Markup:
    """A drawing of `drawing.drawn`, ready to stand in a page."""
    return Markup(svg)  # noqa: S704 (it passes known elements and attributes only, with text escaped)


def filled(template: str, **shown: Any) -> Markup:
    """A part of a page, or a picture."""
    return Markup(_environment().get_template(template).render(**shown))  # noqa: S704 (autoescaped)


def site_asset(name: str) -> bytes:
    """A file of the site's own: `site.css` and `site.js` go on where the reports' leave off."""
    own = _environment().loader
    assert own is not None
    text, *_ = own.get_source(_environment(), name)
    shared = {"site.css": asset("report.css"), "site.js": asset("report.js")}
    return (shared.get(name, "") + text).encode()


def _bounded(value: object) -> object:
    """Whatever a template prints, cut where it is text of a document that would swamp the page."""
    return shortened(value, _TEXT_SHOWN) if type(value) is str else value


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=ChoiceLoader([PackageLoader("nesproof.reports.site"), PackageLoader("nesproof.reports")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_bounded,
    )
    environment.filters["number"] = number
    environment.filters["amount"] = amount
    environment.filters["counted"] = counted
    environment.filters["bytes_text"] = bytes_text
    return environment
