"""Figures for trackers of benchmarks, held against what Bencher and github-action-benchmark take."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from nesproof.harness.claims import Verdict
from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.comparison import BehaviourMatch, Comparison
from nesproof.harness.evidence.machines import machine_title
from nesproof.harness.evidence.model import NoMeasurement
from nesproof.reports.export import export
from nesproof.reports.format import Material, NotExportable
from nesproof.reports.plain_text import plain_evidence
from nesproof.reports.views.metrics import metrics

BENCHER: dict[str, Any] = {
    "type": "object",
    "additionalProperties": {
        "type": "object",
        "minProperties": 1,
        "propertyNames": {"pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": 64},
        "additionalProperties": {
            "type": "object",
            "required": ["value"],
            "properties": {name: {"type": "number"} for name in ("value", "lower_value", "upper_value")},
            "additionalProperties": False,
        },
    },
    "propertyNames": {"minLength": 1, "maxLength": 1024},
}
"""As https://bencher.dev/bmf.json has it, and stricter: no other fields, names within Bencher's limits, and measures
that are slugs already."""

BENCHMARK_ACTION: dict[str, Any] = {
    "type": "array",
    "minItems": 1,
    "items": {
        "type": "object",
        "required": ["name", "unit", "value"],
        "properties": {
            "name": {"type": "string", "minLength": 1},
            "unit": {"type": "string"},
            "value": {"type": "number"},
            "range": {"type": "string"},
            "extra": {"type": "string"},
        },
        "additionalProperties": False,
    },
}
"""What the action's documentation lists for its custom tools; it fails on an empty array."""


def material(evidence: Evidence) -> Material:
    return Material(plain_evidence(evidence), frames_dir=None, bundle_id="ab" * 32)


@pytest.fixture(scope="module")
def clean(evidence: Evidence) -> Evidence:
    """The run, of a clean tree."""
    return evidence.model_copy(update={"source": evidence.source.model_copy(update={"dirty": False})})


def compared(evidence: Evidence, *, differs: bool) -> Evidence:
    agreement = "differs" if differs else "equal"
    comparison = Comparison(
        id="core-nes-py", workload="scroller-random-buttons@1", candidate="core", baseline="nes-py",
        behaviour=BehaviourMatch(frames=9, ram=agreement, pictures="not-shown"), measurement=NoMeasurement(reason="-"),
        outcome="differs" if differs else "alike", ratio=12.5, interval=(12.0, 13.0), candidate_fps=6000.0,
        baseline_fps=480.0, words="core makes 12.5 times the frames per second of nes-py.",
    )  # fmt: skip
    return evidence.model_copy(update={"comparisons": (comparison,)})


def bencher(evidence: Evidence) -> dict[str, Any]:
    (data,) = export(material(evidence), "bencher").values()
    document: dict[str, Any] = json.loads(data)
    jsonschema.Draft202012Validator(BENCHER).validate(document)
    return document


def action(evidence: Evidence, direction: str) -> list[dict[str, Any]]:
    (data,) = export(material(evidence), f"benchmark-action-{direction}").values()
    document: list[dict[str, Any]] = json.loads(data)
    jsonschema.Draft202012Validator(BENCHMARK_ACTION).validate(document)
    return document


