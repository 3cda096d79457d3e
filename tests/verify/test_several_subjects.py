"""One run over several subjects: each answers what it can be asked, and one that breaks takes no other down."""

from __future__ import annotations

from typing import Any

import pytest

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.registry import load_claims
from nesproof.harness.claims.waiver import Waiver
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.evidence.conformance import conformance
from nesproof.harness.judge import contradictions
from nesproof.harness.mustpass import load_list
from nesproof.harness.runner.options import VerifyOptions
from nesproof.harness.runner.selection import select
from nesproof.harness.runner.stand_ins import StandIns, stand_in
from nesproof.harness.runner.subject_choice import chosen_subjects, console_like_subjects

BEYOND = {"kind": "do", "capabilities": ["trace"], "settings": {"what": "pass"}}


def test_what_a_subject_cannot_be_asked_is_counted_and_leaves_the_promise_open(world: Any) -> None:
    world.add_suite("good", "pass", BEYOND)
    world.add_claim("fake.good", suite="good")
    for name in ("one", "two"):
        world.add_subject(name)
    done = world.verify("--subject", "one,two")
    assert done.returncode == 3, done.stderr
    assert world.verdicts() == {"fake.good@one": "INCONCLUSIVE", "fake.good@two": "INCONCLUSIVE"}
    evidence = world.bundle().evidence
    assert contradictions(evidence) == []
    own = [run for run in evidence.suites if run.suite == "good"]
    assert [run.subject for run in own] == ["one", "two"]
    for run in own:
        assert run.expected == ("case-0",)
        assert [(left.id, left.lacks) for left in run.cannot_run] == [("case-1", ("trace",))]
    # The must-pass list's cases that these subjects cannot be asked are counted as such, whatever was selected.
    counted = conformance(evidence, "one")
    assert counted is not None
    assert counted.counts()["cannot-run"] == len(load_list().case)
    record = next(r for r in evidence.claims if r.selected)
    assert record.measured == "1 of 1 case passed, 1 it cannot run"
    assert record.value == 0.5
    assert "trace" in record.reason
    assert evidence.mustpass is not None
    assert evidence.mustpass.sha256 == load_list().sha256
    assert "one 1.0: 1 INCONCLUSIVE" in done.stdout
    assert "two 1.0: 1 INCONCLUSIVE" in done.stdout
    assert "--budget" not in done.stdout  # more time would decide nothing
    assert "1 case it cannot run" in done.stderr


def test_what_a_subject_cannot_be_asked_needs_nothing_else_either(world: Any) -> None:
    workload = "scroller-random-buttons@1"
    ratio = {"metric": "frames_per_second", "at_least": 2, "baseline": "fake", "workload": workload}
    figure = {"metric": "registers", "at_most": 40, "sentence": "A kernel takes at most {value} registers."}
    absent = {"requires": ["package:no_such_package"]}
    world.add_claim("fake.ratio", kind="ratio", **ratio, **absent, subject="core")
    world.claims[-1] += "\ncandidate_run = { num_envs = 2 }"
    world.add_claim("fake.figure", kind="static", **figure, **absent)
    world.add_subject("one")
    done = world.verify("--subject", "one")
    assert world.verdicts() == {"fake.figure@one": "NOT_APPLICABLE", "fake.ratio@one": "NOT_APPLICABLE"}
    reasons = {r.claim.id: r.reason for r in world.bundle().evidence.claims if r.selected}
    assert reasons["fake.figure@one"] == "one does not offer: kernel."
    assert reasons["fake.ratio@one"] == "one does not offer: batch."
    assert "pip install" not in done.stdout


@pytest.mark.parametrize("how", ["die", "garbage"])
def test_a_subject_that_breaks_is_an_error_for_its_own_rows(world: Any, how: str) -> None:
    world.add_suite("good", "pass")
    world.add_claim("fake.good", suite="good")
    world.add_subject("one", peek=how)
    world.add_subject("two")
    done = world.verify("--subject", "one,two")
    assert done.returncode == 5, done.stderr
    assert world.verdicts() == {"fake.good@one": "ERROR", "fake.good@two": "PASS"}
    evidence = world.bundle().evidence
    assert "one says its last words" in next(run for run in evidence.suites if run.subject == "one").cases[0].message
    assert "Traceback" not in done.stderr


def test_a_subject_that_hangs_or_does_not_start_ends_with_its_last_words(world: Any) -> None:
    world.add_suite("good", "pass")
    world.add_claim("fake.good", suite="good")
    world.add_subject("one", peek="hang")
    world.add_subject("two", start="die")
    world.add_subject("three")
    done = world.verify("--subject", "one,two,three", "--suite-timeout", "6")
    assert done.returncode == 5, done.stderr
    assert world.verdicts() == {"fake.good@one": "ERROR", "fake.good@two": "ERROR", "fake.good@three": "PASS"}
    reasons = {r.claim.subject: r.reason for r in world.bundle().evidence.claims if r.selected}
    assert "one says its last words" in reasons["one"]
    assert "hello from two" in reasons["two"]


