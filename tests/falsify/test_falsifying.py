"""A planted fault counts as killed only where the claim that names it fails by its own assertion."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import Any

import pytest

from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.judge import contradictions


def test_each_pair_has_its_outcome(tried: tuple[Any, Any]) -> None:
    world, done = tried
    assert done.returncode == ExitCode.FALSIFIER_SURVIVED, done.stderr
    assert world.outcomes() == {
        ("adds-one", "fake.all"): "killed",
        ("high-bit-lost", "fake.all"): "killed",
        ("dies", "fake.all"): "broken",
        ("high-bit-lost", "fake.first"): "survived",
        ("does-not-start", "fake.low"): "broken",
    }
    assert contradictions(world.bundle().evidence) == []


def test_the_assertion_that_killed_a_fault_is_kept(tried: tuple[Any, Any]) -> None:
    trials = tried[0].bundle().evidence.falsification
    pair = next(p for p in trials.pairs if (p.fault, p.claim) == ("high-bit-lost", "fake.all"))
    assert pair.case == "case-1"
    assert "c8 reads wrong" in pair.assertion


def test_one_run_answers_several_claims_on_the_cases_where_the_fault_shows(tried: tuple[Any, Any]) -> None:
    trials = tried[0].bundle().evidence.falsification
    runs = {run.id: run.expected for run in trials.suites}
    assert runs["reading.toy-with-adds-one"] == ("case-1",)
    assert runs["reading.toy-with-high-bit-lost"] == ("case-0", "case-1"), "none of the claims' match: all of them"


def test_the_suite_that_alone_should_see_a_fault(tried: tuple[Any, Any]) -> None:
    world, done = tried
    statements = {s.fault: (s.holds, s.also) for s in world.bundle().evidence.falsification.sole}
    assert statements["high-bit-lost"] == (True, ())
    assert statements["adds-one"] == (False, ("fake.low", "fake.unnamed"))
    assert "adds-one is also killed by fake.low, fake.unnamed" in done.stdout


def test_a_claim_whose_faults_were_planted_in_vain_is_unproven(tried: tuple[Any, Any]) -> None:
    bundle = tried[0].bundle()
    report = json.loads(bundle.files["report.json"])
    unproven = {c["id"]: c["unproven"] for c in report["claims"] if c["selected"]}
    assert unproven == {"fake.all": False, "fake.first": True, "fake.low": True, "fake.unnamed": True}
    assert (
        "None of the faults that were planted in this run made this claim fail." in bundle.files["report.html"].decode()
    )


def test_the_headline_counts_the_faults(tried: tuple[Any, Any]) -> None:
    world, done = tried
    counts = "4 faults planted, 1 killed, 3 survived (2 of 5 pairs with claims killed, 0 not tried)"
    assert counts in " ".join(done.stdout.split())
    for name in ("report.html", "report.md"):
        assert counts in world.bundle().files[name].decode()


def test_all_killed_is_exit_0_and_json_is_alone_on_stdout(faulty: Any) -> None:
    faulty.add_reading_suite("reading", 1, 200)
    faulty.add_claim("fake.reading", suite="reading", killed_by=["adds-one", "unseen"])
    faulty.add_claim("fake.emptied", suite="reading", killed_by=[])
    faulty.add_claim("fake.other", suite="reading", subject="fake", killed_by=["adds-one"])
    done = faulty.falsify("--fault", "adds-*", "--json", "-")
    assert done.returncode == 0, done.stderr
    trials = json.loads(done.stdout)["falsification"]
    assert (trials["planted"], trials["killed"], trials["survived"], trials["pairs_not_tried"]) == (1, 1, 0, 1)
    assert [(p["claim"], p["outcome"]) for p in trials["pairs"]] == [
        ("fake.reading", "killed"),
        ("fake.other", "not-tried"),
    ]
    evidence = faulty.bundle().evidence
    assert contradictions(evidence) == []
    assert evidence.unproven_claims() >= {"fake.emptied"}
    assert "fake.reading" not in evidence.unproven_claims()


def test_a_claim_that_fails_anyway_proves_nothing(faulty: Any) -> None:
    faulty.add_suite("bad", "fail")
    faulty.add_claim("fake.bad", suite="bad", killed_by=["adds-one"])
    done = faulty.falsify()
    assert done.returncode == ExitCode.FAIL, done.stderr
    assert set(faulty.outcomes().values()) == {"not-tried"}
    (control,) = faulty.bundle().evidence.falsification.controls
    assert not control.holds
    assert contradictions(faulty.bundle().evidence) == []


@pytest.mark.parametrize(
    ("killed_by", "more", "words"),
    [
        pytest.param(["no-such-fault"], ["--falsify"], "there is no fault 'no-such-fault'", id="unknown fault"),
        pytest.param(["adds-one"], ["--falsify", "--fault", "zzz*"], "No fault matches 'zzz*'", id="unknown glob"),
        pytest.param(["adds-one"], ["--fault", "adds-one"], "give it too", id="fault without falsify"),
    ],
)
def test_what_does_not_exist_is_a_configuration_fault(
    faulty: Any, killed_by: list[str], more: list[str], words: str
) -> None:
    faulty.add_reading_suite("reading", 1)
    faulty.add_claim("fake.reading", suite="reading", killed_by=killed_by)
    done = faulty.verify(*more)
    assert done.returncode == ExitCode.USAGE
    assert words in done.stderr
    assert not faulty.out.exists() or not list(faulty.out.iterdir())


def test_validating_claims_names_an_unknown_fault(faulty: Any) -> None:
    faulty.add_reading_suite("reading", 1)
    faulty.add_claim("fake.reading", suite="reading", killed_by=["no-such-fault", "adds-one"])
    done = faulty.run("claims", "validate", "--claims", str(faulty.root / "claims.toml"))
    assert done.returncode == ExitCode.USAGE
    assert "fake.reading: there is no fault 'no-such-fault'" in done.stderr
    assert "adds-one" not in done.stderr


def test_a_claim_is_shown_with_what_its_faults_are(faulty: Any) -> None:
    faulty.add_reading_suite("reading", 1)
    faulty.add_claim("fake.reading", suite="reading", killed_by=["adds-one"])
    claims = ["--claims", str(faulty.root / "claims.toml")]
    assert "adds-one: Whatever is read is one more." in faulty.run("claims", "show", "fake.reading", *claims).stdout
    listed = json.loads(faulty.run("faults", "list", "--json", *claims).stdout)
    assert {f["id"]: f["claims"] for f in listed}["adds-one"] == ["fake.reading"]


def test_an_interruption_keeps_what_was_tried(faulty: Any) -> None:
    faulty.add_reading_suite("quick", 1)
    faulty.add_reading_suite("endless", 1)
    faulty.add_claim("fake.quick", suite="quick", killed_by=["dies"])
    faulty.add_claim("fake.endless", suite="endless", killed_by=["dawdles"])
    process = subprocess.Popen(
        faulty.command(*faulty.verify_arguments("--falsify", "--jobs", "2")),
        env=faulty.env,
        cwd=faulty.root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "dies in fake.quick: broken" in line:
            break
    process.send_signal(signal.SIGINT)
    process.stderr.read()
    assert process.wait(60) == ExitCode.INTERRUPTED
    assert faulty.outcomes() == {("dies", "fake.quick"): "broken", ("dawdles", "fake.endless"): "not-tried"}
    assert contradictions(faulty.bundle().evidence) == []
