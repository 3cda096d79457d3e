"""Each suite fails, by its own assertion, on a console that is broken on purpose; without the fault it passes."""

from __future__ import annotations

import json
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import pytest

import nesproof
from nesproof.harness.suite_run import load_suite, run_suite
from nesproof.roms_manifest import Resolver

KILLS = [
    ("ProcessLeaks", "determinism", "replay/busy"),
    ("LastFrameOfACallLost", "determinism", "replay/frames-at-once"),
    ("DigestStandsStill", "determinism", "replay/busy"),
    ("LoadLosesAByte", "determinism", "state/busy"),
    ("SaveDisturbs", "determinism", "state/busy"),
    ("DigestIsHalfBlind", "determinism", "digest/sees-every-byte-of-ram"),
    ("ResetClearsRam", "determinism", "power/reset-keeps-ram"),
    ("ResetDoesNothing", "determinism", "power/reset-keeps-ram"),
    ("FillIgnored", "determinism", "power/on-fills-ram"),
    ("PowerOnIsReset", "determinism", "power/on-forgets-what-was-before"),
    ("FillShows", "determinism", "power/fill-does-not-change-the-game"),
    ("DecimalEverywhere", "klaus", "2a03"),
    ("ACycleDropped", "klaus", "6502"),
    ("OneDotLate", "nestest", "automatic/log"),
    ("NothingIsZero", "nestest", "automatic/result-bytes"),
    ("ButtonsLost", "nestest", "menu/official"),
    ("AnEntryFails", "nestest", "menu/unofficial"),
    ("ReadsSwapped", "single_step", "a9 LDA #"),
    ("MemoryReadsAsZero", "hardware_roms", "cpu/instr_test-v5/01-basics"),
    ("OnePixelOff", "hardware_roms", "eye/tutor"),
    ("PictureFreezes", "hardware_roms", "eye/apocalypse"),
    ("LoadsAnything", "hardware_roms", "refusal/test28"),
    ("RefusesWithoutReason", "hardware_roms", "refusal/test28"),
]

needs_console = pytest.mark.skipif(find_spec("nesproof.emulator._reference") is None, reason="the console is not built")


@pytest.fixture
def faulty_subject(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    options = {
        "fault": request.param,
        "adapter": str(files("nesproof.harness.subjects") / "own_adapter.py"),
        "namespace": list(nesproof.__path__),
    }
    definition = tmp_path / "subjects.toml"
    adapter = Path(__file__).with_name("faulty_adapter.py")
    command = json.dumps(["{python}", "{worker}", str(adapter), json.dumps(options)])
    definition.write_text(f'[[subject]]\nname = "faulty"\ncapabilities = ["ram"]\ncommand = {command}\n')
    monkeypatch.setenv("NESPROOF_SUBJECT_FILE", str(definition))
    return "faulty"


def require_data(suite: str, cases: tuple[str, ...]) -> None:
    definition = load_suite(suite)
    resolver = Resolver()
    if missing := [rom for case in cases for rom in definition[case].roms if resolver.find(rom) is None]:
        pytest.skip(f"not at hand: {missing[0]} (nesproof roms fetch)")
    if "vectors" in definition.requires and resolver.missing_vectors():
        pytest.skip("not at hand: the single-step vectors (nesproof roms fetch)")


@needs_console
@pytest.mark.parametrize(("faulty_subject", "suite", "case"), KILLS, indirect=["faulty_subject"])
def test_the_fault_is_found(faulty_subject: str, suite: str, case: str, tmp_path: Path) -> None:
    require_data(suite, (case,))
    run = run_suite(suite, subject=faulty_subject, cases=(case,), work_dir=tmp_path / "work", timeout_s=120)
    assert run.problem is None
    (result,) = run.cases
    assert result.outcome == "failed", result.message
    assert result.message


@needs_console
@pytest.mark.parametrize("faulty_subject", ["Right"], indirect=True)
@pytest.mark.parametrize("suite", sorted({suite for _, suite, _ in KILLS}))
def test_without_a_fault_the_same_cases_pass(faulty_subject: str, suite: str, tmp_path: Path) -> None:
    cases = tuple(dict.fromkeys(case for _, killer, case in KILLS if killer == suite))
    require_data(suite, cases)
    run = run_suite(suite, subject=faulty_subject, cases=cases, work_dir=tmp_path / "work", timeout_s=240)
    assert run.problem is None
    assert {result.id: result.message for result in run.cases if result.outcome != "passed"} == {}
