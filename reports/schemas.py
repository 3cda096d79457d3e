"""The published JSON Schemas, generated from the models; the files in `schema/` are these, byte for byte."""

from __future__ import annotations

import json
from typing import Any

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.bisection import Bisection
from nesproof.harness.gate.document import gate_schema
from nesproof.reports.json_summary import Summary

__all__ = ["published_schemas"]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def published_schemas() -> dict[str, str]:
    """File name to text of every published schema."""
    return {
        "bisect-1.schema.json": _text(
            Bisection.model_json_schema(mode="serialization"), "nesproof bisection, version 1"
        ),
        "evidence-2.schema.json": _text(
            Evidence.model_json_schema(mode="serialization"), "nesproof evidence, version 2"
        ),
        "gate-1.schema.json": gate_schema(),
        "report-1.schema.json": _text(Summary.model_json_schema(mode="serialization"), "nesproof report, version 1"),
    }


def _text(schema: dict[str, Any], title: str) -> str:
    return json.dumps({"$schema": _DIALECT, **schema, "title": title}, indent=2, ensure_ascii=True) + "\n"
