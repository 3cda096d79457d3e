"""Runs held against each other: k of n, which agree, and what does not count."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import jsonschema
import pytest

from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.comparison import Comparison, ComparisonOutcome
from nesproof.harness.evidence.model import Evidence, NoMeasurement, RatioMeasurement
from nesproof.harness.evidence.reproductions import ClaimReproductions, Reproductions, RunSource, reproductions
from nesproof.harness.judge import contradictions, judge_claim, run_exit_code
from nesproof.reports.reproductions import reproductions_csv, reproductions_json
from nesproof.reports.schemas import published_schemas
from nesproof.reports.views.reproductions import reproduction_table

Change = Callable[[Evidence], Evidence]


_JUDGED = ("verdict", "reason", "measured", "value", "interval", "caveat")


def again(evidence: Evidence, *, hours: int = 1, factor: float = 1.0, **change: Any) -> Evidence:
    """Another run of the same: later, other times, the candidate's times `factor` of what they were; judged anew."""
    suite, timed, other = evidence.claims
    assert isinstance(timed.measurement, RatioMeasurement)
    samples = tuple(
        s.model_copy(update={"elapsed_ns": round(s.elapsed_ns * (factor if s.side == "candidate" else 1)) + 11 * hours})
        for s in timed.measurement.samples
    )
    measurement = timed.measurement.model_copy(update={"samples": samples})
    judged = judge_claim(timed.claim, measurement, {})
    timed = timed.model_copy(update={"measurement": measurement, **{n: getattr(judged, n) for n in _JUDGED}})
    records = (suite, timed, other)
    return evidence.model_copy(
        update={
            "created_utc": evidence.created_utc + timedelta(hours=hours),
            "claims": records,
            "exit_code": run_exit_code(records, interrupted=False, strict=False),
            **change,
        }
    )


def of(*runs: Evidence) -> Reproductions:
    return reproductions(RunSource(f"run{number}", run) for number, run in enumerate(runs, start=1))


def row(found: Reproductions, claim: str) -> ClaimReproductions:
    (only,) = [row for row in found.claims if row.claim == claim]
    return only


def failing(evidence: Evidence) -> Evidence:
    """The suite's second case fails."""
    run = evidence.suites[0]
    cases = (run.cases[0], run.cases[1].model_copy(update={"outcome": "failed", "message": "wrong flag"}))
    run = run.model_copy(update={"cases": cases})
    record = evidence.claims[0]
    judged = judge_claim(record.claim, record.measurement, {run.id: run})
    record = record.model_copy(update={n: getattr(judged, n) for n in _JUDGED})
    records = (record, *evidence.claims[1:])
    return evidence.model_copy(
        update={
            "suites": (run,),
            "claims": records,
            "exit_code": run_exit_code(records, interrupted=False, strict=False),
        }
    )


def elsewhere(evidence: Evidence, name: str = "Another CPU") -> Evidence:
    return evidence.model_copy(update={"machine": evidence.machine.model_copy(update={"cpu_model": name})})


def test_two_runs_that_say_the_same_agree(evidence: Evidence) -> None:
    second = again(evidence)
    assert contradictions(second) == []
    found = of(evidence, second)
    for claim in ("cpu.test", "speed.test"):
        assert (row(found, claim).holds, row(found, claim).tried, row(found, claim).agreement) == (2, 2, "agree")
    assert found.compared == 2
    assert found.differing == ()
    assert (found.runs[0].label, found.machines[0].runs) == ("run1", 2)


def test_a_claim_that_no_run_selected_is_no_row(evidence: Evidence) -> None:
    found = of(evidence, again(evidence))
    assert {row.claim for row in found.claims} == {"cpu.test", "speed.test"}
    assert found.never_tried == 0


def test_ratios_whose_intervals_do_not_meet_differ(evidence: Evidence) -> None:
    found = of(evidence, again(evidence, factor=0.8))
    speed = row(found, "speed.test")
    assert speed.agreement == "differ"
    assert (speed.holds, speed.tried) == (2, 2), "both hold: the threshold is far below"
    assert [r.claim for r in found.differing] == ["speed.test"]


