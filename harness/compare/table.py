"""The throughput table: every subject beside one baseline, on the same workloads, in every way that each declares.

Each row is a pair of its own with the common baseline, timed in blocks as any comparison; the rows take turns block by
block, so that all of them see the same machine, and the time is shared equally by those whose interval is not narrow
yet. So a row can be verified alone, and the baseline is timed beside each.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nesproof.harness.compare.comparing import Comparing
from nesproof.harness.compare.pairs import Pair, table_pairs
from nesproof.harness.runner.preflight import Introductions
from nesproof.harness.runner.progress import Progress
from nesproof.harness.subjects.registry import subject_definitions
from nesproof.harness.workloads import load_workload
from nesproof.roms_manifest import Resolver

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
    resolver: Resolver,
    work_dir: Path,
    budget_s: float,
    workloads: Sequence[str] = TABLE_WORKLOADS,
    baseline: str = BASELINE,
    allow_busy: bool = False,
    quiet_wait_s: float = 15.0,
    order_seed: int | None = None,
    progress: Progress | None = None,
) -> Comparing:
    """The table's rows, ready to be measured: call `run()`, and take `compared` whether or not it was interrupted.

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
    if budget_s <= 0:  # how they play does not hang on what a timed run draws
        pairs = list({(p.candidate, p.workload.key, p.candidate_choice.num_envs): p for p in pairs}.values())
    without_rows = {name for name, _ in candidates} - {pair.candidate for pair in pairs}
    pairs += [Pair.plain(name, baseline, chosen[0]) for name in (*sorted(without_rows), *absent)]
    return Comparing(
        pairs=pairs,
        introductions=introductions,
        resolver=resolver,
        work_dir=work_dir,
        budget_s=budget_s,
        allow_busy=allow_busy,
        quiet_wait_s=quiet_wait_s,
        order_seed=order_seed,
        progress=Progress() if progress is None else progress,
    )


def consoles_for_tables() -> list[str]:
    """Every subject that is expected to time something, shipped ones first."""
    return [
        name
        for name, definition in subject_definitions().items()
        if name not in _FOR_TESTS and ("timing" in definition.capabilities or definition.command is not None)
    ]
