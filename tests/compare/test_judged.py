"""What follows from a comparison's samples, and that a document which says otherwise is found out."""

from __future__ import annotations

import math
from datetime import datetime, timezone
from typing import Any

import pytest

from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.evidence.comparison import BehaviourMatch, Comparison, RamDifference
from nesproof.harness.evidence.model import (
    Evidence,
    ExpectedState,
    FailedMeasurement,
    Load,
    Machine,
    NoMeasurement,
    RunRecord,
    Source,
    SubjectRecord,
    SuiteMeasurement,
    UnavailableMeasurement,
    WorkloadRecord,
)
from nesproof.harness.judge import contradictions
from nesproof.harness.judge.comparison import (
    NOT_ASKED,
    comparisons_exit_code,
    estimate_ratio,
    is_narrow,
    judge_comparison,
)

EXPECTED = ExpectedState(digest="aa", ram_sha256="a" * 64, frame_counter=100)
ALIKE = BehaviourMatch(
    frames=110,
    ram="equal",
    ram_frames_equal=110,
    ram_sha256=("c" * 64, "c" * 64),
    ram_beside_stack="equal",
    pictures="not-shown",
    counter_ahead_frames=0,
    frame_counters="equal",
)
DIFFERS = BehaviourMatch(
    frames=110,
    ram="differs",
    ram_frames_equal=12,
    ram_sha256=("c" * 64, "d" * 64),
    ram_beside_stack="differs",
    first_ram=RamDifference(frame=12, bytes_differing=3, address=0x10, candidate=12, baseline=13),
    pictures="not-shown",
    counter_ahead_frames=-1,
    frame_counters="equal",
)
BUSY = Load(load_average_1min=3.0, other_cpu_share=0.5, steal_share=0.0, waited_s=15, busy=True)


def judged(measurement: Any, behaviour: BehaviourMatch | None = ALIKE) -> Any:
    return judge_comparison(
        candidate="mine", baseline="theirs", workload="play@1", behaviour=behaviour, measurement=measurement
    )


@pytest.fixture
def timed(make_timed: Any) -> Any:
    return lambda blocks, **fields: make_timed(blocks, expected=EXPECTED, **fields)


def test_a_quiet_comparison_has_a_ratio_and_a_narrow_interval_after_the_first_look(timed: Any) -> None:
    found = judged(timed(10, ratio=2.5, noise=0.01))
    assert found.outcome == "alike"
    assert found.ratio == pytest.approx(2.5, rel=0.01)
    low, high = found.interval
    assert low < 2.5 < high
    assert math.log(high / low) / 2 <= 0.03
    assert found.candidate_fps == pytest.approx(1250, rel=0.02)
    assert found.baseline_fps == pytest.approx(500, rel=0.02)
    assert "play@1: mine and theirs play alike (RAM of 110 frames equal); mine makes 2.499" in found.words
    assert "10 blocks" in found.words
    assert "weaker check of the timed frames of mine and theirs" in found.words


def test_the_interval_widens_with_the_noise_and_wide_is_inconclusive(timed: Any) -> None:
    narrow, wide = judged(timed(48, noise=0.01, budget_exhausted=True)), judged(timed(48, noise=0.4))
    assert wide.interval[1] - wide.interval[0] > narrow_width(timed)
    assert wide.outcome == "inconclusive"
    assert "wider than 3%" in wide.words
    assert narrow.outcome == "broken"  # it was narrow after 10 blocks: nobody goes on to 48


def narrow_width(timed: Any) -> float:
    low, high = judged(timed(10, noise=0.01)).interval
    return float(high - low)


@pytest.mark.parametrize("blocks", [1, 9])
def test_few_blocks_carry_no_interval(timed: Any, blocks: int) -> None:
    found = judged(timed(blocks, budget_exhausted=True))
    assert (found.outcome, found.interval) == ("inconclusive", None)
    assert found.ratio == pytest.approx(2.0, rel=0.01)
    assert f"only {blocks} of 10 blocks within the budget" in found.words


def test_a_busy_machine_gives_a_figure_and_no_interval_unless_somebody_insists(timed: Any) -> None:
    found = judged(timed(10, load=BUSY, budget_exhausted=True))
    assert (found.outcome, found.interval) == ("inconclusive", None)
    assert "the machine was busy" in found.words
    insisted = judged(timed(10, load=BUSY.model_copy(update={"overridden": True})))
    assert insisted.interval is not None
    assert "diagnostic only" in insisted.words


def test_a_difference_in_behaviour_stands_in_the_line_of_the_ratio(timed: Any) -> None:
    found = judged(timed(10), DIFFERS)
    assert found.outcome == "differs"
    assert found.ratio == pytest.approx(2.0, rel=0.01)
    before, _, after = found.words.partition("mine makes ")
    assert "differ in behaviour (RAM differs from frame 12, $0010: 0C against 0D (12 of 110 frames equal)" in before
    assert "\n" not in found.words
    assert "times the frames/s of theirs" in after


