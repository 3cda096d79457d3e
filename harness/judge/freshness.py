"""Whether samples were measured: a process whose runs took exactly the nanoseconds of another's was copied."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from nesproof.harness.evidence.model import Sample
from nesproof.harness.judge.blocks import MalformedSamples

__all__ = ["check_freshness"]


def check_freshness(*arms: Sequence[Sample]) -> None:
    """Refuse a process that repeats another one's times, in whatever order of its runs, in any of the arms.

    Five or more runs of 50 ms do not come out equal to the nanosecond twice.

    Raises:
        MalformedSamples: one does; the message names both.
    """
    seen: dict[tuple[int, ...], str] = {}
    for number, arm in enumerate(arms, start=1):
        processes: dict[tuple[int, int], list[int]] = defaultdict(list)
        for sample in arm:
            processes[sample.block, sample.position].append(sample.elapsed_ns)
        for (block, position), times in sorted(processes.items()):
            of_arm = f" of arm {number}" if len(arms) > 1 else ""
            where = f"block {block}, position {position}{of_arm}"
            first = seen.setdefault(tuple(sorted(times)), where)
            if first != where:
                raise MalformedSamples(
                    f"stale: {where} repeats the times of {first} exactly, so it was copied, not measured"
                )
