"""A page of the site: a template, filled, with links that are relative so that they work from a folder on a disk."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from jinja2 import Environment
from markupsafe import Markup

from nesproof.reports.figures import amount, bytes_text, counted, number
from nesproof.reports.html_parts import asset, template_environment

__all__ = ["NAVIGATION", "POLICY", "Pages", "filled", "site_asset"]

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

_PACKAGE = "nesproof.reports.site"


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


def filled(template: str, **shown: Any) -> Markup:
    """A part of a page, or a picture."""
    return Markup(_environment().get_template(template).render(**shown))  # noqa: S704 (autoescaped)


def site_asset(name: str) -> bytes:
    """A file of the site's own: `site.css` and `site.js` go on where the reports' leave off."""
    shared = {"site.css": asset("report.css"), "site.js": asset("report.js")}
    return (shared.get(name, "") + asset(name, _PACKAGE)).encode()


@cache
def _environment() -> Environment:
    environment = template_environment(_PACKAGE)
    environment.filters["number"] = number
    environment.filters["amount"] = amount
    environment.filters["counted"] = counted
    environment.filters["bytes_text"] = bytes_text
    return environment
