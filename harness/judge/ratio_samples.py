"""What the samples of a ratio must agree with elsewhere in the document: window, declarations, load."""

from __future__ import annotations

from nesproof.harness.evidence.model import Evidence, RatioMeasurement
from nesproof.harness.judge.load import is_busy
from nesproof.harness.judge.order import SIDES

__all__ = ["check_ratio_samples"]


def check_ratio_samples(measurement: RatioMeasurement, evidence: Evidence) -> list[str]:
    """One sentence for each thing that the rest of the document says otherwise."""
    found = []
    windows = {w.key: w.frames for w in evidence.workloads}
    for side in SIDES:
        run, _ = measurement.side(side)
        frames = windows.get(measurement.workload_of(side), 0) * run.num_envs * run.passes
        if any(s.frames != frames for s in measurement.samples if s.side == side):
            found.append(f"The samples of its {side} cover other frames than the workload's.")
    introduced = {s.name: s.capabilities for s in evidence.subjects}
    for side, subject in (("candidate", measurement.candidate), ("baseline", measurement.baseline)):
        if measurement.samples and ("digest" in introduced.get(subject, ())) != (side in measurement.digest_from):
            found.append(f"Whether {subject} gives a digest is not what it declared.")
    if measurement.load.busy != is_busy(measurement.load.other_cpu_share, measurement.load.steal_share):
        found.append("Whether the machine was busy is not what its load says.")
    return found
