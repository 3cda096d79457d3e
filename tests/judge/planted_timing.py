"""The planted cases of threshold claims on speed."""

from __future__ import annotations

import math
from typing import Any

from planted_times import ENDS, PEER_ENDS, SEED, STATE, arm, burst, noise

CALM = {"load_average_1min": 0.1, "other_cpu_share": 0.01, "steal_share": 0.0, "waited_s": 1.0, "busy": False}
BUSY = {**CALM, "load_average_1min": 3.0, "other_cpu_share": 0.6, "waited_s": 30.0, "busy": True}
CLAIM = {
    "kind": "ratio", "subject": "mine", "baseline": "theirs", "workload": "play@1", "metric": "frames_per_second",
    "at_least": 2.0,
}  # fmt: skip
TWICE = -math.log(2.0)
"""ln of the ratio of times of a candidate that is exactly twice as fast."""


def case(
    name: str, why: str, verdict: str, blocks: dict[str, Any], *, claim: dict[str, Any] | None = None, **changes: Any
) -> dict[str, Any]:
    on = changes.pop("on", None)
    measurement = {
        "kind": "ratio", "workload": "play@1", "candidate": "mine", "baseline": "theirs", "order_seed": SEED,
        "comparisons": 1, "expected": STATE, "load": CALM, "digest_from": ["candidate", "baseline"], **changes,
    }  # fmt: skip
    found: dict[str, Any] = {"id": f"timing/{name}", "why": why, "verdict": verdict}
    if on is not None:
        found["on"] = on
    return {**found, "claim": claim or CLAIM, "measurement": measurement, "arms": {"samples": blocks}}


def at(name: str, ratio: float, blocks: int, **further: Any) -> dict[str, Any]:
    """Blocks of a candidate that is `ratio` times as fast."""
    return arm(name, blocks, slower=-math.log(ratio), base_ms=260.0, **further)


def stray(side_block: int, position: int, **sample: Any) -> dict[str, Any]:
    return {"block": side_block, "position": position, "run": 2, "sample": sample}


def position_of(blocks: dict[str, Any], block: int, letter: str) -> int:
    return int(blocks["blocks"][block]["order"].index(letter))


def with_stray(blocks: dict[str, Any], letter: str, **sample: Any) -> dict[str, Any]:
    return {**blocks, "exceptions": [stray(6, position_of(blocks, 6, letter), **sample)]}


def edited(blocks: dict[str, Any], edit: Any) -> dict[str, Any]:
    """The same blocks, each as `edit(number, block)` has it; None leaves the block out."""
    kept = [edit(number, block) for number, block in enumerate(blocks["blocks"])]
    return {**blocks, "blocks": [block for block in kept if block is not None]}


def copied(blocks: dict[str, Any], source: tuple[int, int], target: tuple[int, int]) -> dict[str, Any]:
    """One process's times again as another's, in another order of its runs."""
    times = [list(block["elapsed_ns"]) for block in blocks["blocks"]]
    row = times[source[0]][source[1]]
    times[target[0]][target[1]] = row[1:] + row[:1]
    return edited(blocks, lambda number, block: {**block, "elapsed_ns": times[number]})


def hiccup(number: int, block: dict[str, Any]) -> dict[str, Any]:
    """One run of every process of the candidate takes ten times as long; its shortest run stays."""
    rows = []
    for letter, runs in zip(block["order"], block["elapsed_ns"], strict=True):
        longest = max(range(5), key=lambda i: runs[i])
        rows.append([r * 10 if letter == "B" and i == longest else r for i, r in enumerate(runs)])
    return {**block, "elapsed_ns": rows}


def first_process_short_of_a_run(number: int, block: dict[str, Any]) -> dict[str, Any]:
    rows = block["elapsed_ns"]
    return {**block, "elapsed_ns": [rows[0][:-1], *rows[1:]]} if number == 3 else block


def one_process_short(number: int, block: dict[str, Any]) -> dict[str, Any]:
    return {"order": block["order"][:3], "elapsed_ns": block["elapsed_ns"][:3]} if number == 4 else block


def one_after_the_other(number: int, block: dict[str, Any]) -> dict[str, Any]:
    return {**block, "order": "AABB"} if number == 5 else block


def swapped(number: int, block: dict[str, Any]) -> dict[str, Any]:
    return {**block, "order": block["order"].translate(str.maketrans("AB", "BA"))}


DRAWN = {**STATE, "pictures": [{"lane": 0, "picture": "0f" * 8}], "first_pictures": ["01" * 8, "02" * 8, "03" * 8]}
SHOWN = {**STATE, "picture": "0f" * 8, "spot": {"frames": 2, "picture": "02" * 8}}


