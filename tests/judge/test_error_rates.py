"""The page of error rates: it keeps what is required, and a part of it simulated anew agrees with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from scipy import stats
from typer.testing import CliRunner

from nesproof.harness.cli.judge import app
from nesproof.harness.judge.error_rates import render_error_rates
from nesproof.harness.judge.required_rates import REQUIRED_RATES, offences
from nesproof.harness.judge.simulation import CHANGE_CASES, THRESHOLD_CASES, Rates, SimulationCase, simulate_case

PAGE = Path(__file__).parents[2] / "docs" / "error-rates.md"
ALL = (*CHANGE_CASES, *THRESHOLD_CASES)
AGAIN = 60
"""Runs of a row that is simulated anew."""


@dataclass(frozen=True)
class Row:
    passed: float
    failed: float


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def settings(page: str) -> tuple[int, int]:
    """Runs a row, and the seed."""
    found = re.search(r"nesproof judge simulate --runs (\d+) --seed (\d+)", page)
    assert found is not None
    return int(found[1]), int(found[2])


@pytest.fixture(scope="module")
def rows(page: str) -> dict[str, Row]:
    """The page's rows by the key of their case: they stand in the order of the cases of one truth."""
    lines = [line.split("|")[1:-1] for line in page.splitlines() if line.count("|") == 8 and "%" in line]
    truths = list(dict.fromkeys(case.truth for case in ALL))
    cases = [case for truth in truths for case in ALL if case.truth == truth]
    assert len(lines) == len(cases)
    found = {}
    for cells, case in zip(lines, cases, strict=True):
        title, comparisons, passed, failed = (cell.strip() for cell in cells[:4])
        assert (title, int(comparisons)) == (case.noise.title, case.comparisons)
        found[case.key] = Row(float(passed.rstrip("%")) / 100, float(failed.rstrip("%")) / 100)
    return found


def as_rates(rows: dict[str, Row], runs: int) -> list[Rates]:
    return [
        Rates(case, runs, round(rows[case.key].passed * runs), round(rows[case.key].failed * runs), 0.0) for case in ALL
    ]


def test_the_page_rests_on_enough_runs_and_keeps_what_is_required(
    rows: dict[str, Row], settings: tuple[int, int], page: str
) -> None:
    runs, _ = settings
    assert runs >= 1_000
    assert offences(as_rates(rows, runs)) == []
    assert "All of them hold." in page


def picked() -> list[SimulationCase]:
    """Rows on which a requirement rests or which noise could turn, cheap ones first."""
    keys = {
        ("identical", "sd-2.2"), ("identical", "correlated"), ("+5 %", "sd-2.2"), ("+5 %", "bursts-5"), ("+5 %", "t-2"),
        ("+3 %", "sd-2.2"), ("2 % above", "sd-2.2"), ("on the threshold", "drift"), ("2 % below", "bursts-20"),
    }  # fmt: skip
    return [case for case in ALL if (case.truth, case.noise.key) in keys and case.comparisons == 1]


@pytest.mark.parametrize("case", picked(), ids=lambda case: case.key)
def test_a_row_simulated_anew_agrees(case: SimulationCase, rows: dict[str, Row], settings: tuple[int, int]) -> None:
    runs, seed = settings
    again = simulate_case(case, runs=AGAIN, seed=seed)
    for found, stated in ((again.passed, rows[case.key].passed), (again.failed, rows[case.key].failed)):
        # The page's own rate is uncertain too; half a run more or less keeps a rate of 0 or 1 from being a certainty.
        rate = min(max(stated, 0.5 / runs), 1 - 0.5 / runs)
        low, high = stats.binom.interval(0.9999, AGAIN, rate)
        assert low <= found <= high


def test_the_same_seed_gives_the_same_rates() -> None:
    case = next(c for c in ALL if (c.truth, c.noise.key) == ("+3 %", "t-3"))
    first, second, other = (simulate_case(case, runs=10, seed=seed) for seed in (5, 5, 6))
    assert first == second
    assert first.processes != other.processes


def test_a_broken_requirement_is_told() -> None:
    rates = [Rates(case, 100, 50, 50, 100.0) for case in CHANGE_CASES]
    broken = offences(rates)
    assert any("+5 %: PASS in at most 1%" in sentence for sentence in broken)
    assert "are broken" in render_error_rates(rates, runs=100, seed=1)
    assert len(offences([])) == len(REQUIRED_RATES)


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    out = tmp_path / "page.md"
    done = CliRunner().invoke(app, ["simulate", "--runs", "1", "--seed", "3", "--out", str(out)])
    assert done.exit_code in {0, 1}
    assert "--runs 1 --seed 3" in out.read_text(encoding="utf-8")
