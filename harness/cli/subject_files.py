"""The options `--subject-file` and `--emulator`, which several commands have."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["SubjectFile", "use_emulator", "use_subject_files"]

SubjectFile = Annotated[
    list[Path] | None,
    typer.Option("--subject-file", help="A file that defines more subjects (may be repeated)."),
]


def use_subject_files(paths: Sequence[Path] | None) -> None:
    """Add the user's subject files for this process and those that it starts."""
    from nesproof.harness.subjects.in_force import subject_files_with
    from nesproof.harness.subjects.registry import SUBJECT_FILE_VARIABLE

    if paths:
        os.environ[SUBJECT_FILE_VARIABLE] = subject_files_with(*(path.absolute() for path in paths))


def use_emulator(folder: Path | None) -> None:
    """Start nesproof's own consoles from the build in that folder, here and in the processes started from here.

    Raises:
        ConfigurationError: the folder holds no `emulator/`.
    """
    from nesproof.harness.errors import ConfigurationError
    from nesproof.harness.subjects.status import EMULATOR_VARIABLE

    if folder is None:
        return
    if not (folder / "emulator" / "__init__.py").is_file():
        raise ConfigurationError(f"The folder {folder} holds no build of the emulator (no emulator/__init__.py in it).")
    os.environ[EMULATOR_VARIABLE] = str(folder.absolute())
