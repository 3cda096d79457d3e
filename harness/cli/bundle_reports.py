"""From evidence to a bundle with its reports."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from nesproof.harness.evidence.bundle import ID_PLACEHOLDER, Bundle, seal
from nesproof.harness.evidence.model import Evidence

__all__ = ["bundle_of", "render_reports"]


def bundle_of(evidence: Evidence, attachments: Mapping[str, bytes]) -> Bundle:
    """Render the reports and seal the bundle."""
    reports = render_reports(evidence, attachments, bundle_id=ID_PLACEHOLDER)
    return seal(evidence, attachments=attachments, reports=reports)


def render_reports(evidence: Evidence, files: Mapping[str, bytes], *, bundle_id: str | None) -> dict[str, bytes]:
    """The reports by file name; frames are taken from `files` (paths of a bundle)."""
    from nesproof import reports

    with tempfile.TemporaryDirectory(prefix="nesproof-") as folder:
        frames_dir = Path(folder) / "frames"
        frames_dir.mkdir()
        for path, data in files.items():
            if path.startswith("frames/"):
                (frames_dir / path.removeprefix("frames/")).write_bytes(data)
        return dict(reports.render(evidence, frames_dir=frames_dir, bundle_id=bundle_id))
