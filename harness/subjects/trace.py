"""The row of a trace, as the protocol has it."""

from __future__ import annotations

import numpy as np

__all__ = ["TRACE_DTYPE"]

TRACE_DTYPE = np.dtype(
    [
        ("pc", "<u2"),
        ("a", "u1"),
        ("x", "u1"),
        ("y", "u1"),
        ("p", "u1"),
        ("sp", "u1"),
        ("scanline", "<i2"),
        ("dot", "<u2"),
        ("cycle", "<u8"),
    ]
)
"""One traced instruction: the state just before its opcode is fetched. `cycle` counts CPU cycles since power-on."""
