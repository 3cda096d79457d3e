"""A whole run: its exit code, and whether its verdicts follow from its raw samples."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nesproof.harness.claims.verdict import ExitCode, Verdict, exit_code_of
from nesproof.harness.evidence.falsification import Falsification
from nesproof.harness.evidence.model import ClaimRecord, Comparison, Evidence, RatioMeasurement, SuiteMeasurement
from nesproof.harness.judge.claim import judge_claim
from nesproof.harness.judge.comparison import comparisons_exit_code
from nesproof.harness.judge.comparison_check import check_comparisons
from nesproof.harness.judge.falsification import verdicts_of_falsification
from nesproof.harness.judge.falsification_check import check_falsification
from nesproof.harness.judge.ratio import cores_of
from nesproof.harness.judge.ratio_samples import check_ratio_samples
from nesproof.harness.judge.suite import wrongly_left_out

__all__ = ["Contradiction", "contradictions", "run_exit_code"]


def run_exit_code(
    records: Iterable[ClaimRecord],
    *,
    interrupted: bool,
    strict: bool,
    falsification: Falsification | None = None,
    comparisons: Sequence[Comparison] = (),
) -> ExitCode:
    """The exit code of a run. `strict`: a selected claim that no fault is known to kill counts as failed.

    No promise is held to a comparison: only where no claim was selected do comparisons decide.
    """
    selected = [record for record in records if record.selected]
    if comparisons and not selected and falsification is None:
        return comparisons_exit_code(comparisons, interrupted=interrupted)
    verdicts = [record.verdict for record in selected]
    if falsification is not None:
        verdicts += verdicts_of_falsification(falsification)
    if strict and any(record.claim.is_unproven for record in selected):
        verdicts.append(Verdict.FAIL)
    survived = falsification is not None and falsification.has_survivors
    return exit_code_of(verdicts, interrupted=interrupted, falsifier_survived=survived)


@dataclass(frozen=True)
class Contradiction:
    """Where a document says otherwise than its own samples. `claim` is the id of a claim or a comparison, None for the
    document as a whole."""

    claim: str | None
    sentence: str

    @property
    def is_of_words(self) -> bool:
        """True where verdicts and figures follow, and only the sentences beside them do not: another version of the
        judge may say the same in other words."""
        return "The words " in self.sentence


def contradictions(evidence: Evidence) -> list[Contradiction]:
    """Judge every claim and comparison of the document anew from its raw samples; what does not follow is returned.

    Figures are compared to nine digits, since mathematics libraries differ in the last ones.
    """
    found: list[Contradiction] = []
    suites = {run.id: run for run in evidence.suites}
    ids = [record.claim.id for record in evidence.claims]
    if len(set(ids)) != len(ids) or len(suites) != len(evidence.suites):
        found.append(Contradiction(None, "A claim or a suite run occurs twice."))
    declared = {subject.name: subject.capabilities for subject in evidence.subjects}
    wrongly = (wrongly_left_out(run, declared.get(run.subject, ())) for run in evidence.suites)
    found += [Contradiction(None, sentence) for sentence in wrongly if sentence is not None]
    for record in evidence.claims:
        found += [Contradiction(record.claim.id, sentence) for sentence in _of_record(record, evidence)]
    found += [Contradiction(claim, sentence) for claim, sentence in check_falsification(evidence)]
    found += [Contradiction(comparison, sentence) for comparison, sentence in check_comparisons(evidence)]
    derived = run_exit_code(
        evidence.claims,
        interrupted=evidence.interrupted,
        strict=evidence.strict,
        falsification=evidence.falsification,
        comparisons=evidence.comparisons,
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
        found += check_ratio_samples(measurement, evidence)
        for choice, run in (
            (record.claim.candidate_run, measurement.candidate_run),
            (record.claim.baseline_run, measurement.baseline_run),
        ):
            if choice.counts_cores and cores_of(choice, run) != evidence.machine.usable_cores:
                found.append("It was not timed on as many cores as the machine let be used.")
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