def test_the_edge_of_two_intervals_is_common_to_both(evidence: Evidence) -> None:
    def with_interval(low: float, high: float, hours: int) -> Evidence:
        run = again(evidence, hours=hours)
        records = (run.claims[0], run.claims[1].model_copy(update={"interval": (low, high)}), run.claims[2])
        return run.model_copy(update={"claims": records})

    assert row(of(with_interval(1.0, 2.0, 1), with_interval(2.0, 3.0, 2)), "speed.test").agreement == "agree"
    third = with_interval(math.nextafter(2.0, 3), 3.0, 3)
    assert row(of(with_interval(1.0, 2.0, 1), third), "speed.test").agreement == "differ"


def test_verdicts_of_exact_claims_must_be_equal(evidence: Evidence) -> None:
    found = of(evidence, failing(again(evidence)))
    exact = row(found, "cpu.test")
    assert (exact.holds, exact.tried, exact.agreement) == (1, 2, "differ")
    assert [a.verdict for a in exact.machines[0].answers] == [Verdict.PASS, Verdict.FAIL]


def test_an_error_is_tried_and_says_nothing(evidence: Evidence) -> None:
    second = again(evidence)
    broken = second.claims[0].model_copy(update={"verdict": Verdict.ERROR, "value": None})
    exact = row(of(evidence, second.model_copy(update={"claims": (broken, *second.claims[1:])})), "cpu.test")
    assert (exact.holds, exact.tried, exact.agreement) == (1, 2, "alone")


@pytest.mark.parametrize("verdict", [Verdict.NOT_APPLICABLE, Verdict.NOT_MEASURED])
def test_what_was_not_measured_is_not_tried(evidence: Evidence, verdict: Verdict) -> None:
    second = again(evidence)
    absent = second.claims[0].model_copy(update={"verdict": verdict, "value": None, "measured": None})
    found = of(evidence, second.model_copy(update={"claims": (absent, *second.claims[1:])}))
    assert (row(found, "cpu.test").holds, row(found, "cpu.test").tried) == (1, 1)
    assert "not measured" in reproduction_table(found).rows[0].cells[0].answers[1].measured


def test_machines_are_columns_of_their_own(evidence: Evidence) -> None:
    found = of(evidence, elsewhere(again(evidence)), again(evidence, hours=2, factor=0.8))
    speed = row(found, "speed.test")
    assert [m.runs for m in found.machines] == [2, 1]
    assert [(m.holds, m.tried, m.agreement) for m in speed.machines] == [(2, 2, "differ"), (1, 1, "alone")]
    assert (speed.holds, speed.tried, speed.agreement) == (3, 3, "differ")


def test_absolute_figures_are_compared_on_one_machine_alone(evidence: Evidence) -> None:
    def absolute(run: Evidence, verdict: Verdict) -> Evidence:
        claim = run.claims[0].claim.model_copy(
            update={"kind": "absolute", "suite": None, "metric": "frames_per_second", "at_least": 1.0}
        )
        record = run.claims[0].model_copy(update={"claim": claim, "verdict": verdict})
        return run.model_copy(update={"claims": (record,)})

    here, there = absolute(evidence, Verdict.PASS), elsewhere(absolute(again(evidence), Verdict.FAIL))
    assert row(of(here, there), "cpu.test").agreement == "alone"
    assert row(of(here, there, absolute(again(evidence, hours=2), Verdict.FAIL)), "cpu.test").agreement == "differ"
    assert row(of(here, there, absolute(again(evidence, hours=2), Verdict.PASS)), "cpu.test").agreement == "agree"


def with_comparison(run: Evidence, outcome: ComparisonOutcome, interval: tuple[float, float] | None) -> Evidence:
    comparison = Comparison(
        id="a-b", workload="play@1", candidate="a", baseline="b", behaviour=None, outcome=outcome, words="In words.",
        measurement=NoMeasurement(reason="-"), ratio=None if interval is None else interval[0], interval=interval,
    )  # fmt: skip
    return run.model_copy(update={"comparisons": (comparison,)})


