"""The judge: measurements in, verdicts out. Pure: it reads no file, no clock and no environment; `planted_cases` alone
reads the cases that ship with it.

The runner judges what it measured with the same functions by which `evidence verify` derives every verdict anew.
"""

from nesproof.harness.judge.before_after import DELTA, BeforeAfter, Change, judge_change_effects
from nesproof.harness.judge.change import ArmEffects, ChangeFigures, ChangeJudgement, effects_of_change, judge_change
from nesproof.harness.judge.claim import Judgement, judge_claim
from nesproof.harness.judge.procedure import next_block
from nesproof.harness.judge.run import Contradiction, contradictions, run_exit_code
from nesproof.harness.judge.sequential import LOOKS, Decision, SequentialResult, judge_effects

__all__ = [
    "DELTA",
    "LOOKS",
    "ArmEffects",
    "BeforeAfter",
    "Change",
    "ChangeFigures",
    "ChangeJudgement",
    "Contradiction",
    "Decision",
    "Judgement",
    "SequentialResult",
    "contradictions",
    "effects_of_change",
    "judge_change",
    "judge_change_effects",
    "judge_claim",
    "judge_effects",
    "next_block",
    "run_exit_code",
]
