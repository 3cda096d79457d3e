"""Amounts of time on the command line: within bounds that a clock can count, and no NaN among them."""

from __future__ import annotations

import typer

__all__ = ["minutes", "seconds"]

_WEEK_S = 7 * 86_400


def minutes(text: str | float) -> float:
    """So many minutes, of 0 to a week's.

    Raises:
        typer.BadParameter: the text is no such number.
    """
    return _within(text, 0, _WEEK_S / 60, "minutes")


def seconds(text: str | float) -> float:
    """So many seconds, of 1 to a week's.

    Raises:
        typer.BadParameter: the text is no such number.
    """
    return _within(text, 1, _WEEK_S, "seconds")


def _within(text: str | float, least: float, most: float, unit: str) -> float:
    try:
        amount = float(text)
    except ValueError:
        amount = float("nan")
    if not least <= amount <= most:  # nor is NaN
        raise typer.BadParameter(f"{text!r} is no number of {unit} from {least:g} to {most:g}.")
    return amount
