"""Writes the planted cases: `python tests/judge/make_planted_cases.py`. Their verdicts are stated, never computed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from planted_changes import change_cases
from planted_figures import figure_cases
from planted_suites import suite_cases
from planted_timing import timing_cases

FOLDER = Path(__file__).parents[2] / "harness" / "judge" / "planted"
PACK: dict[str, Callable[[], list[dict[str, Any]]]] = {
    "timing.json": timing_cases,
    "suites.json": suite_cases,
    "figures.json": figure_cases,
    "changes.json": change_cases,
}


def text_of(cases: list[dict[str, Any]]) -> str:
    """One case a line, so that a changed case is a changed line."""
    return "[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]\n"


if __name__ == "__main__":
    for name, make in PACK.items():
        (FOLDER / name).write_text(text_of(make()), encoding="utf-8")
