"""A number with its noun: 1 case, 2 cases."""

from __future__ import annotations

__all__ = ["counted"]


def counted(count: int, noun: str) -> str:
    """`count` and `noun`, which takes an s where it is not one of them."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
