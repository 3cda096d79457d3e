"""What must be shown of the head's reference before it may say where the head's runs must end: pure.

As a rule the base's reference says so for both builds. A change of the console's state or of its behaviour cannot be
held to it: the digests differ by definition. Where a maintainer accepts such a change, each build is held to its own
reference, and the head's counts for as much as the base's claims about the reference show of it, and for no more.

A base in which this file lies has a gate that can do so (`under_base.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from nesproof.harness.claims.model import Claim
from nesproof.harness.gate.document import GateClaim, GateFlags
from nesproof.harness.gate.outcome import GateVerdict

__all__ = ["is_oracle", "rested_on_oracles"]

_REFERENCE = "reference"
_REST_ON_REFERENCE = {"instructions", "ratio", "absolute"}
"""The kinds of claims whose runs must end where the reference does."""
_SHOWN = {GateVerdict.PASS, GateVerdict.WAIVED}
_MOST_NAMED = 5


def is_oracle(claim: Claim, flags: GateFlags) -> bool:
    """True for a claim that says what the reference must do, by a suite that knows it from elsewhere."""
    return claim.kind == "exact" and claim.subject == _REFERENCE and flags.profile in claim.profiles


def rested_on_oracles(records: Sequence[GateClaim], flags: GateFlags) -> tuple[GateClaim, ...]:
    """The records of a gate in which the head is held to its own reference: one that passes because its runs end where
    that reference does passes only as far as the reference is shown to be right.
    """
    oracles = [record for record in records if is_oracle(record.claim, flags)]
    verdict, why = _what_they_show(oracles)
    if verdict is GateVerdict.PASS:
        return tuple(records)
    return tuple(
        record.model_copy(update={"verdict": verdict, "reason": f"{why} {record.reason}", "caveat": None})
        if record.verdict in _SHOWN and record.claim.kind in _REST_ON_REFERENCE
        else record
        for record in records
    )


def _what_they_show(oracles: Sequence[GateClaim]) -> tuple[GateVerdict, str]:
    failed = [record.claim.id for record in oracles if record.verdict is GateVerdict.FAIL]
    if failed:
        return GateVerdict.FAIL, f"It is held to the head's reference, which fails {_named(failed)}."
    passed = [record for record in oracles if record.verdict in _SHOWN]
    unanswered = [record.claim.id for record in oracles if record.verdict not in _SHOWN | {GateVerdict.NOT_APPLICABLE}]
    if passed and not unanswered:
        return GateVerdict.PASS, ""
    why = f"{_named(unanswered)} without an answer" if unanswered else "no claim about the reference can be tested here"
    return GateVerdict.NOT_MEASURED, f"It is held to the head's reference, which is not shown to be right: {why}."


def _named(ids: Sequence[str]) -> str:
    further = len(ids) - _MOST_NAMED
    return ", ".join(ids[:_MOST_NAMED]) + (f" and {further} more" if further > 0 else "")
