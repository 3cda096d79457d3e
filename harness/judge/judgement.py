"""What the judge says about one claim."""

from __future__ import annotations

from dataclasses import dataclass

from nesproof.harness.claims.verdict import Verdict

__all__ = ["Judgement"]


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A verdict with its numbers.

    `reason` is a sentence or two; `measured` is the figure for people; `value` and `interval` are the figure itself
    (a ratio, a share of cases), None where there is none; `caveat` is said beside the verdict.
    """

    verdict: Verdict
    reason: str
    measured: str | None = None
    value: float | None = None
    interval: tuple[float, float] | None = None
    caveat: str | None = None
