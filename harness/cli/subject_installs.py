"""Installing several subjects: each one's progress, what became of each, and what can be started now."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from nesproof.harness.claims.verdict import worst_of
from nesproof.harness.cli.name_tables import table_console
from nesproof.harness.cli.stderr import say
from nesproof.harness.counting import counted
from nesproof.harness.errors import ConfigurationError, HarnessError
from nesproof.harness.plain_text import plain_line
from nesproof.harness.subjects.install import install_subject
from nesproof.harness.subjects.registry import ALL_SUBJECTS, find_subject, subject_definitions
from nesproof.harness.subjects.status import subject_status

__all__ = ["install_several", "names_to_install"]


class _InstallsFailed(HarnessError):
    """Some of several subjects could not be installed; the exit code is the worst of theirs."""

    def __init__(self, failed: dict[str, HarnessError], tried: int) -> None:
        super().__init__(f"{len(failed)} of {counted(tried, 'subject')} could not be installed: {', '.join(failed)}.")
        self.exit_code = int(worst_of(fault.exit_code for fault in failed.values()))


def names_to_install(names: Sequence[str]) -> list[str]:
    """The subjects that are meant, each once.

    Raises:
        ConfigurationError: there is no such subject, or none that is installed; nothing has been done then.
    """
    meant: list[str] = []
    for name in names:
        if name == ALL_SUBJECTS:
            meant += [d.name for d in subject_definitions().values() if d.environment == "venv"]
            continue
        definition = find_subject(name)
        if definition.environment != "venv":
            what = "comes with nesproof" if definition.environment == "own" else "is started by your own command"
            raise ConfigurationError(f"Subject {name} {what}; there is nothing to install.")
        meant.append(name)
    return list(dict.fromkeys(meant))


def install_several(names: Sequence[str], *, again: bool) -> None:
    """Install each, whatever becomes of the others; then, of several, a table of what can be started now.

    Raises:
        HarnessError: one could not be installed, or some could not; its exit code is the worst of theirs.
    """
    failed: dict[str, HarnessError] = {}
    for number, name in enumerate(names, start=1):
        place = f"{number}/{len(names)} {name}" if len(names) > 1 else name
        try:
            made = install_subject(name, progress=lambda step, place=place: say(f"{place}: {step}"), again=again)  # type: ignore[misc]
        except HarnessError as fault:
            if len(names) == 1:
                raise
            failed[name] = fault
            say(f"{place}: {fault}")
        else:
            print(f"{name}: {'installed' if made else 'already installed'}.", flush=True)
    if len(names) > 1:
        _print_what_is_available(names)
    if failed:
        raise _InstallsFailed(failed, len(names))


def _print_what_is_available(names: Sequence[str]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("subject", no_wrap=True)
    for heading in ("ready", "what it is, or what keeps it"):
        table.add_column(heading, overflow="fold")
    for name in names:
        status = subject_status(name)
        words = find_subject(name).title if status.available else status.reason
        remedy = f" Remedy: {status.remedy}" if status.remedy else ""
        table.add_row(name, "yes" if status.available else "no", Text(plain_line(f"{words}{remedy}")))
    table_console(highlight=False).print(table)
