"""From what the trials yielded to the document's record: scrubbed first, then judged, as claims are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from pydantic import TypeAdapter

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.falsification import (
    BuildKind,
    Control,
    Falsification,
    FaultRecord,
    PairRecord,
    SoleKiller,
    faulty_name,
)
from nesproof.harness.evidence.model import ClaimRecord, Measurement, SuiteMeasurement, SuiteRun
from nesproof.harness.evidence.scrub import Scrubber
from nesproof.harness.falsify.falsifying import Falsifying
from nesproof.harness.judge.claim import judge_claim
from nesproof.harness.judge.falsification import build_of, control_holds, control_of, faulty_claim, judge_pair
from nesproof.harness.runner.selection import Selection

__all__ = ["compose_falsification"]

_MEASUREMENT: TypeAdapter[Measurement] = TypeAdapter(Measurement)


def compose_falsification(
    falsifying: Falsifying,
    selection: Selection,
    *,
    records: Sequence[ClaimRecord],
    suites: Mapping[str, SuiteRun],
    scrubber: Scrubber,
    on: date,
) -> Falsification:
    """Scrub, judge and put together; `records` and `suites` are the document's own, clean already."""
    results = falsifying.results
    by_claim = {record.claim.id: record for record in records}
    runs = {
        run.id: SuiteRun.model_validate(scrubber.document(run.model_dump(mode="json"))) for run in results.runs.values()
    }
    controls = [
        _control(by_claim[claim_id], build, _clean(measurement, scrubber), suites, on)
        for (claim_id, build), measurement in results.controls.items()
    ]
    has_hooks = falsifying.hooks.record is not None
    pairs = []
    for pair in falsifying.pairs:
        record = by_claim[pair.claim.id]
        tried = results.tried.get(pair.key)
        if tried is None:
            reason = scrubber.text(results.not_tried.get(pair.key, "It was not reached."))
            pairs.append(PairRecord(fault=pair.fault.id, claim=pair.claim.id, outcome="not-tried", reason=reason))
            continue
        build = build_of(pair.claim, pair.fault.means, has_hooks=has_hooks)
        control = control_of(controls, pair.claim.id, build)
        measurement = _clean(tried.measurement, scrubber)
        assert measurement is not None
        judged = judge_pair(
            record.claim,
            pair.fault.id,
            measurement,
            runs,
            on=on,
            hooks=None if control is None or build != "hooks" else control.measurement,
            installed=record.measurement,
        )
        pairs.append(
            PairRecord(
                fault=pair.fault.id,
                claim=pair.claim.id,
                outcome=judged.outcome,
                verdict=judged.verdict,
                reason=judged.reason,
                case=judged.case,
                assertion=judged.assertion,
                duration_s=round(tried.duration_s, 3),
                measurement=measurement,
            )
        )
    faults = {pair.fault.id: pair.fault for pair in falsifying.pairs}
    return Falsification(
        fault_globs=falsifying.measuring.options.fault_globs,
        hooks=falsifying.hooks.record,
        hooks_missing=None if falsifying.hooks.missing is None else scrubber.text(falsifying.hooks.missing),
        faults=tuple(
            FaultRecord(id=f.id, sentence=f.sentence, area=f.area, means=f.means, only_suite=f.only_suite)
            for f in faults.values()
        ),
        states_only=tuple(item.claim.id for item in selection.states_only),
        controls=tuple(controls),
        pairs=tuple(pairs),
        sole=tuple(_sole(falsifying, {r.claim.id: r.claim for r in records}, runs, on)),
        suites=tuple(runs.values()),
        duration_s=round(results.duration_s, 3),
    )


def _clean(measurement: Measurement | None, scrubber: Scrubber) -> Measurement | None:
    if measurement is None:
        return None
    return _MEASUREMENT.validate_python(scrubber.document(measurement.model_dump(mode="json")))


def _control(
    record: ClaimRecord,
    build: BuildKind,
    measurement: Measurement | None,
    suites: Mapping[str, SuiteRun],
    on: date,
) -> Control:
    claim = record.claim
    of = faulty_claim(claim, "hooks") if measurement is not None and build == "hooks" else claim
    judged = judge_claim(of, record.measurement if measurement is None else measurement, suites, on=on)
    return Control(
        claim=claim.id,
        build=build,
        verdict=judged.verdict,
        reason=judged.reason,
        holds=control_holds(claim, judged, build=build),
        measurement=measurement,
    )


def _sole(
    falsifying: Falsifying, claims: Mapping[str, Claim], runs: Mapping[str, SuiteRun], on: date
) -> Iterator[SoleKiller]:
    faults = {pair.fault.id: pair.fault for pair in falsifying.pairs}
    for fault_id, tried in falsifying.results.sole.items():
        only_suite = faults[fault_id].only_suite
        assert only_suite is not None
        also = []
        for claim_id in tried:
            claim = claims[claim_id]
            run = SuiteMeasurement(run=f"{claim.suite}.{faulty_name(claim.subject, fault_id)}")
            if judge_pair(claim, fault_id, run, runs, on=on).verdict is not Verdict.PASS:
                also.append(claim_id)
        yield SoleKiller(fault=fault_id, suite=only_suite, tried=tuple(tried), also=tuple(also), holds=not also)