def test_the_schemas_refuse_what_their_consumers_refuse() -> None:
    for schema, wrong in (
        (BENCHER, {"a": {"latency": {"lower_value": 1}}}),
        (BENCHER, {"a": {"latency": {"value": "1"}}}),
        (BENCHMARK_ACTION, []),
        (BENCHMARK_ACTION, [{"name": "a", "value": "1", "unit": "x"}]),
        (BENCHMARK_ACTION, [{"name": "a", "unit": "x"}]),
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft202012Validator(schema).validate(wrong)


def test_bencher_gets_every_figure_that_was_answered_and_no_other(clean: Evidence) -> None:
    found = bencher(clean)
    answered = {Verdict.PASS, Verdict.FAIL, Verdict.INCONCLUSIVE, Verdict.WAIVED}
    for record in clean.claims:
        expected = record.selected and record.verdict in answered and record.value is not None
        assert (record.claim.id in found) is expected
    assert found["throughput.reference.vs-nes-py"] == {
        "speed-ratio": {"value": 0.455, "lower_value": 0.447, "upper_value": 0.462}
    }
    assert found["memory.core.state"] == {"bytes": {"value": 4800.0}}
    assert found["model.active-lanes"] == {"active-lanes": {"value": 13.31}}


def test_each_direction_has_its_file(clean: Evidence) -> None:
    bigger, smaller = action(clean, "bigger"), action(clean, "smaller")
    names = [entry["name"].split(",")[0] for entry in bigger]
    assert "throughput.reference.vs-nes-py" in names
    assert [entry["name"].split(",")[0] for entry in smaller] == ["memory.core.state"]
    both = export(material(clean), "benchmark-action")
    assert set(both) == {"bigger-is-better.json", "smaller-is-better.json"}
    assert json.loads(both["bigger-is-better.json"]) == bigger
    assert len(names) + len(smaller) == len(metrics(clean))


def test_an_entry_says_where_and_what_it_hangs_on(clean: Evidence) -> None:
    (entry,) = [e for e in action(clean, "bigger") if e["name"].startswith("throughput.reference.vs-nes-py")]
    assert machine_title(clean.machine) in entry["name"]
    assert (entry["unit"], entry["value"]) == ("times the frames per second", 0.455)
    assert entry["range"] == "0.447 to 0.462"
    for words in ("pass: claimed at least 0.4 × nes-py", "weaker check", clean.source.commit or "", "ab" * 32):
        assert words in entry["extra"]


@pytest.mark.parametrize(
    ("change", "mark"),
    [({"fixture": "drawn by hand"}, "fixture:"), ({}, "dirty-tree:")],
)
def test_what_is_made_up_or_diagnostic_is_no_part_of_the_series(
    evidence: Evidence, change: dict[str, Any], mark: str
) -> None:
    odd = evidence.model_copy(update=change)
    assert odd.source.dirty
    assert all(name.startswith(mark) for name in bencher(odd))
    assert all(entry["name"].startswith(mark) for entry in action(odd, "bigger"))
    words = "fixture, nothing was measured: drawn by hand" if change else "uncommitted changes"
    assert all(words in entry["extra"] for entry in action(odd, "bigger"))


def test_comparisons_give_their_ratio_and_both_speeds(clean: Evidence) -> None:
    found = bencher(compared(clean, differs=False))["comparison:core-nes-py"]
    assert found["speed-ratio"] == {"value": 12.5, "lower_value": 12.0, "upper_value": 13.0}
    assert found["candidate-frames-per-second"] == {"value": 6000.0}
    assert found["baseline-frames-per-second"] == {"value": 480.0}


def test_a_speed_of_what_plays_differently_says_so_in_the_same_line(clean: Evidence) -> None:
    differing = compared(clean, differs=True)
    assert "comparison:core-nes-py (plays differently)" in bencher(differing)
    entries = [e for e in action(differing, "bigger") if e["name"].startswith("comparison:")]
    assert len(entries) == 3
    assert all("plays differently" in e["name"] for e in entries)


def test_a_run_without_figures_is_refused_in_one_sentence(clean: Evidence) -> None:
    bare = clean.model_copy(update={"claims": ()})
    for form in ("bencher", "benchmark-action", "benchmark-action-bigger", "benchmark-action-smaller"):
        with pytest.raises(NotExportable, match="holds no figure"):
            export(material(bare), form)


def test_equal_evidence_gives_equal_bytes(clean: Evidence) -> None:
    again = Evidence.model_validate_json(clean.model_dump_json())
    for form in ("bencher", "benchmark-action"):
        assert export(material(clean), form) == export(material(again), form)
