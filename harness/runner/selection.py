"""The expected set: which claims this run must answer, fixed before anything runs."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.registry import Registry
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.runner.options import VerifyOptions

__all__ = ["Selected", "Selection", "select"]


_STATES_ONLY = "Not timed in a quick run with --falsify, which tries only whether its frames are the right ones."


@dataclass(frozen=True)
class Selected:
    """A claim to be answered. `substituted` is True where another subject stands in for the claim's own; `reason` says
    why a claim outside the expected set is outside."""

    claim: Claim
    substituted: bool
    rerun: str
    reason: str = "Outside the set that this run was asked for."


@dataclass(frozen=True)
class Selection:
    """The expected set, and the claims outside it. `states_only` are some of the latter, on which faults are tried."""

    selected: tuple[Selected, ...]
    others: tuple[Selected, ...]
    states_only: tuple[Selected, ...] = ()


def select(registry: Registry, options: VerifyOptions) -> Selection:
    """Apply profile, globs and subject.

    Raises:
        ConfigurationError: a glob selects nothing, or nothing is selected at all.
    """
    for glob in options.claim_globs:
        matching = [claim for claim in registry.values() if fnmatchcase(claim.id, glob)]
        if not matching:
            raise ConfigurationError(f"No claim matches {glob!r}; `nesproof claims list` lists them.")
        if not any(options.profile in claim.profiles for claim in matching):
            other = matching[0].profiles[0]
            raise ConfigurationError(
                f"{glob!r} matches only claims outside the {options.profile} profile; add --profile {other}."
            )
    selected, others, states_only = [], [], []
    for claim in registry.values():
        wanted = options.profile in claim.profiles and _matches(claim, options)
        stand_in = _with_subject(claim, options.subject)
        # A subject is not compared with itself, unless the two sides are run in two ways.
        if wanted and (stand_in.subject != stand_in.baseline or stand_in.compares_itself):
            item = Selected(stand_in, stand_in.subject != claim.subject, _rerun(claim, options))
            if claim.kind == "ratio" and not options.times_claims:
                states_only.append(replace(item, reason=_STATES_ONLY))
            else:
                selected.append(item)
        else:
            others.append(Selected(claim, False, _rerun(claim, options)))
    if not selected and not states_only:
        raise ConfigurationError("No claim is selected, and an empty run proves nothing.")
    return Selection(tuple(selected), (*states_only, *others), tuple(states_only))


def _matches(claim: Claim, options: VerifyOptions) -> bool:
    return not options.claim_globs or any(fnmatchcase(claim.id, glob) for glob in options.claim_globs)


def _with_subject(claim: Claim, subject: str | None) -> Claim:
    if subject is None or subject == claim.subject:
        return claim
    update = {"id": f"{claim.id}@{subject}", "subject": subject}
    if claim.compares_itself:
        update["baseline"] = subject
    return claim.model_copy(update=update)


def _rerun(claim: Claim, options: VerifyOptions) -> str:
    """The command that measures this claim alone. Of the user's own files it has the names, not where they lie."""
    parts = ["nesproof verify"]
    if "quick" not in claim.profiles:
        parts.append("--profile full")
    parts.append(f"--claim {claim.id}")
    if options.subject is not None and options.subject != claim.subject:
        parts.append(f"--subject {options.subject}")
    parts += [f"--claims {shlex.quote(path.name)}" for path in options.claim_files]
    parts += [f"--subject-file {shlex.quote(path.name)}" for path in options.subject_files]
    return " ".join(parts)
