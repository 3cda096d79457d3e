"""`nesproof evidence import`: what another tool measured, as a diagnostic and never as evidence."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from nesproof.harness.cli.name_tables import table_console
from nesproof.harness.counting import counted
from nesproof.harness.evidence.diagnostic import Diagnostic
from nesproof.harness.plain_text import plain_line

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Import what another tool measured, as diagnostic.")


@app.callback()
def _tools() -> None:
    """Import what another tool measured, as a diagnostic: shown and kept, but no claim is judged by it."""


@app.command("pytest-benchmark")
def pytest_benchmark(
    file: Annotated[Path, typer.Argument(help="What `pytest --benchmark-json FILE` wrote.")],
    out: Annotated[str | None, typer.Option(help="Write the diagnostic as JSON to this file, or - for stdout.")] = None,
) -> None:
    """Import a file of pytest-benchmark. It says nothing about a claim, and cannot be published."""
    from nesproof.harness.cli.output_target import require_target, write_target
    from nesproof.harness.evidence.pytest_benchmark import PYTEST_BENCHMARK_LIMIT_BYTES, import_pytest_benchmark
    from nesproof.harness.evidence.reading import read_regular_file
    from nesproof.harness.evidence.scrub import scrubber_for_this_machine

    require_target(out)
    what = plain_line(file.name, limit=100)
    data = read_regular_file(file, what=what, limit_bytes=PYTEST_BENCHMARK_LIMIT_BYTES)
    found = import_pytest_benchmark(data, what=what)
    scrubbed = scrubber_for_this_machine().document(found.model_dump(mode="json"))
    diagnostic = Diagnostic.model_validate(scrubbed)
    if out != "-":
        _show(diagnostic, table_console())
    if out is not None:
        write_target(out, diagnostic.model_dump_json(indent=1).encode() + b"\n")


def _show(diagnostic: Diagnostic, console: Console) -> None:
    table = Table(expand=False)
    table.add_column("Benchmark", overflow="fold")
    for name in ("fastest", "median", "slowest", "rounds"):
        table.add_column(name, justify="right")
    for figure in diagnostic.figures:
        times = (_time(seconds) for seconds in (figure.min_s, figure.median_s, figure.max_s))
        rounds = f"{figure.rounds:,} × {figure.iterations:,}"
        table.add_row(Text(figure.name), *(Text(time) for time in times), Text(rounds))
    console.print(table)
    when = "at no recorded time" if diagnostic.measured_utc is None else f"{diagnostic.measured_utc:%Y-%m-%d %H:%M} UTC"
    facts = f"{diagnostic.tool} {diagnostic.tool_version}, {diagnostic.processor}, {diagnostic.python}, {when}"
    console.print(Text(f"{counted(len(diagnostic.figures), 'benchmark')}: {facts}"))
    console.print(Text(diagnostic.remark, style="yellow"))


def _time(seconds: float) -> str:
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1:
            return f"{seconds * factor:.4g} {unit}"
    return f"{seconds * 1e9:.4g} ns"
