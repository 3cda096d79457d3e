"""Tables of figures: which kinds there are, what each asks of a subject, and which probe fills it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from nesproof.harness.claims.model import Claim, ClaimKind, Label
from nesproof.harness.evidence.model import FiguresMeasurement
from nesproof.harness.workloads import Workload
from nesproof.roms_manifest import Resolver

__all__ = ["METRICS", "FiguresPlan", "capabilities_for", "measure_figures", "needs_reference"]

METRICS: dict[ClaimKind, tuple[str, ...]] = {
    "memory": ("bytes",),
    "static": ("registers", "spill_bytes", "saved_bytes", "stack_bytes", "code_bytes", "compile_seconds"),
    "model": (
        "active_lanes",
        "block_steps",
        "waiting_share",
        "finished_share",
        "ram_sectors",
        "ram_sectors_an_instruction",
        "ram_sectors_one_by_one",
        "state_sectors",
        "state_sectors_one_by_one",
        "rom_sectors",
        "instructions_a_step",
        "exact_step_share",
        "machine_instructions_a_step",
        "issue_slots",
    ),
    "instructions": ("instructions_per_frame",),
    "absolute": ("frames_per_second", "env_steps_per_second", "bytes_a_console", "num_envs"),
}
"""The figures of each kind of table."""

_CAPABILITIES: dict[ClaimKind, tuple[str, ...]] = {
    "memory": ("batch", "memory"),
    "static": ("kernel",),
    "model": ("warp-model",),
    "instructions": ("batch", "digest", "idle-skipping", "timing", "timing-passes"),
    "absolute": ("batch", "digest", "memory", "timing", "timing-passes"),
}


def capabilities_for(kind: ClaimKind) -> tuple[str, ...]:
    """What a subject must declare for a table of this kind."""
    return _CAPABILITIES[kind]


def needs_reference(kind: ClaimKind) -> bool:
    """Whether the reference says where the counted runs must end."""
    return kind in {"instructions", "absolute"}


@dataclass
class FiguresPlan:
    """One table that answers several claims of one kind about one subject and workload."""

    kind: ClaimKind
    subject: str
    workload: Workload | None
    claims: list[Claim] = field(default_factory=list)

    def answers(self, claim: Claim) -> bool:
        """Whether the claim is about this table."""
        key = None if self.workload is None else self.workload.key
        return (claim.kind, claim.subject, claim.workload) == (self.kind, self.subject, key)

    def wanted(self, label: str) -> tuple[Label, ...]:
        """The values of a label that the claims name, in their order, each once."""
        found: dict[Label, None] = {}
        for claim in self.claims:
            value = claim.where.get(label)
            found.update(dict.fromkeys(value if isinstance(value, tuple) else () if value is None else (value,)))
            if label in claim.over:
                found[claim.over[label]] = None
        return tuple(found)


def measure_figures(
    plan: FiguresPlan, *, resolver: Resolver, work_dir: Path, on_step: Callable[[str], None]
) -> FiguresMeasurement:
    """Fill the table; `on_step` hears of each part.

    Raises:
        SubjectFailed, SubjectRefused, HarnessError, RomError: it could not be filled.
    """
    from nesproof.harness.probes.instructions import measure_instructions
    from nesproof.harness.probes.kernels import measure_kernels
    from nesproof.harness.probes.memory import measure_memory
    from nesproof.harness.probes.sweep import measure_sweep
    from nesproof.harness.probes.warp_model import measure_warp_model

    probes: dict[ClaimKind, Callable[..., FiguresMeasurement]] = {
        "memory": measure_memory,
        "static": measure_kernels,
        "model": measure_warp_model,
        "instructions": measure_instructions,
        "absolute": measure_sweep,
    }
    return probes[plan.kind](plan, resolver=resolver, work_dir=work_dir, on_step=on_step)
