"""What the trials yielded, before it is scrubbed and judged for the document."""

from __future__ import annotations

from dataclasses import dataclass, field

from nesproof.harness.evidence.falsification import BuildKind
from nesproof.harness.evidence.model import Measurement, SuiteRun

__all__ = ["Results", "Tried"]


@dataclass(frozen=True)
class Tried:
    """A pair's measurement with the fault on."""

    measurement: Measurement
    duration_s: float


@dataclass
class Results:
    """By pair: what was measured, or why nothing was. `controls` are those that are not the claim's own record: by
    claim and build, None where the record itself is the control. `sole` are (fault, suite, claims) that were tried
    although the claims do not name the fault."""

    tried: dict[tuple[str, str], Tried] = field(default_factory=dict)
    not_tried: dict[tuple[str, str], str] = field(default_factory=dict)
    controls: dict[tuple[str, BuildKind], Measurement | None] = field(default_factory=dict)
    runs: dict[str, SuiteRun] = field(default_factory=dict)
    sole: dict[str, list[str]] = field(default_factory=dict)
    duration_s: float = 0.0
