"""Tables as ca65 source text."""

from __future__ import annotations

__all__ = ["byte_table", "word_table"]


def _byte_lines(values: list[int]) -> str:
    rows = [values[i : i + 16] for i in range(0, len(values), 16)]
    return "\n".join("    .byte " + ", ".join(f"${v:02x}" for v in row) for row in rows)


def byte_table(label: str, values: list[int]) -> str:
    """Bytes under a label."""
    return f"{label}:\n{_byte_lines(values)}\n"


def word_table(label: str, names: list[str]) -> str:
    """Addresses of other labels, as two tables of bytes: LABEL_lo and LABEL_hi."""
    low = ", ".join(f"<{n}" for n in names)
    high = ", ".join(f">{n}" for n in names)
    return f"{label}_lo:\n    .byte {low}\n{label}_hi:\n    .byte {high}\n"
