"""A name that is to be typed after other commands stays whole in a table, and a pipe has no width."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console
from rich.table import Table

from nesproof.harness.claims.registry import load_claims
from nesproof.harness.cli.name_tables import share_width
from nesproof.harness.faults.registry import fault_catalogue

LONGEST = max(load_claims(), key=len)


@pytest.mark.parametrize("columns", ["80", "0", ""])
def test_every_claim_and_fault_is_listed_by_its_whole_name(world: Any, columns: str) -> None:
    env = {"COLUMNS": columns}
    width = int(columns or 0) or 200
    for command, names in (("claims", load_claims()), ("faults", fault_catalogue())):
        lines = world.run(command, "list", env=env).stdout.splitlines()
        cells = [line.strip("│ ").partition(" ")[0] for line in lines]
        assert set(names) <= set(cells)
        assert max(map(len, lines)) <= width
        assert width == 80 or max(map(len, lines)) > 80


@pytest.mark.parametrize("columns", ["80", "60", None])
def test_a_verdict_stands_beside_the_whole_id(world: Any, columns: str | None) -> None:
    name = f"fake.{LONGEST.partition('.')[2]}"
    world.add_suite("bad", "fail", "pass")
    world.add_claim(name, suite="bad", sentence="A sentence that is longer than any id and has to wrap. " * 4)
    world.add_claim("fake.short", suite="bad")
    done = world.verify(env={"COLUMNS": columns or ""})
    lines = done.stdout.splitlines()
    table = [line for line in lines if line[:1] in set("┏┡├│┃└")]
    assert max(map(len, table)) <= int(columns or 200)
    if columns != "60":
        for whole in (name, "fake.short"):
            assert any(whole in line.split() for line in table)


@pytest.mark.parametrize("width", [20, 40, 60, 80, 100, 200, 400])
def test_widths_add_up(width: int) -> None:
    console = Console(width=width, file=io.StringIO())
    table = Table()
    for heading in ("Claimed", "Measured", "Verdict"):
        table.add_column(heading, overflow="fold")
    name = "a" * 30
    table.add_row(f"{'long words ' * 9}\n{name}", "what was measured " * 9, "PASS")
    share_width(table, console, named=0, beside=1, names=[name])
    console.print(table)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert max(map(len, shown.splitlines())) <= width
    assert (name in shown) is (width >= 30 + 12 + 4 + 10 + 4)
