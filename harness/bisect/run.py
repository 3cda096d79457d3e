"""One bisection, whole: prove the ends, search, and confirm what the search found against its parent."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nesproof.harness.bisect.asking import Asking, Laboratory
from nesproof.harness.bisect.ends import prove_ends
from nesproof.harness.bisect.history import Commit, History
from nesproof.harness.bisect.search import Answer, candidates, next_commit, steps_left
from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.counting import counted
from nesproof.harness.evidence.bisection import (
    Bisection,
    BisectionCommit,
    BisectionMethod,
    BisectionResult,
    BisectionStep,
)

__all__ = ["bisect"]


def bisect(
    document: Bisection,
    laboratory: Laboratory,
    *,
    keep: Callable[[Bisection], None],
    tell: Callable[[str], None] = lambda _: None,
    most_builds: int | None = None,
) -> Bisection:
    """Carry the bisection out from where the document stands; returns the document with its result.

    `keep` writes the document to the disk after each step; `tell` hears what is done; `most_builds` ends the search
    with a range when so many builds were made or failed.

    Raises:
        EndsUnproven: there is nothing to search.
        KeyboardInterrupt: stopped; what was done is kept.
    """
    if document.result is not None:
        return document
    history = History(_commit(document.good), [_commit(record) for record in document.commits])
    asking = Asking(document, laboratory, keep=keep, tell=tell)
    method = prove_ends(asking, history)
    tell(method.sentence)
    answers = _search(asking, history, method, most_builds)
    left = candidates(history, answers)
    if len(left) == 1:
        result = _confirmed(asking, history, method, answers, left[0])
    else:
        result = _range(history, left, f"The first bad commit is one of these {len(left)}: {_why(history, answers)}.")
    code = ExitCode.OK if result.confirmed else ExitCode.INCONCLUSIVE
    asking.update(result=result, exit_code=code)
    return asking.document


def _search(asking: Asking, history: History, method: BisectionMethod, most_builds: int | None) -> dict[int, Answer]:
    against = history.good if method.kind == "timing" else None
    answers = {len(history) - 1: Answer.BAD}
    while (number := next_commit(history, answers)) is not None:
        builds = asking.document.builds()
        if most_builds is not None and builds["made"] + builds["failed"] >= most_builds:
            break
        left = [history.commits[n] for n in candidates(history, answers)]
        about = counted(steps_left(history, answers), "step")
        commit = history.commits[number]
        asking.tell(f"{counted(len(left), 'candidate')}, about {about} left: asking {commit.name}.")
        step = asking.asked("probe", commit, method.judged, against=against, among=left)
        answers[number] = Answer(step.answer)
    return answers


def _confirmed(
    asking: Asking, history: History, method: BisectionMethod, answers: Mapping[int, Answer], number: int
) -> BisectionResult:
    """The culprit, where fresh measurements of it and of its parents say the same again; else a range."""
    commit, parents = history.commits[number], _parents(history, number)
    asking.tell(
        f"Confirming {commit.name} against its {'parent' if len(parents) == 1 else 'parents'}, measured afresh."
    )
    steps: list[tuple[BisectionStep, str]] = []
    for parent in parents:
        if method.kind == "timing":
            steps.append((asking.asked("culprit", commit, method.judged, against=parent), "bad"))
        else:
            steps.append((asking.asked("parent", parent, method.judged), "good"))
    if method.kind != "timing":
        steps.append((asking.asked("culprit", commit, method.judged), "bad"))
    doubtful = {sha for step, wanted in steps if step.answer != wanted for sha in (step.sha, step.against)} - {None}
    if doubtful:
        kept = {n: a for n, a in answers.items() if history.commits[n].sha not in doubtful}
        names = " and ".join(sorted(str(sha)[:12] for sha in doubtful))
        sentence = f"Not confirmed: measured afresh, {names} did not answer as before."
        left = candidates(history, {**kept, len(history) - 1: Answer.BAD})
        return _range(history, left, f"{sentence} The first bad commit is known only to be one of these {len(left)}.")
    before = next((step for step, wanted in steps if wanted == "good"), None)
    merge = " It is a merge; what it brought in lies outside the path." if len(commit.parents) > len(parents) else ""
    return BisectionResult(
        kind="culprit",
        confirmed=True,
        commits=(commit.sha,),
        sentence=f"{commit.sha[:12]} is the first commit that breaks {asking.document.claim.id}, confirmed against its "
        f"{'parent' if len(parents) == 1 else 'parents'} on fresh measurements.{merge}",
        before=None if before is None else (before.measured or before.reason)[:4_000],
        after=(steps[-1][0].measured or steps[-1][0].reason)[:4_000],
    )


def _range(history: History, left: tuple[int, ...], sentence: str) -> BisectionResult:
    shas = tuple(history.commits[number].sha for number in left)
    return BisectionResult(kind="range", confirmed=False, commits=shas, sentence=sentence)


def _why(history: History, answers: Mapping[int, Answer]) -> str:
    if next_commit(history, answers) is not None:
        return "no more builds were to be made"
    left = [answers.get(number) for number in candidates(history, answers)]
    silent = {"no build": left.count(Answer.SKIP), "no clear figure": left.count(Answer.UNKNOWN)}
    told = [f"{count} gave {what}" for what, count in silent.items() if count]
    return "of them, " + " and ".join(told) if told else "their answers contradict their ancestry"


def _parents(history: History, number: int) -> list[Commit]:
    on_path = [history.commits[parent] for parent in history.parents_of(number)]
    return on_path + ([history.good] if history.good.sha in history.commits[number].parents else [])


def _commit(record: BisectionCommit) -> Commit:
    return Commit(record.sha, record.subject, record.parents, record.content)
