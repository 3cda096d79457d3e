"""What the page of a bisection shows: pure, from its document. It decides nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nesproof.harness.evidence.bisection import Bisection, BisectionStep
from nesproof.reports.figures import amount, counted, duration, moment
from nesproof.reports.plain_text import one_line, plain

__all__ = ["BisectionView", "CommitMark", "PathRow", "StepRow", "bisection_view"]

_MARKS = {"good": "PASS", "bad": "FAIL", "unknown": "INCONCLUSIVE", "skip": "NOT_MEASURED"}
_ROLES = {
    "good end": "proves the good end",
    "bad end": "proves the bad end",
    "probe": "narrows the search",
    "parent": "confirms: the parent, afresh",
    "culprit": "confirms: the culprit, afresh",
}
_BUILDS = {"made": "built now", "cached": "from the cache", "failed": "does not build", "none": "not needed"}
_WIDTH, _MARGIN, _ROW = 1000.0, 30.0, 26.0
_MOST_COMMITS_LISTED = 200


@dataclass(frozen=True)
class CommitMark:
    """A commit in the picture's first line; `mark` is None where it was not asked."""

    x: float
    title: str
    mark: str | None
    is_result: bool


@dataclass(frozen=True)
class PathRow:
    """A step in the picture: what was left, and the commit that was asked."""

    y: float
    number: int
    start: float | None
    """Where what was left begins, or None for a step that narrowed nothing."""
    width: float
    x: float
    mark: str
    title: str


@dataclass(frozen=True)
class StepRow:
    """A step in the table."""

    number: int
    sha: str
    subject: str
    role: str
    answer: str
    mark: str
    found: str
    more: str | None
    build: str
    took: str


@dataclass(frozen=True)
class BisectionView:
    """The page."""

    title: str
    mark: str
    sentence: str
    exit_code: int | None
    claim_id: str
    claim_sentence: str
    good: tuple[str, str]
    bad: tuple[str, str]
    found: tuple[tuple[str, str], ...]
    found_more: int
    before: str | None
    after: str | None
    method: str | None
    facts: tuple[tuple[str, str], ...]
    picture_height: float
    commits: tuple[CommitMark, ...]
    rows: tuple[PathRow, ...]
    steps: tuple[StepRow, ...]
    unasked: int


def bisection_view(document: Bisection) -> BisectionView:
    """The page's parts."""
    subjects = {c.sha: plain(c.subject) for c in (document.good, *document.commits)}
    result = document.result
    shas = () if result is None else result.commits
    titles = {"culprit": f"First bad commit: {shas[0][:12] if shas else ''}", "range": f"One of {len(shas)} commits"}
    asked = {step.sha for step in document.steps}
    return BisectionView(
        title="Under way" if result is None else titles[result.kind],
        mark="NOT_MEASURED" if result is None else "PASS" if result.confirmed else "INCONCLUSIVE",
        sentence="It has no result yet." if result is None else plain(result.sentence),
        exit_code=None if document.exit_code is None else int(document.exit_code),
        claim_id=document.claim.id,
        claim_sentence=plain(document.claim.spoken()),
        good=(document.good.sha[:12], subjects[document.good.sha]),
        bad=(document.bad.sha[:12], subjects[document.bad.sha]),
        found=tuple((sha[:12], subjects.get(sha, "")) for sha in shas[:_MOST_COMMITS_LISTED]),
        found_more=max(0, len(shas) - _MOST_COMMITS_LISTED),
        before=None if result is None or result.before is None else plain(result.before),
        after=None if result is None or result.after is None else plain(result.after),
        method=None if document.method is None else plain(document.method.sentence),
        facts=tuple(_facts(document)),
        picture_height=_ROW * (len(document.steps) + 2),
        commits=tuple(_marks(document, subjects)),
        rows=tuple(_rows(document, subjects)),
        steps=tuple(_steps(document, subjects)),
        unasked=sum(1 for commit in document.commits if commit.sha not in asked),
    )


