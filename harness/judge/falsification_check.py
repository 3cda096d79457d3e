"""Whether a document's planted faults follow from its own measurements: every pair is judged anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.falsification import Falsification, PairRecord, faulty_name
from nesproof.harness.evidence.measurements import Measurement, SuiteMeasurement, SuiteRun
from nesproof.harness.evidence.model import ClaimRecord, Evidence
from nesproof.harness.judge.claim import judge_claim
from nesproof.harness.judge.falsification import build_of, control_holds, control_of, judge_pair

__all__ = ["check_falsification"]


def check_falsification(evidence: Evidence) -> list[tuple[str | None, str]]:
    """What does not follow, each with the claim that it is about (None: the document)."""
    trials = evidence.falsification
    if trials is None:
        return []
    records = {record.claim.id: record for record in evidence.claims}
    found: list[tuple[str | None, str]] = [(None, sentence) for sentence in _of_the_whole(trials, evidence)]
    found += _of_controls(trials, records, evidence)
    suites = {run.id: run for run in trials.suites}
    for pair in trials.pairs:
        record = records.get(pair.claim)
        if record is not None:
            found += [(pair.claim, f"{pair.fault}: {s}") for s in _of_pair(pair, record, trials, suites, evidence)]
    found += [(None, sentence) for sentence in _of_sole(trials, records, suites, evidence)]
    return found


def _of_the_whole(trials: Falsification, evidence: Evidence) -> Iterator[str]:
    """The pairs must be those that the run's claims and its choice of faults make, each once."""
    globs = trials.fault_globs
    tried = [r.claim for r in evidence.claims if r.selected or r.claim.id in trials.states_only]
    wanted = {
        (fault, claim.id)
        for claim in tried
        for fault in claim.killed_by
        if not globs or any(fnmatchcase(fault, glob) for glob in globs)
    }
    pairs = Counter((pair.fault, pair.claim) for pair in trials.pairs)
    if set(pairs) != wanted or any(count > 1 for count in pairs.values()):
        yield "The pairs of faults and claims are not those that the claims name."
    known = Counter(fault.id for fault in trials.faults)
    if any(count > 1 for count in known.values()) or not {fault for fault, _ in pairs} <= set(known):
        yield "A fault is not described, or is described twice."
    if len({run.id for run in trials.suites}) != len(trials.suites):
        yield "A suite run with a fault occurs twice."


def _of_controls(
    trials: Falsification, records: dict[str, ClaimRecord], evidence: Evidence
) -> Iterator[tuple[str | None, str]]:
    suites = {run.id: run for run in evidence.suites}
    for control in trials.controls:
        record = records.get(control.claim)
        if record is None:
            yield None, f"A control is of {control.claim}, which is no claim of the document."
            continue
        measurement = record.measurement if control.measurement is None else control.measurement
        claim = record.claim
        if control.measurement is not None and control.build == "hooks":
            claim = claim.model_copy(update={"subject": faulty_name(claim.subject, "hooks")})
        judged = judge_claim(claim, measurement, suites, on=evidence.created_utc.date())
        holds = control_holds(record.claim, judged, build=control.build)
        if (judged.verdict, judged.reason, holds) != (control.verdict, control.reason, control.holds):
            yield control.claim, f"The control in the build {control.build!r} is not what its measurement gives."


def _of_pair(
    pair: PairRecord, record: ClaimRecord, trials: Falsification, suites: Mapping[str, SuiteRun], evidence: Evidence
) -> Iterator[str]:
    if pair.outcome == "not-tried":
        if pair.measurement is not None or pair.verdict is not None:
            yield "It was not tried, yet carries a measurement or a verdict."
        return
    fault = next((f for f in trials.faults if f.id == pair.fault), None)
    build = build_of(record.claim, "" if fault is None else fault.means, has_hooks=trials.hooks is not None)
    own: Measurement | None = record.measurement
    control = control_of(trials.controls, pair.claim, build)
    if control is None or not control.holds:
        yield "It was tried without a control that holds."
    if pair.measurement is None:
        yield "It carries no measurement."
        return
    hooks = control.measurement if control is not None and build == "hooks" else None
    judged = judge_pair(
        record.claim,
        pair.fault,
        pair.measurement,
        suites,
        on=evidence.created_utc.date(),
        hooks=hooks,
        installed=own,
    )
    if (judged.outcome, judged.verdict) != (pair.outcome, pair.verdict):
        yield f"The outcome is {pair.outcome}; the measurement gives {judged.outcome}."
    elif (judged.reason, judged.case, judged.assertion) != (pair.reason, pair.case, pair.assertion):
        yield "The words beside the outcome are not those that the measurement gives."


def _of_sole(
    trials: Falsification, records: dict[str, ClaimRecord], suites: Mapping[str, SuiteRun], evidence: Evidence
) -> Iterator[str]:
    faults = {fault.id: fault for fault in trials.faults}
    for statement in trials.sole:
        fault = faults.get(statement.fault)
        if fault is None or fault.only_suite != statement.suite:
            yield f"Which suite alone sees {statement.fault} is not what the fault says."
            continue
        also = []
        for claim_id in statement.tried:
            record = records.get(claim_id)
            if record is None:
                yield f"{statement.fault} was tried on {claim_id}, which is no claim of the document."
                continue
            run = f"{record.claim.suite}.{faulty_name(record.claim.subject, statement.fault)}"
            if run not in suites:
                yield f"{statement.fault} was tried on {claim_id}, of which there is no run."
                continue
            judged = judge_pair(
                record.claim,
                statement.fault,
                SuiteMeasurement(run=run),
                suites,
                on=evidence.created_utc.date(),
            )
            if judged.verdict is not Verdict.PASS:
                also.append(claim_id)
        if (tuple(also), not also) != (statement.also, statement.holds):
            yield f"Which other suites see {statement.fault} is not what the runs give."
