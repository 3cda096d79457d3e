"""Comparisons as rows, in CSV and in Markdown: figures are the document's, and hostile text stays text."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from nesproof.harness.evidence.comparison import BehaviourMatch, Comparison
from nesproof.harness.evidence.model import NoMeasurement, UnavailableMeasurement
from nesproof.reports.comparisons_csv import comparisons_csv
from nesproof.reports.markdown_comparisons import comparison_lines
from nesproof.reports.views.comparisons import OUTCOME_MARKS, OUTCOME_WORDS, comparison_rows, comparison_tables

HOSTILE = "=cmd()|' /C calc'!A0 @everyone <script>alert(1)</script> `x` | \n# head"


class _Document:
    """As much of a document as the view looks at."""

    subjects = ()

    def __init__(self, *comparisons: Comparison) -> None:
        self.comparisons = comparisons


def comparison(candidate: str = "mine", **fields: Any) -> Comparison:
    given = {
        "id": f"{candidate}/theirs", "workload": "play@1", "candidate": candidate, "baseline": "theirs",
        "behaviour": BehaviourMatch(frames=0, ram="not-shown", pictures="not-shown"),
        "measurement": NoMeasurement(reason="No time was given for timing."), "outcome": "alike", "words": "It plays.",
    }  # fmt: skip
    return Comparison(**{**given, **fields})


def test_every_outcome_has_a_word_and_a_mark() -> None:
    outcomes = set(Comparison.model_fields["outcome"].annotation.__args__)  # type: ignore[union-attr]
    assert set(OUTCOME_WORDS) == set(OUTCOME_MARKS) == outcomes


def test_rows_are_grouped_by_workload_and_baseline_fastest_first() -> None:
    made = [comparison("slow", ratio=2.0), comparison("none"), comparison("fast", ratio=30.0)]
    (table,) = comparison_tables(comparison_rows(_Document(*made)))  # type: ignore[arg-type]
    assert [row.candidate.subject for row in table.rows] == ["fast", "slow", "none"]
    assert [row.ratio for row in table.rows] == ["30.0 ×", "2.000 ×", "not measured"]


def test_an_absent_subject_has_its_remedy_on_one_line() -> None:
    absent = UnavailableMeasurement(missing="x", reason="It is not here.", remedy="get\nit")
    (row,) = comparison_rows(_Document(comparison(measurement=absent, outcome="unavailable")))  # type: ignore[arg-type]
    assert (row.remedy, row.reason, row.outcome_word) == (r"get\nit", "It is not here.", "not here")


def test_hostile_text_stays_text() -> None:
    rows = comparison_rows(_Document(comparison(HOSTILE, words=HOSTILE, ratio=1.5, interval=(1.4, 1.6))))  # type: ignore[arg-type]
    cells = next(csv.DictReader(io.StringIO(comparisons_csv(rows).decode())))
    assert cells["candidate_subject"].startswith("'=cmd")
    assert (cells["ratio"], cells["ratio_low"], cells["ratio_high"]) == ("1.5", "1.4", "1.6")
    lines = comparison_lines(comparison_tables(rows))
    assert not any("<script>" in line or "@everyone" in line or "\n" in line for line in lines)
    assert len([line for line in lines if line.startswith("| ")]) == 2


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"unsteady": ("candidate",)}, "the candidate does not repeat its own play in a second process"),
        (
            {"batch_checked": ("baseline",), "batch_differs": ("baseline",)},
            "the baseline's batch does not play as its console alone",
        ),
        ({"frame_counters": "differs", "counter_ahead_frames": -40}, "frame counter -40 at the end"),
    ],
)
def test_each_way_to_differ_has_its_words(fields: dict[str, Any], words: str) -> None:
    match = BehaviourMatch(frames=9, ram="not-shown", pictures="not-shown", **fields)
    assert match.differs
    assert words in match.in_short()
