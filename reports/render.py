"""Evidence in, files out: the one entrance to every format."""

from __future__ import annotations

from pathlib import Path

from nesproof.harness.evidence import Evidence
from nesproof.reports.format import Format, Material
from nesproof.reports.html_page import HtmlPage
from nesproof.reports.json_summary import JsonSummary
from nesproof.reports.junit_xml import JUnitXml
from nesproof.reports.markdown_comment import MarkdownComment
from nesproof.reports.plain_text import plain, plain_evidence

__all__ = ["FORMATS", "render"]

FORMATS: tuple[Format, ...] = (HtmlPage(), MarkdownComment(), JUnitXml(), JsonSummary())
"""Every format, in the order in which a person would want them."""


def render(evidence: Evidence, *, frames_dir: Path | None, bundle_id: str | None = None) -> dict[str, bytes]:
    """Render a run in every format.

    Args:
        evidence: the run. Its text may be hostile; it stays text in every format.
        frames_dir: the folder that holds the files which `CaseResult.frame` names (`frames/x.png` is `x.png` in it).
            A picture that is missing or broken becomes words.
        bundle_id: SHA-256 of the bundle's manifest, where it is known.

    Returns:
        File name to contents: `report.html`, `report.md`, `junit.xml`, `report.json`. Equal arguments give equal bytes.
    """
    material = Material(
        evidence=plain_evidence(evidence),
        frames_dir=frames_dir,
        bundle_id=None if bundle_id is None else plain(bundle_id),
    )
    return {form.file_name: form.render(material) for form in FORMATS}
