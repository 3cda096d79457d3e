"""Which frames a reader sees at once, and in which order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.model import CaseResult
from nesproof.reports.views.frames import frame_groups, frames


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One picture with nothing to see and one with much."""
    Image.new("RGB", (256, 240)).save(tmp_path / "dull.png")
    noise = np.random.default_rng(2).integers(0, 4, (240, 256), dtype=np.uint8) * 60
    Image.fromarray(noise).save(tmp_path / "rich.png")
    return tmp_path


def with_cases(evidence: Evidence, *cases: CaseResult) -> Evidence:
    return evidence.model_copy(update={"suites": (evidence.suites[0].model_copy(update={"cases": cases}),)})


def test_failed_frames_come_first_and_large_dull_groups_are_folded(evidence: Evidence, folder: Path) -> None:
    dull = [CaseResult(id=f"cpu/{n}", outcome="passed", frame="frames/dull.png") for n in range(30)]
    rich = [CaseResult(id=f"eye/{n}", outcome="passed", frame="frames/rich.png") for n in range(6)]
    few = [CaseResult(id="apu/1", outcome="passed", frame="frames/dull.png")]
    failed = CaseResult(id="cpu/last", outcome="failed", frame="frames/dull.png")
    groups = frame_groups(frames(with_cases(evidence, *dull, *few, *rich, failed), folder))
    assert [f.case_id for f in groups[0].frames] == ["cpu/last"]
    assert groups[1].title == "klaus: eye"
    assert {g.title: g.is_open for g in groups[1:]} == {"klaus: eye": True, "klaus: cpu": False, "klaus: apu": True}
    assert sum(len(g.frames) for g in groups) == 38


def test_few_frames_are_never_folded(evidence: Evidence, folder: Path) -> None:
    cases = [
        CaseResult(id=f"{kind}/{n}", outcome="passed", frame="frames/dull.png") for kind in "abc" for n in range(6)
    ]
    assert all(group.is_open for group in frame_groups(frames(with_cases(evidence, *cases), folder)))


def test_pictures_beyond_the_page_become_words(
    evidence: Evidence, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nesproof.reports.views.frames.TOTAL_BYTES", 60_000)
    cases = [CaseResult(id=str(n), outcome="passed", frame="frames/rich.png") for n in range(20)]
    shown = frames(with_cases(evidence, *cases), folder)
    embedded = [f for f in shown if f.picture.data_uri is not None]
    assert 0 < len(embedded) < 20
    assert sum(len(f.picture.data_uri or "") for f in embedded) <= 60_000
    assert "left out for size" in (shown[-1].picture.problem or "")
