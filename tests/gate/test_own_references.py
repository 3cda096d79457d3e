"""A change of the console's state or behaviour: each build is held to its own reference, once somebody accepts that,
and the head's reference to what the base claims of it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import gate_own_project as places
import gate_parts as parts
import pytest

from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.evidence.model import ExpectedState, NoMeasurement, SuiteMeasurement, UnavailableMeasurement
from nesproof.harness.gate.check import contradictions_of
from nesproof.harness.gate.document import EndState, GateDocument, GateFlags
from nesproof.harness.gate.gate import YardstickChanged
from nesproof.harness.gate.outcome import GateVerdict
from nesproof.harness.gate.project import load_project
from nesproof.harness.gate.repository import Repository
from nesproof.harness.gate.under_base import knows_own_references
from nesproof.harness.probes import instructions
from nesproof.harness.probes.lanes import expected_state
from nesproof.reports.gate import gate_html, gate_markdown
from nesproof.reports.gate.view import gate_view

CHANGED = ("reference: emulator/state/fields.py changed",)


def change(own: Any, **values: int) -> str:
    """A commit that changes what the consoles do."""
    files = {
        "fields": (places.FIELDS, "MORE = {}\n"),
        "core": (places.CORE, "SLIP = {}\n"),
        "reference": (places.REFERENCE, "KEEPS = {}\n"),
    }
    return str(own.commit("Change it", {files[name][0]: files[name][1].format(v) for name, v in values.items()}))


@pytest.fixture
def gate(own: Any, home: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`nesproof gate HEAD~1 --claim own.instructions`, with real consoles; what a frame takes is made up."""

    def counted(loop: Any, run: Any) -> tuple[int, Any]:
        return 1_000 * run.passes * loop.workload.frames, instructions._timed(loop, run, under=())

    monkeypatch.setattr(instructions, "_counted", counted)
    monkeypatch.setattr(instructions, "_PASSES", 1)
    monkeypatch.setattr("nesproof.harness.gate.gate.run_under_base", parts.judged_here)

    def run(*globs: str, **flags: Any) -> GateDocument:
        return parts.gated(own.root, **{"budget_s": 60, "claim_globs": globs or ("own.instructions",), **flags})

    return run


def verdicts(document: GateDocument) -> dict[str, str]:
    """Of the claims that were asked for."""
    records = (record for record in document.claims if record.verdict is not GateVerdict.NOT_SELECTED)
    return {record.claim.id: record.verdict.value for record in records}


def expected(document: GateDocument) -> list[str]:
    """What the reference of the base said, and what that of the head."""
    (table,) = document.tables
    return [side.checks[0].expected for side in (table.baseline, table.candidate)]  # type: ignore[union-attr]


# --- From commits to an exit code


