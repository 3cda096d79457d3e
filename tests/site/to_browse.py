"""What the browser is given: the site of the invented runs, an empty one, a hostile one, pages that stand alone."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.model import RatioMeasurement
from nesproof.reports.format import Material
from nesproof.reports.gate import gate_html
from nesproof.reports.html_page import HtmlPage
from nesproof.reports.site import SiteInputs, site_files

TESTS = Path(__file__).parents[1]
HARM = (
    '<script>window.harm = 1</script><img src=x onerror="window.harm = 2"><svg onload="window.harm = 3"></svg>'
    "\"' onmouseover='window.harm = 4' </style></title></textarea><a href=\"javascript:window.harm = 5\">x</a>"
    '<base href="https://example.com/"><meta http-equiv="refresh" content="0;url=https://example.com/">'
    "<iframe srcdoc='<script>parent.harm = 6</script>'></iframe>\x1b[31m\u202e {{ 7 * 7 }} " + "W" * 90
)
"""Everything that a page could be made to do, and a word that is wider than a phone."""
BLOCKS_KEPT = 2


def loaded(area: str, name: str) -> ModuleType:
    """A file of another test folder, which cannot be imported by its name."""
    key = f"browsed_{area}_{name}"
    if key not in sys.modules:
        spec = importlib.util.spec_from_file_location(key, TESTS / area / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[key] = module
        spec.loader.exec_module(module)
    return sys.modules[key]


def calm_files(invented: Any, site: Mapping[str, bytes], scratch: Path) -> dict[str, bytes]:
    """The site in `site/`, an empty one in `empty/`, and in `alone/` what commands write beside a bundle."""
    files = {f"site/{path}": data for path, data in site.items()}
    files |= {f"empty/{path}": data for path, data in site_files(SiteInputs(), draft=True)}
    return files | {f"alone/{name}": data for name, data in alone(invented, scratch).items()}


def hostile_files(invented: Any) -> dict[str, bytes]:
    """The site of the same runs, in which everything that can be text is an attack."""
    runs = tuple(shortened(one) for one in invented.runs())
    inputs = SimpleNamespace(
        runs=lambda: runs, RunInput=invented.RunInput, gate=invented.gate, bisection=invented.bisection
    )
    made: dict[str, bytes] = loaded("site", "test_hostile_site").built(inputs, HARM)
    return made


def alone(invented: Any, scratch: Path) -> dict[str, bytes]:
    """A report with every section that there is, one of a comparison alone, and a gate that has something to say."""
    sample = loaded("reports", "sample_evidence")
    sample.write_frames(scratch)
    several, verified = invented.runs()[1], sample.sample_evidence()
    whole = verified.model_copy(
        update={
            "comparisons": several.comparisons,
            "mustpass": several.mustpass,
            "suites": (*verified.suites, *(run for run in several.suites if run.suite == "hardware_roms")),
            "fixture": invented.FIXTURE,
        }
    )
    compared = several.model_copy(update={"claims": (), "suites": (), "mustpass": None})
    return {
        "report.html": HtmlPage().render(Material(shortened(whole), scratch, "b" * 64)),
        "compared.html": HtmlPage().render(Material(shortened(compared), None, "c" * 64)),
        "gate.html": gate_html(gate()),
    }


def gate() -> Any:
    """A head that is slower, needs the same memory, and was timed beside a yardstick that changed."""
    parts = loaded("gate", "parts")
    with pytest.MonkeyPatch.context() as patch:
        timed = parts.timing(parts.change(patch, parts.FakeProcesses(slower=0.08)))
    counted = parts.table("memory", parts.memory(100), parts.memory(100))
    records = [parts.record(parts.claim(), timing=timed.id), parts.record(parts.claim("memory"), table=counted.id)]
    return parts.document(
        records, timings=(timed,), tables=(counted,), yardstick=("The judge changed.",), plan=("Ten blocks.",)
    )


def shortened(one: Evidence) -> Evidence:
    """The run with the samples of its first blocks alone: tables of thousands of rows show nothing more."""
    claims = tuple(
        record.model_copy(update={"measurement": _first_blocks(record.measurement)}) for record in one.claims
    )
    comparisons = tuple(
        found.model_copy(update={"measurement": _first_blocks(found.measurement)}) for found in one.comparisons
    )
    return one.model_copy(update={"claims": claims, "comparisons": comparisons})


def _first_blocks(measurement: Any) -> Any:
    if not isinstance(measurement, RatioMeasurement):
        return measurement
    return measurement.model_copy(
        update={"samples": tuple(sample for sample in measurement.samples if sample.block < BLOCKS_KEPT)}
    )
