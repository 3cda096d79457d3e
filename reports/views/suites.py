"""Suite runs as sections: what needs attention first, what passed after it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.model import CaseResult, SuiteRun
from nesproof.reports.figures import duration, number
from nesproof.reports.plain_text import shortened
from nesproof.reports.views.bar import Segment, segments

__all__ = ["CASES_SHOWN", "OUTCOME_WORDS", "CaseRow", "SuiteSection", "case_counts", "missing_cases", "suite_sections"]

CASES_SHOWN = 2_000
"""How many cases of one suite a page lists; evidence may hold more."""
MESSAGE_SHOWN = 4_000
_LATER_MESSAGE_SHOWN = 400
_FULL_MESSAGES = 40

OUTCOME_WORDS: dict[str, tuple[str, str]] = {
    "failed": ("FAIL", "failed"),
    "error": ("ERROR", "error"),
    "missing": ("NOT_MEASURED", "no result"),
    "skipped": ("NOT_APPLICABLE", "skipped"),
    "passed": ("PASS", "passed"),
}
"""Outcome to the shape that marks it and the word for it, most urgent first."""


@dataclass(frozen=True)
class CaseRow:
    """One case of a suite."""

    id: str
    mark: str
    word: str
    message: str
    details: tuple[tuple[str, str], ...]
    duration: str
    frame: str | None


@dataclass(frozen=True)
class SuiteSection:
    """One suite run."""

    anchor: str
    suite: str
    title: str
    subject: str
    oracle: str
    problem: str | None
    duration: str
    expected: int
    passed: int
    counts: tuple[tuple[str, str, int], ...]
    """(shape, word, how many) for every outcome, zeros too."""
    bar: tuple[Segment, ...]
    attention: tuple[CaseRow, ...]
    """Cases that did not pass, most urgent first; an expected case without a result is one."""
    passing: tuple[CaseRow, ...]
    left_out: int
    is_clean: bool


def missing_cases(run: SuiteRun) -> tuple[str, ...]:
    """Ids of expected cases that have no result."""
    with_result = {case.id for case in run.cases}
    return tuple(case_id for case_id in run.expected if case_id not in with_result)


def case_counts(run: SuiteRun) -> dict[str, int]:
    """How many cases had which outcome; "missing" are expected cases without a result."""
    seen = Counter[str](case.outcome for case in run.cases)
    seen["missing"] = len(missing_cases(run))
    return {outcome: seen[outcome] for outcome in OUTCOME_WORDS}


def suite_sections(evidence: Evidence) -> tuple[SuiteSection, ...]:
    """Every suite run in which a case was expected, those with something to look at first."""
    asked = [run for run in evidence.suites if run.expected or run.cases or run.problem is not None]
    sections = [_section(n, run) for n, run in enumerate(asked, start=1)]
    return tuple(sorted(sections, key=lambda section: section.is_clean))


def _section(index: int, run: SuiteRun) -> SuiteSection:
    counts = case_counts(run)
    results: list[CaseResult | str] = [*run.cases, *missing_cases(run)]
    order = list(OUTCOME_WORDS)
    attention = sorted((c for c in results if _outcome(c) != "passed"), key=lambda c: order.index(_outcome(c)))
    passing = [c for c in results if _outcome(c) == "passed"]
    shown = attention[:CASES_SHOWN]
    passing_shown = passing[: max(0, CASES_SHOWN - len(shown))]
    return SuiteSection(
        anchor=f"suite-{index}",
        suite=run.suite,
        title=run.title,
        subject=run.subject,
        oracle=run.oracle,
        problem=run.problem,
        duration=duration(run.duration_s),
        expected=len(run.expected),
        passed=counts["passed"],
        counts=tuple((mark, word, counts[outcome]) for outcome, (mark, word) in OUTCOME_WORDS.items()),
        bar=segments([(OUTCOME_WORDS[o][0], counts[o]) for o in ("passed", "skipped", "missing", "error", "failed")]),
        attention=tuple(
            _row(c, MESSAGE_SHOWN if n < _FULL_MESSAGES else _LATER_MESSAGE_SHOWN) for n, c in enumerate(shown)
        ),
        passing=tuple(_row(c, _LATER_MESSAGE_SHOWN) for c in passing_shown),
        left_out=len(results) - len(shown) - len(passing_shown),
        is_clean=not attention and run.problem is None,
    )


def _outcome(case: CaseResult | str) -> str:
    return "missing" if isinstance(case, str) else case.outcome


def _row(case: CaseResult | str, message_limit: int) -> CaseRow:
    """One row; a bare id is an expected case without a result."""
    mark, word = OUTCOME_WORDS[_outcome(case)]
    if isinstance(case, str):
        return CaseRow(case, mark, word, "Expected, but it never reported.", (), "", None)
    return CaseRow(
        id=case.id,
        mark=mark,
        word=word,
        message=shortened(case.message, message_limit),
        details=tuple((name, shortened(_figure(value), message_limit)) for name, value in case.details.items()),
        duration=duration(case.duration_s),
        frame=case.frame,
    )


def _figure(value: int | float | str | bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < 10**18 else f"{value:#x}"
    return number(value) if isinstance(value, float) else value
