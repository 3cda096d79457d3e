"""gym-super-mario-bros as a subject, where it is installed: one game, refused any other, and timed by its own step."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from nesproof.harness.subjects.check import check_subject
from nesproof.harness.subjects.check_program import program_for
from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.subjects.errors import SubjectRefused
from nesproof.harness.subjects.registry import find_subject
from nesproof.harness.subjects.status import subject_status
from nesproof.roms_manifest import Resolver

pytestmark = pytest.mark.skipif(
    not subject_status("gym-super-mario-bros").available,
    reason="gym-super-mario-bros is not installed; `nesproof subjects install gym-super-mario-bros` installs it",
)


@pytest.fixture(scope="module")
def opened() -> Iterator[Subject]:
    with open_subject("gym-super-mario-bros") as subject:
        yield subject


def test_it_declares_what_is_written_down_and_no_board(opened: Subject) -> None:
    assert opened.version == "7.4.0"
    assert opened.capabilities == set(find_subject("gym-super-mario-bros").capabilities)
    assert not any(c.startswith("mapper:") for c in opened.capabilities)


def test_any_other_cartridge_is_refused(opened: Subject, rom: bytes) -> None:
    with pytest.raises(SubjectRefused, match=r"no cartridge but the Super Mario Bros\."):
        opened.load(rom)


def test_everything_that_it_declares_works_on_its_own_game(opened: Subject) -> None:
    program = program_for(find_subject("gym-super-mario-bros"))
    if Resolver().find(program.rom) is None:
        pytest.skip("the game is not on NESPROOF_ROM_PATH")
    results = list(check_subject(opened, Resolver().read(program.rom), program))
    assert [r for r in results if not r.passed] == []
    assert {"timing-wait", "draw:every"} <= {r.capability for r in results}
