"""The words for verdicts, exit codes and absence, shared by every format."""

from __future__ import annotations

from nesproof.harness.claims import ExitCode, Verdict

__all__ = [
    "ABSENT",
    "BY_URGENCY",
    "COMPARED_MEANING",
    "EXIT_MARK",
    "EXIT_MEANING",
    "STRICT_MEANING",
    "VERDICT_MEANING",
    "VERDICT_WORDS",
    "listed_counts",
]

ABSENT = "not measured"
"""What is printed wherever the evidence holds nothing."""

BY_URGENCY: tuple[Verdict, ...] = (
    Verdict.FAIL,
    Verdict.ERROR,
    Verdict.NOT_MEASURED,
    Verdict.INCONCLUSIVE,
    Verdict.WAIVED,
    Verdict.PASS,
    Verdict.NOT_APPLICABLE,
    Verdict.NOT_SELECTED,
)
"""Every verdict, in the order in which a reader wants to see the claims."""

VERDICT_WORDS: dict[Verdict, str] = {
    Verdict.PASS: "pass",
    Verdict.FAIL: "fail",
    Verdict.INCONCLUSIVE: "inconclusive",
    Verdict.NOT_APPLICABLE: "not applicable",
    Verdict.NOT_MEASURED: "not measured",
    Verdict.WAIVED: "waived",
    Verdict.ERROR: "error",
    Verdict.NOT_SELECTED: "not selected",
}

VERDICT_MEANING: dict[Verdict, str] = {
    Verdict.PASS: "Measured, and the promise holds.",
    Verdict.FAIL: "Measured, and the promise does not hold.",
    Verdict.INCONCLUSIVE: "Measured, but noise or sample size allow neither answer.",
    Verdict.NOT_APPLICABLE: "Something that the claim requires is not on this machine.",
    Verdict.NOT_MEASURED: "Selected, but no measurement came about.",
    Verdict.WAIVED: "Would fail, and a waiver with reason and expiry covers it.",
    Verdict.ERROR: "The measurement itself broke.",
    Verdict.NOT_SELECTED: "Outside the set that this run selected.",
}

EXIT_MEANING: dict[ExitCode, tuple[str, str]] = {
    ExitCode.OK: ("Every claim that was measured holds", "At least one claim passed, and nothing worse happened."),
    ExitCode.FAIL: ("A claim does not hold", "At least one claim was measured and failed."),
    ExitCode.USAGE: ("The run was not set up correctly", "A usage or configuration fault stopped the run."),
    ExitCode.INCONCLUSIVE: (
        "No claim failed, but one stays open",
        "At least one claim was measured without a clear answer, and nothing worse happened.",
    ),
    ExitCode.FALSIFIER_SURVIVED: (
        "A check did not notice a planted fault",
        "A fault was switched on, and a claim that names it did not fail.",
    ),
    ExitCode.ERROR: ("A measurement broke", "At least one measurement ended in an error, and no claim failed."),
    ExitCode.NOT_MEASURED: (
        "Not everything was measured",
        "A selected claim was not measured, or nothing was measured at all.",
    ),
    ExitCode.INTERRUPTED: ("The run was interrupted", "What had been measured until then was kept."),
}
"""Exit code to headline and meaning."""

COMPARED_MEANING: dict[ExitCode, tuple[str, str]] = {
    **EXIT_MEANING,
    ExitCode.OK: ("All that was compared plays alike", "What both show is the same, and so far as asked for, timed."),
    ExitCode.FAIL: (
        "Subjects play differently",
        "At least one pair does not show the same on the same input, or its timed frames are not the right ones.",
    ),
    ExitCode.INCONCLUSIVE: (
        "They play alike, but the noise hides how fast",
        "At least one ratio has no narrow interval, and nothing worse happened.",
    ),
    ExitCode.ERROR: ("A subject broke", "A subject died, hung or answered nonsense while it was compared."),
    ExitCode.NOT_MEASURED: ("Not everything was compared", "A comparison did not come about."),
}
"""Exit code to headline and meaning where subjects were compared and no claim was selected."""

STRICT_MEANING = (
    "A claim is unproven, and this run is strict",
    "No claim was measured and failed; a strict run fails where no planted fault is named that a claim must catch.",
)
"""Headline and meaning of exit code 1 where no claim failed."""

EXIT_MARK: dict[ExitCode, Verdict] = {
    ExitCode.OK: Verdict.PASS,
    ExitCode.FAIL: Verdict.FAIL,
    ExitCode.USAGE: Verdict.ERROR,
    ExitCode.INCONCLUSIVE: Verdict.INCONCLUSIVE,
    ExitCode.FALSIFIER_SURVIVED: Verdict.FAIL,
    ExitCode.ERROR: Verdict.ERROR,
    ExitCode.NOT_MEASURED: Verdict.NOT_MEASURED,
    ExitCode.INTERRUPTED: Verdict.NOT_MEASURED,
}
"""Exit code to the verdict whose shape and colour stand for it."""


def listed_counts(counts: dict[Verdict, int], unproven: int) -> str:
    """All counts in one line, zeros too: "3 pass, 1 fail, …; 2 unproven"."""
    listed = ", ".join(f"{counts[v]} {VERDICT_WORDS[v]}" for v in Verdict)
    return f"{listed}; {unproven} unproven"
