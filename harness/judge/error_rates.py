"""The page of error rates: simulated rates as Markdown. The same seed and number of runs give the same page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nesproof.harness.judge.before_after import DELTA
from nesproof.harness.judge.confirmation import CONFIRMATION_ALPHA, CONFIRMATION_BLOCKS
from nesproof.harness.judge.floor import FLOOR_CONFIDENCE, FLOOR_LOOKS
from nesproof.harness.judge.noise import NOISES
from nesproof.harness.judge.required_rates import REQUIRED_RATES, offences
from nesproof.harness.judge.sequential import LOOKS
from nesproof.harness.judge.simulation import Rates

__all__ = ["render_error_rates"]

_BAR = 20
_RIGHT = {"identical": "PASS", "-5 %": "PASS", "+5 %": "FAIL", "2 % above": "PASS", "2 % below": "FAIL"}


def render_error_rates(rates: Sequence[Rates], *, runs: int, seed: int) -> str:
    """The page, whole, with a table for each truth; noises are in the order of the simulation."""
    return "\n".join([*_head(runs, seed), *_requirements(rates), *_tables(rates), _READING])


def _head(runs: int, seed: int) -> list[str]:
    looks = ", ".join(f"{blocks} (α = {alpha:g})" for blocks, alpha in LOOKS)
    near_one, near_half = 196 * (0.0099 / runs) ** 0.5, 98 / runs**0.5
    return f"""\
# How often the judge is right

Simulated, not derived: every row is the whole procedure on made-up processes whose truth is known. Nothing but the
times is made up; blocks, looks, floor and confirmation are the judge's own functions. Repeat it with

    nesproof judge simulate --runs {runs} --seed {seed} --out error-rates.md

{runs:,} runs a row, seed {seed}. A rate near 1 % is uncertain by ±{near_one:.1f} points, one near 50 % by
±{near_half:.1f} (95 %).

## The procedure

- A block is four processes, ABBA or BAAB at random; its effect is d = mean ln B − mean ln A of the times.
- Looks after {looks} blocks, by
  one-sided Wilcoxon signed-rank tests. *Slower*: “not slower” is rejected at α/m (m claims share the run) and the
  Hodges-Lehmann estimate is δ = {DELTA:g} or more. *Not slower*: an effect of δ or more is rejected at α. Else the
  next look.
- An A/A arm beside it, block by block. The half-width of its {FLOOR_CONFIDENCE:.0%} Hodges-Lehmann interval is the
  floor. It is looked at after {", ".join(map(str, FLOOR_LOOKS))} blocks until it is δ/2 or less; where it never is, the
  verdict is INCONCLUSIVE.
- *Slower* is confirmed on {CONFIRMATION_BLOCKS} fresh blocks (p ≤ {CONFIRMATION_ALPHA:g} by the ranks of their
  processes, and an estimate above 0) and is then FAIL; not confirmed, it is INCONCLUSIVE.
""".split("\n")


def _requirements(rates: Sequence[Rates]) -> list[str]:
    lines = ["## What is required", "", "| required | worst simulated | |", "|---|---:|---|"]
    for required in REQUIRED_RATES:
        rows = [row for row in rates if required.applies_to(row)]
        noise = next((n.title for n in NOISES if n.key == required.noise), None)
        sentence = required.sentence.replace(" here", "") + ("" if noise is None else f", with {noise}")
        if not rows:
            lines.append(f"| {sentence} | – | not simulated |")
            continue
        shares = [required.rate_of(row) for row in rows]
        worst = min(shares) if required.at_least > 0 else max(shares)
        holds = all(required.holds_for(row) for row in rows)
        lines.append(f"| {sentence} | {worst:.1%} | {'holds' if holds else '**broken**'} |")
    broken = offences(rates)
    return [*lines, "", "All of them hold." if not broken else f"**{len(broken)} are broken.**", ""]


def _tables(rates: Sequence[Rates]) -> Iterable[str]:
    titles = {
        "identical": "Before/after, identical code (the right answer is PASS)",
        "+5 %": "Before/after, truly 5 % slower (the right answer is FAIL)",
        "+3 %": "Before/after, truly 3 % slower: δ itself, where either answer is hard to give",
        "-5 %": "Before/after, truly 5 % faster (the right answer is PASS)",
        "on the threshold": "Threshold claims, exactly on the threshold (no answer is right)",
        "2 % above": "Threshold claims, truly 2 % above (the right answer is PASS)",
        "2 % below": "Threshold claims, truly 2 % below (the right answer is FAIL)",
    }
    for truth, title in titles.items():
        rows = [row for row in rates if row.case.truth == truth]
        if not rows:
            continue
        yield from [f"## {title}", ""]
        yield "| noise | m | PASS | FAIL | INCONCLUSIVE | processes | right, none, wrong |"
        yield "|---|---:|---:|---:|---:|---:|---|"
        for row in rows:
            shares = f"{row.passed / row.runs:.2%} | {row.failed / row.runs:.2%} | {row.inconclusive / row.runs:.2%}"
            yield f"| {row.case.noise.title} | {row.case.comparisons} | {shares} | {row.processes:.0f} | {_bar(row)} |"
        yield ""


def _bar(row: Rates) -> str:
    """The shares of right, missing and wrong answers in a row of characters."""
    right_verdict = _RIGHT.get(row.case.truth)
    if right_verdict is None:
        return "–"
    right = row.passed if right_verdict == "PASS" else row.failed
    full = round(_BAR * right / row.runs)
    none = min(round(_BAR * row.inconclusive / row.runs), _BAR - full)
    return f"`{'█' * full}{'░' * none}{'!' * (_BAR - full - none)}`"


_READING = """\
## How to read it

- Noise ends in INCONCLUSIVE. A true slowdown of 5 % does not pass, and identical code does not fail, more often than
  required under any of these; what noise takes away is answers.
- `processes` is what a run cost on average. A quiet machine decides at the first looks; a noisy one goes on, and the
  floor says so.
- A fifth of all processes slowed one by one is too much for a verdict about 3 %: nearly every run says so. The same
  share in bursts is bearable, because a burst covers whole blocks and cancels within them.
- After 16 A/A blocks the floor of a machine with SD 2.2 % is above δ/2 by chance in about one job of nine, so the arm
  goes on to 24, 32 and 48 blocks where it must. That makes no verdict: it lets the looks, whose α does not depend on
  it, be heard.
- A signed-rank test of ten fresh blocks would confirm a true 5 % in only four of five jobs where 5 % of the processes
  are slowed, since one slowed process gives its block the wrong sign and the greatest rank. Among forty processes it is
  one rank of forty, and the p-value is exact all the same.
- One A/A arm gives no rate of false alarms; these tables do, for the noises in them.
"""
