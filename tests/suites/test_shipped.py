"""The suites that ship: what the claims promise.

The fast console plays all of the two longest. Of these the reference plays here what is short and what none of its
cases repeats on another board; `nesproof verify` has it play them all.
"""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

from nesproof.harness.suite_run import expected_cases, load_suite, run_suite
from nesproof.roms_manifest import Resolver

needs_console = pytest.mark.skipif(find_spec("nesproof.emulator._reference") is None, reason="the console is not built")


@needs_console
@pytest.mark.parametrize(
    ("name", "subject", "left_out"),
    [
        ("klaus", "reference", ()),
        ("nestest", "reference", ()),
        ("single_step", "reference", ()),
        ("cards", "reference", ()),
        ("hardware_roms", "core", ()),
        ("hardware_roms", "reference", ("eye/", "mmc1/")),
        ("determinism", "core", ()),
        ("determinism", "reference", ("state/boards/",)),
    ],
)
def test_every_case_passes(name: str, subject: str, left_out: tuple[str, ...], tmp_path: Path) -> None:
    definition = load_suite(name)
    resolver = Resolver()
    missing = [rom for case in definition.cases for rom in case.roms if resolver.find(rom) is None]
    if missing or ("vectors" in definition.requires and resolver.missing_vectors()):
        pytest.skip(f"not at hand: {missing[0] if missing else 'the single-step vectors'} (nesproof roms fetch)")
    cases = tuple(case for case in expected_cases(definition) if not case.startswith(left_out))
    assert 2 * len(cases) > len(expected_cases(definition))
    run = run_suite(name, subject=subject, cases=cases, work_dir=tmp_path, timeout_s=400, jobs=2)
    assert run.problem is None
    assert {case.id: case.message for case in run.cases if case.outcome != "passed"} == {}
    assert Counter(case.outcome for case in run.cases) == {"passed": len(cases)}
    assert all((tmp_path / case.frame).is_file() for case in run.cases if case.frame is not None)
