"""The suite `cards`: every card is a case, and is asked by whichever way a subject offers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nesproof.harness.subjects.errors import SubjectRefused
from nesproof.harness.suite_run import load_suite
from nesproof.roms_manifest import Run, load_manifest
from nesproof.suites.cards.result import RamWatcher, card_watcher

CARDS = [rom for rom in load_manifest().collection("house") if rom.id.startswith("house/cards/")]


def test_every_card_is_a_case_once() -> None:
    cases = load_suite("cards").cases
    assert [case.roms for case in cases] == [(rom.id,) for rom in CARDS]
    assert [case.id.split("/")[1] for case in cases] == [rom.id.split("/")[-1] for rom in CARDS]
    for case in cases:
        limit = case.settings["limit_frames"]
        assert isinstance(limit, int)
        assert 120 <= limit <= 540


def test_every_board_has_a_card() -> None:
    assert {rom.mapper for rom in CARDS} == {0, 1, 2, 3, 4, 7, 11, 34, 66, 71}


class Console:
    def __init__(self, phase: int, result: int, *, status: bytes = b"") -> None:
        self.ram = np.zeros(2048, np.uint8)
        self.ram[0x12:0x14] = phase, result
        self.memory = {0x6000 + n: value for n, value in enumerate(status)}

    def read_ram(self) -> Any:
        return self.ram

    def peek(self, addresses: Any) -> Any:
        return np.array([self.memory.get(address, 0) for address in addresses], np.uint8)


@pytest.mark.parametrize(
    ("phase", "result", "passed"), [(0, 0x80, None), (0xFF, 0, None), (1, 0, True), (2, 0, True), (1, 5, False)]
)
def test_the_result_in_ram(phase: int, result: int, passed: bool | None) -> None:
    watcher = RamWatcher()
    console: Any = Console(phase, result)
    report = watcher.look(console)
    assert (None if report is None else report.passed) == passed
    assert f"{phase:02X}" in watcher.so_far(console)


RUN = Run.model_validate({"protocol": {"kind": "status-6000"}, "limit_frames": 100})


def test_the_status_is_preferred_where_it_can_be_seen() -> None:
    watcher = card_watcher(RUN, b"", {"peek", "ram"})
    console: Any = Console(2, 0, status=b"\x07\xde\xb0\x61BAD\0")
    report: Any = watcher.look(console)
    assert not report.passed
    assert watcher.way == "the status at $6000"


def test_without_a_status_the_result_in_ram_counts_after_a_while() -> None:
    watcher = card_watcher(RUN, b"", {"peek", "ram"})
    console: Any = Console(1, 0)
    seen: list[Any] = [watcher.look(console) for _ in range(5)]
    assert seen[:3] == [None, None, None]
    assert seen[-1].passed
    assert watcher.way == "the result in RAM"
    assert [card_watcher(RUN, b"", {"peek"}).look(console) for _ in range(9)] == [None] * 9


def test_memory_that_is_not_shown_is_no_fault() -> None:
    console: Any = Console(1, 3)

    def peek(_addresses: Any) -> Any:
        raise SubjectRefused("mine", "$6000 is not shown")

    console.peek = peek
    report: Any = card_watcher(RUN, b"", {"peek", "ram"}).look(console)
    assert (report.passed, report.reason) == (False, "Result 03 at $13.")
    assert card_watcher(RUN, b"", {"ram"}).look(console) is not None
