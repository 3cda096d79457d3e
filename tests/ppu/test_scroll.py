"""v, t, x and w against a model in arithmetic: https://www.nesdev.org/wiki/PPU_scrolling"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


@dataclass
class Model:
    """The registers as five numbers each, not as bit fields."""

    coarse_x: int = 0
    coarse_y: int = 0
    nametable: int = 0
    fine_y: int = 0
    fine_x: int = 0
    second: bool = False
    v: int = 0

    @property
    def t(self) -> int:
        return self.fine_y * 4096 + self.nametable * 1024 + self.coarse_y * 32 + self.coarse_x

    def write(self, register: int, value: int) -> None:
        if register == 0x2000:
            self.nametable = value % 4
        elif register == 0x2005 and not self.second:
            self.coarse_x, self.fine_x = divmod(value, 8)
        elif register == 0x2005:
            self.coarse_y, self.fine_y = divmod(value, 8)
        elif not self.second:
            self.fine_y = value // 16 % 4
            self.nametable = value // 4 % 4
            self.coarse_y = value % 4 * 8 + self.coarse_y % 8
        else:
            self.coarse_y = self.coarse_y // 8 * 8 + value // 32
            self.coarse_x = value % 32
            self.v = self.t
        if register != 0x2000:
            self.second = not self.second


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from([0x2000, 0x2005, 0x2006]), st.integers(0, 255)), min_size=1, max_size=12),
)
def test_writes(bench: Any, writes: list[tuple[int, int]]) -> None:
    model = Model()
    for register, value in writes:
        model.write(register, value & 0x7F if register == 0x2000 else value)
    accesses = [
        bench.write(245, 60 + 18 * step, register, value & 0x7F if register == 0x2000 else value)
        for step, (register, value) in enumerate(writes)
    ]
    state = bench.run(accesses).console.state()[0]
    found = tuple(int(state[name]) for name in ("ppu_v", "ppu_t", "ppu_fine_x", "ppu_w"))
    assert found == (model.v, model.t, model.fine_x, model.second)


def right(v: int) -> int:
    return v ^ 0x0400 ^ 31 if v % 32 == 31 else v + 1


def down(v: int) -> int:
    fine, rest = divmod(v, 4096)
    if fine < 7:
        return v + 4096
    table, coarse, x = rest // 1024, rest // 32 % 32, rest % 32
    if coarse == 29:
        coarse, table = 0, table ^ 2
    else:
        coarse = (coarse + 1) % 32
    return table * 1024 + coarse * 32 + x


@settings(max_examples=40, deadline=None)
@given(v=st.integers(0, 0x7FFF), t=st.integers(0, 0x7FFF))
def test_a_line_of_rendering(bench: Any, v: int, t: int) -> None:
    """33 tiles right, one line down, x bits of t at dot 257, two tiles right for the next line."""
    expected = v
    for _ in range(32):
        expected = right(expected)
    expected = down(expected)
    expected = expected & ~0x041F | t & 0x041F
    expected = right(right(expected))
    outcome = bench.run(start=(100, 0), run_to=(100, 340), ppu_mask=0x08, ppu_v=v, ppu_t=t)
    assert outcome.state("ppu_v") == expected


@pytest.mark.parametrize(("line", "copied"), [(261, True), (100, False), (245, False)])
def test_y_comes_from_t_on_the_pre_render_line_only(bench: Any, line: int, copied: bool) -> None:
    outcome = bench.run(start=(line, 270), run_to=(line, 310), ppu_mask=0x10, ppu_v=0, ppu_t=0x7BE0)
    assert outcome.state("ppu_v") == (0x7BE0 if copied else 0)


def test_nothing_moves_while_rendering_is_off(bench: Any) -> None:
    outcome = bench.run(start=(261, 0), run_to=(290, 0), ppu_mask=0, ppu_v=0x1234, ppu_t=0x4321)
    assert outcome.state("ppu_v") == 0x1234
