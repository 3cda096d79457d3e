"""What a person asked `nesproof verify` for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nesproof.harness.claims.model import Profile

__all__ = ["VerifyOptions"]

_BUDGET_S: dict[Profile, float] = {"quick": 180.0, "full": 900.0}
_QUIET_WAIT_S: dict[Profile, float] = {"quick": 15.0, "full": 120.0}
_SUITE_TIMEOUT_S: dict[Profile, float] = {"quick": 300.0, "full": 7_200.0}


@dataclass(frozen=True, kw_only=True)
class VerifyOptions:
    """`claim_globs` select within the profile (none: all of it); each of `subjects` stands in for the claims' own.
    `every_subject`: they are every console that is known here, and each is asked what it can be asked.
    `claim_files` and `subject_files` are what the user added; the latter are already in force.

    `budget_s` bounds all timing together (None: 180 s for quick, 900 s for full). `order_seed` draws the order of the
    timed processes (None: drawn anew). `falsify` plants the faults that the claims name, those that `fault_globs` match
    (none: all of them); `tries_sole_killers` tries those that one suite alone should see on the other suites as well.
    """

    profile: Profile = "quick"
    claim_globs: tuple[str, ...] = ()
    claim_files: tuple[Path, ...] = ()
    subject_files: tuple[Path, ...] = ()
    subjects: tuple[str, ...] = ()
    every_subject: bool = False
    budget_s: float | None = None
    strict: bool = False
    allow_busy: bool = False
    jobs: int = 1
    order_seed: int | None = None
    suite_timeout_s: float | None = None
    falsify: bool = False
    fault_globs: tuple[str, ...] = ()
    tries_sole_killers: bool = False

    @property
    def times_claims(self) -> bool:
        """False where claims about a ratio of speeds are tried for the right states alone, and not timed."""
        return not (self.falsify and self.profile == "quick")

    @property
    def timing_budget_s(self) -> float:
        """Seconds for all timing together."""
        return _BUDGET_S[self.profile] if self.budget_s is None else self.budget_s

    @property
    def quiet_wait_s(self) -> float:
        """Seconds for which a busy machine is waited for."""
        return _QUIET_WAIT_S[self.profile]

    @property
    def suite_limit_s(self) -> float:
        """Seconds for one suite."""
        return _SUITE_TIMEOUT_S[self.profile] if self.suite_timeout_s is None else self.suite_timeout_s
