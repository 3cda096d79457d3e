"""The detector of numbers that no claim owns, on planted ones."""

from __future__ import annotations

import pytest

from nesproof.reports.sentences import unowned_numbers

PLANTED = [
    "It is 300 times faster.",
    "It is 300x faster than that.",
    "It is 300\N{MULTIPLICATION SIGN} as fast.",
    "It is 2,5 \N{MULTIPLICATION SIGN} as fast.",
    "It makes 1,200,000 frames/s on a core.",
    "It makes 1.2M frames a second.",
    "Over 60 fps, always.",
    "Faster by 40 %.",
    "Faster by 40%, we hope.",
    "Each call takes 12 ms.",
    "Each call takes 12ms.",
    "Each call takes 3.5 \N{GREEK SMALL LETTER MU}s.",
    "It needs 90 s.",
    "It needs 5 minutes.",
    "It needs 10-20 s.",
    "It takes 2 GB.",
    "It takes 8 KiB a console.",
    "It takes 8192 bytes.",
    "It runs 100,000 consoles.",
    "It runs 1000 decorrelated fast consoles.",
    "It passes 107 of 109.",
    "It passes 107/109 programs.",
    "It passes 109 hardware tests.",
    "Known are 150 ROMs.",
    "A frame costs 68200 machine instructions.",
    "At 60 frames a second it stands still.",
    "Nearly 12.5 as fast as that.",
    "A 10-fold gain.",
    "sub-10 ms",
    "Python 3 times as fast",
    "frame 40 times as fast",
    "It reaches 135.",
    "## 40 times as fast",
    "| speed | 40 x |",
    "**40** times",
    "[40 times](https://example.org/40)",
    "![A plot that ends at 400 frames](plot.png)",
    "It is 40\ntimes as fast.",
    "It is ten times as fast.",
    "It is twice as fast.",
    "It has half the memory.",
    "A tenfold gain.",
    "hundreds of tests pass",
    "a thousand consoles",
    "from idea to claim in ten minutes",
    "an order of magnitude",
    "It takes half a second.",
    "<!-- note -->40 times<!-- note -->",
]
NO_PROMISES = [
    "A machine needs Python 3.10 or newer (with `venv`), a C++20 compiler and `make`.",
    "Python 3.10 to 3.13, and nes-py 8.2.1 or nes-py 9.0.1.",
    "Python 3.10\N{EN DASH}3.13 works.",
    "It reads iNES 1 and NES 2.0 files.",
    "version 2 of the schema, v1.4.0, sm_90, H200, SHA-256, UTF-8, x86-64, a 2A03, a 64-bit machine, World 1-1",
    "the list \N{LEFT DOUBLE QUOTATION MARK}nesproof NES 1.0\N{RIGHT DOUBLE QUOTATION MARK}",
    "measured on 2026-11-30, first published in 2026",
    "Two ROMs are ours. There are two consoles; one command builds, in a second build, bit for bit, at a time.",
    "Open `100 times` and ``1,000 consoles``.",
    "```sh\nnesproof run --frames 1549   # 40 times\n```",
    "```python\nconsole.step(0x08, frames=5)\n```",
    "[a link](docs/0019-faults.md), ![a picture](docs/images/2-times.png), <https://example.org/100>, #12",
    "<!-- 40 times -->",
    "<img src=x width=400>",
    "It ends with exit code 2, at scanline 241, dot 1, of lane 31; [0019](docs/decisions/0019.md) says why.",
    "1. First\n2. Second\n\n## 3. Third",
    "It is <!-- claim-value: a.b -->100<!-- end claim-value --> times as fast.",
    "<!-- claim: a.b -->\nIt is 100 times as fast.\n<!-- end claim -->",
]


@pytest.mark.parametrize("text", PLANTED)
def test_a_planted_number_is_found_once(text: str) -> None:
    found = unowned_numbers(f"First line.\n\n{text}\n", name="README.md")
    assert len({number.line for number in found}) == 1, found
    assert {number.line for number in found} <= {3, 4}


@pytest.mark.parametrize("text", NO_PROMISES)
def test_names_versions_dates_and_code_are_none(text: str) -> None:
    assert unowned_numbers(f"First line.\n\n{text}\n", name="README.md") == ()


def test_a_number_beside_a_marked_place_is_found_in_its_line() -> None:
    text = "a\nIt is <!-- claim-value: a.b -->100<!-- end claim-value --> times, or 200 times, as fast.\n"
    (found,) = unowned_numbers(text, name="README.md")
    assert found.line == 2
    assert "200 times" in found.words
