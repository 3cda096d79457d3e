"""Exit codes for `git bisect run`: 0 good, 1 bad, 125 cannot be told, 128 and above stop the bisection.

git reads every other code below 128 as bad, so that a mistyped option (2) would be taken for a broken commit.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from nesproof.harness.claims.verdict import ExitCode, Verdict

if TYPE_CHECKING:
    from nesproof.harness.evidence.model import Evidence

__all__ = ["BISECT_EXIT_OPTION", "GIT_BAD", "GIT_GOOD", "GIT_SKIP", "GIT_STOP", "exits_for_git", "git_exit_code"]

BISECT_EXIT_OPTION = "--bisect-exit"
GIT_GOOD, GIT_BAD, GIT_SKIP, GIT_STOP = 0, 1, 125, 129


def git_exit_code(evidence: Evidence) -> int:
    """What `git bisect run` is told: bad where a selected claim FAILs, good where each is PASS or WAIVED, else skip.

    A run that a person interrupted stops the bisection.
    """
    if evidence.interrupted:
        return int(ExitCode.INTERRUPTED)
    verdicts = {record.verdict for record in evidence.claims if record.selected}
    if Verdict.FAIL in verdicts:
        return GIT_BAD
    return GIT_GOOD if verdicts and verdicts <= {Verdict.PASS, Verdict.WAIVED} else GIT_SKIP


@contextmanager
def exits_for_git(arguments: Sequence[str]) -> Iterator[None]:
    """Where the arguments hold `--bisect-exit`, whatever is no answer about the commit stops the bisection (129)."""
    try:
        yield
    except SystemExit as leaving:
        if BISECT_EXIT_OPTION not in arguments:
            raise
        code = 0 if leaving.code is None else leaving.code
        if code in {GIT_GOOD, GIT_BAD, GIT_SKIP, int(ExitCode.INTERRUPTED)}:
            raise
        print(f"nesproof: no answer about this commit (exit code {code}); `git bisect run` stops.", file=sys.stderr)
        raise SystemExit(GIT_STOP) from None
