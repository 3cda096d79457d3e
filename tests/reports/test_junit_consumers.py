"""JUnit XML as others read it: junitparser, and what the schema that Jenkins' plugin publishes asks."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from nesproof.harness.claims import Verdict
from nesproof.harness.evidence import Evidence
from nesproof.reports.export import export
from nesproof.reports.format import Material
from nesproof.reports.plain_text import plain_evidence

_ATTRIBUTES = {
    "testsuites": {"name", "time", "tests", "failures", "errors", "skipped"},
    "testsuite": {"name", "time", "timestamp", "tests", "failures", "errors", "skipped"},
    "testcase": {"name", "classname", "time"},
    "property": {"name", "value"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message"},
    "properties": set(),
    "system-out": set(),
}
_CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase"},
    "properties": {"property"},
    "testcase": {"failure", "error", "skipped", "system-out"},
}


@pytest.fixture(scope="module")
def written(evidence: Evidence) -> bytes:
    (data,) = export(Material(plain_evidence(evidence), frames_dir=None, bundle_id="ab" * 32), "junit").values()
    return data


def test_elements_and_attributes_are_those_that_consumers_know(written: bytes) -> None:
    root = ET.fromstring(written)
    assert root.tag == "testsuites"
    for element in root.iter():
        assert set(element.attrib) <= _ATTRIBUTES[element.tag], element.tag
        assert {child.tag for child in element} <= _CHILDREN.get(element.tag, set()), element.tag
    for case in root.iter("testcase"):
        assert case.attrib["name"]
        assert float(case.attrib["time"]) >= 0
        assert sum(1 for child in case if child.tag != "system-out") <= 1


def test_junitparser_counts_what_the_evidence_counts(written: bytes, evidence: Evidence) -> None:
    junitparser = pytest.importorskip("junitparser", reason="junitparser is not installed")
    parsed = junitparser.JUnitXml.fromstring(written)
    suites = {suite.name: suite for suite in parsed}
    claims = suites["nesproof.claims"]
    counts = evidence.counts()
    assert claims.tests == len(evidence.claims)
    assert claims.failures == counts[Verdict.FAIL]
    assert claims.errors == counts[Verdict.ERROR] + counts[Verdict.NOT_MEASURED]
    assert sum(1 for case in claims if case.is_passed) == counts[Verdict.PASS]
    for suite in parsed:
        before = (suite.tests, suite.failures, suite.errors, suite.skipped)
        suite.update_statistics()
        assert (suite.tests, suite.failures, suite.errors, suite.skipped) == before, suite.name