@pytest.mark.parametrize("side", ["candidate", "baseline"])
def test_whoever_skips_frames_has_no_ratio(timed: Any, side: str) -> None:
    found = judged(timed(10, ends={side: {"frame_counter": 87}}), DIFFERS)
    assert (found.outcome, found.ratio, found.interval) == ("refused", None, None)
    assert found.candidate_fps is None
    assert "its frame counter reads 87, the reference's 100" in found.words
    assert "No digest, no speed" in found.words


def test_runs_that_differ_are_named_in_the_same_line(timed: Any) -> None:
    run = RunRecord(draw="none", num_envs=8, threads=2, frame_skip=4, idle_skipping=False)
    words = judged(timed(10, candidate_run=run)).words
    assert "mine draws nothing, 8 consoles on 2 threads, 4 frames a call, idle skipping off" in words
    assert "theirs draws every frame" in words


def test_too_short_runs_say_too_little(timed: Any) -> None:
    found = judged(timed(10, frames=10))
    assert (found.outcome, found.interval) == ("inconclusive", None)
    assert "less than 50 ms" in found.words


@pytest.mark.parametrize(
    ("measurement", "outcome"),
    [
        (UnavailableMeasurement(missing="x", reason="It is not here.", remedy="get it"), "unavailable"),
        (FailedMeasurement(stage="Playing", reason="It died."), "broken"),
        (NoMeasurement(reason="Interrupted before it was timed."), "not-measured"),
        (NoMeasurement(reason=NOT_ASKED), "alike"),
        (SuiteMeasurement(run="x"), "broken"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.kind,
)
def test_without_samples_there_is_a_word_and_no_figure(measurement: Any, outcome: str) -> None:
    found = judged(measurement)
    assert (found.outcome, found.ratio, found.interval) == (outcome, None, None)


def test_speed_without_behaviour_is_refused(timed: Any) -> None:
    found = judged(timed(10), None)
    assert (found.outcome, found.ratio) == ("broken", None)


def test_copied_and_torn_samples_are_broken(timed: Any) -> None:
    measurement = timed(10)
    copied = measurement.model_copy(
        update={
            "samples": tuple(
                s.model_copy(update={"elapsed_ns": measurement.samples[s.run].elapsed_ns}) if s.position == 1 else s
                for s in measurement.samples
            )
        }
    )
    assert judged(copied).outcome == "broken"
    assert judged(measurement.model_copy(update={"samples": measurement.samples[:-1]})).outcome == "broken"
    assert judged(measurement.model_copy(update={"order_seed": 8})).outcome == "broken"
    assert judged(measurement.model_copy(update={"candidate": "another"})).outcome == "broken"


def test_looks_may_not_be_chosen(timed: Any) -> None:
    assert judged(timed(12, noise=0.4)).outcome == "broken"  # no look, and nothing is said to have ended early
    assert judged(timed(12, noise=0.4, budget_exhausted=True)).outcome == "inconclusive"


def test_the_estimate_is_that_of_the_blocks() -> None:
    effects = [math.log(3.0) + 0.001 * (n % 5 - 2) for n in range(10)]
    assert estimate_ratio(effects).ratio == pytest.approx(3.0, rel=1e-3)
    assert estimate_ratio(effects).narrow_at == 10
    assert is_narrow(effects)
    assert not is_narrow(effects[:9])
    with pytest.raises(ValueError, match="finite"):
        estimate_ratio([math.inf])


def test_the_interval_holds_the_ratio_as_often_as_it_says() -> None:
    import numpy as np

    rng = np.random.default_rng(5)
    held, rounds = 0, 150
    for _ in range(rounds):
        effects = list(rng.normal(0.0, 0.05, 48))
        stopped = next((n for n in (10, 16, 24, 48) if is_narrow(effects[:n])), 48)
        low, high = estimate_ratio(effects[:stopped]).interval or (0.0, 0.0)
        held += low <= 1.0 <= high
    assert held / rounds >= 0.97


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        (["alike"], 0),
        (["alike", "unavailable"], 0),
        (["alike", "inconclusive"], 3),
        (["differs", "broken"], 1),
        (["refused"], 1),
        (["broken", "inconclusive"], 5),
        (["not-measured", "alike"], 6),
        (["unavailable"], 6),
        ([], 6),
    ],
)
def test_the_exit_code_is_the_worst_of_all(outcomes: list[str], code: int) -> None:
    made = [
        Comparison(
            id=str(n), workload="w", candidate="a", baseline="b", behaviour=None, outcome=outcome, words="",
            measurement=NoMeasurement(reason=""),
        )
        for n, outcome in enumerate(outcomes)
    ]  # fmt: skip
    assert comparisons_exit_code(made) == code
    assert comparisons_exit_code(made, interrupted=True) == 130


# --- Whole documents


