"""JUnit XML: claims and suite cases as test cases, for CI systems that read nothing else.

How verdicts map, since JUnit knows only passed, failed, error and skipped:

- PASS is a passed test, FAIL a failure, ERROR an error.
- NOT_MEASURED is an error: a selected claim that was never measured must not look green.
- INCONCLUSIVE, NOT_APPLICABLE, WAIVED and NOT_SELECTED are skipped, with the verdict and its reason as the message.
  INCONCLUSIVE does not fail a build here for the same reason that it has an exit code of its own (3).
- A planted fault and a claim that names it are a test: killed is passed, survived a failure, broken an error.
- A suite's case that was expected and has no result is an error, and so is a suite run that broke; one that the subject
  cannot be asked is skipped.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

from nesproof.harness.claims import Verdict
from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.conformance import conformances
from nesproof.harness.evidence.falsification import PairOutcome, PairRecord
from nesproof.harness.evidence.model import CaseResult, ClaimRecord, SuiteRun
from nesproof.reports.format import Material
from nesproof.reports.views.claims import claimed
from nesproof.reports.views.falsification import pair_reason
from nesproof.reports.views.suites import missing_cases
from nesproof.reports.wording import ABSENT

__all__ = ["JUnitXml"]

_VERDICT_ELEMENTS: dict[Verdict, str | None] = {
    Verdict.PASS: None,
    Verdict.FAIL: "failure",
    Verdict.ERROR: "error",
    Verdict.NOT_MEASURED: "error",
    Verdict.INCONCLUSIVE: "skipped",
    Verdict.NOT_APPLICABLE: "skipped",
    Verdict.WAIVED: "skipped",
    Verdict.NOT_SELECTED: "skipped",
}
_PAIR_ELEMENTS: dict[PairOutcome, str | None] = {
    "killed": None,
    "survived": "failure",
    "broken": "error",
    "not-tried": "skipped",
}
_OUTCOME_ELEMENTS = {"passed": None, "failed": "failure", "error": "error", "skipped": "skipped"}


class JUnitXml:
    """The run as `junit.xml`: one test suite of claims, and one for each suite run."""

    file_name = "junit.xml"

    def render(self, material: Material) -> bytes:
        """The XML document, UTF-8."""
        evidence = material.evidence
        root = ET.Element("testsuites", {"name": "nesproof"})
        stamp = evidence.created_utc.replace(microsecond=0, tzinfo=None).isoformat()
        claims = _suite(root, "nesproof.claims", stamp, evidence.duration_s)
        properties = ET.SubElement(claims, "properties")
        for name, value in (
            ("profile", evidence.profile),
            ("exit_code", str(int(evidence.exit_code))),
            ("commit", evidence.source.commit or "not recorded"),
            ("bundle_id", material.bundle_id or "not recorded"),
            *(() if evidence.fixture is None else (("fixture: nothing was measured", evidence.fixture),)),
            *_mustpass(evidence),
        ):
            ET.SubElement(properties, "property", {"name": name, "value": value})
        for record in evidence.claims:
            _claim(claims, record)
        if evidence.falsification is not None:
            faults = _suite(root, "nesproof.faults", stamp, evidence.falsification.duration_s)
            for pair in evidence.falsification.pairs:
                _pair(faults, pair)
        for run in evidence.suites:
            _suite_run(root, run, stamp)
        for suite in root:
            _count(suite)
        for name in ("tests", "failures", "errors", "skipped"):
            root.set(name, str(sum(int(suite.attrib[name]) for suite in root)))
        root.set("time", f"{evidence.duration_s:.3f}")
        ET.indent(root)
        text: str = ET.tostring(root, encoding="unicode")
        return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode()


def _mustpass(evidence: Evidence) -> list[tuple[str, str]]:
    """The must-pass list by name and hash, and each subject's count."""
    if evidence.mustpass is None:
        return []
    found = [("mustpass_list", evidence.mustpass.name), ("mustpass_sha256", evidence.mustpass.sha256)]
    return [*found, *((f"mustpass.{counted.subject}", counted.in_short()) for counted in conformances(evidence))]


