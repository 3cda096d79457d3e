"""The planted cases of counted figures."""

from __future__ import annotations

from typing import Any

CLAIM = {
    "kind": "static",
    "subject": "mine",
    "metric": "registers",
    "at_most": 64,
    "where": {"arch": ["sm_80", "sm_90"]},
}
WAIVER = {
    "reason": "The compiler of the day takes more.", "settled_by": "The next compiler.", "expires": "2026-12-31",
    "within": 80,
}  # fmt: skip


def row(arch: Any, registers: float, **labels: Any) -> dict[str, Any]:
    return {"labels": {"arch": arch, **labels}, "figures": {"registers": registers}}


def case(name: str, why: str, verdict: str, rows: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"id": f"figures/{name}", "why": why, "verdict": verdict}
    if "on" in changes:
        found["on"] = changes.pop("on")
    measurement = {"kind": "figures", "of": changes.pop("of", "static"), "subject": changes.pop("measured", "mine"),
                   "rows": rows, "checks": changes.pop("checks", [])}  # fmt: skip
    claim = {**CLAIM, **changes}
    if "at_least" in changes:
        del claim["at_most"]
    return {**found, "claim": claim, "measurement": measurement}


def figure_cases() -> list[dict[str, Any]]:
    """Every case, in order."""
    fine = [row("sm_80", 60), row("sm_90", 48)]
    high = [row("sm_80", 72), row("sm_90", 48)]
    right = {"what": "the warm-up", "expected": "ab12", "found": "ab12"}
    ratio = {"over": {"schedule": "plain"}, "where": {"arch": "sm_90", "schedule": "sorted"}, "at_most": 0.5}
    return [
        case("within", "60 and 48 where at most 64 is promised.", "PASS", fine),
        case("exactly-on-it", "Exactly 64 is at most 64.", "PASS", [row("sm_80", 64), row("sm_90", 48)]),
        case("above", "Both are above.", "FAIL", [row("sm_80", 65), row("sm_90", 90)]),
        case("worst-row-decides", "One of two is above.", "FAIL", high),
        case("at-least-kept", "Both reach the 40 that are promised.", "PASS", fine, at_least=40),
        case("at-least-broken", "One does not reach 50.", "FAIL", fine, at_least=50),
        case("row-outside", "A row that the claim does not name is above.", "PASS", [*fine, row("sm_70", 200)]),
        case("row-missing", "One architecture is not in the table.", "NOT_MEASURED", fine[:1]),
        case("no-rows", "The table is empty.", "NOT_MEASURED", []),
        case("figure-missing", "A row lacks the figure.", "NOT_MEASURED",
             [fine[0], {"labels": {"arch": "sm_90"}, "figures": {"spills": 0}}]),
        case("true-is-not-one", "A label that is true is not the label 1.", "NOT_MEASURED",
             [row(True, 48)], where={"arch": 1}),
        case("other-kind", "The table was counted for another kind of claim.", "ERROR", fine, of="memory"),
        case("other-subject", "The table is another subject's.", "ERROR", fine, measured="theirs"),
        case("state-reached", "The counted run ended where it must.", "PASS", fine, checks=[right]),
        case("wrong-digest", "The counted run ended elsewhere: the figures are of other work.", "FAIL", fine,
             checks=[right, {**right, "found": "ff00"}]),
        case("over-kept", "20 to 48 is less than half.", "PASS",
             [row("sm_90", 20, schedule="sorted"), row("sm_90", 48, schedule="plain")], **ratio),
        case("over-broken", "30 to 48 is more than half.", "FAIL",
             [row("sm_90", 30, schedule="sorted"), row("sm_90", 48, schedule="plain")], **ratio),
        case("over-nothing", "The row to divide by is not there.", "NOT_MEASURED",
             [row("sm_90", 20, schedule="sorted")], **ratio),
        case("over-zero", "The row to divide by is 0.", "NOT_MEASURED",
             [row("sm_90", 20, schedule="sorted"), row("sm_90", 0, schedule="plain")], **ratio),
        case("waiver-holds", "72, and the waiver lets up to 80 through.", "WAIVED", high, waiver=WAIVER),
        case("waiver-expired", "The waiver ended yesterday.", "FAIL", high, waiver=WAIVER, on="2027-01-01"),
        case("waiver-too-narrow", "90 is beyond the waiver.", "FAIL", [row("sm_80", 90), row("sm_90", 48)],
             waiver=WAIVER),
    ]  # fmt: skip
