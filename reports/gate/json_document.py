"""The gate as JSON: the document itself, as its published schema says."""

from __future__ import annotations

from nesproof.harness.gate.document import GateDocument

__all__ = ["gate_json"]


def gate_json(document: GateDocument) -> bytes:
    """The document, UTF-8, Nothing in it is made plain: `nesproof gate --check` reads it again."""
    return document.model_dump_json(indent=1).encode() + b"\n"
