"""Which block of a before/after is timed next. The probe, the simulation and the judge follow this one procedure.

A/A and A/B blocks alternate, so that both arms see the same machine. The A/B arm stops at the look that decides. Then
the A/A arm goes on to the look at which the floor is low enough, and an accusation is confirmed on fresh blocks.
"""

from __future__ import annotations

from collections.abc import Sequence, Sized

from nesproof.harness.judge.before_after import Change, judge_change_effects
from nesproof.harness.judge.confirmation import CONFIRMATION_BLOCKS
from nesproof.harness.judge.floor import FLOOR_LOOKS, floor_of, next_floor_look
from nesproof.harness.judge.order import Arm
from nesproof.harness.judge.sequential import LOOKS, next_look

__all__ = ["next_block"]

_LOOKS = frozenset(blocks for blocks, _ in LOOKS)


def next_block(
    ab: Sequence[float],
    aa: Sequence[float],
    confirmation: Sized,
    *,
    delta: float,
    comparisons: int,
    last_look: int | None = None,
) -> Arm | None:
    """The arm whose next block is to be timed, or None where the procedure is over.

    `ab` and `aa` are the effects (ln of the ratio of times) of the whole blocks so far; of `confirmation` only the
    number of its blocks matters. `last_look` caps the A/B blocks (and no other arm), None for no cap.
    """
    if len(aa) < FLOOR_LOOKS[0] and len(aa) <= len(ab):
        return "aa"
    if len(ab) not in _LOOKS:
        return "ab"
    change = judge_change_effects(ab, delta=delta, comparisons=comparisons).change
    is_over = next_look(len(ab), last=last_look) is None
    if change is Change.UNDECIDED and not is_over:
        return "ab"
    if len(aa) < FLOOR_LOOKS[0]:
        return "aa"  # also where there will be no verdict: how small an effect could have been seen is always said
    if change is Change.UNDECIDED:
        return None
    if len(aa) not in FLOOR_LOOKS:
        return "aa"
    if not floor_of(aa, delta=delta).is_low:
        return None if next_floor_look(len(aa)) is None else "aa"
    if change is Change.SLOWER and len(confirmation) < CONFIRMATION_BLOCKS:
        return "confirmation"
    return None
