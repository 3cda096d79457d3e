"""The planted cases of suites."""

from __future__ import annotations

from typing import Any

CLAIM = {"kind": "exact", "subject": "mine", "suite": "opcodes"}
WAIVER = {
    "reason": "The opcode is known to be wrong.", "settled_by": "A test on a console.", "expires": "2026-12-31",
    "cases": ["b*"],
}  # fmt: skip


def case(
    name: str,
    why: str,
    verdict: str,
    results: dict[str, str] | list[tuple[str, str]],
    *,
    expected: list[str] | None = None,
    **changes: Any,
) -> dict[str, Any]:
    pairs = list(results.items()) if isinstance(results, dict) else results
    run = {
        "id": "opcodes.mine", "suite": changes.pop("suite", "opcodes"), "title": "Opcodes", "oracle": "A table.",
        "subject": changes.pop("subject", "mine"), "expected": [c for c, _ in pairs] if expected is None else expected,
        "cases": [{"id": c, "outcome": o} for c, o in pairs], "problem": changes.pop("problem", None),
    }  # fmt: skip
    if "cannot_run" in changes:
        run["cannot_run"] = [{"id": c, "lacks": ["peek"]} for c in changes.pop("cannot_run")]
    found: dict[str, Any] = {"id": f"suites/{name}", "why": why, "verdict": verdict}
    if "on" in changes:
        found["on"] = changes.pop("on")
    measurement = changes.pop("measurement", {"kind": "suite", "run": "opcodes.mine"})
    return {**found, "claim": {**CLAIM, **changes}, "measurement": measurement, "suites": [run]}


def suite_cases() -> list[dict[str, Any]]:
    """Every case, in order."""
    fine = {"a1": "passed", "a2": "passed", "b1": "passed"}
    ratio = {"kind": "unavailable", "missing": "roms:opcodes", "reason": "The ROMs are not here.", "remedy": None}
    return [
        case("all-passed", "Three expected, three passed.", "PASS", fine),
        case("one-failed", "One of three failed.", "FAIL", {**fine, "a2": "failed"}),
        case("zero-cases", "Nothing was expected: zero cases prove nothing.", "NOT_MEASURED", {}),
        case("glob-without-cases", "The claim names cases that nobody expected.", "NOT_MEASURED", fine, cases="c*"),
        case("outside-the-glob", "A case that the claim does not name failed.", "PASS", {**fine, "b1": "failed"},
             cases="a*"),
        case("missing-case", "One expected case left no result.", "ERROR", {"a1": "passed", "b1": "passed"},
             expected=["a1", "a2", "b1"]),
        case("skipped-case", "A skipped case is not a passed one.", "NOT_MEASURED", {**fine, "a2": "skipped"}),
        case("all-skipped", "Nothing but skipped cases.", "NOT_MEASURED", {"a1": "skipped", "a2": "skipped"}),
        case("cannot-run", "Two passed, and the third cannot be asked of this subject: the promise is about three.",
             "INCONCLUSIVE", {"a1": "passed", "a2": "passed"}, cannot_run=["b1"]),
        case("cannot-run-beside-failed", "What was asked and failed is not excused by what cannot be asked.", "FAIL",
             {"a1": "passed", "a2": "failed"}, cannot_run=["b1"]),
        case("cannot-run-outside-the-glob", "What cannot be asked is none of the claim's cases.", "PASS",
             {"a1": "passed", "a2": "passed"}, cannot_run=["b1"], cases="a*"),
        case("cannot-run-at-all", "Nothing of the claim can be asked, and zero cases prove nothing.", "NOT_MEASURED",
             {}, cannot_run=["a1", "b1"]),
        case("cannot-run-yet-passed", "A case passed that, it is said, cannot be asked.", "ERROR",
             {"a1": "passed", "b1": "passed"}, cannot_run=["b1"]),
        case("broken-case", "One case broke before it had a verdict.", "ERROR", {**fine, "a2": "error"}),
        case("failed-beside-broken", "What failed is not excused by what broke.", "FAIL",
             {"a1": "failed", "a2": "error", "b1": "skipped"}),
        case("broken-beside-skipped", "What broke is worse than what was skipped.", "ERROR",
             {"a1": "error", "a2": "skipped"}),
        case("reported-twice", "One case is reported twice.", "ERROR", [*fine.items(), ("a1", "passed")],
             expected=["a1", "a2", "b1"]),
        case("never-asked-for", "A case passed that nobody expected.", "ERROR", {**fine, "zz": "passed"},
             expected=["a1", "a2", "b1"]),
        case("run-broke", "All results are there, and yet the run ended badly.", "ERROR", fine, problem="pytest died"),
        case("other-suite", "The run is of another suite.", "ERROR", fine, suite="pictures"),
        case("other-subject", "The run is of another subject.", "ERROR", {**fine}, measurement={
            "kind": "suite", "run": "opcodes.mine"}, subject="theirs"),
        case("no-such-run", "The measurement names a run that is not there.", "ERROR", fine,
             measurement={"kind": "suite", "run": "elsewhere"}),
        case("not-here", "What it needs is not on this machine.", "NOT_APPLICABLE", {}, measurement=ratio),
        case("measuring-broke", "The subject died.", "ERROR", {},
             measurement={"kind": "failed", "stage": "Suite", "reason": "The subject died."}),
        case("never-measured", "There was no time for it.", "NOT_MEASURED", {},
             measurement={"kind": "none", "reason": "No time was left."}),
        case("no-measurement", "There is no measurement at all.", "NOT_MEASURED", fine, measurement=None),
        case("other-kind", "Figures say nothing about a suite.", "ERROR", fine,
             measurement={"kind": "figures", "of": "memory", "subject": "mine", "rows": []}),
        case("waiver-holds", "Only a case that the waiver names failed.", "WAIVED", {**fine, "b1": "failed"},
             waiver=WAIVER),
        case("waiver-last-day", "A waiver holds on its last day.", "WAIVED", {**fine, "b1": "failed"},
             waiver=WAIVER, on="2026-12-31"),
        case("waiver-expired", "The day after, it does not.", "FAIL", {**fine, "b1": "failed"},
             waiver=WAIVER, on="2027-01-01"),
        case("waiver-of-another-case", "A case failed that the waiver does not name.", "FAIL",
             {**fine, "a2": "failed", "b1": "failed"}, waiver=WAIVER),
        case("waiver-covers-no-break", "A waiver lets failures through, not what broke.", "ERROR",
             {**fine, "b1": "error"}, waiver=WAIVER),
    ]  # fmt: skip
