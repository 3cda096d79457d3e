"""The boards that FCEUmm runs, bare or inside stable-retro."""

from __future__ import annotations

__all__ = ["BOARDS"]

BOARDS = (
    0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 13, 16, 18, 19, 21, 22, 23, 24, 25, 26, 32, 33, 34, 48, 64, 65, 66,
    67, 68, 69, 70, 71, 72, 73, 75, 76, 77, 78, 79, 80, 82, 85, 86, 87, 88, 89, 92, 93, 94, 95, 96, 97, 118, 119,
)  # fmt: skip
"""Boards of licensed cartridges that the core does not call unsupported; it knows many more."""
