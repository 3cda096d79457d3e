"""The expected set: which claims this run must answer, fixed before anything runs."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.registry import Registry
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.runner.options import VerifyOptions
from nesproof.harness.runner.stand_ins import StandIns, compares_nothing, stand_in

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
    """Apply profile, globs and subjects.

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
    wanted = [claim for claim in registry.values() if options.profile in claim.profiles and _matches(claim, options)]
    asked, reasons = _asked(wanted, options)
    selected, states_only = [], []
    for item in asked:
        if item.claim.kind == "ratio" and not options.times_claims:
            states_only.append(replace(item, reason=_STATES_ONLY))
        else:
            selected.append(item)
    if not selected and not states_only:
        raise ConfigurationError("No claim is selected, and an empty run proves nothing; select some by --claim.")
    taken = {item.claim.base_id for item in asked}
    others = [
        Selected(claim, False, _rerun(claim, None, options), reasons.get(claim.id, Selected.reason))
        for claim in registry.values()
        if claim.id not in taken
    ]
    return Selection(tuple(selected), (*states_only, *others), tuple(states_only))


def _asked(wanted: list[Claim], options: VerifyOptions) -> tuple[list[Selected], dict[str, str]]:
    """What is to be answered, subject by subject, and why what was left out for all of them is left out."""
    if not options.subjects:
        itself = [claim for claim in wanted if compares_nothing(claim)]
        reasons = {claim.id: f"It would compare {claim.subject} with itself." for claim in itself}
        return [Selected(c, False, _rerun(c, None, options)) for c in wanted if c not in itself], reasons
    asked: list[Selected] = []
    reasons = {}
    for subject in options.subjects:
        chosen = StandIns(subject, broadly=options.every_subject)
        for claim in chosen.in_order(wanted):
            reason = chosen.reason_against(claim)
            if reason is not None:
                reasons.setdefault(claim.id, reason)
                continue
            is_own = claim.subject == subject
            asked.append(Selected(stand_in(claim, subject), not is_own, _rerun(claim, subject, options)))
    return asked, reasons


def _matches(claim: Claim, options: VerifyOptions) -> bool:
    return not options.claim_globs or any(fnmatchcase(claim.id, glob) for glob in options.claim_globs)


def _rerun(claim: Claim, subject: str | None, options: VerifyOptions) -> str:
    """The command that measures this claim alone. Of the user's own files it has the names, not where they lie."""
    parts = ["nesproof verify"]
    if "quick" not in claim.profiles:
        parts.append("--profile full")
    parts.append(f"--claim {claim.id}")
    if subject is not None and subject != claim.subject:
        parts.append(f"--subject {subject}")
    parts += [f"--claims {shlex.quote(path.name)}" for path in options.claim_files]
    parts += [f"--subject-file {shlex.quote(path.name)}" for path in options.subject_files]
    return " ".join(parts)
