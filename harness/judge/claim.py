"""One claim, one measurement, one verdict."""

from __future__ import annotations

from collections.abc import Mapping

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
from nesproof.harness.judge.suite import judge_suite

__all__ = ["Judgement", "judge_claim"]


def judge_claim(claim: Claim, measurement: Measurement | None, suites: Mapping[str, SuiteRun]) -> Judgement:
    """The verdict on `claim` from its measurement; `suites` are the run's suite runs by id.

    A measurement of another kind than the claim's is ERROR, and none at all is NOT_MEASURED: nothing but a
    measurement of the right kind can be PASS.
    """
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