def test_all_are_the_consoles_there_are_and_the_absent_are_named(world: Any) -> None:
    world.add_suite("good", {"kind": "be-there"})
    world.add_claim("fake.good", suite="good")
    with (world.root / "subjects.toml").open("a", encoding="utf-8") as file:
        file.write('[[subject]]\nname = "ghost"\ncommand = ["/no/such/program"]\n')
    done = world.verify("--subject", "all")
    assert done.returncode == 0, done.stderr
    verdicts = world.verdicts()
    assert verdicts.pop("fake.good@ghost") == "NOT_APPLICABLE"
    assert verdicts.pop("fake.good@core-cuda", "NOT_APPLICABLE") == "NOT_APPLICABLE"
    # nes-py declares that it cannot peek, and the judge is no console: nobody asks them.
    assert not {"fake.good@nes-py", "fake.good@judge"} & set(verdicts)
    assert {verdicts[claim] for claim in ("fake.good", "fake.good@reference", "fake.good@core")} == {"PASS"}
    assert set(verdicts.values()) == {"PASS", "NOT_APPLICABLE"}
    assert verdicts["fake.good@cynes"] == "NOT_APPLICABLE"
    assert "nesproof subjects install cynes" in done.stdout
    assert "ghost: Subject ghost is not available: there is no program '/no/such/program'." in done.stdout
    assert world.bundle().evidence.comparisons == ()
    assert contradictions(world.bundle().evidence) == []


def test_a_waiver_stays_with_the_subject_that_it_is_about() -> None:
    from datetime import date

    claim = Claim(
        id="mine.good", sentence="Everything passes.", kind="exact", subject="mine", suite="good",
        breaks_when="Something breaks.",
        waiver=Waiver(reason="It is known.", settled_by="A test on a console.", expires=date(2099, 1, 1), cases=("*",)),
    )  # fmt: skip
    assert stand_in(claim, "mine").waiver == claim.waiver
    other = stand_in(claim, "yours")
    assert (other.id, other.base_id, other.subject, other.waiver) == ("mine.good@yours", "mine.good", "yours", None)


def test_with_all_peers_are_asked_what_they_can_be_asked_once() -> None:
    subjects = console_like_subjects()
    selection = select(load_claims(), VerifyOptions(subjects=subjects, every_subject=True))
    claims = [item.claim for item in selection.selected]
    assert all(claim.kind == "exact" for claim in claims)
    assert len({claim.id for claim in claims}) == len(claims)
    of_nes_py = {claim.base_id for claim in claims if claim.subject == "nes-py"}
    assert {"hardware.cpu", "hardware.ppu", "hardware.apu", "hardware.dma", "cpu.nestest.menu"} <= of_nes_py
    assert not {"core.hardware.cpu", "state.replay", "judge.planted.suites", "parity.house"} & of_nes_py
    # Nothing that is not asked of anybody is lost from the headline.
    asked = {claim.base_id for claim in claims}
    assert asked | {item.claim.id for item in selection.others} == set(load_claims())
    reasons = {item.claim.id: item.reason for item in selection.others}
    assert "table of comparisons" in reasons["throughput.core.vs-nes-py"]


def test_a_subject_keeps_its_own_claims_and_is_not_held_against_itself() -> None:
    claims = load_claims()
    core = StandIns("core", broadly=False)
    kept = [claim.id for claim in core.in_order(list(claims.values())) if core.reason_against(claim) is None]
    assert {"core.klaus", "parity.house", "throughput.core.vs-nes-py"} <= set(kept)
    assert "cpu.klaus.2a03" not in kept  # core.klaus asks for the same case
    reference = StandIns("reference", broadly=False)
    assert "against itself" in str(reference.reason_against(claims["parity.house"]))
    peer = StandIns("nes-py", broadly=False)
    assert "with itself" in str(peer.reason_against(claims["throughput.core.vs-nes-py.drawing"]))


@pytest.mark.parametrize(
    ("text", "said"),
    [("core,,judge", "commas"), ("all,core", "no other"), ("core,nobody", "no subject 'nobody'"), ("", "commas")],
)
def test_names_that_do_not_name_subjects(text: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        chosen_subjects(text)


def test_names_are_taken_once_and_in_order() -> None:
    assert chosen_subjects(None) == ()
    assert chosen_subjects("core, reference,core") == ("core", "reference")
    everyone = chosen_subjects("all")
    assert {"reference", "core", "nes-py"} <= set(everyone)
    assert "judge" not in everyone