def document(measurement: Any, behaviour: BehaviourMatch | None = ALIKE) -> Evidence:
    """A document of one comparison, as `nesproof compare` writes it."""
    found = judged(measurement, behaviour)
    comparison = Comparison(
        id="mine/theirs/play@1/every", workload="play@1", candidate="mine", baseline="theirs", behaviour=behaviour,
        measurement=measurement, outcome=found.outcome, ratio=found.ratio, interval=found.interval,
        candidate_fps=found.candidate_fps, baseline_fps=found.baseline_fps, words=found.words,
    )  # fmt: skip
    comparisons = (comparison,)
    return Evidence(
        created_utc=datetime(2026, 1, 2, tzinfo=timezone.utc),
        duration_s=1.0,
        profile="compare",
        command="nesproof compare mine theirs",
        source=Source(version="1", commit=None, dirty=None, tree_sha256="0" * 64),
        build=None,
        machine=Machine(
            os="x", kernel="x", arch="x", cpu_model="x", physical_cores=1, logical_cores=1, usable_cores=1,
            memory_bytes=1, governor=None, virtualised=None,
        ),
        packages=(),
        subjects=tuple(
            SubjectRecord(name=name, version="1", python="3", capabilities=("ram", "timing", "draw:every"))
            for name in ("mine", "theirs")
        ),
        roms=(),
        workloads=(
            WorkloadRecord(
                key="play@1", title="Play", rom="x", warmup_frames=10, frames=100, draw="every",
                identity_sha256="0" * 64,
            ),
        ),
        suites=(),
        claims=(),
        comparisons=comparisons,
        exit_code=comparisons_exit_code(comparisons),
    )  # fmt: skip


def sentences(evidence: Evidence) -> list[str]:
    return [found.sentence for found in contradictions(evidence)]


@pytest.mark.parametrize("behaviour", [ALIKE, DIFFERS], ids=["alike", "differs"])
def test_an_honest_document_follows_from_its_samples(timed: Any, behaviour: BehaviourMatch) -> None:
    assert sentences(document(timed(10, noise=0.01), behaviour)) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"ratio": 3.0},
        {"interval": (1.99, 2.01)},
        {"interval": None},
        {"candidate_fps": 9e9},
        {"baseline_fps": None},
        {"outcome": "inconclusive"},
        {"words": "mine is best"},
        {"candidate": "yours"},
        {"workload": "other@1"},
        {"behaviour": None},
        {"behaviour": DIFFERS},
        {"behaviour": ALIKE.model_copy(update={"frames": 5, "ram_frames_equal": 5})},
        {"behaviour": ALIKE.model_copy(update={"pictures": "equal"})},
        {"behaviour": ALIKE.model_copy(update={"states": "equal"})},
        {"behaviour": ALIKE.model_copy(update={"ram_sha256": ("c" * 64, "d" * 64)})},
        {"behaviour": ALIKE.model_copy(update={"ram_frames_equal": 109})},
        {"behaviour": ALIKE.model_copy(update={"counter_ahead_frames": 7})},
        {"behaviour": ALIKE.model_copy(update={"frame_counters": "not-shown"})},
    ],
    ids="-".join,
)
def test_a_doctored_comparison_is_found_out(timed: Any, changes: dict[str, Any]) -> None:
    honest = document(timed(10, noise=0.01))
    doctored = (honest.comparisons[0].model_copy(update=changes),)
    changed = honest.model_copy(update={"comparisons": doctored, "exit_code": comparisons_exit_code(doctored)})
    assert sentences(changed) != []


def test_a_difference_cannot_be_hidden(timed: Any) -> None:
    """The words of an alike pair with the samples of one that differs, and a behaviour that says so."""
    honest = document(timed(10), DIFFERS)
    calm = DIFFERS.model_copy(update={"ram": "equal", "first_ram": None})
    found = judged(timed(10), calm)
    doctored = honest.comparisons[0].model_copy(
        update={"behaviour": calm, "words": found.words, "outcome": found.outcome}
    )
    hidden = honest.model_copy(update={"comparisons": (doctored,), "exit_code": ExitCode.OK})
    assert any("RAM is equal" in sentence for sentence in sentences(hidden))


@pytest.mark.parametrize("code", [ExitCode.OK, ExitCode.NOT_MEASURED])
def test_the_exit_code_is_derived_too(timed: Any, code: ExitCode) -> None:
    changed = document(timed(10), DIFFERS).model_copy(update={"exit_code": code})
    assert sentences(changed) == [f"The exit code is {code:d}; the verdicts add up to 1."]


def test_samples_of_another_window_or_load_are_found_out(timed: Any) -> None:
    assert "The samples of its candidate cover other frames than the workload's." in sentences(
        document(timed(10, frames=101))
    )
    calm = BUSY.model_copy(update={"busy": False})
    assert "Whether the machine was busy is not what its load says." in sentences(document(timed(10, load=calm)))
    with_digest = timed(10, digest_from=("candidate",), ends={"candidate": {"digest": "aa", "ram_sha256": "a" * 64}})
    assert "Whether mine gives a digest is not what it declared." in sentences(document(with_digest))


def test_one_comparison_twice_is_found_out(timed: Any) -> None:
    honest = document(timed(10))
    twice = honest.model_copy(update={"comparisons": honest.comparisons * 2})
    assert "A comparison occurs twice." in sentences(twice)
