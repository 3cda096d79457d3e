"""The suite `parity`: no program is forgotten, its buttons are the same everywhere, and short runs pass here."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from nesproof.harness.suite_run import expected_cases, load_suite, run_suite
from nesproof.roms_manifest import Resolver, load_manifest
from nesproof.suites.parity.buttons import random_buttons
from nesproof.suites.parity.settings import PlaySettings, settings_of

needs_both = pytest.mark.skipif(
    any(find_spec(f"nesproof.emulator.{name}") is None for name in ("_reference", "_core")),
    reason="the consoles are not built",
)

NROM = sorted(rom.id for rom in load_manifest().values() if rom.mapper == 0)


@pytest.mark.parametrize("against", ["reference", "core"])
@pytest.mark.parametrize(("length", "frames", "seeds"), [("short", 60, 1), ("long", 1000, 4)])
def test_every_nrom_program_is_a_case(against: str, length: str, frames: int, seeds: int) -> None:
    definition = load_suite("parity")
    cases = [definition[case] for case in expected_cases(definition, f"{against}/{length}/*")]
    assert sorted(case.roms[0] for case in cases) == NROM
    for case in cases:
        assert case.id == f"{against}/{length}/{case.roms[0]}"
        assert case.against == against
        assert settings_of(case, PlaySettings) == PlaySettings(frames=frames, seeds=seeds)


def test_buttons_are_the_same_everywhere() -> None:
    buttons = random_buttons("house/scroller", 3, 1000)
    assert buttons.shape == (1000, 2)
    known = "399bca8c056fc473f86cf5bfcc560b56a5b274566efadbc65fa4697c827733fe"
    assert hashlib.sha256(buttons.tobytes()).hexdigest() == known
    assert np.array_equal(random_buttons("house/scroller", 3, 100), buttons[:100])
    assert not np.array_equal(random_buttons("house/scroller", 4, 1000), buttons)
    assert not np.array_equal(buttons[:, 0], buttons[:, 1])
    assert set(np.unpackbits(buttons[:, :1], axis=1).sum(axis=0)) & {0} == set(), "some button is never pressed"


@needs_both
@pytest.mark.parametrize("cases", ["reference/short/*"])
def test_the_short_cases_pass(cases: str, tmp_path: Path) -> None:
    resolver = Resolver()
    definition = load_suite("parity")
    found = tuple(c for c in expected_cases(definition, cases) if resolver.find(definition[c].roms[0]) is not None)
    assert {"reference/short/house/scroller", "reference/short/house/busy"} <= set(found)
    run = run_suite("parity", subject="core", cases=found, work_dir=tmp_path, timeout_s=300, jobs=2)
    assert run.problem is None
    assert {case.id: case.message for case in run.cases if case.outcome != "passed"} == {}
