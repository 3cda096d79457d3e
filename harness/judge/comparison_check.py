"""Whether a document's comparisons follow from what it holds of them, and hold together."""

from __future__ import annotations

import math
from collections.abc import Iterator

from nesproof.harness.evidence.comparison import Agreement, BehaviourMatch, Comparison
from nesproof.harness.evidence.model import Evidence, RatioMeasurement
from nesproof.harness.judge.behaviour import counters_agree, pictures_by
from nesproof.harness.judge.comparison import judge_comparison
from nesproof.harness.judge.order import SIDES
from nesproof.harness.judge.ratio_samples import check_ratio_samples

__all__ = ["check_comparisons"]


def check_comparisons(evidence: Evidence) -> list[tuple[str | None, str]]:
    """Every comparison judged anew: (id, sentence) for whatever does not follow; the id is None for the whole."""
    ids = [comparison.id for comparison in evidence.comparisons]
    found: list[tuple[str | None, str]] = []
    if len(set(ids)) != len(ids):
        found.append((None, "A comparison occurs twice."))
    for comparison in evidence.comparisons:
        found += [(comparison.id, sentence) for sentence in _of_comparison(comparison, evidence)]
    return found


def _of_comparison(comparison: Comparison, evidence: Evidence) -> Iterator[str]:
    judged = judge_comparison(
        candidate=comparison.candidate,
        baseline=comparison.baseline,
        workload=comparison.workload,
        behaviour=comparison.behaviour,
        measurement=comparison.measurement,
    )
    if judged.outcome != comparison.outcome:
        yield f"The outcome is {comparison.outcome!r}; what was measured gives {judged.outcome!r}."
    pairs = [
        (judged.ratio, comparison.ratio),
        (judged.candidate_fps, comparison.candidate_fps),
        (judged.baseline_fps, comparison.baseline_fps),
        *zip(judged.interval or (None, None), comparison.interval or (None, None), strict=True),
    ]
    if not all(_close(one, other) for one, other in pairs):
        yield "The figures are not those that the samples give."
    elif judged.words != comparison.words:
        yield "The words are not those that what was measured gives."
    if isinstance(comparison.measurement, RatioMeasurement):
        yield from check_ratio_samples(comparison.measurement, evidence)
    if comparison.behaviour is not None:
        yield from _of_behaviour(comparison.behaviour, comparison, evidence)


def _of_behaviour(match: BehaviourMatch, comparison: Comparison, evidence: Evidence) -> Iterator[str]:
    """What the parts of a match say of each other, and of what the two subjects declared and the workload lasts."""
    frames = {w.key: w.warmup_frames + w.frames for w in evidence.workloads}.get(comparison.workload, 0)
    if match.frames != frames + min(match.waited_frames):
        yield "How they play was looked at over other frames than the workload's."
    declared = {s.name: set(s.capabilities) for s in evidence.subjects}
    one, other = (declared.get(name, set()) for name in (comparison.candidate, comparison.baseline))
    both, by = one & other, pictures_by(one, other)
    shown = {"RAM": "ram" in both, "pictures": by != "nothing", "states": "digest" in both}
    said: dict[str, Agreement] = {"RAM": match.ram, "pictures": match.pictures, "states": match.states}
    for name, is_shown in shown.items():
        if (said[name] != "not-shown") != is_shown:
            yield f"Whether both show {name} is not what they declared."
    if match.pictures_by != by:
        yield "Pictures are compared otherwise than the two declare."
    yield from _of_ram(match)
    yield from _of_pictures(match)
    if (match.states == "differs") != (match.first_state_frame is not None):
        yield "The states differ from a frame on, or do not differ."
    if not set(match.batch_differs) <= set(match.batch_checked):
        yield "A batch that nobody looked at is said to play otherwise."
    if isinstance(comparison.measurement, RatioMeasurement):
        several = {side for side in SIDES if comparison.measurement.side(side)[0].num_envs > 1}
        if several != set(match.batch_checked):
            yield "Whether a batch plays as a console alone is not said of the sides that have one."
    ahead = match.counter_ahead_frames
    counters = counters_agree(ahead, ram=match.ram, pictures=match.pictures, shift_frames=match.shift_frames)
    if match.frame_counters != counters or (ahead is None) != (match.ram == "not-shown"):
        yield "Whether the frame counters agree is not what their distance says."


def _of_ram(match: BehaviourMatch) -> Iterator[str]:
    details = (match.ram_frames_equal, match.ram_sha256)
    if match.ram == "not-shown":
        if any(detail is not None for detail in (*details, match.first_ram)) or match.ram_beside_stack != "not-shown":
            yield "RAM is not shown by both, yet something is said of it."
        return
    if match.ram_frames_equal is None or match.ram_sha256 is None:
        yield "Nothing is said of the RAM that both show."
        return
    is_equal = match.ram == "equal"
    all_frames = match.frames_at(match.shift_frames)
    if (
        is_equal != (match.ram_sha256[0] == match.ram_sha256[1])
        or is_equal != (match.first_ram is None)
        or is_equal != (match.ram_frames_equal == all_frames)
        or match.ram_frames_equal > all_frames
        or (is_equal and match.ram_beside_stack != "equal")
    ):
        yield "Whether RAM is equal is not what its hashes and its first difference say."
    first = match.first_ram
    if first is not None and (first.candidate == first.baseline or first.frame >= match.frames):
        yield "The first difference of RAM is none."


def _of_pictures(match: BehaviourMatch) -> Iterator[str]:
    equal, first = match.picture_frames_equal, match.first_picture
    if match.pictures == "not-shown":
        if equal is not None or first is not None:
            yield "Pictures are not shown by both, yet something is said of them."
        return
    all_frames = match.frames_at(match.picture_shift_frames)
    is_equal = match.pictures == "equal"
    if is_equal != (first is None) or equal is None or equal > all_frames or is_equal != (equal == all_frames):
        yield "Whether the pictures are equal is not what their first difference says."


def _close(first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        return first is second
    return math.isclose(first, second, rel_tol=1e-9, abs_tol=1e-12)
