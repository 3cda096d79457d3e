"""The other way to a case comes to the same: what is reported in memory is read off the picture as well."""

from __future__ import annotations

import json
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import pytest

import nesproof
from nesproof.harness.suite_run import load_suite, run_suite
from nesproof.roms_manifest import Resolver

needs_console = pytest.mark.skipif(find_spec("nesproof.emulator._core") is None, reason="the console is not built")
BY_SIGHT = ["peek", "nametables"]
LONGEST = 1_000
"""Frames; longer cases report as shorter ones do."""


@pytest.fixture
def by_sight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A console that shows its pictures and nothing of its memory."""
    options = {
        "namespace": list(nesproof.__path__),
        "adapter": str(files("nesproof.harness.subjects") / "own_adapter.py"),
        "without": BY_SIGHT,
    }
    here = str(Path(__file__).with_name("pictures_only_adapter.py"))
    command = json.dumps(["{python}", "{worker}", here, json.dumps(options)])
    definition = tmp_path / "subjects.toml"
    definition.write_text(f'[[subject]]\nname = "by-sight"\ncommand = {command}\n', encoding="utf-8")
    monkeypatch.setenv("NESPROOF_SUBJECT_FILE", str(definition))
    return "by-sight"


@needs_console
@pytest.mark.parametrize("suite", ["hardware_roms", "nestest"])
def test_every_case_with_another_way_passes_that_way(suite: str, by_sight: str, tmp_path: Path) -> None:
    definition = load_suite(suite)
    cases = tuple(case.id for case in definition.cases if case.ways and case.cost <= LONGEST)
    resolver = Resolver()
    if missing := [rom for case in cases for rom in definition[case].roms if resolver.find(rom) is None]:
        pytest.skip(f"not at hand: {missing[0]} (nesproof roms fetch)")
    run = run_suite(suite, subject=by_sight, cases=cases, work_dir=tmp_path / "work", timeout_s=120)
    assert run.problem is None
    assert {case.id: case.message for case in run.cases if case.outcome != "passed"} == {}
    assert {case.details["read_from"] for case in run.cases} == {"the screen"}
