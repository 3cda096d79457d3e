"""One claim, one measurement, one verdict."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import date

from nesproof.harness.claims.model import FIGURE_KINDS, Claim
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.model import (
    FailedMeasurement,
    FiguresMeasurement,
    Measurement,
    NoMeasurement,
    RatioMeasurement,
    SuiteMeasurement,
    SuiteRun,
    UnavailableMeasurement,
)
from nesproof.harness.judge.figures import judge_figures
from nesproof.harness.judge.judgement import Judgement
from nesproof.harness.judge.ratio import judge_ratio
from nesproof.harness.judge.suite import failed_cases, judge_suite

__all__ = ["Judgement", "judge_claim"]


def judge_claim(
    claim: Claim, measurement: Measurement | None, suites: Mapping[str, SuiteRun], *, on: date | None = None
) -> Judgement:
    """The verdict on `claim` from its measurement; `suites` are the run's suite runs by id.

    A measurement of another kind than the claim's is ERROR, and none at all is NOT_MEASURED: nothing but a
    measurement of the right kind can be PASS. A FAIL that the claim's waiver covers on the day `on` is WAIVED; without
    a day no waiver holds.
    """
    judged = _judge(claim, measurement, suites)
    waiver = claim.waiver
    if judged.verdict is not Verdict.FAIL or waiver is None or on is None or on > waiver.expires:
        return judged
    if claim.kind == "exact":
        run = suites.get(measurement.run) if isinstance(measurement, SuiteMeasurement) else None
        is_covered = run is not None and waiver.covers_cases(failed_cases(claim, run))
    else:
        is_covered = waiver.covers_figure(judged.value, at_most=claim.at_most is not None)
    if not is_covered:
        reason = f"{judged.reason} The claim's waiver does not reach so far."
        return dataclasses.replace(judged, reason=reason)
    reason = f"{judged.reason} Waived until {waiver.expires}: {waiver.reason} What would settle it: {waiver.settled_by}"
    return dataclasses.replace(judged, verdict=Verdict.WAIVED, reason=reason)


def _judge(claim: Claim, measurement: Measurement | None, suites: Mapping[str, SuiteRun]) -> Judgement:
    if measurement is None:
        return Judgement(verdict=Verdict.NOT_MEASURED, reason="Nothing was measured.")
    if isinstance(measurement, NoMeasurement):
        return Judgement(verdict=Verdict.NOT_MEASURED, reason=measurement.reason)
    if isinstance(measurement, UnavailableMeasurement):
        return Judgement(verdict=Verdict.NOT_APPLICABLE, reason=measurement.reason)
    if isinstance(measurement, FailedMeasurement):
        return Judgement(verdict=Verdict.ERROR, reason=f"{measurement.stage} broke: {measurement.reason}")
    if isinstance(measurement, SuiteMeasurement) and claim.kind == "exact":
        run = suites.get(measurement.run)
        if run is None:
            return Judgement(verdict=Verdict.ERROR, reason=f"There is no suite run {measurement.run!r}.")
        return judge_suite(claim, run)
    if isinstance(measurement, RatioMeasurement) and claim.kind == "ratio":
        return judge_ratio(claim, measurement)
    if isinstance(measurement, FiguresMeasurement) and claim.kind in FIGURE_KINDS:
        return judge_figures(claim, measurement)
    return Judgement(
        verdict=Verdict.ERROR,
        reason=f"A measurement of kind {measurement.kind!r} says nothing about a claim of kind {claim.kind!r}.",
    )
