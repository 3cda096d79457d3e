"""A stranger's bundle is held to the list: what is missing, waived too long, made up or not consistent is refused."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from nesproof.harness.claims.waiver import Waiver
from nesproof.harness.cli.submission import app
from nesproof.harness.evidence.bundle import seal
from nesproof.harness.evidence.model import MustPassRecord, RomRecord, SubjectRecord
from nesproof.harness.mustpass import MustPassList, load_list, record_of
from nesproof.harness.mustpass.lists import ListedCase
from nesproof.harness.mustpass.submission import Submission, check_submission

FINE = {"a1": "passed", "a2": "passed", "b1": "passed", "b2": "passed"}
DAY = date(2026, 6, 2)


@pytest.fixture
def listed() -> MustPassList:
    cases = tuple(ListedCase(suite="opcodes", id=case, roms={"rom": "a" * 64}, definition="b" * 64) for case in FINE)
    return MustPassList(
        name="nes-9.9", title="nesproof NES 9.9", frozen=DAY, about="A list of a test.", case=cases, sha256="e" * 64
    )


def check(evidence: Any, listed: MustPassList, *, subject: str | None = None, today: date = DAY) -> Submission:
    return check_submission(evidence, listed, subject=subject, today=today)


def test_all_passed_conforms(make_run: Any, make_evidence: Any, listed: MustPassList) -> None:
    found = check(make_evidence(make_run("mine", FINE)), listed)
    assert found.conforms
    assert found.sentence == "nesproof NES 9.9: 4 of 4 on mine 1.2."


def test_a_waived_failure_conforms_until_its_last_day(
    make_run: Any, make_evidence: Any, waiver: Waiver, listed: MustPassList
) -> None:
    evidence = make_evidence(make_run("mine", {**FINE, "b1": "failed"}), waivers={"mine": waiver})
    on_the_day = check(evidence, listed, today=waiver.expires)
    assert on_the_day.conforms
    assert "1 waived" in (on_the_day.sentence or "")
    after = check(evidence, listed, today=waiver.expires + timedelta(days=1))
    assert not after.conforms
    assert after.sentence is None
    assert "opcodes:b1" in after.refusals[0]


@pytest.mark.parametrize(
    ("outcomes", "more", "said"),
    [
        ({**FINE, "b1": "failed"}, {}, "1 case failed and is not waived: opcodes:b1."),
        ({**FINE, "b1": "error"}, {}, "broke before a verdict"),
        ({"a1": "passed"}, {}, "3 cases have no result and are not waived: opcodes:a2, opcodes:b1, opcodes:b2."),
        ({"a1": "passed"}, {"cannot_run": ["a2", "b1", "b2"]}, "3 cases cannot be asked of the subject"),
    ],
)
def test_what_neither_passed_nor_is_waived_stays_open(
    outcomes: dict[str, str], more: dict[str, Any], said: str, make_run: Any, make_evidence: Any, listed: MustPassList
) -> None:
    found = check(make_evidence(make_run("mine", outcomes, **more)), listed)
    assert not found.conforms
    assert not found.refusals
    assert said in " ".join(found.open)
    # What may be said names it as well.
    assert found.sentence is not None
    assert f"{list(outcomes.values()).count('passed')} of 4" in found.sentence


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"fixture": "To show a page."}, "made up"),
        ({"interrupted": True, "exit_code": 130}, "interrupted"),
        ({"mustpass": None}, "is counted by no must-pass list"),
        ({"exit_code": 1}, "do not follow"),
    ],
)
def test_what_is_no_submission_is_refused(
    changes: dict[str, Any], said: str, make_run: Any, make_evidence: Any, listed: MustPassList
) -> None:
    found = check(make_evidence(make_run("mine", FINE), **changes), listed)
    assert not found.conforms
    assert found.sentence is None
    assert said in " ".join(found.refusals)


def test_a_dirty_tree_is_refused(make_run: Any, make_evidence: Any, listed: MustPassList) -> None:
    evidence = make_evidence(make_run("mine", FINE))
    dirty = evidence.model_copy(update={"source": evidence.source.model_copy(update={"dirty": True})})
    assert "uncommitted" in check(dirty, listed).refusals[0]


def test_another_list_or_another_hash_is_refused(make_run: Any, make_evidence: Any, listed: MustPassList) -> None:
    run = make_run("mine", FINE)
    record = record_of(listed)
    for update in ({"name": "nes-9.8"}, {"sha256": "f" * 64}):
        assert (
            "is counted by" in check(make_evidence(run, mustpass=record.model_copy(update=update)), listed).refusals[0]
        )


def test_a_list_with_a_case_taken_out_is_refused(make_run: Any, make_evidence: Any, listed: MustPassList) -> None:
    record = record_of(listed)
    shorter = MustPassRecord(**{**dict(record), "cases": record.cases[:2]})
    found = check(make_evidence(make_run("mine", {"a1": "passed", "a2": "passed"}), mustpass=shorter), listed)
    assert "although it gives that list's hash" in found.refusals[0]


def test_a_verdict_that_does_not_follow_is_refused(make_run: Any, make_evidence: Any, listed: MustPassList) -> None:
    evidence = make_evidence(make_run("mine", {**FINE, "b1": "failed"}))
    passing = make_evidence(make_run("mine", FINE)).suites
    forged = evidence.model_copy(update={"suites": passing})
    assert "do not follow" in check(forged, listed).refusals[0]


def test_a_case_left_out_for_what_the_subject_declares_is_refused(
    make_run: Any, make_evidence: Any, listed: MustPassList
) -> None:
    evidence = make_evidence(make_run("mine", {"a1": "passed"}, cannot_run=["a2", "b1", "b2"]))
    honest = evidence.subjects[0].model_copy(update={"capabilities": ("peek", "ram")})
    found = check(evidence.model_copy(update={"subjects": (honest,)}), listed)
    assert "not what mine declared" in found.refusals[0]


def test_a_subject_that_nobody_introduced_is_refused(make_run: Any, make_evidence: Any, listed: MustPassList) -> None:
    evidence = make_evidence(make_run("mine", FINE))
    (mine,) = evidence.subjects
    for subjects in ((), (mine.model_copy(update={"name": "theirs"}),), (mine, mine)):
        found = check(evidence.model_copy(update={"subjects": subjects}), listed)
        assert "introduces mine" in found.refusals[0]
        assert not found.conforms


def test_a_pass_that_the_subject_could_not_be_asked_for_is_refused(
    make_run: Any, make_evidence: Any, listed: MustPassList
) -> None:
    wanting = listed.case[1].model_copy(update={"wants": ("ram", "peek or frame")})
    listed = listed.model_copy(update={"case": (listed.case[0], wanting, *listed.case[2:])})
    evidence = make_evidence(make_run("mine", FINE))
    assert check(evidence, listed).refusals == (
        "opcodes:a2 passed, it says, but mine does not declare peek or frame, which that takes.",
    )
    (mine,) = evidence.subjects
    able = mine.model_copy(update={"capabilities": ("frame", "ram")})
    assert check(evidence.model_copy(update={"subjects": (able,)}), listed).conforms


def test_other_programs_are_named(make_run: Any, make_evidence: Any, listed: MustPassList) -> None:
    evidence = make_evidence(make_run("mine", FINE), roms=(RomRecord(id="rom", sha256="b" * 64, licence="free"),))
    found = check(evidence, listed)
    assert not found.conforms
    assert "another program than the list's" in found.open[0]


def test_of_several_subjects_one_must_be_chosen(make_run: Any, make_evidence: Any, listed: MustPassList) -> None:
    evidence = make_evidence(make_run("mine", FINE), make_run("theirs", {**FINE, "b1": "failed"}))
    assert "several subjects (mine, theirs)" in check(evidence, listed).refusals[0]
    assert check(evidence, listed, subject="mine").conforms
    assert not check(evidence, listed, subject="theirs").conforms
    nobody = check(evidence, listed, subject="nobody").refusals[0]
    assert nobody == "nobody was asked no case of nes-9.9; asked were mine, theirs."


def test_the_command_says_it_all_with_an_exit_code(make_run: Any, make_evidence: Any, tmp_path: Path) -> None:
    real = load_list()
    roms = {rom: sha256 for case in real.case for rom, sha256 in case.roms.items()}
    capabilities = tuple({want.split(" or ")[0] for case in real.case for want in case.wants})
    runs = [
        make_run("mine", {c.id: "passed" for c in real.case if c.suite == suite}, suite=suite) for suite in real.suites
    ]
    fields = {
        "mustpass": record_of(real),
        "roms": tuple(RomRecord(id=rom, sha256=sha256, licence="") for rom, sha256 in roms.items()),
        "subjects": (SubjectRecord(name="mine", version="1.2", python="", capabilities=capabilities),),
    }
    good = write(seal(make_evidence(*runs, **fields), attachments={}, reports={}), tmp_path / "good")
    done = CliRunner().invoke(app, ["check", str(good)])
    assert done.exit_code == 0, done.output
    count = len(real.case)
    assert f"It may be said: nesproof NES 1.1: {count} of {count} on mine 1.2." in done.output
    assert real.sha256 in done.output
    done = CliRunner().invoke(app, ["check", str(good), "--list", "nes-1.0"])
    assert done.exit_code == 0, done.output
    assert "It may be said: nesproof NES 1.0: 96 of 96 on mine 1.2." in done.output

    fewer = [run.model_copy(update={"cases": run.cases[1:], "expected": run.expected[1:]}) for run in runs]
    bad = write(seal(make_evidence(*fewer, **fields), attachments={}, reports={}), tmp_path / "bad")
    done = CliRunner().invoke(app, ["check", str(bad)])
    assert done.exit_code == 1
    assert f"{len(runs)} cases have no result and are not waived" in done.output

    (good / "evidence.json").write_bytes((good / "evidence.json").read_bytes().replace(b"passed", b"failed", 1))
    done = CliRunner().invoke(app, ["check", str(good)])
    assert done.exit_code != 0
    assert "may be said" not in done.output


def write(bundle: Any, folder: Path) -> Path:
    folder.mkdir()
    for name, data in bundle.files.items():
        (folder / name).write_bytes(data)
    return folder
