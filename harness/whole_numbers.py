"""Whole numbers in what a stranger wrote: counts and times of 64 bits, and no more."""

from __future__ import annotations

__all__ = ["NumberTooLarge", "whole_number"]

_MOST_DIGITS = 19


class NumberTooLarge(ValueError):
    """A whole number that counts nothing: it does not fit into 64 bits, and the largest do not even fit a float."""

    def __init__(self, digits: str) -> None:
        super().__init__(f"a whole number of {len(digits.lstrip('-'))} digits")


def whole_number(digits: str) -> int:
    """The value of a JSON integer (`parse_int` of `json.loads`).

    Raises:
        NumberTooLarge: it needs more than 64 bits with its sign.
    """
    # The digits are counted first: turning a million of them into a number takes longer than reading them.
    if len(digits.lstrip("-")) > _MOST_DIGITS or not -(1 << 63) <= (value := int(digits)) < 1 << 63:
        raise NumberTooLarge(digits)
    return value
