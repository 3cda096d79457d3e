"""Pictures as RGB and grey: both makes give what the palette says, for any number of pixels."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from nesproof.emulator.palette import grey_palette, rgb_palette


def pixels_of(kind: str, count: int) -> NDArray[np.uint16]:
    chance = np.random.default_rng(count)
    if kind == "narrow":
        return chance.integers(0, 64, count).astype(np.uint16)
    emphasis = np.repeat(chance.integers(0, 8, count // 48 + 1), 48)[:count]  # changes within and between steps
    return (emphasis << 6 | chance.integers(0, 64, count)).astype(np.uint16)


@pytest.mark.parametrize("make", ["portable", "fastest"])
@pytest.mark.parametrize("kind", ["narrow", "wide"])
@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 4096, 61440, 2 * 61440 + 17])
def test_colours_and_grey(colours: Path, tmp_path: Path, make: str, kind: str, count: int) -> None:
    pixels = pixels_of(kind, count)
    palettes = {"rgb": rgb_palette(), "grey": grey_palette()}
    for form, palette in palettes.items():
        (tmp_path / form).write_bytes(palette.tobytes())
    (tmp_path / "pixels").write_bytes((pixels if kind == "wide" else pixels.astype(np.uint8)).tobytes())
    for form, palette in palettes.items():
        command = [colours, make, f"{kind}_to_{form}", *(tmp_path / name for name in ("rgb", "grey", "pixels", "out"))]
        ended = subprocess.run(command, timeout=60, check=False)
        if ended.returncode == 3:
            pytest.skip("condition: no AVX2")
        assert ended.returncode == 0
        found = np.frombuffer((tmp_path / "out").read_bytes(), np.uint8)
        assert np.array_equal(found, palette[pixels].ravel())
