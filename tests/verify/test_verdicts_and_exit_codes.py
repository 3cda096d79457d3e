"""A claim whose measurement is broken on purpose gets the right verdict and exit code, and takes no other down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.judge import contradictions


def check_bundle(world: Any) -> None:
    """Whatever happened, the evidence is whole and consistent."""
    assert contradictions(world.bundle().evidence) == []


def test_every_case_passed(world: Any) -> None:
    world.add_suite("good", "pass", "pass")
    world.add_claim("fake.good", suite="good")
    done = world.verify()
    assert done.returncode == 0, done.stderr
    assert world.verdicts() == {"fake.good": "PASS"}
    assert "1 PASS, 0 FAIL" in done.stdout
    assert "NOT_SELECTED" in done.stdout
    assert "report.html" in done.stdout
    bundle = world.bundle()
    assert {"evidence.json", "report.html", "report.md", "report.json", "junit.xml"} <= set(bundle.files)
    assert bundle.folder("frames")
    assert bundle.folder("logs")
    assert bundle.id in bundle.files["report.html"].decode()
    check_bundle(world)


@pytest.mark.parametrize(
    ("cases", "verdict", "code"),
    [
        pytest.param(["pass", "fail"], "FAIL", 1, id="a case failed"),
        pytest.param(["pass", "die"], "ERROR", 5, id="pytest died"),
    ],
)
def test_suites_that_do_not_pass(world: Any, cases: list[str], verdict: str, code: int) -> None:
    world.add_suite("bad", *cases)
    world.add_suite("good", "pass")
    world.add_claim("fake.bad", suite="bad")
    world.add_claim("fake.good", suite="good")
    done = world.verify()
    assert done.returncode == code, done.stderr
    assert world.verdicts() == {"fake.bad": verdict, "fake.good": "PASS"}
    check_bundle(world)


def test_zero_cases_are_not_measured(world: Any) -> None:
    world.add_suite("good", "pass")
    world.add_claim("fake.none", suite="good", cases="no-such-case/*")
    done = world.verify()
    assert done.returncode == 6
    assert world.verdicts() == {"fake.none": "NOT_MEASURED"}
    check_bundle(world)


@pytest.mark.parametrize("how", ["die", "garbage"])
def test_a_subject_that_does_not_start(world: Any, how: str) -> None:
    world.add_subject("broken", start=how)
    world.add_suite("good", "pass")
    world.add_claim("fake.broken", suite="good", subject="broken")
    world.add_claim("fake.good", suite="good")
    done = world.verify()
    assert done.returncode == 5, done.stderr
    assert world.verdicts() == {"fake.broken": "ERROR", "fake.good": "PASS"}
    assert "Traceback" not in done.stderr
    check_bundle(world)


def test_a_missing_rom_is_not_applicable_with_the_remedy(world: Any) -> None:
    world.add_suite("roms", {"kind": "with-rom", "roms": ["klaus/6502_functional_test"]})
    world.add_claim("fake.rom", suite="roms", requires=["roms:klaus"])
    world.add_suite("good", "pass")
    world.add_claim("fake.good", suite="good")
    done = world.verify(env={"XDG_CACHE_HOME": str(world.root / "cache")})
    assert done.returncode == 0, done.stderr
    record = next(r for r in world.bundle().evidence.claims if r.claim.id == "fake.rom")
    assert record.verdict.value == "NOT_APPLICABLE"
    assert record.remedy == "nesproof roms fetch --collection klaus --yes"
    assert "nesproof roms fetch --collection klaus --yes" in done.stdout
    check_bundle(world)


def test_nothing_but_absences_is_never_green(world: Any) -> None:
    world.add_suite("good", "pass")
    world.add_claim("fake.tool", suite="good", requires=["tool:no-such-program-anywhere"])
    done = world.verify()
    assert done.returncode == 6
    assert world.verdicts() == {"fake.tool": "NOT_APPLICABLE"}


MISSING: dict[str, dict[str, Any]] = {
    "suite": {"suite": "does-not-exist"},
    "subject": {"suite": "good", "subject": "does-not-exist"},
    "workload": {
        "kind": "ratio", "workload": "does-not-exist@1", "baseline": "fake", "subject": "reference",
        "metric": "frames_per_second", "at_least": 1,
    },
    "collection": {"suite": "good", "requires": ["roms:does-not-exist"]},
    "fault": {"suite": "good", "killed_by": ["does-not-exist"]},
}  # fmt: skip


@pytest.mark.parametrize("what", MISSING)
def test_a_claim_that_names_what_does_not_exist_exits_2_before_anything_runs(world: Any, what: str) -> None:
    world.add_suite("good", "pass")
    world.add_claim("fake.good", suite="good")
    world.add_claim("fake.broken", **MISSING[what])
    done = world.verify()
    assert (done.returncode, done.stdout, list(world.out.iterdir())) == (2, "", [])
    assert done.stderr.startswith("nesproof: fake.broken: ")
    assert "does-not-exist" in done.stderr
    assert "`nesproof claims validate` lists every fault." in done.stderr
    validated = world.run("claims", "validate", "--claims", str(world.root / "claims.toml"))
    assert validated.returncode == 2
    assert "fake.broken: " in validated.stderr


def test_a_broken_claim_that_is_not_asked_for_takes_no_other_down(world: Any) -> None:
    world.add_suite("good", "pass")
    world.add_claim("fake.good", suite="good")
    world.add_claim("broken.suite", suite="does-not-exist")
    assert world.verify("--claim", "fake.good").returncode == 0
    assert world.verdicts() == {"fake.good": "PASS"}
    check_bundle(world)


def test_strict_fails_on_claims_that_nothing_can_kill(world: Any) -> None:
    world.add_suite("good", "pass")
    world.add_claim("fake.good", suite="good")
    done = world.verify("--strict")
    assert done.returncode == 1
    assert "A claim is unproven, and this run is strict" in done.stdout
    check_bundle(world)


def test_json_is_alone_on_stdout(world: Any) -> None:
    world.add_suite("good", "pass")
    world.add_claim("fake.good", suite="good")
    done = world.verify("--json", "-")
    summary = json.loads(done.stdout)
    assert "PASS" in json.dumps(summary)
    assert "1 PASS" in done.stderr


def test_json_into_a_file(world: Any) -> None:
    world.add_suite("good", "pass")
    world.add_claim("fake.good", suite="good")
    target = world.root / "summary.json"
    assert world.verify("--json", str(target)).returncode == 0
    assert json.loads(target.read_text())


def test_another_subject_can_stand_in(world: Any) -> None:
    world.add_subject("mine")
    world.add_suite("good", "pass")
    world.add_claim("fake.good", suite="good")
    assert world.verify("--subject", "mine").returncode == 0
    record = next(r for r in world.bundle().evidence.claims if r.selected)
    assert record.claim.subject == "mine"
    assert record.rerun.endswith("--subject mine --claims claims.toml")


def test_what_a_stand_in_cannot_do_at_all_is_not_applicable(world: Any) -> None:
    world.add_suite("good", {"kind": "do", "capabilities": ["trace"], "settings": {"what": "pass"}})
    world.add_claim("fake.good", suite="good")
    world.add_subject("mine")
    assert world.verify("--subject", "mine").returncode == 6
    assert world.verdicts() == {"fake.good@mine": "NOT_APPLICABLE"}


def test_what_the_claims_own_subject_cannot_do_is_an_error(world: Any) -> None:
    world.add_suite("good", {"kind": "do", "capabilities": ["trace"], "settings": {"what": "pass"}})
    world.add_claim("fake.good", suite="good")
    assert world.verify().returncode == 5
    assert world.verdicts() == {"fake.good": "ERROR"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["verify", "--claim", "no-such-claim"], "No claim matches"),
        (["verify", "--profile", "slow"], "no profile"),
        (["verify", "--claim", "throughput.*.held-right"], "--profile full"),
        (["verify", "--claims", "absent.toml"], "cannot be read"),
        (["verify", "--jobs", "0"], "jobs"),
        (["claims", "show", "no-such-claim"], "no claim"),
        (["evidence", "show", "no-such-bundle"], "no evidence"),
        (["no-such-command"], "no-such-command"),
    ],
)
def test_usage_faults_exit_2_without_a_traceback(world: Any, arguments: list[str], says: str) -> None:
    done = world.run(*arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_malformed_claims_file_exits_2_before_anything_runs(world: Any) -> None:
    (world.root / "claims.toml").write_text("[[claim]]\nid = 3\n")
    done = world.run("verify", "--claims", str(world.root / "claims.toml"), "--out", str(world.out))
    assert done.returncode == 2
    assert list(world.out.iterdir()) == []


def test_claims_validate_finds_what_does_not_exist(world: Any) -> None:
    world.add_suite("good", "pass")
    world.add_claim("fake.suite", suite="absent")
    world.add_claim("fake.cases", suite="good", cases="none/*")
    world.add_claim("fake.subject", suite="good", subject="absent")
    world.add_claim("fake.fault", suite="good", killed_by=["no-such-fault"])
    world.add_claim("fake.roms", suite="good", requires=["roms:absent"])
    done = world.run("claims", "validate", "--claims", str(world.root / "claims.toml"))
    assert done.returncode == 2
    for claim_id in ("fake.suite", "fake.cases", "fake.subject", "fake.fault", "fake.roms"):
        assert claim_id in done.stderr


def test_the_shipped_claims_are_valid(world: Any) -> None:
    done = world.run("claims", "validate")
    assert done.returncode == 0, done.stderr


def test_two_runs_at_once_keep_both_bundles(world: Any) -> None:
    import subprocess

    world.add_suite("good", "pass", "slow")
    world.add_claim("fake.good", suite="good")
    runs = [
        subprocess.Popen(world.command(*world.verify_arguments()), env=world.env, cwd=world.root, stdout=-3, stderr=-3)
        for _ in range(2)
    ]
    assert [run.wait(120) for run in runs] == [0, 0]
    from nesproof.harness.evidence.bundle import open_bundle

    assert len([open_bundle(folder) for folder in world.out.iterdir()]) == 2


@pytest.mark.parametrize("how", ["hang", "die"])
def test_a_subject_that_breaks_at_the_start_is_an_error(world: Any, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from nesproof.harness.evidence.model import FailedMeasurement
    from nesproof.harness.runner.preflight import Introductions

    world.add_subject("broken", start=how)
    monkeypatch.setenv("NESPROOF_SUBJECT_FILE", world.env["NESPROOF_SUBJECT_FILE"])
    (world.root / "logs").mkdir()
    absence = Introductions(world.root / "logs", timeout_s=2).absence("broken", promised=False)
    assert isinstance(absence, FailedMeasurement)
    assert ("hung" if how == "hang" else "died") in absence.reason


def test_a_suite_that_hangs_is_an_error(world: Any) -> None:
    world.add_suite("hangs", "pass", "hang")
    world.add_claim("fake.hangs", suite="hangs")
    done = world.verify("--suite-timeout", "5")
    assert done.returncode == 5
    assert world.verdicts() == {"fake.hangs": "ERROR"}
    assert "within 5 seconds" in next(r.reason for r in world.bundle().evidence.claims if r.selected)


def test_the_command_that_measures_again_names_the_users_own_files() -> None:
    from nesproof.harness.claims.registry import load_claims
    from nesproof.harness.runner.options import VerifyOptions
    from nesproof.harness.runner.selection import select

    registry = load_claims()
    claim = next(iter(registry.values()))
    options = VerifyOptions(
        claim_globs=(claim.id,), claim_files=(Path("/a/my claims.toml"),), subject_files=(Path("/b/mine.toml"),)
    )
    (selected,) = select(registry, options).selected
    assert selected.rerun.endswith("--claims 'my claims.toml' --subject-file mine.toml")
    assert "/a/" not in selected.rerun
