"""Bencher Metric Format: benchmark, measure, and a value with its bounds (https://bencher.dev/docs/reference/).

`bencher run --adapter json --file bencher.json`. Give each machine a testbed of its own (`--testbed`), so that no
series mixes machines. The format has no room for words: what a reader must know stands in the names.
"""

from __future__ import annotations

from nesproof.reports.format import Material
from nesproof.reports.json_text import json_bytes
from nesproof.reports.views.metrics import metrics

__all__ = ["BencherMetrics"]


class BencherMetrics:
    """The run's figures as `bencher.json`."""

    file_name = "bencher.json"

    def render(self, material: Material) -> bytes:
        """The JSON document. A run without figures gives an empty object."""
        found: dict[str, dict[str, dict[str, float]]] = {}
        for metric in metrics(material.evidence):
            figures = {"value": metric.value}
            if metric.interval is not None:
                figures |= {"lower_value": metric.interval[0], "upper_value": metric.interval[1]}
            found.setdefault(metric.benchmark, {})[metric.measure] = figures
        return json_bytes(found)
