"""Documents of an older schema are read as they are; those of a later one are refused in one sentence."""

from __future__ import annotations

import gzip
import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from nesproof.harness.evidence.model import SCHEMA_VERSION, SCHEMA_VERSIONS_READ, Evidence
from nesproof.harness.evidence.published import read_published
from nesproof.harness.evidence.reading import EvidenceRefused, parse_evidence
from nesproof.harness.judge import contradictions
from nesproof.reports import render
from nesproof.reports.export import EXPORTS, export
from nesproof.reports.format import Material

DATA = Path(__file__).parent / "data"
FROZEN = "a88cacbceb4a9c2fa4af0f37cf15805c46e26dee7b3fdd542635efeab01be216"
"""Of the schema of version 1, which no later code may touch: its SHA-256."""


@pytest.fixture(scope="module")
def old() -> Evidence:
    """A document that the code of version 1 wrote."""
    (document,) = read_published(DATA)
    return document.evidence


@pytest.fixture(scope="module")
def old_data() -> bytes:
    (path,) = DATA.glob("*.json.gz")
    return gzip.decompress(path.read_bytes())


def test_the_schema_of_version_1_is_frozen(old_data: bytes) -> None:
    schema = (files("nesproof.reports") / "schema" / "evidence-1.schema.json").read_bytes()
    assert hashlib.sha256(schema).hexdigest() == FROZEN
    validator = jsonschema.Draft202012Validator(json.loads(schema))
    validator.validate(json.loads(old_data))
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({**json.loads(old_data), "fixture": None})


def test_it_is_read_judged_and_rendered(old: Evidence) -> None:
    assert old.schema_version == 1
    assert (old.comparisons, old.mustpass, old.fixture) == ((), None, None)
    # Its words are those of the judge that wrote it; its verdicts and figures are everybody's.
    assert [c for c in contradictions(old) if not c.is_of_words] == []
    reports = render(old, frames_dir=None)
    assert all(b"cpu.test" in data for data in reports.values())
    material = Material(old, frames_dir=None, bundle_id="0" * 64)
    for name in EXPORTS:
        if name != "benchmark-action-smaller":
            assert export(material, name)


def test_it_is_written_again_as_what_it_is(old: Evidence, old_data: bytes) -> None:
    again = parse_evidence(old.model_dump_json().encode(), what="it")
    assert again == old
    assert json.loads(old_data)["schema_version"] == again.schema_version == 1


@pytest.mark.parametrize("field", ["comparisons", "mustpass", "fixture"])
def test_a_document_of_version_1_has_no_field_of_version_2(old_data: bytes, field: str) -> None:
    changed = {**json.loads(old_data), field: [{}] if field == "comparisons" else "x"}
    with pytest.raises(EvidenceRefused, match=f"{field} is no field of version 1"):
        parse_evidence(json.dumps(changed).encode(), what="it")


@pytest.mark.parametrize("version", [0, 3, 99, "2", None, 2.0, True])
def test_other_versions_are_refused_in_one_sentence(old_data: bytes, version: Any) -> None:
    changed = {**json.loads(old_data), "schema_version": version}
    with pytest.raises(
        EvidenceRefused, match=r"this nesproof reads nesproof\.evidence, version 1 or 2; read it with"
    ) as caught:
        parse_evidence(json.dumps(changed).encode(), what="it")
    assert str(caught.value).count(". ") == 0


def test_what_is_written_is_the_latest_version(evidence: Evidence) -> None:
    assert SCHEMA_VERSIONS_READ[-1] == SCHEMA_VERSION
    assert evidence.schema_version == SCHEMA_VERSION
