"""Recorded lines are drawn as the reference draws them dot by dot, whichever way they are drawn."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

SEEDS = 150


def run(program: Path, *arguments: object) -> tuple[int, str, dict[str, int]]:
    command = [program, *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    last = ended.stdout.splitlines()[-1]
    return ended.returncode, ended.stdout, {name: int(count) for name, count in re.findall(r"(\w+) (\d+)", last)}


def test_random_pictures_are_the_references_pixel_for_pixel(against_reference: Path) -> None:
    status, output, counts = run(against_reference, 1, SEEDS)
    assert status == 0, output
    assert counts["bad"] == 0
    assert counts["pictures"] == SEEDS
    # What was compared has everything in it: twelve ways to draw, blank lines, lines with more than eight sprites, and
    # lines whose fine x or colours change within.
    assert counts["rendered"] > 200 * SEEDS
    assert counts["blank"] > 10 * SEEDS
    assert counts["crowded"] > 10 * SEEDS
    assert counts["cut"] > SEEDS
    assert counts["split"] > SEEDS // 10
    assert counts["pixels"] > 12 * 200 * 256 * SEEDS


def test_a_wrong_record_is_found(against_reference: Path) -> None:
    status, _, counts = run(against_reference, 1, 20, "spoil")
    assert status == 1
    assert counts["bad"] >= 10  # a blank line has no fine x, and some records are not looked at
