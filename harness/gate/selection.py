"""Which of the base's claims a change is held to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.registry import Registry, load_claims, parse_claims
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.gate.document import GateFlags
from nesproof.harness.gate.references import is_oracle

__all__ = ["GPU_SUBJECT", "claims_of_base", "is_asked_for", "select_claims"]

GPU_SUBJECT = "core-cuda"
_FILE_LIMIT_BYTES = 1 << 20


def claims_of_base(files: Sequence[str]) -> Registry:
    """The claims in these files, or those that ship with the rooms where there are none.

    Raises:
        ConfigurationError: a file is malformed, or two claims have one id.
    """
    if not files:
        return load_claims()
    found: list[tuple[str, Claim]] = []
    for path in map(Path, files):
        data = path.read_bytes()
        if len(data) > _FILE_LIMIT_BYTES:
            raise ConfigurationError(f"The claims file {path.name} is larger than {_FILE_LIMIT_BYTES} bytes.")
        text = data.decode("utf-8", "replace")
        found += [(path.name, claim) for claim in parse_claims(text, origin=path.name)]
    return Registry(found)


def select_claims(
    registry: Mapping[str, Claim], flags: GateFlags, subjects: Iterable[str], *, own_references: bool = False
) -> tuple[list[Claim], list[Claim]]:
    """The claims to be answered, and the others that are about the project's own subjects.

    A claim is selected where its subject is one that the builds make, the globs match, and the profile has it; those
    about instructions count in every profile, since they are what a noisy clock cannot show. What only a GPU can answer
    is selected with the device cuda alone. Without the deterministic metrics no claim about counted figures is. Where
    each build is held to its own reference, what the reference must do is selected whatever the globs say.

    Raises:
        ConfigurationError: a glob matches no claim of the builds' subjects, or nothing is selected.
    """
    own = set(subjects)
    ours = [claim for claim in registry.values() if claim.subject in own]
    for glob in flags.claim_globs:
        matching = [claim for claim in ours if fnmatchcase(claim.id, glob)]
        if not matching:
            raise ConfigurationError(
                f"No claim of the base's about its own consoles matches {glob!r}; `nesproof claims list` lists them."
            )
        if not any(_is_wanted(claim, flags) for claim in matching):
            raise ConfigurationError(
                f"{glob!r} matches only claims that this gate leaves out; {_remedy(matching[0], flags)}."
            )
    selected = [claim for claim in ours if is_asked_for(claim, flags, own_references=own_references)]
    if not selected:
        raise ConfigurationError("No claim is selected, and an empty gate lets everything through.")
    return selected, [claim for claim in ours if claim not in selected]


def is_asked_for(claim: Claim, flags: GateFlags, *, own_references: bool = False) -> bool:
    """True for a claim about the project's own subjects that a gate with these flags must answer."""
    if own_references and is_oracle(claim, flags):
        return True
    return _is_wanted(claim, flags) and _matches(claim, flags)


def _matches(claim: Claim, flags: GateFlags) -> bool:
    return not flags.claim_globs or any(fnmatchcase(claim.id, glob) for glob in flags.claim_globs)


def _is_wanted(claim: Claim, flags: GateFlags) -> bool:
    if claim.subject == GPU_SUBJECT and flags.device != "cuda":
        return False
    if claim.kind in {"memory", "static", "model", "instructions"} and not flags.deterministic:
        return False
    # What `--device cuda` is asked for is that the kernels be timed.
    return flags.profile in claim.profiles or claim.kind in {"instructions", "absolute"}


def _remedy(claim: Claim, flags: GateFlags) -> str:
    if claim.subject == GPU_SUBJECT and flags.device != "cuda":
        return "add --device cuda"
    if flags.profile not in claim.profiles:
        return f"add --profile {claim.profiles[0]}"
    return "leave out --no-deterministic"
