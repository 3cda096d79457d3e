"""Which build every console of the project's own is started from, for a while."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from nesproof.harness.subjects.status import EMULATOR_VARIABLE

__all__ = ["consoles_from"]


@contextmanager
def consoles_from(folder: str | None) -> Iterator[None]:
    """Consoles that are no variant come from the build in that folder during the block; None changes nothing."""
    before = os.environ.get(EMULATOR_VARIABLE)
    if folder is not None:
        os.environ[EMULATOR_VARIABLE] = folder
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(EMULATOR_VARIABLE, None)
        else:
            os.environ[EMULATOR_VARIABLE] = before