@pytest.mark.parametrize(
    ("second", "interval", "expected"),
    [
        ("alike", (2.5, 4.0), (2, 2, "agree")),
        ("inconclusive", (2.5, 9.0), (1, 2, "agree")),
        ("alike", (3.5, 4.0), (2, 2, "differ")),
        ("alike", None, (2, 2, "agree")),
        ("differs", None, (1, 2, "differ")),
        ("differs", (2.5, 4.0), (1, 2, "differ")),
        ("broken", None, (1, 2, "alone")),
        ("refused", None, (1, 2, "alone")),
        ("unavailable", None, (1, 1, "alone")),
        ("not-measured", None, (1, 1, "alone")),
    ],
)
def test_comparisons_are_held_against_each_other_too(
    evidence: Evidence,
    second: ComparisonOutcome,
    interval: tuple[float, float] | None,
    expected: tuple[int, int, str],
) -> None:
    found = of(with_comparison(evidence, "alike", (2.0, 3.0)), with_comparison(again(evidence), second, interval))
    compared = row(found, "comparison:a-b")
    assert (compared.holds, compared.tried, compared.agreement) == expected
    shown = next(r for r in reproduction_table(found).rows if r.claim == "comparison:a-b")
    assert shown.cells[0].answers[0].measured == "2.000 (2.000 to 3.000)"
    assert shown.cells[0].answers[0].verdict_word == "plays alike"
    assert f",{second}," in reproductions_csv(found).decode()
    assert json.loads(reproductions_json(found))["claims"][0]["kind"] == "comparison"


# --- What does not count ---------------------------------------------------------------------------------------------


def dirty(run: Evidence) -> Evidence:
    return run.model_copy(update={"source": run.source.model_copy(update={"dirty": True})})


def busy(run: Evidence) -> Evidence:
    record = run.claims[1]
    assert isinstance(record.measurement, RatioMeasurement)
    load = record.measurement.load.model_copy(update={"busy": True, "overridden": True})
    measurement = record.measurement.model_copy(update={"load": load})
    return run.model_copy(
        update={"claims": (run.claims[0], record.model_copy(update={"measurement": measurement}), run.claims[2])}
    )


@pytest.mark.parametrize(
    ("change", "mark", "claims"),
    [
        (dirty, "dirty tree", ("cpu.test", "speed.test")),
        (lambda run: run.model_copy(update={"fixture": "for a test"}), "fixture", ("cpu.test", "speed.test")),
        (busy, "busy machine", ("speed.test",)),
    ],
)
def test_it_is_shown_and_marked_and_not_counted(
    evidence: Evidence, change: Change, mark: str, claims: tuple[str, ...]
) -> None:
    found = of(evidence, change(again(evidence, factor=0.8)))
    for claim in ("cpu.test", "speed.test"):
        counted = row(found, claim)
        last = counted.machines[0].answers[-1]
        assert (mark in last.marks) is (claim in claims)
        assert last.counts is (claim not in claims)
        assert counted.tried == (1 if claim in claims else 2)
    assert row(found, "speed.test").agreement == "alone"
    assert mark in reproductions_csv(found).decode()
    assert mark in reproductions_json(found).decode()


def test_an_interrupted_run_is_marked_and_counts_as_far_as_it_came(evidence: Evidence) -> None:
    found = of(evidence, again(evidence, interrupted=True))
    assert found.runs[1].marks == ("interrupted",)
    assert row(found, "cpu.test").tried == 2


def test_a_run_that_repeats_anothers_times_was_copied(evidence: Evidence) -> None:
    copied = evidence.model_copy(update={"created_utc": evidence.created_utc + timedelta(days=1), "duration_s": 2.0})
    found = of(evidence, elsewhere(copied))
    speed = row(found, "speed.test")
    assert (speed.tried, speed.agreement) == (1, "alone")
    assert speed.machines[1].answers[0].marks == ("repeats the times of run1",)
    # Nor does anything else in it count: what takes no time looks the same in a copy and in another run.
    suite = row(found, "cpu.test")
    assert (suite.tried, suite.agreement) == (1, "alone")
    assert (found.runs[1].marks, found.runs[1].counts) == (("repeats the times of run1",), False)
    assert found.compared == 0


