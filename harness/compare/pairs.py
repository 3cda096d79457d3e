"""What is compared: two subjects on a workload, and how each is asked to run."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nesproof.harness.claims.runs import Draw, RunChoice
from nesproof.harness.compare.behaviour import Behaviour
from nesproof.harness.evidence.model import Measurement
from nesproof.harness.judge.order import Side
from nesproof.harness.subjects.registry import find_subject
from nesproof.harness.workloads import Workload

__all__ = ["ALWAYS_DRAWN", "Compared", "Pair", "table_pairs"]

_TABLE_CONSOLES = 8
"""Consoles of a batch in a table's rows: for one core, or for each core. A peer that steps a thousand frames a second
needs its time for more."""

_LONGEST_ID = 180
_FROM_MOST: tuple[Draw, ...] = ("every", "last-of-4", "none")
ALWAYS_DRAWN = RunChoice(draw="every")
"""One console that draws every frame."""
_ONLY_WHOLE_MACHINE = frozenset({"nes-py-cores"})
"""Subjects that are another subject again where they do not use every core."""


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two subjects on a workload."""

    candidate: str
    baseline: str
    workload: Workload
    candidate_choice: RunChoice
    baseline_choice: RunChoice

    @classmethod
    def plain(cls, candidate: str, baseline: str, workload: Workload, choice: RunChoice | None = None) -> Pair:
        """Both asked to run in one way: the workload's, where nothing is chosen."""
        asked = RunChoice() if choice is None else choice
        return cls(
            candidate=candidate, baseline=baseline, workload=workload, candidate_choice=asked, baseline_choice=asked
        )

    def side(self, side: Side) -> tuple[str, RunChoice]:
        """A side's subject, and how it is asked to run."""
        if side == "candidate":
            return self.candidate, self.candidate_choice
        return self.baseline, self.baseline_choice

    @property
    def id(self) -> str:
        """Names the comparison within its document."""
        choice = self.candidate_choice
        parts = [self.candidate, self.baseline, self.workload.key, choice.drawing(self.workload.draw)]
        if choice.num_envs != 1 or choice.threads != 1:
            parts.append(f"{choice.num_envs}-on-{choice.threads}")
        whole = "/".join(parts)
        # The document caps a name; two names of any length stay apart.
        return whole if len(whole) <= _LONGEST_ID else f"{whole[:_LONGEST_ID]}-{zlib.crc32(whole.encode()):08x}"

    @property
    def rerun(self) -> str:
        """The command that makes this comparison alone."""
        choice = self.candidate_choice
        parts = [f"nesproof compare {self.candidate} {self.baseline} --workload {self.workload.key}"]
        parts.append(f"--draw {choice.drawing(self.workload.draw)}")
        if choice.num_envs != 1:
            parts.append(f"--num-envs '{choice.num_envs}'")
        if choice.threads != 1:
            parts.append(f"--threads {choice.threads}")
        if self.baseline_choice != choice:
            parts.append("--baseline-alone")
        return " ".join(parts)


@dataclass(frozen=True)
class Compared:
    """One pair and what was measured of it; `behaviour` is None where that did not come about. `picture` is where the
    bundle is to hold `behaviour.picture`."""

    pair: Pair
    behaviour: Behaviour | None
    measurement: Measurement
    picture: str | None = None


def table_pairs(
    candidates: Sequence[tuple[str, frozenset[str]]],
    *,
    baseline: str,
    workloads: Sequence[Workload],
) -> list[Pair]:
    """The rows of a table: each candidate beside the baseline on each workload that it runs, in every way that it
    declares: drawing most and least, with one console, with several on one core, and with several on every core.

    `candidates` are names with capabilities. The baseline is always one console that draws every frame. Everybody's
    first row comes before anybody's second, so that where time is short each candidate has one.
    """
    ranked = [
        (rank, pair)
        for workload in workloads
        for name, capabilities in candidates
        if name != baseline and find_subject(name).only_program in {None, workload.rom}
        for rank, pair in enumerate(_rows(name, capabilities, baseline, workload))
    ]
    return [pair for _, pair in sorted(ranked, key=lambda entry: entry[0])]


def _rows(name: str, capabilities: frozenset[str], baseline: str, workload: Workload) -> list[Pair]:
    return [
        Pair(
            candidate=name,
            baseline=baseline,
            workload=workload,
            candidate_choice=choice,
            baseline_choice=ALWAYS_DRAWN,
        )
        for choice in _choices(name, capabilities, workload)
    ]


def _choices(name: str, capabilities: frozenset[str], workload: Workload) -> Iterator[RunChoice]:
    alone = [RunChoice()] if name not in _ONLY_WHOLE_MACHINE else []
    if "batch" in capabilities and name not in _ONLY_WHOLE_MACHINE:
        alone.append(RunChoice(num_envs=_TABLE_CONSOLES))
    if {"batch", "threads"} <= capabilities:
        alone.append(RunChoice(num_envs=f"{_TABLE_CONSOLES}*cores", threads="cores"))
    for choice in alone:
        yield from (choice.model_copy(update={"draw": draw}) for draw in _draws(capabilities, workload))


def _draws(capabilities: frozenset[str], workload: Workload) -> list[Draw]:
    """Every frame, and the least that the subject can draw."""
    able = [draw for draw in _FROM_MOST if draw in workload.draws and f"draw:{draw}" in capabilities]
    return list(dict.fromkeys([*able[:1], *able[-1:]]))
