"""`nesproof judge`: put the judge itself to the test."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.cli.name_tables import table_console
from nesproof.harness.cli.stderr import say
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.judge.error_rates import render_error_rates
from nesproof.harness.judge.planted_cases import judge_planted, parse_planted, planted_cases
from nesproof.harness.judge.required_rates import offences
from nesproof.harness.judge.simulation import CHANGE_CASES, THRESHOLD_CASES, simulate
from nesproof.harness.plain_text import plain_line
from nesproof.harness.whole_file import require_place_for, write_whole

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.command("simulate")
def simulate_rates(
    runs: Annotated[int, typer.Option("--runs", min=1, max=1_000_000, help="Simulated runs a row.")] = 2_000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same page.")] = 1,
    out: Annotated[Path | None, typer.Option("--out", help="Write the page to this file; else it is printed.")] = None,
) -> None:
    """How often the judge is right, by simulation: a page in Markdown.

    Exit code 1 where a rate is not what it must be.
    """
    require_place_for(out)
    cases = (*CHANGE_CASES, *THRESHOLD_CASES)
    rates = simulate(
        cases,
        runs=runs,
        seed=seed,
        on_case=lambda case: say(f"{cases.index(case) + 1} of {len(cases)}: {case.truth}, {case.noise.title}"),
    )
    page = render_error_rates(rates, runs=runs, seed=seed)
    if out is None:
        typer.echo(page, nl=False)
    else:
        write_whole(out, page.encode("utf-8"))
    broken = offences(rates)
    for sentence in broken:
        say(sentence)
    if broken:
        raise typer.Exit(int(ExitCode.FAIL))


@app.command()
def planted(
    cases: Annotated[str, typer.Argument(help="Which cases: a glob over their ids.")] = "*",
    pack: Annotated[
        list[Path] | None, typer.Option("--pack", help="A further file of cases; the shipped ones are then left out.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON array on stdout.")] = False,
) -> None:
    """Judge measurements whose verdict is known, and say where the judge gives another.

    Exit code 1 where it does; 2 where no case is selected or one is malformed.
    """
    known = [c for path in pack for c in parse_planted(path.read_bytes(), origin=path.name)] if pack else []
    chosen = [c for c in (known if pack else planted_cases().values()) if fnmatchcase(c.id, cases)]
    if not chosen:
        raise ConfigurationError("No planted case is selected, and zero cases prove nothing; select some.")
    rows = []
    for case in chosen:
        try:
            verdict, reason = judge_planted(case.asked())
        except ValueError as fault:
            raise ConfigurationError(f"The planted case {case.id} is malformed: {plain_line(str(fault))}.") from fault
        wanted = "" if case.verdict is None else case.verdict.value
        rows.append({"id": case.id, "planted": wanted, "judged": verdict.value, "reason": reason})
    wrong = [row for row in rows if row["planted"] != row["judged"]]
    if as_json:
        typer.echo(json.dumps(rows, indent=1))
    else:
        _print(rows)
        typer.echo(f"{len(rows) - len(wrong)} of {len(rows)} verdicts are the known ones.")
    if wrong:
        raise typer.Exit(int(ExitCode.FAIL))


def _print(rows: list[dict[str, str]]) -> None:
    table = Table()
    table.add_column("Case", no_wrap=True, overflow="fold")
    for heading in ("Known", "Judged", "Why"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        style = "" if row["planted"] == row["judged"] else "red bold"
        cells = (row["id"], row["planted"], row["judged"], row["reason"])
        table.add_row(*(Text(plain_line(cell), style=style) for cell in cells))
    table_console().print(table)
