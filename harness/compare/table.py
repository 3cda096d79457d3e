"""The throughput table: every subject beside one baseline, on the same workloads, in every way that each declares.

Each row is a pair of its own with the common baseline, timed in blocks as any comparison; the rows take turns block by
block, so that all of them see the same machine, and the time is shared equally by those whose interval is not narrow
yet. So a row can be verified alone, and the baseline is timed beside each.
"""

from __future__ import annotations

from collections.abc import Sequence

from nesproof.harness.compare.pairs import Pair, table_pairs
from nesproof.harness.runner.preflight import Introductions
from nesproof.harness.subjects.registry import subject_definitions
from nesproof.harness.workloads import load_workload

__all__ = ["BASELINE", "TABLE_WORKLOADS", "consoles_for_tables", "throughput_table"]

BASELINE = "nes-py"
"""The subject whose speed is 1."""
TABLE_WORKLOADS = ("scroller-random-buttons",)
"""What a table is about where nobody chooses: a program that everybody has."""
_FOR_TESTS = frozenset({"core-hostsim"})
"""Consoles that are no subject of speed: made for tests, and slow on purpose."""


def throughput_table(
    subjects: Sequence[str],
    *,
    introductions: Introductions,
    workloads: Sequence[str] = TABLE_WORKLOADS,
    baseline: str = BASELINE,
    is_timed: bool = True,
) -> list[Pair]:
    """The table's rows.

    Subjects that cannot be started, or run none of the programs, have one row that says why; the baseline has none.

    Raises:
        ConfigurationError: there is no such subject or workload.
    """
    chosen = [load_workload(key) for key in workloads]
    candidates = []
    absent: list[str] = []
    for name in subjects:
        if name == baseline or name in _FOR_TESTS:
            continue
        if introductions.absence(name, promised=False) is None:
            candidates.append((name, frozenset(introductions.records[name].capabilities)))
        else:
            absent.append(name)
    pairs = table_pairs(candidates, baseline=baseline, workloads=chosen)
    if not is_timed:  # how they play does not hang on what a timed run draws
        pairs = list({(p.candidate, p.workload.key, p.candidate_choice.num_envs): p for p in pairs}.values())
    without_rows = {name for name, _ in candidates} - {pair.candidate for pair in pairs}
    return pairs + [Pair.plain(name, baseline, chosen[0]) for name in (*sorted(without_rows), *absent)]


def consoles_for_tables() -> list[str]:
    """Every subject that is expected to time something, shipped ones first."""
    return [
        name
        for name, definition in subject_definitions().items()
        if name not in _FOR_TESTS and ("timing" in definition.capabilities or definition.command is not None)
    ]
