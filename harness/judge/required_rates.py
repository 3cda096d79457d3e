"""What the judge's error rates must be, and whether simulated ones are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from nesproof.harness.judge.simulation import Rates

__all__ = ["REQUIRED_RATES", "RequiredRate", "offences"]


@dataclass(frozen=True)
class RequiredRate:
    """A bound on the share of runs with one verdict, for one truth, under one noise or (None) under every one."""

    truth: str
    noise: str | None
    verdict: Literal["PASS", "FAIL"]
    at_least: float = 0.0
    at_most: float = 1.0

    @property
    def sentence(self) -> str:
        """What is required, in words."""
        bound = f"at least {self.at_least:.0%}" if self.at_least > 0 else f"at most {self.at_most:.0%}"
        return f"{self.truth}: {self.verdict} in {bound} {'under every noise' if self.noise is None else 'here'}"

    def applies_to(self, rates: Rates) -> bool:
        """Whether the row is one that it bounds."""
        case = rates.case
        return case.question == "change" and case.truth == self.truth and self.noise in {None, case.noise.key}

    def rate_of(self, rates: Rates) -> float:
        """The share that it bounds."""
        return (rates.passed if self.verdict == "PASS" else rates.failed) / rates.runs

    def holds_for(self, rates: Rates) -> bool:
        """Whether the row keeps within the bound."""
        return self.at_least <= self.rate_of(rates) <= self.at_most


REQUIRED_RATES: tuple[RequiredRate, ...] = (
    RequiredRate("+5 %", None, "PASS", at_most=0.01),
    RequiredRate("+5 %", "sd-2.2", "FAIL", at_least=0.90),
    RequiredRate("+5 %", "bursts-5", "FAIL", at_least=0.80),
    RequiredRate("identical", None, "FAIL", at_most=0.01),
    RequiredRate("identical", "sd-2.2", "PASS", at_least=0.95),
)


def offences(rates: Sequence[Rates]) -> list[str]:
    """A sentence for each row that breaks a bound, and for each bound that no row is there for."""
    found = []
    for required in REQUIRED_RATES:
        rows = [row for row in rates if required.applies_to(row)]
        if not rows:
            found.append(f"No row shows “{required.sentence}”.")
        found += [
            f"{required.sentence}: it is {required.rate_of(row):.1%} with {row.case.noise.title}."
            for row in rows
            if not required.holds_for(row)
        ]
    return found
