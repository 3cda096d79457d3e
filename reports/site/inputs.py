"""What a site is made from: documents, and the pictures that came with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.bisection import Bisection
from nesproof.harness.gate.document import GateDocument

__all__ = ["RunInput", "SiteInputs"]


@dataclass(frozen=True)
class RunInput:
    """One run's evidence, as it was read: its text may be hostile."""

    evidence: Evidence
    shown: Evidence | None = None
    """The same run in other words, where the pages are to show those; what can be taken away is `evidence` as it is."""
    bundle_id: str | None = None
    """SHA-256 of the manifest of the bundle that it came in; None where the document came alone."""
    frames: Mapping[str, bytes] = field(default_factory=dict)
    """The files of the bundle's `frames/` by bare name, unchecked."""
    is_consistent: bool = True
    """False where the verdicts do not follow from the document's own samples, which the pages then say."""
    draft: str | None = None
    """Why it must not be published, in a sentence, where it is shown all the same."""


@dataclass(frozen=True)
class SiteInputs:
    """Everything that a site shows. The order of the inputs makes no difference."""

    runs: tuple[RunInput, ...] = ()
    gates: tuple[GateDocument, ...] = ()
    bisections: tuple[Bisection, ...] = ()
