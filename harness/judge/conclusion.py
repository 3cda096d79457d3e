"""From the three arms of a before/after to its verdict: looks, floor, confirmation, in words for people."""

from __future__ import annotations

from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.counting import counted
from nesproof.harness.judge.before_after import BeforeAfter, Change
from nesproof.harness.judge.confirmation import CONFIRMATION_BLOCKS, Confirmation
from nesproof.harness.judge.floor import FLOOR_LOOKS, Floor
from nesproof.harness.judge.sequential import LOOKS

__all__ = ["conclude"]


def conclude(
    change: BeforeAfter | None, floor: Floor | None, confirmation: Confirmation | None, *, delta: float, short: str = ""
) -> tuple[Verdict, str]:
    """The verdict and why. `short` is the end of a sentence that says why there are few blocks (" within the budget").

    Fewer A/B blocks than the first look's are NOT_MEASURED. Without a floor that is low enough there is no verdict.
    PASS rules out a slowdown of `delta` or more; FAIL has found one and has confirmed it.
    """
    if change is None:
        return Verdict.NOT_MEASURED, f"No block was timed{short}."
    if change.blocks < LOOKS[0][0]:
        return Verdict.NOT_MEASURED, f"Only {change.blocks} of {LOOKS[0][0]} blocks were timed{short}."
    if floor is None or floor.blocks < FLOOR_LOOKS[0]:
        blocks = f"{0 if floor is None else floor.blocks} of {FLOOR_LOOKS[0]} A/A blocks"
        return Verdict.INCONCLUSIVE, f"Only {blocks} were timed{short}: the noise of this job is not known."
    if not floor.is_low:
        noise = f"{floor.half_width:.2%} after {floor.blocks} A/A blocks"
        reason = f"The floor of this job, {noise}, is above half of {delta:.1%}: too noisy for a verdict."
        return Verdict.INCONCLUSIVE, reason
    after = f"After {counted(change.decided_at or change.blocks, 'block')}"
    if change.change is Change.UNDECIDED:
        return Verdict.INCONCLUSIVE, f"{after} the noise allows neither answer to “slower by {delta:.1%}”."
    if change.change is Change.NOT_SLOWER:
        return Verdict.PASS, f"{after} a slowdown of {delta:.1%} or more is ruled out."
    found = f"{after} the candidate is slower beyond the noise, and by {delta:.1%} or more"
    if confirmation is None or confirmation.blocks < CONFIRMATION_BLOCKS:
        return (
            Verdict.INCONCLUSIVE,
            f"{found}, but {CONFIRMATION_BLOCKS} fresh blocks to confirm it were not timed{short}.",
        )
    if not confirmation.is_confirmed:
        fresh = f"{confirmation.blocks} fresh blocks do not confirm it (p = {confirmation.p_value:.2g})"
        return Verdict.INCONCLUSIVE, f"{found}, but {fresh}."
    return Verdict.FAIL, f"{found}; {confirmation.blocks} fresh blocks confirm it."
