"""The planted cases of before/after."""

from __future__ import annotations

import math
from typing import Any

from planted_times import SEED, STATE, arm, burst, noise
from planted_timing import BUSY, CALM, copied, edited, one_after_the_other, swapped, with_stray

FIVE = math.log(1.05)


def case(
    name: str,
    why: str,
    verdict: str,
    ab: dict[str, Any],
    aa: dict[str, Any],
    fresh: dict[str, Any] | None = None,
    **changes: Any,
) -> dict[str, Any]:
    measurement = {
        "kind": "change", "workload": "play@1", "subject": "mine", "baseline": "before", "candidate": "after",
        "order_seed": SEED, "comparisons": 1, "delta": 0.03, "expected": STATE, "load": CALM, **changes,
    }  # fmt: skip
    arms = {"samples": ab, "aa_samples": aa}
    if fresh is not None:
        arms["confirmation_samples"] = fresh
    return {"id": f"changes/{name}", "why": why, "verdict": verdict, "measurement": measurement, "arms": arms}


def change_cases() -> list[dict[str, Any]]:
    """Every case, in order."""
    same, slow = arm("same", 10), arm("slow", 10, slower=FIVE)
    aa, fresh = arm("same", 16, of="aa"), arm("slow", 10, of="confirmation", slower=FIVE)
    wild = noise(0.12)
    wild_aa = arm("wild", 48, of="aa", wobble=wild)
    early = {"budget_exhausted": True}
    return [
        case("identical", "The same code twice.", "PASS", same, aa),
        case("five-percent-slower", "5 % slower, and fresh blocks confirm it.", "FAIL", slow, aa, fresh),
        case("five-percent-faster", "5 % faster.", "PASS", arm("fast", 10, slower=-FIVE), aa),
        case("one-percent-slower", "Slower, but by less than delta.", "PASS", arm("one", 10, slower=0.01), aa),
        case("policy-of-ten-percent", "5 % slower where delta is 10 %.", "PASS", slow, aa, delta=0.10),
        case("twice-as-slow", "Twice the time.", "FAIL", arm("twice", 10, slower=math.log(2.0)), aa,
             arm("twice", 10, of="confirmation", slower=math.log(2.0))),
        case("drift", "Each process 1 % slower than the last; blocks of ABBA and BAAB cancel it.", "PASS",
             arm("drift", 10, wobble=lambda rng, process: noise(0.005)(rng, process) + 0.01 * process), aa),
        case("slowed-neighbours", "5 % slower; two fresh processes were slowed by half.", "FAIL", slow, aa,
             arm("neighbours", 10, of="confirmation", slower=FIVE, wobble=burst(0.005, (9, 30), 0.5))),
        case("noise", "Noise of 12 % around 1.5 % beside a calm A/A arm: no answer.", "INCONCLUSIVE",
             arm("noise", 48, slower=0.015, wobble=wild), aa),
        case("high-floor-same", "The same code, calm by luck; the baseline differs from itself too much.",
             "INCONCLUSIVE", same, wild_aa),
        case("high-floor-slow", "5 % slower; the baseline differs from itself too much.", "INCONCLUSIVE", slow,
             wild_aa),
        case("noisy-slowdown", "5 % slower with noise of 12 %, and a floor above half of delta.", "INCONCLUSIVE",
             arm("noisy", 48, slower=FIVE, wobble=wild), wild_aa),
        case("unconfirmed", "5 % slower at first, but not on fresh blocks.", "INCONCLUSIVE", slow, aa,
             arm("unconfirmed", 10, of="confirmation", slower=-0.01)),
        case("confirmation-cut-short", "The time ran out after four fresh blocks.", "INCONCLUSIVE", slow, aa,
             arm("cut", 4, of="confirmation", slower=FIVE), **early),
        case("confirmation-left-out", "Slower, and nobody confirmed it, for no stated reason.", "ERROR", slow, aa),
        case("confirmation-for-nothing", "Not slower, and yet fresh blocks were timed.", "ERROR", same, aa,
             arm("nothing", 10, of="confirmation")),
        case("short-floor", "The time ran out before there were enough A/A blocks.", "INCONCLUSIVE", same,
             arm("short-floor", 11, of="aa"), **early),
        case("no-floor", "There is no A/A arm, for no stated reason.", "ERROR", same, arm("no-floor", 0, of="aa")),
        case("too-few-blocks", "Six blocks within the budget.", "NOT_MEASURED", arm("few", 6), arm("few", 7, of="aa"),
             **early),
        case("no-block", "Nothing was timed.", "NOT_MEASURED", arm("none", 0), arm("none", 0, of="aa"), **early),
        case("stopped-between-looks", "Twelve undecided blocks, and nothing is said to have ended early.", "ERROR",
             arm("between", 12, slower=0.015, wobble=wild), arm("between", 13, of="aa")),
        case("interrupted", "Stopped by a person between two looks, with a floor that is known.", "INCONCLUSIVE",
             arm("stopped", 18, slower=0.015, wobble=wild), aa, interrupted=True),
        case("going-on-after-the-answer", "The answer was in after ten blocks, yet sixteen were timed.", "ERROR",
             arm("going-on", 16), aa),
        case("five-claims-first-look", "One of five claims: ten blocks cannot accuse.", "INCONCLUSIVE", slow, aa,
             comparisons=5),
        case("five-claims-later-look", "One of five claims: the look after sixteen can.", "FAIL",
             arm("five", 16, slower=FIVE), aa, fresh, comparisons=5),
        case("five-claims-same", "One of five claims: a PASS is not adjusted.", "PASS", same, aa, comparisons=5),
        case("candidate-wrong-digest", "The candidate is fast because it ran other frames.", "FAIL",
             with_stray(arm("fast", 10, slower=-FIVE), "B", digest="f" * 16), aa),
        case("baseline-wrong-digest", "The baseline ran other frames: nothing was compared.", "ERROR",
             with_stray(same, "A", digest="f" * 16), aa),
        case("aa-wrong-digest", "The baseline ran other frames in the A/A arm.", "ERROR", same,
             with_stray(aa, "B", digest="f" * 16)),
        case("confirmation-wrong-digest", "The candidate ran other frames in the fresh blocks.", "FAIL", slow, aa,
             with_stray(fresh, "B", digest="f" * 16)),
        case("candidate-without-digest", "One run of the candidate gives no digest.", "FAIL",
             with_stray(same, "B", digest=None), aa),
        case("busy", "Other processes took 60 % of the machine.", "INCONCLUSIVE", same, aa, load=BUSY),
        case("busy-slower", "No accusation on a busy machine either.", "INCONCLUSIVE", slow, aa, fresh, load=BUSY),
        case("busy-overridden", "Somebody insisted; the verdict stands and is called diagnostic.", "PASS", same, aa,
             load={**BUSY, "overridden": True}),
        case("short-window", "Runs of 20 ms are too short to be timed.", "INCONCLUSIVE",
             arm("same", 10, base_ms=20.0), aa),
        case("short-window-aa", "The runs of the A/A arm are too short.", "INCONCLUSIVE", same,
             arm("same", 16, of="aa", base_ms=20.0)),
        case("stale-process", "A process's times are another one's, its runs in another order.", "ERROR",
             copied(same, (2, 1), (7, 1)), aa),
        case("stale-confirmation", "The fresh blocks are the first ones again.", "ERROR", slow, aa, edited(
            fresh, lambda n, b: {**b, "elapsed_ns": slow["blocks"][n]["elapsed_ns"]})),
        case("stale-floor", "The A/A arm repeats its own first blocks.", "ERROR", same, edited(
            aa, lambda n, b: {**b, "elapsed_ns": aa["blocks"][n % 8]["elapsed_ns"]})),
        case("sides-swapped", "The samples are labelled against the order that was drawn.", "ERROR",
             edited(slow, swapped), aa, fresh),
        case("not-interleaved", "A block of AABB cancels no drift.", "ERROR", edited(same, one_after_the_other), aa),
        case("other-window", "One run covers other frames.", "ERROR", with_stray(same, "B", frames=300), aa),
        case("four-runs", "Four runs a process are too few for a shortest one.", "ERROR", edited(
            same, lambda n, b: {**b, "elapsed_ns": [runs[:4] for runs in b["elapsed_ns"]]}), aa),
    ]  # fmt: skip
