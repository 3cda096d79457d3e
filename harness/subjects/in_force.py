"""What is in force for a while: variables that subjects' processes go by, and subject files beside the user's own."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from nesproof.harness.subjects.registry import SUBJECT_FILE_VARIABLE

__all__ = ["subject_files_with", "subjects_as_toml", "variables_set"]


@contextmanager
def variables_set(changed: Mapping[str, str]) -> Iterator[None]:
    """The block, and the processes that it starts, see these environment variables; after it they are as before."""
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def subject_files_with(*files: Path) -> str:
    """The value of `NESPROOF_SUBJECT_FILE` that adds these files to those that it names."""
    standing = os.environ.get(SUBJECT_FILE_VARIABLE)
    return os.pathsep.join([*([standing] if standing else []), *map(str, files)])


def subjects_as_toml(tables: Iterable[Mapping[str, object]]) -> str:
    """The text of a subject file with these tables; values are strings, numbers, truth values, and lists and tables of
    such.
    """
    return "\n".join(_table_as_toml(table) for table in tables)


def _table_as_toml(table: Mapping[str, object]) -> str:
    lines = ["[[subject]]"]
    for key, value in table.items():
        if isinstance(value, dict):
            inline = ", ".join(f"{json.dumps(k)} = {_value(v)}" for k, v in value.items())
            lines.append(f"{key} = {{ {inline} }}")
        else:
            lines.append(f"{key} = {_value(value)}")
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    # What JSON makes of a string, a number or a list of them is TOML too; DEL is the one character that JSON leaves
    # bare and TOML forbids.
    return json.dumps(value).replace("\x7f", "\\u007f")
