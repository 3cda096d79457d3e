"""A run in the words that its samples give today: what stands beside a verdict is the judge's, whoever wrote it down.

Verdicts and figures stay as they are; where they do not follow from the samples, so do the words.
"""

from __future__ import annotations

from nesproof.harness.evidence.model import ClaimRecord, Comparison, Evidence

__all__ = ["in_todays_words"]


def in_todays_words(evidence: Evidence) -> Evidence:
    """The evidence with reasons, measured figures in words, caveats and comparisons' lines derived anew."""
    return evidence.model_copy(
        update={
            "claims": tuple(_claim(record, evidence) for record in evidence.claims),
            "comparisons": tuple(_comparison(comparison) for comparison in evidence.comparisons),
        }
    )


def _claim(record: ClaimRecord, evidence: Evidence) -> ClaimRecord:
    from nesproof.harness.judge import judge_claim

    if not record.selected:
        return record
    suites = {run.id: run for run in evidence.suites}
    judged = judge_claim(record.claim, record.measurement, suites, on=evidence.created_utc.date())
    if judged.verdict is not record.verdict:
        return record
    return record.model_copy(update={"measured": judged.measured, "reason": judged.reason, "caveat": judged.caveat})


def _comparison(comparison: Comparison) -> Comparison:
    from nesproof.harness.judge.comparison import judge_comparison

    judged = judge_comparison(
        candidate=comparison.candidate,
        baseline=comparison.baseline,
        workload=comparison.workload,
        behaviour=comparison.behaviour,
        measurement=comparison.measurement,
    )
    return comparison.model_copy(update={"words": judged.words}) if judged.outcome == comparison.outcome else comparison
