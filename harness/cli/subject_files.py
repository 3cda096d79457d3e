"""The option `--subject-file`, which several commands have."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["SubjectFile", "use_subject_files"]

SubjectFile = Annotated[
    list[Path] | None,
    typer.Option("--subject-file", help="A file that defines more subjects (may be repeated)."),
]


def use_subject_files(paths: Sequence[Path] | None) -> None:
    """Add the user's subject files for this process and those that it starts."""
    from nesproof.harness.subjects.registry import SUBJECT_FILE_VARIABLE

    if paths:
        standing = os.environ.get(SUBJECT_FILE_VARIABLE)
        every = [*([standing] if standing else []), *(str(p.absolute()) for p in paths)]
        os.environ[SUBJECT_FILE_VARIABLE] = os.pathsep.join(every)
