"""Subjects with a fault in them: a subject file of the run's own, which its child processes see too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from nesproof.harness.evidence.falsification import faulty_name
from nesproof.harness.faults.model import Fault
from nesproof.harness.subjects.in_force import subject_files_with, subjects_as_toml, variables_set
from nesproof.harness.subjects.registry import SUBJECT_FILE_VARIABLE, find_subject

__all__ = ["Variants", "why_not_plantable"]

WITH_HOOKS = "hooks"
"""Stands for a fault's id in the name of a subject from the build with hooks that has none on."""


@dataclass
class Variants:
    """Collects the variants that a run needs; `in_force` makes them known."""

    path: Path
    hooks: Path | None
    _tables: dict[str, dict[str, str]] = field(default_factory=dict)

    def add(self, subject: str, fault: Fault) -> str:
        """The name of the subject with the fault on. A hook is planted in the build with hooks; for any other fault the
        build is that of the run."""
        table = {"variant_of": subject, "fault": fault.id}
        if fault.means == "hook":
            assert self.hooks is not None
            table["emulator"] = str(self.hooks)
        return self._named(faulty_name(subject, fault.id), table)

    def add_without_fault(self, subject: str) -> str:
        """The name of the subject from the build with hooks, with none on."""
        assert self.hooks is not None
        return self._named(faulty_name(subject, WITH_HOOKS), {"variant_of": subject, "emulator": str(self.hooks)})

    def _named(self, name: str, table: dict[str, str]) -> str:
        self._tables[name] = table
        return name

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """While the block runs, the variants are subjects like any other."""
        tables = ({"name": name, **table} for name, table in self._tables.items())
        self.path.write_text(subjects_as_toml(tables), encoding="utf-8")
        with variables_set({SUBJECT_FILE_VARIABLE: subject_files_with(self.path)}):
            yield


def why_not_plantable(subject: str, fault: Fault) -> str | None:
    """Why this fault cannot be planted in that subject, or None."""
    definition = find_subject(subject)
    if definition.variant_of is not None:
        return f"{subject} is a variant already."
    if definition.environment != "own" and not definition.takes_faults:
        return f"No fault can be planted in {subject}, which is none of nesproof's own consoles."
    if fault.means == "hook" and definition.environment != "own":
        return f"{subject} has no build with hooks."
    return None
