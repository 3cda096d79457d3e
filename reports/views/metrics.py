"""Every figure of a run as one flat row, as trackers of benchmarks want it. The figures are the document's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from nesproof.harness.claims import Claim, Verdict
from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.comparison import Comparison
from nesproof.harness.evidence.model import ClaimRecord
from nesproof.reports.plain_text import one_line
from nesproof.reports.views.claims import claimed
from nesproof.reports.wording import VERDICT_WORDS

__all__ = ["Direction", "Metric", "metrics"]

Direction = Literal["bigger", "smaller"]
"""Which way is better."""

_ANSWERED = frozenset({Verdict.PASS, Verdict.FAIL, Verdict.INCONCLUSIVE, Verdict.WAIVED})
_NAME_LIMIT = 300


@dataclass(frozen=True)
class Metric:
    """One figure.

    `benchmark` is what it is about (a claim's id, `comparison:` and a comparison's id), `measure` what was measured,
    `remarks` what a reader must know beside it.
    """

    benchmark: str
    measure: str
    unit: str
    value: float
    interval: tuple[float, float] | None
    direction: Direction
    remarks: tuple[str, ...]


def metrics(evidence: Evidence) -> tuple[Metric, ...]:
    """The figures of claims that were answered, then those of comparisons, in the order of the evidence.

    What broke or was not measured gives none. Of a document that was made up, or measured in a changed source tree,
    each name says so: in a tracker such figures must be no part of the others' series.
    """
    found = (*_of_claims(evidence), *_of_comparisons(evidence))
    mark = "fixture:" if evidence.fixture is not None else "dirty-tree:" if evidence.source.dirty else ""
    return tuple(replace(metric, benchmark=one_line(mark + metric.benchmark)[:_NAME_LIMIT]) for metric in found)


def _of_claims(evidence: Evidence) -> Iterator[Metric]:
    for record in evidence.claims:
        if record.selected and record.verdict in _ANSWERED and record.value is not None:
            yield _of_claim(record, record.value)


def _of_claim(record: ClaimRecord, value: float) -> Metric:
    claim = record.claim
    measure, unit = _measure(claim)
    remarks = [f"{VERDICT_WORDS[record.verdict]}: claimed {claimed(claim)}, measured {record.measured or value}"]
    remarks += [record.caveat] if record.caveat is not None else []
    return Metric(
        benchmark=claim.id,
        measure=measure,
        unit=unit,
        value=value,
        interval=record.interval,
        direction="smaller" if claim.at_most is not None else "bigger",
        remarks=tuple(one_line(remark) for remark in remarks),
    )


def _measure(claim: Claim) -> tuple[str, str]:
    """What is measured, as a slug, and its unit in words."""
    if claim.kind == "exact":
        return "cases-passed", "share of cases"
    if claim.kind == "ratio":
        return "speed-ratio", "times the frames per second"
    name = claim.metric or claim.kind
    words = name.replace("_", " ")
    return (f"{_slug(name)}-ratio", f"times the {words}") if claim.over else (_slug(name), words)


def _slug(name: str) -> str:
    return name.replace("_", "-")


def _of_comparisons(evidence: Evidence) -> Iterator[Metric]:
    for comparison in evidence.comparisons:
        name = _comparison_name(comparison)
        remarks = (one_line(comparison.words),)
        if comparison.ratio is not None:
            unit = "times the frames per second"
            yield Metric(name, "speed-ratio", unit, comparison.ratio, comparison.interval, "bigger", remarks)
        for side, speed in (("candidate", comparison.candidate_fps), ("baseline", comparison.baseline_fps)):
            if speed is not None:
                yield Metric(name, f"{side}-frames-per-second", "frames per second", speed, None, "bigger", remarks)


def _comparison_name(comparison: Comparison) -> str:
    """What plays differently is another series than what plays alike, and its name says so."""
    differs = comparison.outcome == "differs"
    return f"comparison:{comparison.id}{' (plays differently)' if differs else ''}"
