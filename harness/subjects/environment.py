"""The environment variables that a subject's process sees: a short list, so that a run does not depend on the shell."""

from __future__ import annotations

import os
from collections.abc import Iterable

__all__ = ["worker_environment"]

KEPT = (
    "PATH", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH",
    "NESPROOF_LIMITS",
)  # fmt: skip
KEPT_PREFIXES = ("LC_",)


def worker_environment(*, scratch: str, passed: Iterable[str] = ()) -> dict[str, str]:
    """The environment of a worker.

    Kept are the search paths for programs and libraries, the locale and the time zone, the limits that the guard
    applies (and keeps from the worker), and what the subject's
    definition asks for by name (`passed`). Nothing else of the user's goes in: no PYTHON*, no PIP_*, no token. HOME
    and the folder for temporary files are `scratch`, a private folder that goes when the process does.
    """
    kept = {n: v for n, v in os.environ.items() if n in KEPT or n.startswith(KEPT_PREFIXES)}
    kept.update(HOME=scratch, TMPDIR=scratch)
    kept.update({n: os.environ[n] for n in passed if n in os.environ})
    return kept
