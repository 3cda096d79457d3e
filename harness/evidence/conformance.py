"""How many of the must-pass cases a subject passed, counted from a document alone: pure, and nothing but counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from nesproof.harness.claims.waiver import Waiver
from nesproof.harness.evidence.model import ClaimRecord, Evidence, MustPassCase, MustPassRecord, SuiteRun

__all__ = [
    "CaseStanding",
    "CaseState",
    "Conformance",
    "conformance",
    "conformances",
    "conforming_subjects",
    "list_title",
]

CaseState = Literal["passed", "failed", "broken", "cannot-run", "not-run", "other-rom"]
"""How a subject stands with one case. "broken": it died, hung or answered nonsense; "cannot-run": it does not declare
what the case asks; "not-run": there is no result; "other-rom": what was played is not the program of the list."""

_WAIVABLE: frozenset[CaseState] = frozenset({"failed", "cannot-run", "not-run"})
_NAMED = 3


@dataclass(frozen=True)
class CaseStanding:
    """One case of the list. `said` is the first line of why it did not pass; `waiver` is what lets it through."""

    suite: str
    case: str
    state: CaseState
    said: str = ""
    waiver: Waiver | None = None

    @property
    def key(self) -> str:
        """`suite:case`."""
        return f"{self.suite}:{self.case}"

    @property
    def is_settled(self) -> bool:
        """True where it passed or is waived."""
        return self.state == "passed" or self.waiver is not None


@dataclass(frozen=True)
class Conformance:
    """One subject of one document against the list that the document names."""

    title: str
    subject: str
    version: str
    cases: tuple[CaseStanding, ...]

    @property
    def passed(self) -> int:
        """How many cases passed; nothing else counts as passed."""
        return sum(1 for case in self.cases if case.state == "passed")

    @property
    def waived(self) -> tuple[CaseStanding, ...]:
        """Those that did not pass and that a waiver lets through."""
        return tuple(case for case in self.cases if case.waiver is not None)

    @property
    def open(self) -> tuple[CaseStanding, ...]:
        """Those that neither passed nor are waived."""
        return tuple(case for case in self.cases if not case.is_settled)

    @property
    def conforms(self) -> bool:
        """True where every case of the list passed or is waived."""
        return bool(self.cases) and not self.open

    def counts(self) -> dict[CaseState, int]:
        """How many cases stand how, whether waived or not; every state is a key."""
        seen = Counter(case.state for case in self.cases)
        return {state: seen[state] for state in _WORDS}

    def in_short(self) -> str:
        """One line without the names of cases: "94 of 96; 1 waived, 1 failed"."""
        rest = [f"{len(self.waived)} waived"] if self.waived else []
        unsettled = Counter(case.state for case in self.open)
        rest += [f"{unsettled[state]} {word}" for state, word in _WORDS.items() if unsettled[state]]
        return f"{self.passed} of {len(self.cases)}" + (f"; {', '.join(rest)}" if rest else "")

    def sentence(self) -> str:
        """What may be said of the subject, its waivers and what it does not pass included."""
        parts = [f"{self.title}: {self.passed} of {len(self.cases)} on {self.subject} {self.version}".rstrip()]
        if self.waived:
            named = "; ".join(
                f"{case.key} until {case.waiver.expires}: {case.waiver.reason}" for case in self.waived if case.waiver
            )
            parts.append(f"{len(self.waived)} waived ({named})")
        for state, word in _WORDS.items():
            cases = [case.key for case in self.open if case.state == state]
            if cases:
                more = f" and {len(cases) - _NAMED} more" if len(cases) > _NAMED else ""
                parts.append(f"{len(cases)} {word} ({', '.join(cases[:_NAMED])}{more})")
        return ", ".join(parts) + "."


_WORDS: dict[CaseState, str] = {
    "passed": "passed",
    "failed": "failed",
    "broken": "broke",
    "cannot-run": "it cannot run",
    "not-run": "not run",
    "other-rom": "with another program than the list's",
}


def list_title(record: MustPassRecord) -> str:
    """The list's name for people."""
    return record.title or record.name


