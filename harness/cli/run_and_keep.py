"""A run that ends in evidence: whether it can be kept is found out first, then measured, kept, shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from rich.console import Console

from nesproof.harness.cli.name_tables import table_console

if TYPE_CHECKING:
    from nesproof.harness.evidence.model import Evidence
    from nesproof.harness.runner.interrupts import Interrupts
    from nesproof.harness.runner.progress import Progress

__all__ = ["Measured", "Show", "run_and_keep"]


class Measured(Protocol):
    """What a run yields."""

    @property
    def evidence(self) -> Evidence:
        """The document."""
        ...

    @property
    def attachments(self) -> dict[str, bytes]:
        """Logs and frames by their paths in a bundle."""
        ...


class Show(Protocol):
    """Prints a document: with the id and the place of its bundle, or with neither where it could not be kept."""

    def __call__(self, evidence: Evidence, console: Console, *, bundle_id: str | None, place: str | None) -> None:
        """Print it."""
        ...


def run_and_keep(
    measure: Callable[[Interrupts, Progress, Path], Measured], show: Show, *, out: Path | None, json: str | None
) -> Evidence:
    """Measure, keep the bundle in `out` (None: the evidence store), print it, and write its summary to `json`.

    `measure` is told how it may be interrupted, whom to tell of its progress, and the folder that receives the bundle.

    Raises:
        ConfigurationError: `json` names no place for a file.
        OSError: the folder cannot be written; at the end, once the verdicts are printed.
    """
    from nesproof.harness.cli.bundle_reports import bundle_of
    from nesproof.harness.cli.live import progress_on
    from nesproof.harness.cli.output_target import require_target, write_target
    from nesproof.harness.cli.streams import reader_may_leave
    from nesproof.harness.evidence.store import Store, default_store
    from nesproof.harness.runner.interrupts import Interrupts

    require_target(json)
    store = default_store() if out is None else Store(out)
    # Before the measuring: a full disk or a folder that cannot be written is better known now.
    store.prepare()
    errors = Console(stderr=True)
    interrupts = Interrupts()
    with interrupts.handled():
        with progress_on(errors) as progress:
            result = measure(interrupts, progress, store.root)
        evidence = result.evidence
        bundle = bundle_of(evidence, result.attachments)
        console = errors if json == "-" else table_console()
        try:
            folder = store.save(bundle.files, created=evidence.created_utc, short_id=bundle.id[:8])
        except OSError:
            # The verdicts are in; that they cannot be kept must not hide them.
            show(evidence, console, bundle_id=None, place=None)
            raise
        # The evidence is kept: a reader who has seen enough does not change the verdict.
        with reader_may_leave():
            show(evidence, console, bundle_id=bundle.id, place=str(folder / "report.html"))
        if json is not None:
            with reader_may_leave():
                write_target(json, bundle.files["report.json"])
    return evidence
