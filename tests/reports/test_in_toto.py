"""The in-toto statement, held against the specification and, where it is installed, against in-toto's own library."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from nesproof.harness.claims import ExitCode, Verdict
from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.model import MustPassRecord
from nesproof.reports.export import export
from nesproof.reports.format import Material, NotExportable
from nesproof.reports.plain_text import plain_evidence

BUNDLE_ID = "cd" * 32
_HEX = {"type": "string", "pattern": "^[0-9a-f]+$"}
_DIGESTS = {
    "type": "object",
    "minProperties": 1,
    "propertyNames": {"enum": ["sha256", "gitCommit"]},
    "additionalProperties": _HEX,
}
_DESCRIPTOR = {
    "type": "object",
    "required": ["digest"],
    "properties": {"name": {"type": "string", "minLength": 1}, "digest": _DIGESTS},
    "additionalProperties": False,
}
_TESTS = {"type": "array", "items": {"type": "string", "minLength": 1}}
STATEMENT: dict[str, Any] = {
    "type": "object",
    "required": ["_type", "subject", "predicateType", "predicate"],
    "properties": {
        "_type": {"const": "https://in-toto.io/Statement/v1"},
        "subject": {"type": "array", "minItems": 1, "items": _DESCRIPTOR},
        "predicateType": {"const": "https://in-toto.io/attestation/test-result/v0.1"},
        "predicate": {
            "type": "object",
            "required": ["result", "configuration"],
            "properties": {
                "result": {"enum": ["PASSED", "WARNED", "FAILED"]},
                "configuration": {"type": "array", "items": _DESCRIPTOR},
                "url": {"type": "string", "format": "uri"},
                "passedTests": _TESTS,
                "warnedTests": _TESTS,
                "failedTests": _TESTS,
            },
            "additionalProperties": False,
        },
    },
    "additionalProperties": False,
}
"""As spec/v1 and spec/predicates/test-result.md of in-toto/attestation describe it, without fields not used here."""


@pytest.fixture(scope="module")
def clean(evidence: Evidence) -> Evidence:
    return evidence.model_copy(update={"source": evidence.source.model_copy(update={"dirty": False})})


def exported(evidence: Evidence, bundle_id: str | None = BUNDLE_ID) -> bytes:
    (data,) = export(Material(plain_evidence(evidence), frames_dir=None, bundle_id=bundle_id), "in-toto").values()
    return data


def statement(evidence: Evidence, bundle_id: str | None = BUNDLE_ID) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(exported(evidence, bundle_id))
    jsonschema.Draft202012Validator(STATEMENT).validate(document)
    return document


def only(evidence: Evidence, *verdicts: Verdict, exit_code: ExitCode) -> Evidence:
    claims = tuple(r for r in evidence.claims if r.verdict in verdicts)
    return evidence.model_copy(update={"claims": claims, "falsification": None, "exit_code": exit_code})


def test_subjects_are_the_commit_and_the_bundle(clean: Evidence) -> None:
    assert statement(clean)["subject"] == [
        {"name": "nesproof", "digest": {"gitCommit": clean.source.commit}},
        {"name": "manifest.json", "digest": {"sha256": BUNDLE_ID}},
    ]


def test_a_changed_tree_is_not_its_commit(evidence: Evidence) -> None:
    assert evidence.source.dirty
    assert statement(evidence)["subject"] == [{"name": "manifest.json", "digest": {"sha256": BUNDLE_ID}}]
    with pytest.raises(NotExportable, match="neither a clean commit nor a bundle"):
        exported(evidence, None)


def test_nothing_is_attested_of_what_was_made_up(clean: Evidence) -> None:
    with pytest.raises(NotExportable, match="fixture"):
        exported(clean.model_copy(update={"fixture": "drawn by hand"}))


def test_every_claim_that_was_a_test_of_the_run_is_in_one_list(clean: Evidence) -> None:
    predicate = statement(clean)["predicate"]
    lists = {
        "passedTests": {Verdict.PASS},
        "warnedTests": {Verdict.WAIVED, Verdict.INCONCLUSIVE},
        "failedTests": {Verdict.FAIL, Verdict.ERROR, Verdict.NOT_MEASURED},
    }
    for name, verdicts in lists.items():
        claims = [entry for entry in predicate[name] if " in " not in entry]
        assert claims == [r.claim.id for r in clean.claims if r.verdict in verdicts]
    assert clean.falsification is not None
    survived = [p for p in clean.falsification.pairs if p.outcome in {"survived", "broken"}]
    assert survived
    assert {f"{p.fault} in {p.claim}" for p in survived} <= set(predicate["failedTests"])


@pytest.mark.parametrize(
    ("verdicts", "exit_code", "result"),
    [
        ((Verdict.PASS,), ExitCode.OK, "PASSED"),
        ((Verdict.PASS, Verdict.WAIVED), ExitCode.OK, "WARNED"),
        ((Verdict.PASS, Verdict.INCONCLUSIVE), ExitCode.INCONCLUSIVE, "WARNED"),
        ((Verdict.PASS, Verdict.FAIL), ExitCode.FAIL, "FAILED"),
        ((Verdict.PASS,), ExitCode.FALSIFIER_SURVIVED, "FAILED"),
        ((Verdict.PASS, Verdict.ERROR), ExitCode.ERROR, "FAILED"),
        ((Verdict.NOT_APPLICABLE,), ExitCode.NOT_MEASURED, "FAILED"),
        ((Verdict.PASS,), ExitCode.INTERRUPTED, "FAILED"),
    ],
)
def test_the_result_follows_the_exit_code(
    clean: Evidence, verdicts: tuple[Verdict, ...], exit_code: ExitCode, result: str
) -> None:
    assert statement(only(clean, *verdicts, exit_code=exit_code))["predicate"]["result"] == result


def test_the_configuration_is_what_was_played(clean: Evidence) -> None:
    mustpass = MustPassRecord(name="nes-1.0", sha256="ef" * 32)
    found = statement(clean.model_copy(update={"mustpass": mustpass}))["predicate"]["configuration"]
    hashes = {entry["name"]: entry["digest"]["sha256"] for entry in found}
    assert {f"rom:{rom.id}": rom.sha256 for rom in clean.roms}.items() <= hashes.items()
    assert hashes["workload:scroller-random-buttons@1"] == clean.workloads[0].identity_sha256
    assert hashes["must-pass:nes-1.0"] == "ef" * 32


def test_equal_evidence_gives_equal_bytes(clean: Evidence) -> None:
    assert exported(clean) == exported(Evidence.model_validate_json(clean.model_dump_json()))


def test_in_totos_own_library_takes_it(clean: Evidence) -> None:
    statements = pytest.importorskip("in_toto_attestation.v1.statement", reason="in-toto-attestation is not installed")
    results = pytest.importorskip("in_toto_attestation.predicates.test_result.v0.test_result_pb2")
    json_format = pytest.importorskip("google.protobuf.json_format")
    data = exported(clean)
    message = json_format.Parse(data, statements.spb.Statement())  # an unknown field is an error
    statements.Statement.copy_from_pb(message).validate()
    predicate = json_format.Parse(json.dumps(json.loads(data)["predicate"]), results.TestResult())
    assert predicate.result == "FAILED"
    assert "cpu.klaus" in predicate.passed_tests
    assert len(predicate.configuration) == len(clean.roms) + len(clean.workloads)
