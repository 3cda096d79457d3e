"""Reading pages as a browser's parser would: tags, ids, links, and the text that a person sees."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote, urlsplit

VOID = frozenset({"meta", "link", "img", "br", "input", "hr"})
DRAWN = frozenset({"svg", "g", "path", "line", "text", "rect", "tspan", "title", "desc"})


@dataclass
class Table:
    """Caption, header cells and rows of text."""

    caption: str = ""
    head: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)


class Page(HTMLParser):
    """One page. `tags` leaves out what is inside a chart, whose tags are held to those that a drawing has."""

    def __init__(self, data: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.ids: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.others: list[str] = []
        self.texts: list[str] = []
        self.tables: list[Table] = []
        self.policy = ""
        self.headings: list[int] = []
        self._open: list[str] = []
        self._chart = 0
        self.feed(data.decode("utf-8"))
        self.close()
        assert not self._open, self._open

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        assert not any(name.startswith("on") for name in named), (tag, named)
        if tag not in VOID:
            self._open.append(tag)
        if self._chart:
            self._chart += tag not in VOID
            assert tag in DRAWN, tag
            assert not {"href", "src", "style", "id", "class"} & named.keys(), named
            return
        assert "style" not in named, (tag, named)
        self.tags.append((tag, tuple(named)))
        if "id" in named:
            self.ids.append(named["id"])
        self.links += [(name, named[name]) for name in ("href", "src") if name in named]
        if named.get("http-equiv") == "Content-Security-Policy":
            self.policy = named["content"]
        if tag in {"h1", "h2", "h3", "h4", "h5"}:
            self.headings.append(int(tag[1]))
        if named.get("class") == "drawing":
            self._chart = 1
        if tag == "table":
            self.tables.append(Table())
        if tag == "tr" and self.tables:
            self.tables[-1].rows.append([])
        if tag in {"th", "td"}:
            self.tables[-1].rows[-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, tag
        assert self._open[-1] == tag, (tag, self._open)
        self._open.pop()
        if self._chart:
            self._chart -= 1
            if self._chart:
                return
        self.tags.append((f"/{tag}", ()))
        if tag == "thead" and self.tables:
            self.tables[-1].head = self.tables[-1].rows.pop()

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if "caption" in self._open:
            self.tables[-1].caption += data
        elif {"td", "th"} & set(self._open) and self.tables and self.tables[-1].rows:
            self.tables[-1].rows[-1][-1] += data

    def handle_comment(self, data: str) -> None:
        self.others.append(data)

    def handle_pi(self, data: str) -> None:
        self.others.append(data)

    def unknown_decl(self, data: str) -> None:
        self.others.append(data)

    def table(self, caption: str) -> Table:
        """The table whose caption begins so."""
        return next(table for table in self.tables if table.caption.strip().startswith(caption))


def broken_links(site: dict[str, bytes], parsed: dict[str, Page]) -> list[str]:
    """One line for each link of each page that leads nowhere within the site."""
    found = []
    for path, page in parsed.items():
        for name, target in page.links:
            parts = urlsplit(target)
            if parts.scheme == "data" and name == "href":
                continue  # the icon of a page that stands alone
            if parts.scheme == "data" and target.startswith("data:image/png;base64,"):
                continue
            if parts.scheme or parts.netloc or parts.query:
                found.append(f"{path}: {target} leaves the site")
                continue
            there = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(parts.path)))
            there = there if parts.path else path
            if there not in site:
                found.append(f"{path}: {target} is not there")
            elif parts.fragment and parts.fragment not in parsed[there].ids:
                found.append(f"{path}: {target} has no such place")
    return found


def leave_undrawn(patch: Any) -> None:
    """Put nothing in the place of charts and of each run's own report."""
    from nesproof.reports.site import charts

    leave_unreported(patch)
    for name in ("series_chart", "consoles_chart", "memory_chart"):
        patch.setattr(charts, name, lambda *_, **__: "<svg></svg>")


def leave_unreported(patch: Any) -> None:
    """Put nothing in the place of each run's own report."""
    from nesproof.reports.site import series_pages

    patch.setattr(series_pages, "_whole_report", lambda _: b"<!doctype html><html><body></body></html>")
