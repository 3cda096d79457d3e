"""From what was measured to the evidence document: scrubbed first, then judged, so that the words beside a verdict can
be derived again from the document alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime

from pydantic import TypeAdapter

from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.capture import capture_machine, capture_packages, capture_source
from nesproof.harness.evidence.model import (
    Build,
    ClaimRecord,
    Comparison,
    Evidence,
    FiguresMeasurement,
    Machine,
    Measurement,
    NoMeasurement,
    RatioMeasurement,
    RomRecord,
    SubjectRecord,
    SuiteMeasurement,
    SuiteRun,
    UnavailableMeasurement,
    WorkloadRecord,
)
from nesproof.harness.evidence.scrub import Scrubber
from nesproof.harness.falsify.falsifying import Falsifying
from nesproof.harness.falsify.record import compose_falsification
from nesproof.harness.judge import judge_claim, run_exit_code
from nesproof.harness.mustpass import load_list, record_of
from nesproof.harness.runner.options import VerifyOptions
from nesproof.harness.runner.selection import Selected, Selection
from nesproof.harness.suite_run import load_suite
from nesproof.harness.workloads import Workload
from nesproof.roms_manifest import Manifest, Resolver

__all__ = ["compose_evidence", "rom_records", "workload_record"]

_WITH_WORKLOAD = (RatioMeasurement, FiguresMeasurement)
_MEASUREMENT: TypeAdapter[Measurement] = TypeAdapter(Measurement)


def compose_evidence(
    *,
    selection: Selection,
    options: VerifyOptions,
    measurements: Mapping[str, Measurement],
    suites: Iterable[SuiteRun],
    subjects: Iterable[SubjectRecord],
    build: Build | None,
    workloads: Iterable[Workload],
    manifest: Manifest,
    resolver: Resolver,
    created: datetime,
    duration_s: float,
    command: str,
    interrupted: bool,
    scrubber: Scrubber,
    falsifying: Falsifying | None = None,
    comparisons: tuple[Comparison, ...] = (),
) -> Evidence:
    """Scrub, judge and put together. A selected claim without a measurement reads NOT_MEASURED.

    `comparisons` are scrubbed and judged already.
    """
    clean_suites = tuple(SuiteRun.model_validate(scrubber.document(run.model_dump(mode="json"))) for run in suites)
    by_id = {run.id: run for run in clean_suites}
    records = []
    for item in selection.selected:
        measurement = measurements.get(item.claim.id, NoMeasurement(reason=_why_nothing(interrupted)))
        clean = _MEASUREMENT.validate_python(scrubber.document(measurement.model_dump(mode="json")))
        records.append(_judged(item, clean, by_id, created.date()))
    records += [_not_selected(item) for item in selection.others]
    falsification = (
        None
        if falsifying is None
        else compose_falsification(
            falsifying, selection, records=records, suites=by_id, scrubber=scrubber, on=created.date()
        )
    )
    used_workloads = tuple({w.key: w for w in workloads}.values())
    return Evidence(
        created_utc=created,
        duration_s=round(duration_s, 3),
        profile=options.profile,
        command=scrubber.text(command)[:4_000],
        source=capture_source(),
        build=None if build is None else Build.model_validate(scrubber.document(build.model_dump(mode="json"))),
        machine=Machine.model_validate(scrubber.document(capture_machine().model_dump(mode="json"))),
        packages=capture_packages(),
        subjects=tuple(SubjectRecord.model_validate(scrubber.document(s.model_dump(mode="json"))) for s in subjects),
        roms=rom_records(clean_suites, records, comparisons, used_workloads, manifest),
        workloads=tuple(workload_record(w, resolver) for w in used_workloads),
        suites=clean_suites,
        claims=tuple(records),
        comparisons=comparisons,
        mustpass=record_of(load_list()),
        falsification=falsification,
        interrupted=interrupted,
        strict=options.strict,
        exit_code=run_exit_code(
            records,
            interrupted=interrupted,
            strict=options.strict,
            falsification=falsification,
            comparisons=comparisons,
        ),
    )


def _why_nothing(interrupted: bool) -> str:
    return "Interrupted before it was measured." if interrupted else "It was selected, but nothing measured it."


def _judged(item: Selected, measurement: Measurement, suites: Mapping[str, SuiteRun], on: date) -> ClaimRecord:
    judged = judge_claim(item.claim, measurement, suites, on=on)
    return ClaimRecord(
        claim=item.claim,
        selected=True,
        verdict=judged.verdict,
        reason=judged.reason,
        measured=judged.measured,
        value=judged.value,
        interval=judged.interval,
        caveat=judged.caveat,
        remedy=measurement.remedy if isinstance(measurement, UnavailableMeasurement) else None,
        rerun=item.rerun,
        measurement=measurement,
    )


def _not_selected(item: Selected) -> ClaimRecord:
    return ClaimRecord(
        claim=item.claim,
        selected=False,
        verdict=Verdict.NOT_SELECTED,
        reason=item.reason,
        rerun=item.rerun,
    )


def workload_record(workload: Workload, resolver: Resolver) -> WorkloadRecord:
    """A workload as the document tells of it."""
    return WorkloadRecord(
        key=workload.key,
        title=workload.title,
        rom=workload.rom,
        warmup_frames=workload.warmup_frames,
        frames=workload.frames,
        draw=workload.draw,
        identity_sha256=workload.identity_sha256(resolver=resolver),
    )


def rom_records(
    suites: Sequence[SuiteRun],
    records: Sequence[ClaimRecord],
    comparisons: Sequence[Comparison],
    workloads: Sequence[Workload],
    manifest: Manifest,
) -> tuple[RomRecord, ...]:
    """The files that what was measured rests on, sorted by id, and the vectors as one; `workloads` are all that any of
    it could have used."""
    ids: dict[str, None] = {}
    measured_runs = {r.measurement.run for r in records if isinstance(r.measurement, SuiteMeasurement)}
    uses_vectors = False
    for run in suites:
        if run.id in measured_runs:
            definition = load_suite(run.suite)
            uses_vectors = uses_vectors or "vectors" in definition.requires
            ids.update(dict.fromkeys(rom for case in definition.cases if case.id in run.expected for rom in case.roms))
    measured = {r.measurement.workload for r in records if isinstance(r.measurement, _WITH_WORKLOAD)}
    measured |= {r.measurement.baseline_workload for r in records if isinstance(r.measurement, RatioMeasurement)}
    measured |= {c.workload for c in comparisons if c.behaviour is not None}
    ids.update(dict.fromkeys(name for w in workloads if w.key in measured for name in w.needed_files))
    files = manifest.files
    found = [RomRecord(id=i, sha256=files[i].sha256, licence=files[i].licence) for i in sorted(ids) if i in files]
    return (*found, _vectors_record(manifest)) if uses_vectors else tuple(found)


def _vectors_record(manifest: Manifest) -> RomRecord:
    """All vectors as one record: the hash is over opcode and hash of each file, in order."""
    digest = hashlib.sha256()
    for opcode, sha256 in sorted(manifest.vectors.sha256_by_opcode.items()):
        digest.update(f"{opcode:02x} {sha256}\n".encode())
    return RomRecord(id="vectors", sha256=digest.hexdigest(), licence=manifest.vectors.licence)