def test_a_changed_state_is_listed_first_and_nothing_is_built_until_it_is_accepted(own: Any, home: Any) -> None:
    base = own.head
    change(own, fields=5)
    own.commit("Promise less", own.edited("harness/claims/own.toml", "at_most = 100000", "at_most = 200000"))
    builds = sorted((home / "builds").glob("*"))
    ended = subprocess.run(
        [sys.executable, "-m", "nesproof.harness.cli", "gate", base, "--claim", "own.instructions"],
        cwd=own.root, env=dict(os.environ), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == 2
    assert ended.stderr.index(CHANGED[0]) < ended.stderr.index("claims: claim own.instructions")
    (sentence,) = (line for line in ended.stderr.splitlines() if "--accept-yardstick" in line)
    assert "each build is held to its own" in sentence
    assert sorted((home / "builds").glob("*")) == builds


def test_another_change_of_the_yardstick_says_nothing_of_references(own: Any) -> None:
    sentence = str(YardstickChanged(["claims: claim own.instructions: at_most 1 -> 2"]))
    assert "--accept-yardstick" in sentence
    assert "reference" not in sentence


def test_accepted_each_build_is_held_to_its_own_reference(own: Any, gate: Any) -> None:
    change(own, fields=5)
    document = gate(accept_yardstick=True)
    assert document.exit_code == ExitCode.OK, document.claims
    assert verdicts(document) == {"own.instructions": "PASS", "own.power": "PASS"}, "what the base claims is asked"
    assert (document.own_references, document.yardstick) == (True, CHANGED)
    of_base, of_head = (int(digest, 16) for digest in expected(document))
    assert of_base ^ of_head == 5
    base, head = document.baseline.commit[:12], document.candidate.commit[:12]
    told = f"runs of {base} to the reference of {base}, runs of {head} to the reference of {head}"
    assert told in gate_view(document).held_to
    assert told in gate_markdown(document)
    assert told in gate_html(document).decode()


def test_a_core_that_disagrees_with_its_own_reference_fails(own: Any, gate: Any) -> None:
    change(own, fields=5, core=1)
    document = gate(accept_yardstick=True)
    assert document.exit_code == ExitCode.FAIL
    assert verdicts(document) == {"own.instructions": "FAIL", "own.power": "PASS"}
    (record,) = (r for r in document.claims if r.claim.id == "own.instructions")
    assert record.reason.startswith("In the head, ")
    assert record.after is None, "no digest, no figure"


def test_a_changed_reference_that_fails_what_the_base_claims_of_it_fails_all_that_is_held_to_it(
    own: Any, gate: Any
) -> None:
    change(own, reference=True)
    document = gate(accept_yardstick=True)
    assert document.exit_code == ExitCode.FAIL
    assert verdicts(document) == {"own.instructions": "FAIL", "own.power": "FAIL"}
    of_base, of_head = expected(document)
    assert of_base == of_head, "the core agrees with it: its own workload does not show that it is wrong"
    (record,) = (r for r in document.claims if r.claim.id == "own.instructions")
    assert record.reason.startswith("It is held to the head's reference, which fails own.power.")


def test_a_core_alone_is_held_to_the_bases_reference_whatever_is_accepted(own: Any, gate: Any) -> None:
    change(own, core=1)
    document = gate(accept_yardstick=True)
    assert not document.own_references
    assert verdicts(document) == {"own.instructions": "FAIL"}
    assert gate_view(document).held_to == "runs of both builds to the base's reference"


def test_a_base_whose_gate_is_older_holds_both_to_its_reference_and_says_so_first(
    own: Any, gate: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Such a gate does with the order what this one does with one that is silent about references.
    monkeypatch.setattr("nesproof.harness.gate.gate.rooms_of", lambda *_, **__: None)
    own.commit("Have a gate", {"harness/gate/inside.py": ""})
    change(own, fields=5)
    document = gate(accept_yardstick=True)
    assert (document.exit_code, document.own_references) == (ExitCode.FAIL, False)
    assert "is from before a build could be held to its own reference" in document.yardstick[0]
    assert document.yardstick[1:] == CHANGED
    assert gate_view(document).held_to == "runs of both builds to the base's reference"
    with pytest.raises(YardstickChanged) as refused:
        gate()
    assert "held to its own" not in str(refused.value), "the flag would not do that here"
    repository = Repository.at(own.root)
    assert not knows_own_references(repository, repository.resolve("HEAD"))
    own.commit("Have this gate", {"harness/gate/references.py": ""})
    assert knows_own_references(repository, repository.resolve("HEAD"))


def test_an_older_gate_can_read_the_order_for_any_other_change(
    own: Any, gate: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders: list[dict[str, Any]] = []

    def judged(rooms: Any, plan: Path, result: Path, **more: Any) -> Any:
        orders.append(json.loads(plan.read_text()))
        return parts.judged_here(rooms, plan, result, **more)

    monkeypatch.setattr("nesproof.harness.gate.gate.run_under_base", judged)
    own.commit("Say it otherwise", {"README.md": "x"})
    gate()
    change(own, fields=5)
    gate(accept_yardstick=True)
    assert [order.get("own_references") for order in orders] == [None, True]


def test_a_project_of_others_has_no_reference_of_its_own(toy: Any) -> None:
    repository = Repository.at(toy.root)
    assert load_project(repository, repository.resolve("HEAD")).reference == ()


# --- What the base's claims about the reference must show


ORACLE = {"id": "hardware.ppu", "subject": "reference"}


def resting(*oracles: Any, **fields: Any) -> GateDocument:
    """A document in which a claim about instructions passes, beside these records."""
    counted = parts.record(parts.claim("instructions"), table="instructions of toy")
    flags = GateFlags(profile="quick", budget_s=600, order_seed=3, accept_yardstick=True)
    given = {"flags": flags, "yardstick": CHANGED, "own_references": True, **fields}
    suites = (parts.suite(one="passed").model_copy(update={"subject": "reference"}),)
    table = parts.table("instructions", parts.instructions(100.0), parts.instructions(100.0))
    return parts.document([counted, *oracles], suites=suites, tables=(table,), **given)


def oracle(measurement: Any, **fields: Any) -> Any:
    return parts.record(parts.claim("exact", **{**ORACLE, **fields}), measurement=measurement)


def test_what_cannot_be_shown_is_not_measured() -> None:
    absent = UnavailableMeasurement(missing="rom:x", reason="The program is not here.", remedy=None)
    passed = SuiteMeasurement(run="determinism on toy")
    document = resting(oracle(passed), oracle(absent, id="hardware.apu"))
    assert verdicts(document)["toy.instructions"] == "PASS", "one that needs what is not here hinders nothing"
    assert contradictions_of(document) == []
    for records, words in (
        ([], "no claim about the reference can be tested here"),
        ([oracle(absent)], "no claim about the reference can be tested here"),
        ([oracle(passed), oracle(NoMeasurement(reason="Interrupted."), id="hardware.apu")], "hardware.apu without"),
    ):
        document = resting(*records)
        (record,) = (r for r in document.claims if r.claim.id == "toy.instructions")
        assert record.verdict.value == "NOT_MEASURED"
        assert words in record.reason
        assert document.exit_code == ExitCode.NOT_MEASURED


def test_a_document_must_follow_from_what_was_accepted_and_asked() -> None:
    document = resting(oracle(SuiteMeasurement(run="determinism on toy")))
    assert contradictions_of(document) == []
    quiet = document.flags.model_copy(update={"accept_yardstick": False})
    for update in ({"flags": quiet}, {"yardstick": ()}):
        (found,) = contradictions_of(document.model_copy(update=update))
        assert "its own reference" in found
    left_out = [
        r.model_copy(update={"verdict": GateVerdict.NOT_SELECTED, "measurement": None})
        if r.claim.kind == "exact"
        else r
        for r in document.claims
    ]
    tampered = GateDocument.model_validate({**document.model_dump(), "claims": [r.model_dump() for r in left_out]})
    assert any(found.startswith("hardware.ppu: it was asked for") for found in contradictions_of(tampered))


# --- Timed


def test_timed_runs_of_the_head_must_end_where_its_own_reference_does(monkeypatch: pytest.MonkeyPatch) -> None:
    of_head = ExpectedState.model_validate({**parts.EXPECTED.model_dump(), "digest": "cd" * 8})
    fake = parts.FakeProcesses(wrong="candidate")  # it ends in another state than the baseline

    def judged(**fields: Any) -> tuple[str, list[str]]:
        measured = parts.change(monkeypatch, fake, **fields)
        own = bool(fields)
        timing = parts.timing(measured)
        document = resting(
            oracle(SuiteMeasurement(run="determinism on toy")),
            parts.record(parts.claim("ratio"), timing=timing.id),
            timings=(timing,),
            own_references=own,
        )
        return verdicts(document)["toy.ratio"], contradictions_of(document)

    assert judged(expected_of_candidate=of_head) == ("PASS", [])
    assert judged() == ("FAIL", [])


class EndsWhereTheReferencesDo(parts.FakeProcesses):
    """Processes of which each ends where the reference of its build said that it must."""

    def __init__(self) -> None:
        super().__init__()
        self.expected: list[ExpectedState] = []

    def expect(self, *args: Any, **more: Any) -> ExpectedState:
        """In the place of the timing's `expected_state`, which it asks."""
        self.expected.append(expected_state(*args, **more))
        return self.expected[-1]

    def __call__(self, plan: Any, block: int, position: int) -> Any:
        of_base, of_head = self.expected
        ends = {True: of_head, False: of_base}
        names = {"baseline": plan.baseline, "candidate": plan.candidate}
        return [
            sample.model_copy(
                update=ends[names[sample.side].endswith("candidate")].model_dump(
                    include={"digest", "ram_sha256", "frame_counter"}
                )
            )
            for sample in super().__call__(plan, block, position)
        ]


def test_the_timing_asks_each_builds_reference(own: Any, gate: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = EndsWhereTheReferencesDo()
    monkeypatch.setattr("nesproof.harness.probes.change.replicate", fake)
    monkeypatch.setattr("nesproof.harness.gate.timing.expected_state", fake.expect)
    monkeypatch.setattr("nesproof.harness.probes.change.quickest_run_ns", lambda *_, **__: 8_000_000)
    monkeypatch.setattr("nesproof.harness.gate.measuring.wait_for_quiet", lambda **_: parts.QUIET)
    change(own, fields=5)
    document = gate("own.speed", accept_yardstick=True, budget_s=600)
    assert verdicts(document) == {"own.speed": "PASS", "own.power": "PASS"}
    of_base, of_head = (int(state.digest, 16) for state in fake.expected)
    assert of_base ^ of_head == 5
    (state,) = document.end_states
    assert (state.expected, state.expected_of_candidate) == (state.baseline, state.candidate)
    assert int(state.expected, 16) ^ int(state.expected_of_candidate, 16) == 5
    ((_, words, mark),) = gate_view(document).states
    assert (mark, "each as its own reference does" in words) == ("PASS", True)


def test_a_sample_held_to_a_reference_that_the_document_does_not_name_is_a_contradiction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured = parts.change(monkeypatch, parts.FakeProcesses(), expected_of_candidate=parts.EXPECTED)
    timing = parts.timing(measured)
    document = parts.document([parts.record(parts.claim("ratio"), timing=timing.id)], timings=(timing,))
    assert any("another reference" in found for found in contradictions_of(document))


@pytest.mark.parametrize(
    ("candidate", "verdict"), [("bb" * 8, "PASS"), ("cc" * 8, "FAIL")], ids=["as its own", "as none"]
)
def test_where_a_workload_ends_is_shown_beside_each_reference(candidate: str, verdict: str) -> None:
    state = EndState(
        subject="core",
        workload="busy@2",
        expected="aa" * 8,
        expected_of_candidate="bb" * 8,
        baseline="aa" * 8,
        candidate=candidate,
    )
    ((_, words, found),) = gate_view(resting(end_states=(state,))).states
    assert found == verdict
    assert candidate in words
