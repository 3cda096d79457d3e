"""Typed faults of the manifest's room; each message is one sentence with the remedy, and names no local folder."""

from __future__ import annotations

__all__ = ["FetchError", "ManifestError", "RomError", "RomMismatchWarning", "RomMissing"]


class RomError(Exception):
    """A fault about ROMs that a person can act on."""

    exit_code = 2


class ManifestError(RomError, ValueError):
    """The manifest is malformed, or something that it does not hold was asked for."""


class RomMissing(RomError, LookupError):
    """No file with the right hash is in the search path. `remedy` is one command, or None where none helps."""

    def __init__(self, message: str, *, remedy: str | None = None) -> None:
        super().__init__(message)
        self.remedy = remedy


class FetchError(RomError):
    """A download could not be had or was not what the manifest says; nothing was installed for it."""


class RomMismatchWarning(UserWarning):
    """A file lies where a ROM should, but its bytes are others."""
