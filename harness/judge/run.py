"""A whole run: its exit code, and whether its verdicts follow from its raw samples."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from nesproof.harness.claims.verdict import ExitCode, Verdict, exit_code_of
from nesproof.harness.evidence.falsification import Falsification
from nesproof.harness.evidence.model import ClaimRecord, Evidence, RatioMeasurement, SuiteMeasurement
from nesproof.harness.judge.claim import judge_claim
from nesproof.harness.judge.falsification import verdicts_of_falsification
from nesproof.harness.judge.falsification_check import check_falsification
from nesproof.harness.judge.load import is_busy

__all__ = ["Contradiction", "contradictions", "run_exit_code"]


def run_exit_code(
    records: Iterable[ClaimRecord], *, interrupted: bool, strict: bool, falsification: Falsification | None = None
) -> ExitCode:
    """The exit code of a run. `strict`: a selected claim that no fault is known to kill counts as failed."""
    selected = [record for record in records if record.selected]
    verdicts = [record.verdict for record in selected]
    if falsification is not None:
        verdicts += verdicts_of_falsification(falsification)
    if strict and any(record.claim.is_unproven for record in selected):
        verdicts.append(Verdict.FAIL)
    survived = falsification is not None and falsification.has_survivors
    return exit_code_of(verdicts, interrupted=interrupted, falsifier_survived=survived)


@dataclass(frozen=True)
class Contradiction:
    """Where a document says otherwise than its own samples. `claim` is None for the document as a whole."""

    claim: str | None
    sentence: str


def contradictions(evidence: Evidence) -> list[Contradiction]:
    """Judge every claim of the document anew from its raw samples; what does not follow is returned.

    Figures are compared to nine digits, since mathematics libraries differ in the last ones.
    """
    found: list[Contradiction] = []
    suites = {run.id: run for run in evidence.suites}
    ids = [record.claim.id for record in evidence.claims]
    if len(set(ids)) != len(ids) or len(suites) != len(evidence.suites):
        found.append(Contradiction(None, "A claim or a suite run occurs twice."))
    for record in evidence.claims:
        found += [Contradiction(record.claim.id, sentence) for sentence in _of_record(record, evidence)]
    found += [Contradiction(claim, sentence) for claim, sentence in check_falsification(evidence)]
    derived = run_exit_code(
        evidence.claims,
        interrupted=evidence.interrupted,
        strict=evidence.strict,
        falsification=evidence.falsification,
    )
    if derived != evidence.exit_code:
        found.append(
            Contradiction(None, f"The exit code is {evidence.exit_code:d}; the verdicts add up to {derived:d}.")
        )
    return found


def _of_record(record: ClaimRecord, evidence: Evidence) -> list[str]:
    if not record.selected:
        clean = record.verdict is Verdict.NOT_SELECTED and record.measurement is None and record.value is None
        return [] if clean else ["It was not selected, yet carries a measurement or a verdict."]
    suites = {run.id: run for run in evidence.suites}
    judged = judge_claim(record.claim, record.measurement, suites, on=evidence.created_utc.date())
    found = []
    if judged.verdict is not record.verdict:
        found.append(f"The verdict is {record.verdict.value}; the samples give {judged.verdict.value}.")
    elif not (_close(judged.value, record.value) and _close_pair(judged.interval, record.interval)):
        found.append("The figures are not those that the samples give.")
    elif (judged.measured, judged.reason, judged.caveat) != (record.measured, record.reason, record.caveat):
        found.append("The words beside the verdict are not those that the samples give.")
    measurement = record.measurement
    if isinstance(measurement, RatioMeasurement):
        windows = {w.key: w.frames for w in evidence.workloads}
        window = windows.get(measurement.workload, 0)
        for side in ("candidate", "baseline"):
            run, _ = measurement.side("candidate" if side == "candidate" else "baseline")
            frames = window * run.num_envs * run.passes
            if any(s.frames != frames for s in measurement.samples if s.side == side):
                found.append(f"The samples of its {side} cover other frames than the workload's.")
        introduced = {s.name: s.capabilities for s in evidence.subjects}
        for side, subject in (("candidate", measurement.candidate), ("baseline", measurement.baseline)):
            if measurement.samples and ("digest" in introduced.get(subject, ())) != (side in measurement.digest_from):
                found.append(f"Whether {subject} gives a digest is not what it declared.")
        if measurement.load.busy != is_busy(measurement.load.other_cpu_share, measurement.load.steal_share):
            found.append("Whether the machine was busy is not what its load says.")
        if not _timed_claims(evidence) <= measurement.comparisons <= _ratio_claims(evidence):
            found.append("It shares its error budget with another number of claims than the run timed.")
    if isinstance(measurement, SuiteMeasurement) and measurement.run not in {run.id for run in evidence.suites}:
        found.append("Its suite run is not in the document.")
    return found


def _timed_claims(evidence: Evidence) -> int:
    return sum(1 for record in evidence.claims if isinstance(record.measurement, RatioMeasurement))


def _ratio_claims(evidence: Evidence) -> int:
    return sum(1 for record in evidence.claims if record.selected and record.claim.kind == "ratio")


def _close(first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        return first is second
    return math.isclose(first, second, rel_tol=1e-9, abs_tol=1e-12)


def _close_pair(first: tuple[float, float] | None, second: tuple[float, float] | None) -> bool:
    if first is None or second is None:
        return first is second
    return all(_close(a, b) for a, b in zip(first, second, strict=True))