def _facts(document: Bisection) -> Iterator[tuple[str, str]]:
    builds = document.builds()
    yield "Builds", f"{builds['made']} made, {builds['failed']} failed, {builds['cached']} from the cache"
    yield (
        "Commits",
        counted(len(document.commits), "commit") + (", first parents only" if document.first_parent else ""),
    )
    if document.is_diagnostic():
        yield "Caveat", "timed on a busy machine all the same (--allow-busy): diagnostic"
    contents = {c.sha: c.content for c in (document.good, *document.commits)}
    same = sum(1 for c in document.commits if any(contents.get(p) == c.content for p in c.parents))
    yield "Of them", f"{counted(same, 'commit')} in which nothing that is built changed"
    if document.method is not None and document.method.limit is not None:
        method, unknown = document.method, "not known"
        ends = [unknown if f is None else amount(f) for f in (method.good_figure, method.bad_figure)]
        parted = amount(method.limit or 0)
        yield "Figure", f"{method.figure}: {ends[0]} at the good end, {ends[1]} at the bad one, parted at {parted}"
    yield (
        "Begun",
        moment(document.created_utc) + (f", taken up again {document.resumed} times" if document.resumed else ""),
    )
    yield "Took", duration(sum(step.duration_s for step in document.steps))
    yield "Machine", f"{plain(document.machine.cpu_model)}, {counted(document.machine.usable_cores, 'core')}"
    yield "nesproof", plain(document.source.version)
    yield "Command", one_line(plain(document.command))


def _x(document: Bisection, sha: str) -> float:
    numbers = {document.good.sha: 0, **{c.sha: n for n, c in enumerate(document.commits, start=1)}}
    return round(_MARGIN + numbers[sha] * (_WIDTH - 2 * _MARGIN) / len(document.commits), 2)


def _marks(document: Bisection, subjects: dict[str, str]) -> Iterator[CommitMark]:
    last_answer = {step.sha: step.answer for step in document.steps}
    found = set(() if document.result is None else document.result.commits)
    for commit in (document.good, *document.commits):
        answer = last_answer.get(commit.sha)
        yield CommitMark(
            x=_x(document, commit.sha),
            title=f"{commit.sha[:12]} {subjects[commit.sha]}: {answer or 'not asked'}",
            mark=None if answer is None else _MARKS[answer],
            is_result=commit.sha in found,
        )


def _rows(document: Bisection, subjects: dict[str, str]) -> Iterator[PathRow]:
    for number, step in enumerate(document.steps, start=1):
        start, width = None, 0.0
        if step.oldest_candidate is not None and step.youngest_candidate is not None:
            start = _x(document, step.oldest_candidate)
            width = round(_x(document, step.youngest_candidate) - start, 2)
        yield PathRow(
            y=_ROW * (number + 1),
            number=number,
            start=start,
            width=max(width, 2.0),
            x=_x(document, step.sha),
            mark=_MARKS[step.answer],
            title=f"Step {number}: {step.sha[:12]} {subjects[step.sha]} is {step.answer}",
        )


def _steps(document: Bisection, subjects: dict[str, str]) -> Iterator[StepRow]:
    for number, step in enumerate(document.steps, start=1):
        first, _, rest = plain(step.reason).partition("\n")
        yield StepRow(
            number=number,
            sha=step.sha[:12],
            subject=subjects[step.sha],
            role=_role(step),
            answer=step.answer,
            mark=_MARKS[step.answer],
            found=first,
            more=rest or None,
            build=_BUILDS[step.build],
            took=duration(step.duration_s),
        )


def _role(step: BisectionStep) -> str:
    against = "" if step.against is None else f", against {step.against[:12]}"
    left = "" if step.candidates is None else f" ({counted(step.candidates, 'candidate')})"
    return f"{_ROLES[step.role]}{left}{against}"
