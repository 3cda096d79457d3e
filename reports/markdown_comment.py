"""Markdown for a pull-request comment or a job summary: short, and inert whatever the evidence says."""

from __future__ import annotations

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.conformance import conformances, list_title
from nesproof.reports.format import Material
from nesproof.reports.markdown_comparisons import comparison_lines
from nesproof.reports.markdown_faults import fault_lines
from nesproof.reports.markdown_text import code, escaped
from nesproof.reports.views.claims import ClaimRow, claim_rows
from nesproof.reports.views.comparisons import comparison_rows, comparison_tables
from nesproof.reports.views.falsification import matrix
from nesproof.reports.views.headline import Headline, headline
from nesproof.reports.views.suites import SuiteSection, suite_sections
from nesproof.reports.wording import listed_counts

__all__ = ["MarkdownComment", "code", "escaped"]

LARGEST_CHARACTERS = 60_000
"""GitHub refuses a comment above 65,536 characters."""
_CLAIMS_SHOWN = 100
_DETAILS_SHOWN = 20
_CASES_SHOWN = 20
_CELL = 160

_SIGNS = {
    "PASS": "✅",
    "FAIL": "❌",
    "ERROR": "💥",
    "NOT_MEASURED": "⭕",
    "INCONCLUSIVE": "❔",
    "WAIVED": "🏳️",
    "NOT_APPLICABLE": "➖",
    "NOT_SELECTED": "▫️",
}


class MarkdownComment:
    """The run as `report.md`."""

    file_name = "report.md"

    def render(self, material: Material) -> bytes:
        """The Markdown document, UTF-8, small enough for a comment on GitHub."""
        evidence = material.evidence
        rows, suites = claim_rows(evidence), suite_sections(evidence)
        top = headline(evidence, material.bundle_id)
        lines = [*_headline(evidence, top), *_claims(rows), *_details(rows), *_suites(suites), *_failing(suites)]
        lines += comparison_lines(comparison_tables(comparison_rows(evidence)))
        lines += fault_lines(matrix(evidence))
        end = "\n\n" + _foot(evidence, top) + "\n"
        note = "\n\n_The rest is left out for size; the evidence holds all of it._"
        return (_bounded(lines, LARGEST_CHARACTERS - len(end) - len(note), note) + end).encode()


def _bounded(lines: list[str], room: int, note: str) -> str:
    """The lines, joined, as far as whole lines fit; a fold that was opened is closed."""
    kept: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            is_folded = kept.count("<details>") > kept.count("</details>")
            return "\n".join(kept) + ("\n\n</details>" if is_folded else "") + note
        kept.append(line)
    return "\n".join(kept)


def _headline(evidence: Evidence, top: Headline) -> list[str]:
    lines = [
        f"## nesproof: {top.title.lower() if top.title.startswith('A ') else top.title}",
        "",
        f"**Exit code {top.exit_code}.** {top.meaning}",
        "",
        f"{top.claims} claims, {top.selected} selected: {listed_counts(evidence.counts(), top.unproven)}.",
    ]
    if top.falsification is not None:
        lines += ["", f"**Planted faults:** {escaped(top.falsification)}."]
    lines += _mustpass(evidence)
    if top.is_interrupted:
        lines += ["", "**Interrupted**: what had not been measured by then reads “not measured”."]
    if top.fixture is not None:
        lines += ["", f"**Fixture**: nothing of this was measured; it was made up: {escaped(top.fixture)}"]
    if top.is_dirty:
        lines += ["", "**Uncommitted changes**: this evidence is diagnostic and cannot be published."]
    return lines


def _mustpass(evidence: Evidence) -> list[str]:
    if evidence.mustpass is None:
        return []
    title, sha256 = escaped(list_title(evidence.mustpass), _CELL), evidence.mustpass.sha256[:12]
    counted = conformances(evidence)
    shown = "; ".join(f"{escaped(c.subject, _CELL)} {escaped(c.in_short(), _CELL)}" for c in counted)
    return [
        "",
        f"**{title}** (list {escaped(evidence.mustpass.name, _CELL)}, hash {sha256}): {shown or 'no case run'}.",
    ]


def _claims(rows: tuple[ClaimRow, ...]) -> list[str]:
    if not rows:
        return ["", "No claims."]
    lines = ["", "| verdict | claim | claimed | measured |", "|---|---|---|---|"]
    for row in rows[:_CLAIMS_SHOWN]:
        cells = (
            f"{_SIGNS[row.verdict]} {row.verdict_word}",
            f"{escaped(row.sentence, _CELL)} ({escaped(row.id, _CELL)})",
            escaped(row.claimed, _CELL),
            escaped(row.measured, _CELL),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return lines + _more(len(rows) - _CLAIMS_SHOWN, "claims")


def _details(rows: tuple[ClaimRow, ...]) -> list[str]:
    unsettled = [row for row in rows if row.verdict not in {"PASS", "NOT_SELECTED"}]
    if not unsettled:
        return []
    lines = ["", "<details>", "<summary>Why, and how to measure again</summary>", ""]
    for row in unsettled[:_DETAILS_SHOWN]:
        lines.append(f"- **{escaped(row.id)}** ({row.verdict_word}): {escaped(row.reason)}")
        lines += [f"  - caveat: {escaped(row.caveat)}"] if row.caveat is not None else []
        lines += [f"  - remedy: {code(row.remedy)}"] if row.remedy is not None else []
        lines.append(f"  - re-run: {code(row.rerun)}")
    return [*lines, *_more(len(unsettled) - _DETAILS_SHOWN, "claims"), "", "</details>"]


def _suites(suites: tuple[SuiteSection, ...]) -> list[str]:
    if not suites:
        return []
    words = [word for _, word, _ in suites[0].counts]
    lines = ["", f"| suite | subject | {' | '.join(words)} | time |", "|---|---|" + "---:|" * (len(words) + 1)]
    for suite in suites[:_CLAIMS_SHOWN]:
        counts = " | ".join(str(count) for _, _, count in suite.counts)
        lines.append(
            f"| {escaped(suite.title, _CELL)} | {escaped(suite.subject, _CELL)} | {counts} | {suite.duration} |"
        )
    return lines + _more(len(suites) - _CLAIMS_SHOWN, "suites")


def _failing(suites: tuple[SuiteSection, ...]) -> list[str]:
    problems = [
        f"- **{escaped(s.suite)}**, the run itself: {escaped(s.problem)}" for s in suites if s.problem is not None
    ]
    cases = [
        f"- **{escaped(s.suite)}** {escaped(c.id)} ({c.word}): {escaped(c.message)}"
        for s in suites
        for c in s.attention
    ]
    left_out = len(cases) - _CASES_SHOWN + sum(s.left_out for s in suites)
    if not problems and not cases:
        return []
    lines = ["", "<details>", f"<summary>Cases that did not pass ({len(cases)})</summary>", "", *problems]
    return [*lines, *cases[:_CASES_SHOWN], *_more(left_out, "cases"), "", "</details>"]


def _more(count: int, what: str) -> list[str]:
    return ["", f"_And {count} more {what}._"] if count > 0 else []


def _foot(evidence: Evidence, top: Headline) -> str:
    commit = "not recorded" if top.commit is None else top.commit[:12]
    bundle = "not recorded" if top.bundle_id is None else top.bundle_id
    return (
        f"<sub>nesproof {escaped(top.version)}, commit {escaped(commit)}, profile {escaped(top.profile)}, "
        f"{top.created}, took {top.duration}, on {escaped(evidence.machine.cpu_model)}. "
        f"Bundle {escaped(bundle)}.</sub>"
    )
