"""A bundle: the evidence document, logs, frames, reproductions, reports, and a manifest with size and SHA-256 of each.

The bundle's id is the SHA-256 of `manifest.json`. Reports name the id, and yet the manifest holds their hash: it is
taken with the id's 64 digits as zeros (the manifest lists these files under `names_the_bundle`).

A bundle may come from a stranger: sizes are capped, links and unknown files are refused, nothing in it is unpacked or
executed.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nesproof.harness.errors import first_fault
from nesproof.harness.evidence.model import Evidence, FailedMeasurement
from nesproof.harness.evidence.reading import (
    EvidenceInconsistent,
    EvidenceRefused,
    parse_evidence,
    read_regular_file,
    require_schema,
)

__all__ = ["ID_PLACEHOLDER", "Bundle", "BundleInconsistent", "BundleRefused", "open_bundle", "seal"]

ID_PLACEHOLDER: Final = "0" * 64
_BUNDLE_SCHEMA_ID: Final = "nesproof.bundle"
_FILE_LIMIT_BYTES: Final = 64 << 20
_TOTAL_LIMIT_BYTES: Final = 256 << 20
_FILE_LIMIT: Final = 2_000
_TOP_NAME = r"[a-z0-9][a-z0-9-]{0,60}\.(?:json|html|md|xml)"
_FOLDERS = ("frames", "logs", "reproductions")
_NAME = re.compile(rf"(?:{_TOP_NAME}|(?:{'|'.join(_FOLDERS)})/[A-Za-z0-9_-][A-Za-z0-9._-]{{0,149}})")


BundleRefused = EvidenceRefused
"""What was handed in is no bundle, or none that this version reads."""
BundleInconsistent = EvidenceInconsistent
"""The bundle contradicts itself, or is not the one that was expected."""


class _FileRecord(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    size_bytes: int = Field(ge=0, le=_FILE_LIMIT_BYTES)
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Manifest(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_id: Literal["nesproof.bundle"] = _BUNDLE_SCHEMA_ID
    schema_version: Literal[1] = 1
    files: dict[str, _FileRecord] = Field(max_length=_FILE_LIMIT)
    names_the_bundle: tuple[str, ...] = ()


@dataclass(frozen=True)
class Bundle:
    """A whole bundle in memory: `files` has every file by its path, `manifest.json` included."""

    id: str
    evidence: Evidence
    files: Mapping[str, bytes]

    def folder(self, name: str) -> dict[str, bytes]:
        """The files of one folder (`frames`, `logs`) by their bare names."""
        return {path.split("/", 1)[1]: data for path, data in self.files.items() if path.startswith(f"{name}/")}


def seal(evidence: Evidence, *, attachments: Mapping[str, bytes], reports: Mapping[str, bytes]) -> Bundle:
    """Put a bundle together.

    `attachments` are logs, frames and reproductions by path (`logs/x.txt`); `reports` are the rendered views by file
    name, with `ID_PLACEHOLDER` where they name the bundle.
    """
    document = evidence.model_dump_json(indent=1).encode() + b"\n"
    files = {"evidence.json": document, **attachments, **reports}
    for name in files:
        if not _NAME.fullmatch(name) or name == "manifest.json":
            raise ValueError(f"{name!r} is no name for a file of a bundle")
    named = tuple(sorted(name for name, data in reports.items() if ID_PLACEHOLDER.encode() in data))
    records = {name: _FileRecord(size_bytes=len(d), sha256=_sha256(d)) for name, d in sorted(files.items())}
    manifest = _Manifest(files=records, names_the_bundle=named).model_dump_json(indent=1).encode() + b"\n"
    bundle_id = _sha256(manifest)
    for name in named:
        files[name] = files[name].replace(ID_PLACEHOLDER.encode(), bundle_id.encode())
    return Bundle(bundle_id, evidence, {**files, "manifest.json": manifest})


def open_bundle(folder: Path) -> Bundle:
    """Read a bundle and hold every file against the manifest.

    Raises:
        BundleRefused: no bundle, links or other special files, unknown names, too large, an unknown schema.
        BundleInconsistent: a file is missing, unlisted, or has another size or hash than the manifest says.
    """
    files = _read_files(folder)
    if "manifest.json" not in files:
        raise BundleRefused(f"{folder} is no evidence bundle: it has no manifest.json; name a folder that has.")
    manifest = _parse_manifest(files["manifest.json"])
    bundle_id = _sha256(files["manifest.json"])
    for name in manifest.names_the_bundle:
        # The document and what it rests on have one content alone.
        if name not in manifest.files or "/" in name or name == "evidence.json":
            raise BundleRefused(f"The manifest lets {name!r} name the bundle, which only a report of it may.")
    present, listed = set(files) - {"manifest.json"}, set(manifest.files)
    if present != listed:
        extra, missing = sorted(present - listed), sorted(listed - present)
        what = f"holds {extra[0]}, which the manifest does not list" if extra else f"lacks {missing[0]}"
        raise BundleInconsistent(f"The bundle {what}.")
    for name, record in manifest.files.items():
        data = files[name]
        if name in manifest.names_the_bundle:
            data = data.replace(bundle_id.encode(), ID_PLACEHOLDER.encode())
        if len(data) != record.size_bytes or _sha256(data) != record.sha256:
            raise BundleInconsistent(f"{name} is not the file that the manifest describes.")
    if "evidence.json" not in files:
        raise BundleRefused("The bundle has no evidence.json; copy all of it.")
    evidence = parse_evidence(files["evidence.json"], what="evidence.json")
    for name in _named_files(evidence):
        if name not in files:
            raise BundleInconsistent(f"The document names {name}, which the bundle does not hold.")
    return Bundle(bundle_id, evidence, files)


def _named_files(evidence: Evidence) -> Iterator[str]:
    """Every log, picture and reproduction that the document speaks of."""
    for run in evidence.suites:
        named = (run.log, *(name for case in run.cases for name in (case.frame, case.reproduction)))
        yield from (name for name in named if name is not None)
    for _, measurement in evidence.measurements():
        if isinstance(measurement, FailedMeasurement) and measurement.log is not None:
            yield measurement.log
    for comparison in evidence.comparisons:
        difference = None if comparison.behaviour is None else comparison.behaviour.first_picture
        if difference is not None and difference.picture is not None:
            yield difference.picture


def _read_files(folder: Path) -> dict[str, bytes]:
    if folder.is_symlink() or not folder.is_dir():
        raise BundleRefused(f"{folder} is not a folder; name the folder of an evidence bundle.")
    files: dict[str, bytes] = {}
    total = 0
    for path in _walk(folder):
        name = path.relative_to(folder).as_posix()
        if not _NAME.fullmatch(name):
            raise BundleRefused(f"The bundle holds {name!r}, which is no file of a bundle.")
        data = read_regular_file(path, what=f"{name} of the bundle", limit_bytes=_FILE_LIMIT_BYTES)
        files[name] = data
        total += len(data)
        if total > _TOTAL_LIMIT_BYTES or len(files) > _FILE_LIMIT:
            raise BundleRefused(f"The bundle is too large: at most {_FILE_LIMIT} files and {_TOTAL_LIMIT_BYTES} bytes.")
    return files


def _walk(folder: Path, *, depth: int = 0) -> list[Path]:
    found: list[Path] = []
    try:
        with os.scandir(folder) as scanned:
            entries = sorted(scanned, key=lambda e: e.name)
    except OSError as fault:
        raise BundleRefused(f"{folder} cannot be read: {fault.strerror}.") from fault
    for entry in entries:
        if len(found) > _FILE_LIMIT:
            raise BundleRefused(f"The bundle holds more than {_FILE_LIMIT} files.")
        if entry.is_symlink():
            raise BundleRefused(
                f"The bundle holds a link, {entry.name!r}; links are refused: copy the file in its place."
            )
        if entry.is_dir(follow_symlinks=False):
            if depth or entry.name not in _FOLDERS:
                raise BundleRefused(f"The bundle holds the folder {entry.name!r}, which is none of a bundle's.")
            found += _walk(Path(entry.path), depth=depth + 1)
        else:
            found.append(Path(entry.path))
    return found


def _parse_manifest(data: bytes) -> _Manifest:
    require_schema(data, what="manifest.json", schema_id=_BUNDLE_SCHEMA_ID, versions=(1,))
    try:
        return _Manifest.model_validate_json(data)
    except ValidationError as fault:
        raise BundleRefused(f"manifest.json is malformed: {first_fault(fault)[:300]}.") from fault


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
