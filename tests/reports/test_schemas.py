"""The published JSON Schemas are those of the models, and real documents follow them."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from nesproof.harness.evidence import Evidence
from nesproof.reports.schemas import published_schemas

SCHEMAS = published_schemas()


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_published_schema_is_up_to_date(name: str, check_golden: Callable[[Path, str], None]) -> None:
    check_golden(Path(str(files("nesproof.reports") / "schema" / name)), SCHEMAS[name])


def test_evidence_follows_its_schema(evidence: Evidence) -> None:
    schema = json.loads(SCHEMAS["evidence-2.schema.json"])
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    document = json.loads(evidence.model_dump_json())
    validator.validate(document)
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({**document, "unknown": 1})
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({**document, "schema_version": 3})


def test_schemas_of_older_versions_stay_published() -> None:
    present = {path.name for path in Path(str(files("nesproof.reports") / "schema")).glob("*.schema.json")}
    assert present == {*SCHEMAS, "evidence-1.schema.json"}
