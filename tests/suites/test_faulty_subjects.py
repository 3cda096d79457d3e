"""Each suite fails, by its own assertion, on a console that is broken on purpose; without the fault it passes."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from nesproof.harness.suite_run import load_suite, run_suite
from nesproof.roms_manifest import Resolver

KILLS = [
    ("process-id-leaks", "determinism", "replay/busy"),
    ("long-calls-lose-a-frame", "determinism", "replay/frames-at-once"),
    ("digest-stands-still", "determinism", "replay/busy"),
    ("loading-loses-a-byte", "determinism", "state/busy"),
    ("saving-disturbs", "determinism", "state/busy"),
    ("digest-blind-to-half-of-ram", "determinism", "digest/sees-every-byte-of-ram"),
    ("reset-does-nothing", "determinism", "power/reset-keeps-ram"),
    ("power-on-fill-ignored", "determinism", "power/on-fills-ram"),
    ("power-on-keeps-ram", "determinism", "power/on-forgets-what-was-before"),
    ("picture-shows-the-fill", "determinism", "power/fill-does-not-change-the-game"),
    ("run-counts-a-cycle-too-few", "klaus", "6502"),
    ("ram-never-reads-zero", "nestest", "automatic/result-bytes"),
    ("buttons-lost", "nestest", "menu/official"),
    ("nametable-loses-an-entry", "nestest", "menu/unofficial"),
    ("bus-accesses-out-of-order", "single_step", "a9 LDA #"),
    ("peeks-read-zero", "hardware_roms", "cpu/instr_test-v5/01-basics"),
    ("one-pixel-off", "hardware_roms", "eye/tutor"),
    ("picture-freezes", "hardware_roms", "eye/apocalypse"),
    ("loads-any-cartridge", "hardware_roms", "refusal/test28"),
    ("refuses-without-reason", "hardware_roms", "refusal/test28"),
]
SUBJECT = "reference"
PLAYED_WHOLE = {"klaus", "nestest", "single_step"}
"""By this very subject, in test_shipped.py."""

needs_console = pytest.mark.skipif(find_spec("nesproof.emulator._reference") is None, reason="the console is not built")


def require_data(suite: str, cases: tuple[str, ...]) -> None:
    definition = load_suite(suite)
    resolver = Resolver()
    if missing := [rom for case in cases for rom in definition[case].roms if resolver.find(rom) is None]:
        pytest.skip(f"not at hand: {missing[0]} (nesproof roms fetch)")
    if "vectors" in definition.requires and resolver.missing_vectors():
        pytest.skip("not at hand: the single-step vectors (nesproof roms fetch)")


@needs_console
@pytest.mark.parametrize(
    ("planted", "suite", "case"),
    [((SUBJECT, fault), suite, case) for fault, suite, case in KILLS],
    indirect=["planted"],
)
def test_the_fault_is_found(planted: str, suite: str, case: str, tmp_path: Path) -> None:
    require_data(suite, (case,))
    run = run_suite(suite, subject=planted, cases=(case,), work_dir=tmp_path / "work", timeout_s=120)
    assert run.problem is None
    (result,) = run.cases
    assert result.outcome == "failed", result.message
    assert result.message


@needs_console
@pytest.mark.parametrize("suite", sorted({suite for _, suite, _ in KILLS} - PLAYED_WHOLE))
def test_without_a_fault_the_same_cases_pass(suite: str, tmp_path: Path) -> None:
    cases = tuple(dict.fromkeys(case for _, killer, case in KILLS if killer == suite))
    require_data(suite, cases)
    run = run_suite(suite, subject=SUBJECT, cases=cases, work_dir=tmp_path / "work", timeout_s=240)
    assert run.problem is None
    assert {result.id: result.message for result in run.cases if result.outcome != "passed"} == {}
