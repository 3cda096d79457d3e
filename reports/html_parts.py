"""What every HTML page of ours shares: how its template is filled, its styles and scripts, and its policy."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from nesproof.reports.plain_text import shortened

__all__ = ["asset", "content_policy", "inline_svg", "template_environment"]

_OWN = "nesproof.reports"


def template_environment(package: str | None = None, *, text_shown: int = 4_000) -> Environment:
    """What fills templates: those of `package`, if any, before the shared ones of the reports.

    Text is escaped, an undefined name is a fault, and text of a document is cut after `text_shown` characters, where it
    would swamp the page.
    """

    def bounded(value: object) -> object:
        return shortened(value, text_shown) if type(value) is str else value

    packages = [_OWN] if package is None else [package, _OWN]
    return Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in packages]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=bounded,
    )


@cache
def asset(name: str, package: str = _OWN) -> str:
    """A style or script that lies among the package's templates."""
    return (files(package) / "templates" / name).read_text(encoding="utf-8")


def content_policy(style: str, script: str | None = None) -> str:
    """A content security policy that lets in this style and this script (None: no script) and nothing else."""
    scripts = "" if script is None else f"script-src '{_hash(script)}'; "
    return (
        f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; {scripts}base-uri 'none'; form-action 'none'"
    )


def inline_svg(svg: str) -> Markup:
    """A drawing of `drawing.drawn`, ready to stand in a page."""
    return Markup(svg)  # noqa: S704 (it passes known elements and attributes only, with text escaped)


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
