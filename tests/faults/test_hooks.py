"""The catalogue of hooks, the hooks themselves and the claims that name them agree."""

import functools
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import nesproof.emulator
from nesproof.harness.claims.registry import load_claims
from nesproof.harness.faults.model import Fault
from nesproof.harness.faults.registry import fault_catalogue
from nesproof.harness.suite_run import load_suite

EMULATOR = Path(nesproof.emulator.__file__).parent
SOLE_KILLERS = ("klaus", "nestest", "single_step", "hardware_roms", "cards", "determinism", "parity", "independence")


@functools.cache
def cases_of(suite: str) -> tuple[str, ...]:
    return tuple(case.id for case in load_suite(suite).cases)


def hooks() -> dict[str, Fault]:
    return {fault.id: fault for fault in fault_catalogue().values() if fault.means == "hook"}


def planted() -> Iterator[str]:
    for path in sorted(EMULATOR.rglob("*")):
        if path.suffix in {".hpp", ".cpp"} and path.name != "hooks.hpp":
            for name in re.findall(r"\bNESPROOF_FAULT\(\s*(\w+)\s*,", path.read_text(encoding="utf-8")):
                yield name.replace("_", "-")


def test_every_hook_is_in_the_catalogue_and_stands_somewhere() -> None:
    listed = re.findall(r"^FAULT\((\w+)\)$", (EMULATOR / "faults" / "faults.def").read_text(encoding="utf-8"), re.M)
    assert len(listed) == len(set(listed)) >= 26
    assert {name.replace("_", "-") for name in listed} == hooks().keys() == set(planted())


def test_every_area_of_the_consoles_has_faults() -> None:
    areas = {"cpu", "ppu", "apu", "dma", "board", "batch", "kernel", "state", "drawing", "speed"}
    assert {fault.area for fault in hooks().values()} == areas


def test_every_suite_of_the_consoles_alone_sees_some_hook() -> None:
    assert {fault.only_suite for fault in hooks().values()} >= set(SOLE_KILLERS)
    for fault in hooks().values():
        if fault.only_suite is not None:
            assert set(fault.shows_in) == {fault.only_suite}, fault.id


@pytest.mark.parametrize("suite", SOLE_KILLERS)
def test_where_a_fault_shows_there_are_cases(suite: str) -> None:
    cases = cases_of(suite)
    for fault in hooks().values():
        given = fault.shows_in.get(suite, ())
        for glob in (given,) if isinstance(given, str) else given:
            assert any(fnmatchcase(case, glob) for case in cases), f"{fault.id}: {glob}"


def test_every_claim_that_names_a_hook_has_cases_in_which_it_shows() -> None:
    named = 0
    for claim in load_claims().values():
        if claim.kind != "exact" or claim.suite is None:
            continue
        cases = [case for case in cases_of(claim.suite) if fnmatchcase(case, claim.cases)]
        for fault in (hooks()[name] for name in claim.killed_by if name in hooks()):
            given = fault.shows_in.get(claim.suite, "*")
            globs = (given,) if isinstance(given, str) else given
            assert any(fnmatchcase(case, glob) for case in cases for glob in globs), f"{claim.id}: {fault.id}"
            named += 1
    assert named > 50