def test_a_document_given_twice_is_one_run(evidence: Evidence) -> None:
    assert len(of(evidence, evidence.model_copy()).runs) == 1


def test_what_is_not_measured_alike_is_not_one_claim(evidence: Evidence) -> None:
    def with_cases(run: Evidence) -> Evidence:
        claim = run.claims[0].claim.model_copy(update={"cases": "a"})
        return run.model_copy(update={"claims": (run.claims[0].model_copy(update={"claim": claim}), *run.claims[1:])})

    found = of(evidence, with_cases(again(evidence)))
    assert [(r.variant, r.tried) for r in found.claims if r.claim == "cpu.test"] == [(1, 1), (2, 1)]
    other_input = again(evidence)
    workload = other_input.workloads[0].model_copy(update={"identity_sha256": "f" * 64})
    found = of(evidence, other_input.model_copy(update={"workloads": (workload,)}))
    assert [(r.variant, r.tried) for r in found.claims if r.claim == "speed.test"] == [(1, 1), (2, 1)]


def test_another_threshold_or_sentence_is_the_same_claim(evidence: Evidence) -> None:
    second = again(evidence)
    claim = second.claims[1].claim.model_copy(update={"at_least": 0.6, "sentence": "It is {value} times as fast."})
    records = (second.claims[0], second.claims[1].model_copy(update={"claim": claim}), second.claims[2])
    speed = row(of(evidence, second.model_copy(update={"claims": records})), "speed.test")
    assert (speed.tried, speed.sentence) == (2, "It is 0.6 times as fast.")


# --- How it is shown -------------------------------------------------------------------------------------------------


def test_the_order_of_the_arguments_is_no_matter(evidence: Evidence) -> None:
    runs = [RunSource("a", evidence), RunSource("b", again(evidence)), RunSource("c", elsewhere(again(evidence)))]
    assert reproductions(runs) == reproductions(reversed(runs))


def test_json_follows_its_schema_and_csv_has_a_line_an_answer(evidence: Evidence) -> None:
    found = of(evidence, elsewhere(again(evidence)), again(evidence, hours=3))
    schema = json.loads(published_schemas()["reproductions-1.schema.json"])
    jsonschema.Draft202012Validator.check_schema(schema)
    document = json.loads(reproductions_json(found))
    jsonschema.Draft202012Validator(schema).validate(document)
    assert [c["claim"] for c in document["claims"]] == ["cpu.test", "speed.test"]
    lines = list(csv.DictReader(io.StringIO(reproductions_csv(found).decode())))
    assert len(lines) == 6
    assert {line["agreement"] for line in lines} == {"agree"}
    speed = [line for line in lines if line["claim"] == "speed.test"]
    assert all(float(line["low"]) < float(line["value"]) < float(line["high"]) for line in speed)


def test_hostile_words_stay_words(evidence: Evidence) -> None:
    hostile = '=HYPERLINK("x")\x1b[31m\n\u202e<script>'
    second = again(evidence)
    record = second.claims[0].model_copy(update={"measured": hostile, "caveat": hostile})
    second = elsewhere(second.model_copy(update={"claims": (record, *second.claims[1:])}), hostile[:40])
    found = of(evidence, second)
    for data in (reproductions_json(found), reproductions_csv(found)):
        text = data.decode()
        assert "\x1b" not in text
        assert "\u202e" not in text
    cells = [cell for line in csv.reader(io.StringIO(reproductions_csv(found).decode())) for cell in line]
    assert not any(cell.startswith(("=", "+", "@")) for cell in cells)
    shown = reproduction_table(found)
    assert all(a.measured.isprintable() for r in shown.rows for c in r.cells for a in c.answers)
    assert all(run.machine.isprintable() for run in shown.runs)


def test_the_headline_sums_up(evidence: Evidence) -> None:
    assert reproduction_table(of(evidence, dirty(again(evidence)))).headline == (
        "1 run on 1 machine; 1 more shown and not counted; no claim was answered twice, "
        "so that there is nothing to compare."
    )
    assert reproduction_table(of(evidence, again(evidence, factor=0.8))).headline == (
        "2 runs on 1 machine; 2 claims answered more than once; 1 of them differ."
    )
