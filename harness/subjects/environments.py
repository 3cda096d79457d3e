"""Where the peers' environments lie, and which of them are whole.

    <home>/subjects/<name>.lock            held while one is made
    <home>/subjects/<name>/complete.json   written last, by rename: names the environment that is whole
    <home>/subjects/<name>/env-<hex>/      a virtual environment, made in place (they cannot be moved)
    <home>/subjects/<name>/install.log     everything that the last install printed

An environment without its line in `complete.json` is half-made and is never used; the next install sweeps it away.
"""

from __future__ import annotations

import hashlib
import json
import os
from importlib.resources import files
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nesproof.harness.home import nesproof_home
from nesproof.harness.subjects.registry import SubjectDefinition

__all__ = [
    "EnvironmentRecord",
    "installed_python",
    "python_of",
    "read_record",
    "requirements_sha256",
    "subject_folder",
    "write_record",
]


class EnvironmentRecord(BaseModel):
    """What `complete.json` holds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_version: int = Field(default=1, ge=1, le=1)
    subject: str
    folder: str = Field(pattern=r"^env-[0-9a-f]{8,32}$")
    python: str
    """Version of the Python that it was made with."""
    requirements_sha256: str


def subject_folder(name: str) -> Path:
    """The folder that holds the subject's environments; it need not exist."""
    return nesproof_home() / "subjects" / name


def requirements_sha256(definition: SubjectDefinition) -> str:
    """SHA-256 over the pinned requirements: another set of pins is another environment."""
    digest = hashlib.sha256()
    for name in (definition.build_requirements, definition.requirements):
        if name is not None:
            text = (files("nesproof.harness.subjects") / name).read_bytes()
            digest.update(f"{len(text)}\0".encode() + text)
    return digest.hexdigest()


def read_record(name: str) -> EnvironmentRecord | None:
    """The subject's record, or None where there is none that can be read."""
    try:
        text = (subject_folder(name) / "complete.json").read_bytes()
        return EnvironmentRecord.model_validate(json.loads(text))
    except (OSError, ValueError, ValidationError):
        return None


def write_record(record: EnvironmentRecord) -> None:
    """Make the environment that `record` names the current one, in one atomic step."""
    folder = subject_folder(record.subject)
    fresh = folder / "complete.json.new"
    with fresh.open("w", encoding="utf-8") as out:
        out.write(record.model_dump_json(indent=2) + "\n")
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(folder / "complete.json")


def python_of(environment: Path) -> Path:
    """The interpreter of a virtual environment."""
    return environment / "bin" / "python"


def installed_python(definition: SubjectDefinition) -> Path | str:
    """The interpreter of the subject's current environment, or one sentence that says why there is none to use."""
    record = read_record(definition.name)
    if record is None:
        return "it is not installed"
    if record.requirements_sha256 != requirements_sha256(definition):
        return "what is installed was made from other pinned requirements"
    python = python_of(subject_folder(definition.name) / record.folder)
    if not python.exists() or not os.access(python, os.X_OK):
        return "its environment is damaged or the Python that it was made with is gone"
    return python
