"""JSON for other programs: one look, the same bytes for the same data."""

from __future__ import annotations

import json

__all__ = ["json_bytes"]


def json_bytes(value: object) -> bytes:
    """The value as JSON, UTF-8, indented by one, with a line feed at its end. Infinities are refused.

    Raises:
        ValueError: a number in it is none that JSON has.
    """
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False).encode() + b"\n"
