"""The warp schedule on a host: each lane's own path is the same under every policy, and lanes that part meet again."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import nesproof.emulator

EMULATOR = Path(nesproof.emulator.__file__).parent


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, int], tuple[int, int, int]]:
    """By policy and lanes: steps, lanes that ran in them, lanes that went another way than alone."""
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler is at hand")
    program = tmp_path_factory.mktemp("schedule") / "check"
    source = Path(__file__).parent / "schedule_check.cpp"
    command = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{EMULATOR}", str(source), "-o", str(program)]
    subprocess.run(command, check=True, timeout=120)
    lines = subprocess.run([program], check=True, capture_output=True, text=True, timeout=60).stdout.splitlines()
    rows = [line.split() for line in lines]
    return {(name, int(count)): (int(steps), int(ran), int(wrong)) for name, count, steps, ran, wrong in rows}


def test_no_lane_is_led_astray(outcome: dict[tuple[str, int], tuple[int, int, int]]) -> None:
    assert len(outcome) == 12
    assert all(wrong == 0 for _, _, wrong in outcome.values())


def test_work_is_the_same_and_nobody_runs_twice(outcome: dict[tuple[str, int], tuple[int, int, int]]) -> None:
    for count in (1, 2, 31, 32):
        assert len({outcome[name, count][1] for name in ("smallest-key", "largest-group", "free-running")}) == 1


def test_lanes_that_part_meet_again(outcome: dict[tuple[str, int], tuple[int, int, int]]) -> None:
    # Each place is run once for all who pass it: 0, the subroutine's three, one way's three, 4, and the longest loop.
    assert outcome["smallest-key", 32][0] == 1 + 3 + 3 + 1 + 5
    assert outcome["largest-group", 32][0] > outcome["smallest-key", 32][0]
    # Alone, a lane takes a step a block, whatever the policy.
    assert len({outcome[name, 1][0] for name in ("smallest-key", "largest-group", "free-running")}) == 1
