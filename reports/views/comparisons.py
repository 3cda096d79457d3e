"""Subjects beside each other: how they play, how fast each is, and how each figure came about, as rows.

The rows are for every format: the report's table, Markdown, CSV, and the site. They decide nothing: ratios, intervals,
outcomes and the words beside them are the document's.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.comparison import BehaviourMatch, Comparison
from nesproof.harness.evidence.model import FailedMeasurement, NoMeasurement, RatioMeasurement, UnavailableMeasurement
from nesproof.reports.figures import number, ratio
from nesproof.reports.images import Picture, embedded
from nesproof.reports.plain_text import one_line
from nesproof.reports.views.runs import DRAWN
from nesproof.reports.wording import ABSENT

__all__ = [
    "OUTCOME_MARKS",
    "OUTCOME_WORDS",
    "ComparisonRow",
    "ComparisonSide",
    "ComparisonTable",
    "comparison_rows",
    "comparison_tables",
]

OUTCOME_WORDS: dict[str, str] = {
    "alike": "plays alike",
    "differs": "plays differently",
    "refused": "no speed: wrong frames",
    "inconclusive": "plays alike, no narrow interval",
    "broken": "broke",
    "unavailable": "not here",
    "not-measured": ABSENT,
}
"""An outcome in a few words."""

OUTCOME_MARKS: dict[str, str] = {
    "alike": "PASS",
    "differs": "FAIL",
    "refused": "FAIL",
    "inconclusive": "INCONCLUSIVE",
    "broken": "ERROR",
    "unavailable": "NOT_APPLICABLE",
    "not-measured": "NOT_MEASURED",
}
"""The verdict whose shape and colour stand for an outcome."""

_PICTURE_ROOM_BYTES = 1_500_000
"""Room for all pictures of differences in one page, in bytes of its text."""


@dataclass(frozen=True)
class ComparisonSide:
    """One subject, how it was run, and its speed: the median over processes of each one's fastest run. Figures are
    words; `frames_per_second_value` is the number itself. Absolute speeds belong to this machine."""

    subject: str
    version: str
    drawing: str
    consoles: int | None
    threads: int | None
    frame_skip: int | None
    idle_skipping: str
    """"never" where the subject declares no such thing."""
    observation: str
    """What a drawn frame is and where it lies; empty where nothing is drawn."""
    frames_per_second: str
    env_steps_per_second: str
    frames_per_second_value: float | None


@dataclass(frozen=True)
class ComparisonRow:
    """One comparison."""

    anchor: str
    id: str
    workload: str
    candidate: ComparisonSide
    baseline: ComparisonSide
    ratio: str
    """"1.324 ×"; "not measured" where there is none."""
    interval: str
    """"1.30 to 1.35"; empty where there is none."""
    ratio_value: float | None
    interval_values: tuple[float, float] | None
    outcome: str
    outcome_word: str
    mark: str
    """The verdict whose shape and colour stand for the outcome."""
    differs: bool
    """True where the two do not play alike, which is said wherever the ratio is."""
    behaviour: str
    """How they play, in a clause; "not measured" where nobody looked."""
    words: str
    """One line that says all of it."""
    remark: str
    reason: str
    """Why there is no ratio, where there is none; empty otherwise."""
    remedy: str | None
    rerun: str
    samples_anchor: str | None
    """Where a report shows its raw samples; None without any."""
    picture: Picture | None
    """Both frames and their difference, at the first frame whose pictures differ."""


@dataclass(frozen=True)
class ComparisonTable:
    """All comparisons of one workload with one baseline, fastest first; those without a ratio come last. The
    baseline is 1 by definition and has no row of its own but `baseline`: its speed where it was timed first."""

    workload: str
    baseline: ComparisonSide
    rows: tuple[ComparisonRow, ...]


def comparison_rows(evidence: Evidence, frames_dir: Path | None = None) -> tuple[ComparisonRow, ...]:
    """Every comparison, in the order of the evidence. Without `frames_dir` pictures become words."""
    declared = {s.name: (s.version, "idle-skipping" in s.capabilities) for s in evidence.subjects}
    rows = []
    room = _PICTURE_ROOM_BYTES
    for index, comparison in enumerate(evidence.comparisons, start=1):
        path = _picture_path(comparison.behaviour)
        picture = None if path is None else embedded(path, frames_dir, room)
        room -= 0 if picture is None or picture.data_uri is None else len(picture.data_uri)
        rows.append(_row(index, comparison, declared, picture))
    return tuple(rows)


def comparison_tables(rows: tuple[ComparisonRow, ...]) -> tuple[ComparisonTable, ...]:
    """The rows by workload and baseline, in the order in which these first occur."""
    grouped: dict[tuple[str, str], list[ComparisonRow]] = {}
    for row in rows:
        grouped.setdefault((row.workload, row.baseline.subject), []).append(row)
    return tuple(
        ComparisonTable(
            workload=workload,
            baseline=next((r.baseline for r in members if r.baseline.frames_per_second_value), members[0].baseline),
            rows=tuple(sorted(members, key=lambda row: (row.ratio_value is None, -(row.ratio_value or 0.0)))),
        )
        for (workload, _), members in grouped.items()
    )


def _row(
    index: int, comparison: Comparison, declared: dict[str, tuple[str, bool]], picture: Picture | None
) -> ComparisonRow:
    behaviour = comparison.behaviour
    interval = comparison.interval
    return ComparisonRow(
        anchor=f"comparison-{index}",
        id=comparison.id,
        workload=comparison.workload,
        candidate=_side(comparison, "candidate", declared),
        baseline=_side(comparison, "baseline", declared),
        ratio=ratio(comparison.ratio),
        interval="" if interval is None else f"{number(interval[0])} to {number(interval[1])}",
        ratio_value=comparison.ratio,
        interval_values=interval,
        outcome=comparison.outcome,
        outcome_word=OUTCOME_WORDS[comparison.outcome],
        mark=OUTCOME_MARKS[comparison.outcome],
        differs=behaviour is not None and behaviour.differs,
        behaviour=ABSENT if behaviour is None else behaviour.in_short(),
        words=comparison.words,
        remark="" if behaviour is None else behaviour.remark,
        reason=_reason(comparison),
        remedy=_remedy(comparison),
        rerun=one_line(comparison.rerun),
        samples_anchor=f"samples-of-comparison-{index}" if _has_samples(comparison) else None,
        picture=picture,
    )


def _side(
    comparison: Comparison, side: Literal["candidate", "baseline"], declared: dict[str, tuple[str, bool]]
) -> ComparisonSide:
    subject = comparison.candidate if side == "candidate" else comparison.baseline
    speed = comparison.candidate_fps if side == "candidate" else comparison.baseline_fps
    version, skips_idle = declared.get(subject, ("", False))
    run = comparison.measurement.side(side)[0] if isinstance(comparison.measurement, RatioMeasurement) else None
    return ComparisonSide(
        subject=subject,
        version=version,
        drawing=ABSENT if run is None else DRAWN[run.draw],
        consoles=None if run is None else run.num_envs,
        threads=None if run is None else run.threads,
        frame_skip=None if run is None else run.frame_skip,
        idle_skipping=ABSENT if run is None else ("on" if run.idle_skipping else "off") if skips_idle else "never",
        observation="" if run is None else run.observation,
        frames_per_second=number(speed),
        env_steps_per_second=number(None if speed is None or run is None else speed / run.frame_skip),
        frames_per_second_value=speed,
    )


def _reason(comparison: Comparison) -> str:
    measurement = comparison.measurement
    if isinstance(measurement, (UnavailableMeasurement, FailedMeasurement, NoMeasurement)):
        return measurement.reason
    return comparison.words if comparison.ratio is None else ""


def _has_samples(comparison: Comparison) -> bool:
    return isinstance(comparison.measurement, RatioMeasurement) and bool(comparison.measurement.samples)


def _remedy(comparison: Comparison) -> str | None:
    measurement = comparison.measurement
    remedy = measurement.remedy if isinstance(measurement, UnavailableMeasurement) else None
    return None if remedy is None else one_line(remedy)


def _picture_path(behaviour: BehaviourMatch | None) -> str | None:
    if behaviour is None or behaviour.first_picture is None:
        return None
    return behaviour.first_picture.picture
