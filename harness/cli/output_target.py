"""What an option names to write to: a file, or `-` for stdout."""

from __future__ import annotations

import sys
from pathlib import Path

from nesproof.harness.whole_file import require_place_for, write_whole

__all__ = ["require_target", "write_target"]


def require_target(target: str | None) -> None:
    """Find out before the work whether it can be written to at all.

    Raises:
        ConfigurationError: it is neither `-` nor a name for a file in a folder that there is.
    """
    require_place_for(None if target in {None, "-"} else Path(target or ""))


def write_target(target: str, data: bytes) -> None:
    """Write to the file, or to stdout where `target` is `-`."""
    if target == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    else:
        write_whole(Path(target), data)
