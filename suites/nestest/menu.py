"""nestest's menu, as it stands in the first nametable, where tile numbers are ASCII codes."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

__all__ = ["read_menu"]

_ENTRY = re.compile(r"^  [* ] (?P<result>--|OK|Er|[0-9A-F]{2}) (?P<title>\S.*?) *$")


def read_menu(nametable: NDArray[np.uint8]) -> Mapping[str, str]:
    """Entries by title, in order: `--` not run, `OK`, `Er` or the code of the check that failed.

    `nametable` is uint8 [1024].
    """
    rows = nametable[:960].reshape(30, 32)
    lines = ["".join(chr(tile) if 0x20 <= tile < 0x7F else "\0" for tile in row) for row in rows.tolist()]
    return {match["title"]: match["result"] for match in map(_ENTRY.match, lines) if match is not None}
