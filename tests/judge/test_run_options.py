"""How the sides of a ratio were run: the judge takes no figure of a run with other options, or of unchecked lanes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.model import LaneDigest, RatioMeasurement, RunRecord, Sample
from nesproof.harness.judge import judge_claim

BATCH = {"draw": "none", "num_envs": 64, "frame_skip": 4}
LANES = tuple(LaneDigest(lane=lane, digest=f"{lane:016x}") for lane in (0, 1, 32, 63))


@pytest.fixture
def judged(
    claim: Callable[..., Claim],
    make_samples: Callable[..., list[Sample]],
    measurement: Callable[..., RatioMeasurement],
) -> Callable[..., Any]:
    """The verdict on 10 good blocks; `lanes` is what every candidate sample says of its lanes."""

    def judge(
        candidate_run: dict[str, Any], *, lanes: tuple[LaneDigest, ...] = LANES,
        expected: tuple[LaneDigest, ...] = LANES, choice: dict[str, Any] | None = None,
    ) -> Any:  # fmt: skip
        samples = [
            s.model_copy(update={"lane_digests": lanes if s.side == "candidate" else ()})
            for s in make_samples([0.2 + 0.001 * n for n in range(10)])
        ]
        made = measurement(samples, candidate_run=RunRecord(**candidate_run))
        made = made.model_copy(update={"expected": made.expected.model_copy(update={"lane_digests": expected})})
        return judge_claim(claim(candidate_run=candidate_run if choice is None else choice), made, {})

    return judge


def test_sampled_lanes_that_are_right_count(judged: Callable[..., Any]) -> None:
    assert judged(BATCH).verdict is Verdict.PASS


@pytest.mark.parametrize(
    "lanes",
    [
        pytest.param((), id="no lane"),
        pytest.param(LANES[:3], id="a lane missing"),
        pytest.param((*LANES[:3], LaneDigest(lane=63, digest="0" * 16)), id="a lane elsewhere"),
        pytest.param((*LANES[:3], LaneDigest(lane=62, digest=LANES[3].digest)), id="another lane"),
    ],
)
def test_wrong_lanes_fail(judged: Callable[..., Any], lanes: tuple[LaneDigest, ...]) -> None:
    verdict = judged(BATCH, lanes=lanes)
    assert verdict.verdict is Verdict.FAIL
    assert "No digest, no speed" in verdict.reason


def test_one_lane_is_no_sample_of_many(judged: Callable[..., Any]) -> None:
    assert judged(BATCH, lanes=LANES[:1], expected=LANES[:1]).verdict is Verdict.FAIL


@pytest.mark.parametrize(
    "choice",
    [{"draw": "every"}, {"threads": 2}, {"num_envs": 1}, {"idle_skipping": False}, {"frame_skip": 1}],
)
def test_runs_with_other_options_are_an_error(judged: Callable[..., Any], choice: dict[str, Any]) -> None:
    assert judged(BATCH, choice={**BATCH, **choice}).verdict is Verdict.ERROR


def test_a_side_may_hold_more_frames_than_the_other(
    claim: Callable[..., Claim],
    make_samples: Callable[..., list[Sample]],
    measurement: Callable[..., RatioMeasurement],
) -> None:
    """Passes make a fast side's run longer: frames and time grow together, and the ratio stays."""
    samples = [
        s.model_copy(update={"frames": s.frames * 30, "elapsed_ns": s.elapsed_ns * 30}) if s.side == "candidate" else s
        for s in make_samples([0.2 + 0.001 * n for n in range(10)])
    ]
    judged = judge_claim(claim(), measurement(samples, candidate_run=RunRecord(passes=30)), {})
    assert judged.verdict is Verdict.PASS
    assert judged.value == pytest.approx(2.0 * 2.718281828**0.2045, rel=1e-3)


def test_a_subject_beside_itself_must_be_run_in_two_ways(claim: Callable[..., Claim]) -> None:
    two_ways = claim(subject="core", baseline="core", candidate_run={"threads": 2})
    assert two_ways.compares_itself
    assert not claim(subject="core", baseline="core").compares_itself
