"""The one protocol that every output format follows, and what a format is given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from nesproof.harness.evidence import Evidence

__all__ = ["Format", "Material", "NotExportable"]


@dataclass(frozen=True)
class Material:
    """Everything that a format may draw on.

    `evidence` has passed `plain_text.plain_evidence`: no string in it holds a control character, a terminal escape,
    a bidirectional override or a lone surrogate. Markup in it is still the format's to escape.
    """

    evidence: Evidence
    frames_dir: Path | None
    """The folder that holds the files of `frames/`; None where the pictures are not at hand."""
    bundle_id: str | None
    """SHA-256 of the bundle's manifest; None where it is not known (yet)."""
    notices: tuple[str, ...] = ()
    """Sentences that a page says at its head, of what the evidence itself does not know."""
    home: str | None = None
    """Where a page that is one of many leads back to, as a relative link."""


class NotExportable(Exception):
    """The evidence holds nothing that the format could say; the message is one sentence."""


class Format(Protocol):
    """One output format: a file name, and bytes that depend on the material alone."""

    @property
    def file_name(self) -> str:
        """The name of the file that the format makes."""
        ...

    def render(self, material: Material) -> bytes:
        """The whole file. Equal material gives equal bytes."""
        ...