def conforming_subjects(evidence: Evidence) -> tuple[str, ...]:
    """The subjects that a case of the list was wanted of, in the order of the document."""
    if evidence.mustpass is None:
        return ()
    suites = {case.suite for case in evidence.mustpass.cases}
    listed = {(case.suite, case.case) for case in evidence.mustpass.cases}
    return tuple(
        dict.fromkeys(
            run.subject
            for run in evidence.suites
            if run.suite in suites and any((run.suite, case) in listed for case in _wanted(run))
        )
    )


def conformance(evidence: Evidence, subject: str) -> Conformance | None:
    """Count `subject` against the list that the document names; None where it names none."""
    if evidence.mustpass is None:
        return None
    runs = [run for run in evidence.suites if run.subject == subject]
    used = {rom.id: rom.sha256 for rom in evidence.roms}
    waivers = _waivers(evidence, subject)
    return Conformance(
        title=list_title(evidence.mustpass),
        subject=subject,
        version=evidence.version_of(subject),
        cases=tuple(_standing(case, runs, used, waivers) for case in evidence.mustpass.cases),
    )


def conformances(evidence: Evidence) -> tuple[Conformance, ...]:
    """Each of the `conforming_subjects` counted; none where the document names no list."""
    counted = (conformance(evidence, subject) for subject in conforming_subjects(evidence))
    return tuple(found for found in counted if found is not None)


def _wanted(run: SuiteRun) -> list[str]:
    return [*run.expected, *(left.id for left in run.cannot_run)]


def _waivers(evidence: Evidence, subject: str) -> list[ClaimRecord]:
    """The document's claims about the subject whose waiver held on the day of the run."""
    day = evidence.created_utc.date()
    return [
        record
        for record in evidence.claims
        if record.selected
        and record.claim.kind == "exact"
        and record.claim.subject == subject
        and record.claim.waiver is not None
        and day <= record.claim.waiver.expires
    ]


def _standing(
    case: MustPassCase, runs: Sequence[SuiteRun], used: Mapping[str, str], waivers: Sequence[ClaimRecord]
) -> CaseStanding:
    state, said = _state(case, runs)
    if state not in {"not-run", "cannot-run"} and any(used.get(rom) != sha256 for rom, sha256 in case.roms.items()):
        state, said = "other-rom", "The document does not name the list's program by its hash."
    waiver = None
    if state in _WAIVABLE:
        waiver = next((r.claim.waiver for r in waivers if _covers(r, case)), None)
    return CaseStanding(case.suite, case.case, state, said, waiver)


def _state(case: MustPassCase, runs: Sequence[SuiteRun]) -> tuple[CaseState, str]:
    runs = [run for run in runs if run.suite == case.suite]
    results = [(run, result) for run in runs for result in run.cases if result.id == case.case]
    if len(results) > 1:
        return "broken", "It has several results."
    if results:
        run, result = results[0]
        if result.id not in run.expected:
            return "broken", "It has a result without having been expected."
        if result.outcome == "passed":
            return "passed", ""
        if result.outcome == "skipped":
            return "not-run", _first_line(result.message)
        return ("failed" if result.outcome == "failed" else "broken"), _first_line(result.message)
    left = next((left for run in runs for left in run.cannot_run if left.id == case.case), None)
    if left is not None:
        return "cannot-run", f"It does not offer what the case wants: {', '.join(left.lacks)}."
    broke = next((run.problem for run in runs if case.case in run.expected and run.problem), None)
    return ("broken", _first_line(broke)) if broke is not None else ("not-run", "")


def _covers(record: ClaimRecord, case: MustPassCase) -> bool:
    claim, waiver = record.claim, record.claim.waiver
    return (
        waiver is not None
        and claim.suite == case.suite
        and fnmatchcase(case.case, claim.cases)
        and any(fnmatchcase(case.case, glob) for glob in waiver.cases)
    )


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")[:500]
