"""What github-action-benchmark takes: one JSON array a direction, since each of its charts has one.

`tool: customBiggerIsBetter` reads the one file, `tool: customSmallerIsBetter` the other. Its series go by name alone,
so that the machine stands in the name.
"""

from __future__ import annotations

from nesproof.harness.evidence.machines import machine_title
from nesproof.reports.format import Material
from nesproof.reports.json_text import json_bytes
from nesproof.reports.views.metrics import Direction, Metric, metrics

__all__ = ["BenchmarkAction"]


class BenchmarkAction:
    """The run's figures whose better direction is `direction`."""

    def __init__(self, direction: Direction) -> None:
        self.direction = direction

    @property
    def file_name(self) -> str:
        """`bigger-is-better.json` or `smaller-is-better.json`."""
        return f"{self.direction}-is-better.json"

    def render(self, material: Material) -> bytes:
        """The JSON array. The action refuses an empty one, which a run without such figures gives."""
        machine = machine_title(material.evidence.machine)
        facts = _facts(material)
        return json_bytes(
            [_entry(m, machine, facts) for m in metrics(material.evidence) if m.direction == self.direction]
        )


def _entry(metric: Metric, machine: str, facts: tuple[str, ...]) -> dict[str, object]:
    entry: dict[str, object] = {
        "name": f"{metric.benchmark}, {metric.measure} ({machine})",
        "unit": metric.unit,
        "value": metric.value,
    }
    if metric.interval is not None:
        entry["range"] = f"{metric.interval[0]:.6g} to {metric.interval[1]:.6g}"
    entry["extra"] = "\n".join((*metric.remarks, *facts))
    return entry


def _facts(material: Material) -> tuple[str, ...]:
    source = material.evidence.source
    commit = "commit not recorded" if source.commit is None else f"commit {source.commit}"
    facts = [commit + (" with uncommitted changes: diagnostic" if source.dirty else "")]
    if material.evidence.fixture is not None:
        facts.append(f"fixture, nothing was measured: {material.evidence.fixture}")
    if material.bundle_id is not None:
        facts.append(f"evidence bundle {material.bundle_id}")
    return tuple(facts)
