"""Claims: what the project promises, as data (`*.toml` beside this file), and the words for how a promise fared."""

from nesproof.harness.claims.model import Claim, ClaimKind
from nesproof.harness.claims.verdict import ExitCode, Verdict, exit_code_of

__all__ = ["Claim", "ClaimKind", "ExitCode", "Verdict", "exit_code_of"]
