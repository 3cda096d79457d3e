"""A headless Chromium that is given pages from a folder and nothing else, and what it says of each of them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
NO_CHROMIUM = (
    "condition: no Chromium on PATH to open the site in; Debian and Ubuntu bring one by `apt-get install chromium`"
)
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 360, "height": 740}
AXE_OPTIONS = {"resultTypes": ["violations"], "preload": False, "elementRef": False}
BEGIN = """
window.seen = { violations: [] };
addEventListener("securitypolicyviolation", (event) =>
  window.seen.violations.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`));
"""
PROBE = Path(__file__).with_name("in_page.js").read_text(encoding="utf-8")


def chromium() -> str | None:
    """The path of a Chromium, or None."""
    return next((path for name in CHROMIUM_NAMES if (path := shutil.which(name))), None)


@contextmanager
def browser() -> Iterator[Any]:
    """The browser, of which no request can leave this machine."""
    from playwright.sync_api import sync_playwright

    path = chromium()
    assert path is not None
    flags = ["--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking"]
    if os.geteuid() == 0:
        flags.append("--no-sandbox")  # Chromium does not start as root with one
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=flags)
        try:
            yield started
        finally:
            started.close()


@dataclass
class Watched:
    """A page, and everything that went wrong on it since it was last asked."""

    page: Any
    root: Path
    troubles: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, context: Any, root: Path) -> Watched:
        """A fresh page in this context, which may load what lies in `root` alone."""
        context.set_offline(True)
        context.add_init_script(BEGIN)
        watched = cls(context.new_page(), root)
        page, troubles = watched.page, watched.troubles
        page.on("console", lambda said: troubles.append(f"console: {said.text}") if said.type != "log" else None)
        page.on("pageerror", lambda error: troubles.append(f"uncaught: {error}"))
        page.on("requestfailed", watched._failed)
        page.on("request", watched._requested)
        page.on("dialog", watched._asked)
        page.on("popup", lambda other: troubles.append(f"popup: {other.url}"))
        return watched

    def _requested(self, request: Any) -> None:
        if not request.url.startswith((f"{self.root.as_uri()}/", "data:")):
            self.troubles.append(f"left the site: {request.url}")

    def _failed(self, request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # a picture that was still to come when the page was left
            self.troubles.append(f"failed, {request.failure}: {request.url}")

    def _asked(self, dialog: Any) -> None:
        self.troubles.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def open(self, path: str) -> None:
        """Load the page of this path, and let what it loads come."""
        self.troubles.clear()
        self.page.goto((self.root / path).as_uri(), wait_until="load")

    def ask(self, what: str) -> Any:
        """What `in_page.js` answers."""
        return self.page.evaluate(f"({PROBE}).{what}()")

    def axe(self, **options: Any) -> list[str]:
        """One line for each thing that axe-core finds."""
        from axe_playwright_python.base import AXE_SCRIPT

        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        return self.page.evaluate(
            """async (options) => (await axe.run(document, options)).violations.map((found) =>
              `${found.impact}: ${found.id} at ${found.nodes.length} places, ${found.nodes[0].html.slice(0, 200)}`)""",
            {**AXE_OPTIONS, **options},
        )


def visit(watched: Watched, path: str, *, whole: bool) -> dict[str, Any]:
    """Everything about one page, loaded once: as it comes, its tables at work, on a phone, and in both schemes.

    Without `whole` what pages of one template share is left out, which costs most of the time.
    """
    page = watched.page
    page.set_viewport_size(DESKTOP)
    page.emulate_media(color_scheme="light")
    watched.open(path)
    found: dict[str, Any] = watched.ask("facts")
    found["tables"] = watched.ask("tables")
    found["sorted"], found["filtered"] = watched.ask("sorted"), watched.ask("filtered")
    found["troubles"] = list(watched.troubles)
    found["fit"], found["axe"] = {}, {}
    if whole:
        found["fit"]["desktop"] = watched.ask("fit")
        found["axe"]["light"] = watched.axe()
        page.emulate_media(color_scheme="dark")
        found["axe"]["dark"] = watched.axe(runOnly=["color-contrast"])
    page.set_viewport_size(PHONE)
    found["fit"]["phone"], found["unreachable"] = watched.ask("fit"), watched.ask("unreachable")
    return found


def write_files(files: Mapping[str, bytes], folder: Path) -> None:
    """The files, each at its path in the folder."""
    for path, data in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
