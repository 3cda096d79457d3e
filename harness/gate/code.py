"""Whether two builds differ in anything that decides a claim's figure: pure, fingerprints in, words out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Protocol

from nesproof.harness.claims.model import Claim
from nesproof.harness.gate.document import Fingerprint, RevisionRecord

__all__ = ["KERNELS", "Sides", "differing_parts", "path_name"]

KERNELS = "kernels"
"""The name under which the document says what decides a claim about the GPU's kernels."""
_KERNEL_KINDS = {"static", "model"}


class Sides(Protocol):
    """What is compared."""

    @property
    def baseline(self) -> RevisionRecord:
        """One revision."""
        ...

    @property
    def candidate(self) -> RevisionRecord:
        """One revision."""
        ...

    @property
    def baseline_code(self) -> Fingerprint | None:
        """What its build is made of; None where that was not looked at."""
        ...

    @property
    def candidate_code(self) -> Fingerprint | None:
        """What its build is made of; None where that was not looked at."""
        ...

    @property
    def on_path(self) -> Mapping[str, Sequence[str]]:
        """The patterns by subject."""
        ...


def path_name(claim: Claim, *, gpu_subjects: Sequence[str] = ("core-cuda",)) -> str:
    """Under which name the document says which files decide the claim's figure."""
    return KERNELS if claim.kind in _KERNEL_KINDS or claim.subject in gpu_subjects else claim.subject


def differing_parts(claim: Claim, sides: Sides) -> list[str]:
    """What differs between the builds of all that decides the claim's figure, in words; none where nothing does.

    Equal are: what a run is made of beside the build (workloads and streams, programs, dependencies), and of the build
    the files on the subject's path, by their sections of machine code and data or their syntax trees; for the kernels
    the machine code of each architecture too. What was not looked at counts as differing.
    """
    baseline, candidate = sides.baseline, sides.candidate
    inputs = baseline.inputs_sha256.keys() | candidate.inputs_sha256.keys()
    found = [n for n in sorted(inputs) if baseline.inputs_sha256.get(n) != candidate.inputs_sha256.get(n)]
    if not inputs:
        found.append("what a run is made of beside the build")
    if baseline.build_key == candidate.build_key:
        return found
    before, after = sides.baseline_code, sides.candidate_code
    name = path_name(claim)
    if before is None or after is None or name not in sides.on_path:
        return [*found, "the code, which was not compared,"]
    patterns = sides.on_path[name]
    for path in sorted(before.files.keys() | after.files.keys()):
        if is_on_path(path, patterns) and before.files.get(path) != after.files.get(path):
            parts = _differing(before.files.get(path, {}), after.files.get(path, {}))
            found.append(f"{path} ({', '.join(parts)})")
    if name == KERNELS:
        kernels = {k.arch: k.sha256 for k in before.kernels}, {k.arch: k.sha256 for k in after.kernels}
        if not kernels[0] and not kernels[1]:
            found.append("the machine code of the kernels, which was not compared,")
        archs = sorted(kernels[0].keys() | kernels[1].keys())
        found += [f"the machine code for {arch}" for arch in archs if kernels[0].get(arch) != kernels[1].get(arch)]
    return found


def is_on_path(path: str, patterns: Sequence[str]) -> bool:
    """Whether a file of a build matches; a pattern that begins with `!` takes out again what those before it let in."""
    matches = False
    for pattern in patterns:
        if pattern.startswith("!"):
            matches = matches and not fnmatchcase(path, pattern[1:])
        else:
            matches = matches or fnmatchcase(path, pattern)
    return matches


def _differing(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    return [part for part in sorted(before.keys() | after.keys()) if before.get(part) != after.get(part)]
