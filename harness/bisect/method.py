"""How good and bad are told apart: by the verdict, by the figure that moved between the ends, or by timing. Pure."""

from __future__ import annotations

from nesproof.harness.bisect.probe import Told
from nesproof.harness.claims.model import FIGURE_KINDS, Claim
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.evidence.bisection import BisectionMethod
from nesproof.harness.gate.figures import allowed_increase
from nesproof.harness.workloads import load_workload

__all__ = ["by_figure", "by_timing", "by_verdict", "counted_claim", "in_words"]


def counted_claim(claim: Claim) -> Claim:
    """The claim whose measurement holds the figure that does not vary: of a ratio, the instructions of its own side.

    Raises:
        ConfigurationError: an absolute claim, which has no such figure and no baseline.
    """
    if claim.kind == "absolute":
        raise ConfigurationError(
            f"{claim.id} is a figure of one machine, measured without anything beside it, so that noise cannot be told "
            "from a change; bisect a claim of another kind about the same subject (nesproof claims list)."
        )
    if claim.kind != "ratio":
        return claim
    assert claim.workload is not None
    workload = load_workload(claim.workload)
    run = claim.candidate_run
    return Claim(
        id=f"bisect.instructions.{claim.subject}",
        sentence=f"What a frame of {claim.subject} costs in machine instructions, for {claim.id}."[:400],
        kind="instructions",
        subject=claim.subject,
        workload=claim.workload,
        metric="instructions_per_frame",
        where={"draw": run.drawing(workload.draw), "idle_skipping": run.idle_skipping},
        at_most=1e12,
        requires=("tool:valgrind", "tool:setarch"),
        breaks_when="Only the figure is asked for; where it parts good from bad is found from the two ends.",
    )


def by_verdict(claim: Claim) -> BisectionMethod:
    """An exact claim: its own verdict."""
    return BisectionMethod(
        kind="verdict", sentence="An exact claim: each commit has its verdict on that commit's build.", judged=claim
    )


def by_figure(claim: Claim, counted: Claim, good: Told, bad: Told) -> BisectionMethod | str:
    """The figure, where it moved between the ends for the worse; else one sentence why it does not tell them apart.

    Where the claim itself holds at one end and fails at the other, its own threshold parts the commits; else the middle
    between the two figures does, and they must differ by more than a gate
    would let through.
    """
    figure = (counted.metric or "").replace("_", " ")
    broke = claim.kind in FIGURE_KINDS and good.verdict is Verdict.PASS and bad.verdict is Verdict.FAIL
    if not broke and (good.figure is None or bad.figure is None):
        end, told = ("good", good) if good.figure is None else ("bad", bad)
        return f"{figure.capitalize()} cannot be had at the {end} end: {told.reason}"
    if broke:
        limit = claim.threshold
        sentence = (
            f"The claim holds at the good end and fails at the bad one; its own threshold, {limit:g}, parts them."
        )
        judged = claim.model_copy(update={"waiver": None})
    else:
        assert good.figure is not None
        assert bad.figure is not None
        allowed = allowed_increase(counted) or 0.0
        at_most = counted.at_most is not None
        worse = (bad.figure - good.figure) * (1 if at_most else -1)
        share = worse / abs(good.figure) if good.figure else (float("inf") if worse > 0 else 0.0)
        if share <= allowed:
            return (
                f"{figure.capitalize()} did not move by more than {allowed:.1%} for the worse between the ends "
                f"({good.figure:,.10g} to {bad.figure:,.10g})."
            )
        limit = (good.figure + bad.figure) / 2
        sentence = (
            f"{figure.capitalize()} moved by {share:.1%} between the ends, and is counted, not timed; "
            f"the middle, {limit:,.10g}, parts them."
        )
        threshold = {"at_most": limit, "at_least": None} if at_most else {"at_most": None, "at_least": limit}
        judged = counted.model_copy(update={**threshold, "waiver": None})
    return BisectionMethod(
        kind="figure",
        sentence=sentence,
        judged=judged,
        figure=figure,
        good_figure=good.figure,
        bad_figure=bad.figure,
        limit=limit,
    )


def by_timing(claim: Claim, why_not_counted: str) -> BisectionMethod:
    """A ratio claim whose figure does not tell the ends apart: each commit is timed against the good end."""
    return BisectionMethod(
        kind="timing",
        sentence=f"{why_not_counted} So each commit is timed against the good end, in interleaved processes.",
        judged=claim,
    )


def in_words(method: BisectionMethod | None, told: Told) -> str:
    """What was found, and by what it was told apart."""
    if method is None or method.limit is None or told.measured is None:
        return told.reason
    return f"{told.measured}; good and bad are parted at {method.limit:,.10g}."
