"""The published JSON Schemas, generated from the models; the files in `schema/` are these, byte for byte."""

from __future__ import annotations

import json
from typing import Any

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.bisection import Bisection
from nesproof.harness.evidence.diagnostic import Diagnostic
from nesproof.harness.gate.document import gate_schema
from nesproof.reports.json_summary import Summary
from nesproof.reports.reproductions import ReproductionsDocument

__all__ = ["published_schemas"]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def published_schemas() -> dict[str, str]:
    """File name to text of every schema that this version writes; those of older versions are frozen beside them."""
    return {
        "bisect-1.schema.json": _text(
            Bisection.model_json_schema(mode="serialization"), "nesproof bisection, version 1"
        ),
        "diagnostic-1.schema.json": _text(
            Diagnostic.model_json_schema(mode="serialization"), "nesproof diagnostic, version 1"
        ),
        "evidence-2.schema.json": _text(
            Evidence.model_json_schema(mode="serialization"), "nesproof evidence, version 2"
        ),
        "gate-1.schema.json": gate_schema(),
        "report-1.schema.json": _text(Summary.model_json_schema(mode="serialization"), "nesproof report, version 1"),
        "reproductions-1.schema.json": _text(
            ReproductionsDocument.model_json_schema(mode="serialization"), "nesproof reproductions, version 1"
        ),
    }


def _text(schema: dict[str, Any], title: str) -> str:
    return json.dumps({"$schema": _DIALECT, **schema, "title": title}, indent=2, ensure_ascii=True) + "\n"
