"""Histories and a laboratory of the tests' own, in which what a commit answers is written down."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Literal

import numpy as np

from nesproof.harness.bisect.asking import Measured
from nesproof.harness.bisect.history import Commit
from nesproof.harness.builds import BuildFailed
from nesproof.harness.claims.model import Claim
from nesproof.harness.evidence.bisection import Bisection, BisectionCommit
from nesproof.harness.evidence.model import (
    CaseResult,
    ChangeMeasurement,
    ExpectedState,
    FailedMeasurement,
    FigureRow,
    FiguresMeasurement,
    Load,
    Machine,
    RunRecord,
    Sample,
    Source,
    SuiteMeasurement,
    SuiteRun,
    UnavailableMeasurement,
)
from nesproof.harness.judge import DELTA, next_block
from nesproof.harness.judge.blocks import MINIMUM_RUNS
from nesproof.harness.judge.order import BLOCK_REPLICATES, arm_seed, block_order


def sha(number: int) -> str:
    """The good end is 0, the commits after it count from 1."""
    return f"{number + 1:040x}"


def claim(kind: str = "exact", **fields: Any) -> Claim:
    base: dict[str, Any] = {
        "id": "toy.claim",
        "sentence": "The toy does what it must.",
        "kind": kind,
        "subject": "core",
        "breaks_when": "The toy does something else.",
    }
    kinds: dict[str, dict[str, Any]] = {
        "exact": {"suite": "determinism", "cases": "power/*"},
        "memory": {"metric": "bytes", "workload": "busy@2", "where": {"part": "declared"}, "at_most": 10_000},
        "ratio": {
            "metric": "frames_per_second",
            "workload": "busy@2",
            "baseline": "nes-py",
            "at_least": 2,
            "candidate_run": {"draw": "none"},
        },
    }
    return Claim.model_validate({**base, **kinds[kind], **fields})


def document(
    count: int,
    *,
    of: Claim | None = None,
    contents: dict[int, str] | None = None,
    parents: dict[int, Iterable[int]] | None = None,
) -> Bisection:
    """A bisection about to begin over `count` commits after the good end, in a line where `parents` says nothing."""
    records = [
        BisectionCommit(
            sha=sha(n),
            subject=f"Commit {n}",
            parents=tuple(sha(p) for p in (parents or {}).get(n, (n - 1,) if n else ())),
            content=(contents or {}).get(n, f"{n:x}"),
        )
        for n in range(count + 1)
    ]
    machine = Machine(
        os="Linux", kernel="6", arch="x86_64", cpu_model="A processor", physical_cores=1, logical_cores=2,
        usable_cores=2, memory_bytes=1 << 30, governor=None, virtualised=None,
    )  # fmt: skip
    return Bisection(
        created_utc=datetime(2026, 1, 2, tzinfo=timezone.utc),
        source=Source(version="1", commit=None, dirty=None, tree_sha256="0" * 64),
        machine=machine,
        surroundings_sha256="0" * 64,
        command="nesproof bisect toy.claim",
        claim=of or claim(),
        good=records[0],
        bad=records[-1],
        first_parent=False,
        commits=tuple(records[1:]),
    )


@dataclass
class Written:
    """A laboratory in which commit n is broken where `broken(n)`, has the figure `figures(n)`, and does not build where
    it is in `silent`. `flips` are commits whose answer is another one the second time; `effect(a, b)` is by how much b
    is slower than a. What was built is in `built`, in that order.
    """

    broken: Callable[[int], bool] = lambda _: False
    figures: Callable[[int], float | None] | None = None
    silent: set[int] = field(default_factory=set)
    flips: set[int] = field(default_factory=set)
    effect: Callable[[int, int], float] | None = None
    noise: dict[int, float] = field(default_factory=dict)
    wrong_frames: set[int] = field(default_factory=set)
    error: str | None = None
    unavailable: bool = False
    built: list[int] = field(default_factory=list)
    contents: set[str] = field(default_factory=set)
    asked: list[int] = field(default_factory=list)
    timed: list[tuple[int, int]] = field(default_factory=list)

    def build(self, commit: Commit) -> Literal["made", "cached"]:
        number = int(commit.sha, 16) - 1
        if number in self.silent:
            self.built.append(number)
            raise BuildFailed(commit.sha[:12], "error: \x1b[31mthis_is_not_c")
        if commit.content in self.contents:
            return "cached"
        self.contents.add(commit.content)
        self.built.append(number)
        return "made"

    def measure(self, commit: Commit, claim: Claim) -> Measured:
        number = int(commit.sha, 16) - 1
        again = number in self.asked
        self.asked.append(number)
        if self.unavailable:
            return Measured(
                UnavailableMeasurement(
                    missing="tool:valgrind", reason="valgrind is absent.", remedy="apt install valgrind"
                )
            )
        if self.error is not None:
            return Measured(FailedMeasurement(stage="Suite", reason=self.error))
        if claim.kind == "exact":
            failed = self.broken(number) != (again and number in self.flips)
            return exact_outcome("failed" if failed else "passed")
        assert self.figures is not None
        value = self.figures(number)
        if value is None:
            return Measured(FailedMeasurement(stage="Counting", reason="It cannot be counted."))
        labels: dict[str, Any] = {name: one for name, one in claim.where.items() if not isinstance(one, tuple)}
        return Measured(
            FiguresMeasurement(
                of=claim.kind,
                subject=claim.subject,
                workload=claim.workload,
                rows=(FigureRow(labels=labels, figures={str(claim.metric): value}),),
            )
        )

    def time(self, baseline: Commit, candidate: Commit, claim: Claim) -> Measured:
        assert self.effect is not None
        pair = int(baseline.sha, 16) - 1, int(candidate.sha, 16) - 1
        self.timed.append(pair)
        return Measured(
            timed(self.effect(*pair), noise=self.noise.get(pair[1], 0.003), wrong_frames=pair[1] in self.wrong_frames)
        )


def exact_outcome(outcome: Literal["passed", "failed"]) -> Measured:
    case = CaseResult(id="power/on", outcome=outcome, message="" if outcome == "passed" else "It is broken.")
    run = SuiteRun(
        id="determinism.core",
        suite="determinism",
        title="Determinism",
        oracle="itself",
        subject="core",
        expected=("power/on",),
        cases=(case,),
    )
    return Measured(SuiteMeasurement(run=run.id), (run,))


def timed(effect: float, *, noise: float = 0.003, wrong_frames: bool = False) -> ChangeMeasurement:
    """A timing by the judge's own procedure in which the candidate takes `effect` more (ln of the ratio of times)."""
    seed, arms = 7, {"ab": [], "aa": [], "confirmation": []}
    effects: dict[str, list[float]] = {"ab": [], "aa": [], "confirmation": []}
    rng = np.random.default_rng(3)
    expected = ExpectedState(digest="aa", ram_sha256="b" * 64, frame_counter=600)
    while (
        arm := next_block(effects["ab"], effects["aa"], effects["confirmation"], delta=DELTA, comparisons=1)
    ) is not None:
        block, times = len(effects[arm]), {"candidate": [], "baseline": []}
        for position in range(BLOCK_REPLICATES):
            side = block_order(arm_seed(seed, arm), block)[position]
            added = effect if side == "candidate" and arm != "aa" else 0.0
            runs = [round(1e8 * math.exp(added + abs(rng.normal(0, noise)))) for _ in range(MINIMUM_RUNS)]
            times[side].append(math.log(min(runs)))
            digest = "cc" if wrong_frames and side == "candidate" and arm != "aa" else "aa"
            arms[arm] += [
                Sample(
                    side=side, block=block, position=position, run=number, elapsed_ns=ns, frames=600, digest=digest,
                    ram_sha256="b" * 64, frame_counter=600,
                )
                for number, ns in enumerate(runs)
            ]  # fmt: skip
        effects[arm].append(sum(times["candidate"]) / 2 - sum(times["baseline"]) / 2)
    return ChangeMeasurement(
        workload="busy@2",
        subject="core",
        baseline="a",
        candidate="b",
        run=RunRecord(draw="none"),
        order_seed=seed,
        comparisons=1,
        delta=DELTA,
        expected=expected,
        load=Load(load_average_1min=0.1, other_cpu_share=0.01, steal_share=0.0, waited_s=0.0, busy=False),
        samples=tuple(arms["ab"]),
        aa_samples=tuple(arms["aa"]),
        confirmation_samples=tuple(arms["confirmation"]),
    )
