"""Amounts of time on the command line."""

from __future__ import annotations

import pytest
import typer

from nesproof.harness.cli.amounts import minutes, seconds


@pytest.mark.parametrize("text", ["nan", "-nan", "inf", "-inf", "1e308", "-1", "ten", "", "10081"])
def test_no_clock_counts_such_minutes(text: str) -> None:
    with pytest.raises(typer.BadParameter):
        minutes(text)


def test_amounts_within_bounds_are_numbers() -> None:
    assert (minutes("0"), minutes("2.5")) == (0.0, 2.5)
    assert seconds("604800") == 604_800.0
    with pytest.raises(typer.BadParameter):
        seconds("0.5")
