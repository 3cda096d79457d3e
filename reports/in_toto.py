"""An in-toto statement with a test-result predicate: which tests of what passed, for a signer to sign.

https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md. Subjects are the commit that was run,
where the tree was clean, and the bundle. The configuration is what the tests ran on: ROMs and workloads by hash, and
the list of must-pass cases. Claims are the tests, and where faults were planted each fault in each claim naming it.
"""

from __future__ import annotations

from nesproof.harness.claims import ExitCode, Verdict
from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.falsification import PairOutcome
from nesproof.reports.format import Material, NotExportable
from nesproof.reports.json_text import json_bytes

__all__ = ["InTotoTestResult"]

_PASSED, _WARNED, _FAILED = "passedTests", "warnedTests", "failedTests"
_LISTS: dict[Verdict, str | None] = {
    Verdict.PASS: _PASSED,
    Verdict.WAIVED: _WARNED,
    Verdict.INCONCLUSIVE: _WARNED,
    Verdict.FAIL: _FAILED,
    Verdict.ERROR: _FAILED,
    Verdict.NOT_MEASURED: _FAILED,
    Verdict.NOT_APPLICABLE: None,
    Verdict.NOT_SELECTED: None,
}
"""The list that a claim's verdict puts it into; None where it was no test of this run."""
_PAIR_LISTS: dict[PairOutcome, str | None] = {
    "killed": _PASSED,
    "survived": _FAILED,
    "broken": _FAILED,
    "not-tried": None,
}


class InTotoTestResult:
    """The run as `test-result.intoto.json`, an unsigned statement."""

    file_name = "test-result.intoto.json"

    def render(self, material: Material) -> bytes:
        """The JSON statement.

        Raises:
            NotExportable: the document was made up, so that nothing can be attested; or the run names neither a commit
                nor a bundle.
        """
        evidence = material.evidence
        if evidence.fixture is not None:
            raise NotExportable("This evidence is a fixture: nothing was measured that could be attested.")
        subjects = _subjects(material)
        if not subjects:
            raise NotExportable("This evidence names neither a clean commit nor a bundle that a statement could be of.")
        lists = _lists(evidence)
        statement = {
            "_type": "https://in-toto.io/Statement/v1",
            "subject": subjects,
            "predicateType": "https://in-toto.io/attestation/test-result/v0.1",
            "predicate": {"result": _result(evidence, lists), "configuration": _configuration(evidence), **lists},
        }
        return json_bytes(statement)


def _subjects(material: Material) -> list[dict[str, object]]:
    source = material.evidence.source
    subjects: list[dict[str, object]] = []
    if source.commit is not None and source.dirty is False:
        subjects.append({"name": "nesproof", "digest": {"gitCommit": source.commit}})
    if material.bundle_id is not None:
        subjects.append({"name": "manifest.json", "digest": {"sha256": material.bundle_id}})
    return subjects


def _lists(evidence: Evidence) -> dict[str, list[str]]:
    lists: dict[str, list[str]] = {_PASSED: [], _WARNED: [], _FAILED: []}
    for record in evidence.claims:
        name = _LISTS[record.verdict]
        if record.selected and name is not None:
            lists[name].append(record.claim.id)
    for pair in () if evidence.falsification is None else evidence.falsification.pairs:
        name = _PAIR_LISTS[pair.outcome]
        if name is not None:
            lists[name].append(f"{pair.fault} in {pair.claim}")
    return lists


def _result(evidence: Evidence, lists: dict[str, list[str]]) -> str:
    """The exit code in the predicate's three words; what is not clearly good is never PASSED."""
    if evidence.exit_code is ExitCode.OK:
        return "WARNED" if lists[_WARNED] else "PASSED"
    return "WARNED" if evidence.exit_code is ExitCode.INCONCLUSIVE else "FAILED"


def _configuration(evidence: Evidence) -> list[dict[str, object]]:
    hashed = [(f"rom:{rom.id}", rom.sha256) for rom in evidence.roms]
    hashed += [(f"workload:{workload.key}", workload.identity_sha256) for workload in evidence.workloads]
    if evidence.mustpass is not None:
        hashed.append((f"must-pass:{evidence.mustpass.name}", evidence.mustpass.sha256))
    return [{"name": name, "digest": {"sha256": sha256}} for name, sha256 in hashed]