def _suite(root: ET.Element, name: str, stamp: str, duration_s: float) -> ET.Element:
    return ET.SubElement(
        root, "testsuite", {"name": name, "timestamp": stamp, "time": f"{duration_s:.3f}"}
    )  # fmt: skip


def _case(suite: ET.Element, name: str, class_name: str, duration_s: float) -> ET.Element:
    attributes = {"classname": class_name, "name": name, "time": f"{duration_s:.3f}"}
    return ET.SubElement(suite, "testcase", attributes)


def _claim(suite: ET.Element, record: ClaimRecord) -> None:
    case = _case(suite, record.claim.id, f"nesproof.claims.{record.claim.kind}", 0.0)
    element = _VERDICT_ELEMENTS[record.verdict]
    if element is not None:
        outcome = ET.SubElement(case, element, {"message": f"{record.verdict.value}: {record.reason}"})
        if element != "skipped":
            outcome.set("type", record.verdict.value)
    lines = [
        record.claim.spoken(),
        f"claimed: {claimed(record.claim)}",
        f"measured: {record.measured if record.measured is not None else ABSENT}",
        f"re-run: {record.rerun}",
    ]
    lines += [f"caveat: {record.caveat}"] if record.caveat is not None else []
    lines += [f"remedy: {record.remedy}"] if record.remedy is not None else []
    ET.SubElement(case, "system-out").text = "\n".join(lines)


def _pair(suite: ET.Element, pair: PairRecord) -> None:
    case = _case(suite, f"{pair.fault} in {pair.claim}", "nesproof.faults", pair.duration_s)
    element = _PAIR_ELEMENTS[pair.outcome]
    said = pair_reason(pair)
    if element is None:
        ET.SubElement(case, "system-out").text = f"killed{f' in {pair.case}' if pair.case else ''}: {said}"
        return
    outcome = ET.SubElement(case, element, {"message": f"{pair.outcome}: {_first_line(said)}"})
    if element != "skipped":
        outcome.set("type", pair.outcome)
    outcome.text = said


def _suite_run(root: ET.Element, run: SuiteRun, stamp: str) -> None:
    suite = _suite(root, f"nesproof.suites.{run.suite}.{run.subject}", stamp, run.duration_s)
    class_name = f"nesproof.suites.{run.suite}"
    for result in run.cases:
        _suite_case(suite, class_name, result)
    for left in run.cannot_run:
        case = _case(suite, left.id, class_name, 0.0)
        ET.SubElement(case, "skipped", {"message": f"cannot be asked; the case wants {', '.join(left.lacks)}"})
    for case_id in missing_cases(run):
        case = _case(suite, case_id, class_name, 0.0)
        message = "Expected, but it never reported."
        ET.SubElement(case, "error", {"message": message, "type": "missing"})
    if run.problem is not None:
        case = _case(suite, "the run itself", class_name, 0.0)
        ET.SubElement(case, "error", {"message": _first_line(run.problem), "type": "run"}).text = run.problem


def _suite_case(suite: ET.Element, class_name: str, result: CaseResult) -> None:
    case = _case(suite, result.id, class_name, result.duration_s)
    element = _OUTCOME_ELEMENTS[result.outcome]
    if element is not None:
        outcome = ET.SubElement(case, element, {"message": _first_line(result.message)})
        if element != "skipped":
            outcome.set("type", result.outcome)
        outcome.text = result.message
    if result.details:
        lines = [f"{name}: {value}" for name, value in result.details.items()]
        ET.SubElement(case, "system-out").text = "\n".join(lines)


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0][:500]


def _count(suite: ET.Element) -> None:
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    for attribute, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(1 for case in cases if case.find(element) is not None)))
