"""The judge: measurements in, verdicts out. Pure: it reads no file, no clock and no environment.

The runner judges what it measured with the same functions by which `evidence verify` derives every verdict anew.
"""

from nesproof.harness.judge.claim import Judgement, judge_claim
from nesproof.harness.judge.run import Contradiction, contradictions, run_exit_code
from nesproof.harness.judge.sequential import LOOKS, Decision, SequentialResult, judge_effects

__all__ = [
    "LOOKS",
    "Contradiction",
    "Decision",
    "Judgement",
    "SequentialResult",
    "contradictions",
    "judge_claim",
    "judge_effects",
    "run_exit_code",
]
