"""The harness's typed errors: each is one sentence for a person and an exit code for a script."""

from __future__ import annotations

__all__ = ["ConfigurationError", "HarnessError", "Unavailable"]


class HarnessError(Exception):
    """Something went wrong that a person can act on; `str()` is one sentence, with the remedy where there is one."""

    exit_code = 5


class ConfigurationError(HarnessError):
    """A usage or configuration fault: an unknown name, a malformed file, an impossible combination."""

    exit_code = 2


class Unavailable(HarnessError):
    """Something optional is absent (a peer, a ROM, a tool, a GPU).

    `remedy` is one shell command that makes it available, or None where nothing on this machine would.
    """

    exit_code = 2

    def __init__(self, message: str, *, remedy: str | None = None) -> None:
        super().__init__(message if remedy is None else f"{message} Remedy: {remedy}")
        self.reason = message
        self.remedy = remedy