def picture_cases(above: dict[str, Any]) -> list[dict[str, Any]]:
    """What was drawn is held against the reference as well."""
    right = {**above, "ends": {"A": SHOWN, "B": SHOWN}}
    never_drew = {**above, "ends": {"A": SHOWN, "B": STATE}}
    stale = {**SHOWN, "spot": {"frames": 2, "picture": "0f" * 8}}
    other = [{"lane": 0, "picture": "ff" * 8}]
    return [
        case("pictures-right", "Both sides show what the reference shows.", "PASS", right, expected=DRAWN),
        case("candidate-wrong-picture", "One run of the candidate ends on another picture.", "FAIL",
             with_stray(right, "B", pictures=other), expected=DRAWN),
        case("candidate-stale-picture", "The candidate shows its last picture on the way, too.", "FAIL",
             {**above, "ends": {"A": SHOWN, "B": stale}}, expected=DRAWN),
        case("candidate-never-drew", "The candidate shows no picture at all.", "FAIL", never_drew, expected=DRAWN),
        case("baseline-wrong-picture", "One run of the baseline ends on another picture.", "ERROR",
             with_stray(right, "A", pictures=other), expected=DRAWN),
    ]  # fmt: skip


def timing_cases() -> list[dict[str, Any]]:
    """Every case, in order."""
    above, below = at("above", 2.2, 10), at("below", 1.8, 10)
    waiver = {"reason": "A known slowdown of the disk.", "settled_by": "A faster disk.", "expires": "2026-12-31"}
    waived = {**CLAIM, "waiver": {**waiver, "within": 1.7}}
    most = {k: v for k, v in CLAIM.items() if k != "at_least"}
    drift = at("drift", 2.1, 10, wobble=lambda rng, process: noise(0.005)(rng, process) + 0.01 * process)
    return [
        case("clearly-above", "2.2 times where at least 2 is promised.", "PASS", above),
        case("clearly-below", "1.8 times where at least 2 is promised.", "FAIL", below),
        case("at-most-kept", "1.8 times where at most 2 is promised.", "PASS", below, claim={**most, "at_most": 2.0}),
        case("at-most-broken", "2.2 times where at most 2 is promised.", "FAIL", above, claim={**most, "at_most": 2.0}),
        case(
            "noise-on-the-threshold", "Twice as fast, as promised, with noise of 8 %: no answer after 48 blocks.",
            "INCONCLUSIVE", at("noise", 2.0, 48, wobble=noise(0.08)),
        ),
        case(
            "bursts", "1 % above what is promised, every fourth process slowed by half: no answer after 48 blocks.",
            "INCONCLUSIVE", at("bursts", 2.02, 48, wobble=burst(0.02, range(1, 192, 4), 0.5)),
        ),
        case("drift", "Each process 1 % slower than the last; blocks of ABBA and BAAB cancel it.", "PASS", drift),
        case(
            "one-slow-run", "A process's figure is its shortest run, so one slow run of each changes nothing.",
            "PASS", edited(above, hiccup),
        ),
        case(
            "too-few-blocks", "Seven blocks within the budget: the first look is after ten.",
            "NOT_MEASURED", at("few", 2.2, 7), budget_exhausted=True,
        ),
        case("no-block", "Nothing was timed.", "NOT_MEASURED", at("none", 2.2, 0), budget_exhausted=True),
        case(
            "interrupted", "Stopped by a person between two looks, without an answer.",
            "INCONCLUSIVE", at("interrupted", 2.0, 13, wobble=noise(0.08)), interrupted=True,
        ),
        case(
            "stopped-between-looks", "Thirteen blocks, and nothing ended early: somebody chose to stop.",
            "ERROR", at("interrupted", 2.0, 13, wobble=noise(0.08)),
        ),
        case(
            "going-on-after-the-answer", "The answer was in after ten blocks, yet sixteen were timed.",
            "ERROR", at("going-on", 2.2, 16),
        ),
        case(
            "five-claims-accusation", "One of five claims: ten blocks cannot reach a fifth of alpha.",
            "INCONCLUSIVE", below, comparisons=5,
        ),
        case("five-claims-later-look", "One of five claims: the look after sixteen can accuse.", "FAIL",
             at("five", 1.8, 16), comparisons=5),
        case("five-claims-kept", "One of five claims: a promise kept is not adjusted.", "PASS", above, comparisons=5),
        case("candidate-wrong-digest", "Fast, but one run ends in another state.", "FAIL",
             with_stray(above, "B", digest="f" * 16)),
        case("candidate-without-digest", "It says that it can give the digest, and one run has none.", "FAIL",
             with_stray(above, "B", digest=None)),
        case("candidate-wrong-ram", "One run ends with other RAM.", "FAIL",
             with_stray(above, "B", ram_sha256="c" * 64)),
        case("candidate-skips-a-frame", "One run ends a frame of the game's own counter early.", "FAIL",
             with_stray(above, "B", frame_counter=719)),
        case("baseline-wrong-digest", "What it is compared with ran other frames: nothing was compared.", "ERROR",
             with_stray(above, "A", digest="f" * 16)),
        case("wrong-and-busy", "A busy machine excuses no wrong frames.", "FAIL",
             with_stray(above, "B", digest="f" * 16), load=BUSY),
        case("weaker-check", "The baseline gives no digest; its RAM repeats, its counter is a frame off.", "PASS",
             {**above, "ends": PEER_ENDS}, digest_from=["candidate"]),
        case("weaker-check-ram-differs", "The baseline's RAM is another one in one run.", "ERROR",
             with_stray({**above, "ends": PEER_ENDS}, "A", ram_sha256="c" * 64), digest_from=["candidate"]),
        case("weaker-check-counter-strays", "The baseline's frame counter is three frames off.", "ERROR",
             with_stray({**above, "ends": PEER_ENDS}, "A", frame_counter=723), digest_from=["candidate"]),
        case("weaker-check-with-digest", "A side that declares no digest gave one.", "ERROR",
             {**above, "ends": ENDS}, digest_from=["candidate"]),
        *picture_cases(above),
        case("busy", "Other processes took 60 % of the machine.", "INCONCLUSIVE", above, load=BUSY),
        case("busy-below", "No accusation on a busy machine either.", "INCONCLUSIVE", below, load=BUSY),
        case("busy-overridden", "Somebody insisted; the verdict stands and is called diagnostic.", "PASS", above,
             load={**BUSY, "overridden": True}),
        case("short-window", "Runs of 13 ms are too short to be timed.", "INCONCLUSIVE",
             arm("short", 10, slower=TWICE - 0.1, base_ms=26.0)),
        case("stale-process", "A process's times are another one's, its runs in another order.", "ERROR",
             copied(above, (2, 1), (7, 1))),
        case("stale-block", "The last block is the first one again.", "ERROR",
             edited(above, lambda n, b: {**b, "elapsed_ns": above["blocks"][0]["elapsed_ns"]} if n == 9 else b)),
        case("sides-swapped", "The samples are labelled against the order that was drawn.", "ERROR",
             edited(above, swapped)),
        case("not-interleaved", "A block of AABB cancels no drift.", "ERROR", edited(above, one_after_the_other)),
        case("run-missing", "One process has a run less than the others.", "ERROR",
             edited(above, first_process_short_of_a_run)),
        case("process-missing", "One block has three processes.", "ERROR", edited(above, one_process_short)),
        case("four-runs", "Four runs a process are too few for a shortest one.", "ERROR",
             edited(above, lambda n, b: {**b, "elapsed_ns": [runs[:4] for runs in b["elapsed_ns"]]})),
        case("other-window", "One run of the candidate covers other frames.", "ERROR",
             with_stray(above, "B", frames=300)),
        case("other-workload", "The samples are of another workload than the claim's.", "ERROR", above,
             workload="idle@1"),
        case("other-subject", "The samples are of another subject than the claim's.", "ERROR", above,
             candidate="other"),
        case("other-options", "Four consoles were run where one is promised.", "ERROR", above,
             candidate_run={"num_envs": 4}),
        {**case("before-after-for-a-promise", "A before/after says nothing about a promised ratio.", "ERROR",
                at("same", 1, 10)),
         "measurement": {"kind": "change", "workload": "play@1", "subject": "mine", "baseline": "before",
                         "candidate": "after", "order_seed": SEED, "comparisons": 1, "delta": 0.03, "expected": STATE,
                         "load": CALM}},
        case("waiver-holds", "1.8 times; a waiver lets it through down to 1.7.", "WAIVED", below, claim=waived),
        case("waiver-last-day", "A waiver holds on its last day.", "WAIVED", below, claim=waived, on="2026-12-31"),
        case("waiver-expired", "The day after, it does not.", "FAIL", below, claim=waived, on="2027-01-01"),
        case("waiver-too-narrow", "The waiver reaches down to 1.9 only.", "FAIL", below,
             claim={**CLAIM, "waiver": {**waiver, "within": 1.9}}),
        case("waiver-no-digest", "No waiver covers frames that are not the right ones.", "FAIL",
             with_stray(below, "B", digest="f" * 16), claim=waived),
    ]  # fmt: skip
