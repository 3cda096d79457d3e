"""The harness's typed errors: each is one sentence for a person and an exit code for a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError

__all__ = ["ConfigurationError", "HarnessError", "Unavailable", "first_fault"]


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


def first_fault(fault: ValidationError) -> str:
    """The first of what is wrong with a document, as a clause without a full stop: where, what, and how much more."""
    error = fault.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in error["loc"])
    message = str(error["msg"]).removeprefix("Value error, ").rstrip(".")
    more = fault.error_count() - 1
    tail = f" (and {more} more)" if more else ""
    return f"{where}: {message}{tail}" if where else f"{message}{tail}"
