"""What `nesproof evidence export` makes: formats for other programs, by name. Some are several files."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nesproof.reports.bencher import BencherMetrics
from nesproof.reports.benchmark_action import BenchmarkAction
from nesproof.reports.format import Format, Material, NotExportable
from nesproof.reports.in_toto import InTotoTestResult
from nesproof.reports.json_summary import JsonSummary
from nesproof.reports.junit_xml import JUnitXml
from nesproof.reports.markdown_comment import MarkdownComment
from nesproof.reports.shields import badge_json, badges

__all__ = ["EXPORTS", "NotExportable", "export"]

Exporter = Callable[[Material], dict[str, bytes]]


def _one(form: Format) -> Exporter:
    return lambda material: {form.file_name: form.render(material)}


def _figures(form: Format, empty: bytes) -> Exporter:
    """A format of figures alone: without any there is nothing for its reader, which would take that for a mistake."""

    def make(material: Material) -> dict[str, bytes]:
        data = form.render(material)
        if data.strip() == empty:
            raise NotExportable(f"This evidence holds no figure that {form.file_name} could carry.")
        return {form.file_name: data}

    return make


def _both_directions(material: Material) -> dict[str, bytes]:
    files = {}
    for form in (BenchmarkAction("bigger"), BenchmarkAction("smaller")):
        data = form.render(material)
        if data.strip() != b"[]":
            files[form.file_name] = data
    if not files:
        raise NotExportable("This evidence holds no figure that github-action-benchmark could take.")
    return files


def _badges(material: Material) -> dict[str, bytes]:
    return {name: badge_json(badge) for name, badge in badges(material.evidence).items()}


EXPORTS: Mapping[str, Exporter] = {
    "bencher": _figures(BencherMetrics(), b"{}"),
    "benchmark-action": _both_directions,
    "benchmark-action-bigger": _figures(BenchmarkAction("bigger"), b"[]"),
    "benchmark-action-smaller": _figures(BenchmarkAction("smaller"), b"[]"),
    "in-toto": _one(InTotoTestResult()),
    "shields": _badges,
    "junit": _one(JUnitXml()),
    "markdown": _one(MarkdownComment()),
    "json": _one(JsonSummary()),
}
"""Name to what makes the files: file name to contents."""


def export(material: Material, name: str) -> dict[str, bytes]:
    """The files of one format. Equal material gives equal bytes.

    Raises:
        KeyError: no such format.
        NotExportable: the evidence holds nothing for it.
    """
    return EXPORTS[name](material)
