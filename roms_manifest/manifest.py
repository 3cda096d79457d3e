"""The manifest: which test programs exist, by id. `manifest.toml` beside this file is the source of truth."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from nesproof.roms_manifest.entries import Collection, Document, FileEntry, RomEntry
from nesproof.roms_manifest.errors import ManifestError
from nesproof.roms_manifest.vectors import VectorSet, vector_hashes

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["Manifest", "load_manifest", "parse_manifest"]


class _Tables(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_version: int = Field(ge=1, le=1)
    collection: tuple[Collection, ...]
    rom: tuple[RomEntry, ...]
    document: tuple[Document, ...] = ()

    @model_validator(mode="after")
    def _names_agree(self) -> _Tables:
        names = {c.name for c in self.collection}
        if len(names) != len(self.collection):
            raise ValueError("two collections have one name")
        entries: list[FileEntry] = [*self.rom, *self.document]
        for attribute in ("id", "path"):
            seen: set[str] = set()
            for entry in entries:
                value = getattr(entry, attribute)
                if value in seen:
                    raise ValueError(f"two entries have the {attribute} {value}")
                seen.add(value)
        for entry in entries:
            if entry.collection not in names:
                raise ValueError(f"{entry.id}: there is no collection {entry.collection!r}")
        documents = {d.id for d in self.document}
        for rom in self.rom:
            for run in rom.run:
                if run.protocol.kind == "nestest-log" and run.protocol.log not in documents:
                    raise ValueError(f"{rom.id}: there is no log {run.protocol.log!r}")
        return self


class Manifest(Mapping[str, RomEntry]):
    """Programs by id, in the order of the file; documents and collections beside them."""

    def __init__(self, tables: _Tables, vectors: VectorSet) -> None:
        self._roms = {rom.id: rom for rom in tables.rom}
        self._documents = {document.id: document for document in tables.document}
        self._collections = {c.name: c for c in tables.collection}
        self.vectors = vectors

    def __getitem__(self, rom_id: str) -> RomEntry:
        """The program of this id; KeyError where there is none."""
        return self._roms[rom_id]

    def __iter__(self) -> Iterator[str]:
        """Ids of programs, in the order of the file."""
        return iter(self._roms)

    def __len__(self) -> int:
        """How many programs there are."""
        return len(self._roms)

    @property
    def collections(self) -> Mapping[str, Collection]:
        """Collections by name."""
        return dict(self._collections)

    @property
    def documents(self) -> Mapping[str, Document]:
        """Readmes, licences and logs by id."""
        return dict(self._documents)

    @property
    def files(self) -> Mapping[str, FileEntry]:
        """Programs and documents by id."""
        return {**self._roms, **self._documents}

    def collection(self, name: str) -> tuple[RomEntry, ...]:
        """The programs of one collection, in order.

        Raises:
            ManifestError: there is no such collection.
        """
        self._require_collection(name)
        return tuple(rom for rom in self._roms.values() if rom.collection == name)

    def files_of(self, name: str) -> tuple[FileEntry, ...]:
        """Programs and documents of one collection.

        Raises:
            ManifestError: there is no such collection.
        """
        self._require_collection(name)
        return tuple(entry for entry in self.files.values() if entry.collection == name)

    def source_url(self, entry_id: str) -> str | None:
        """The pinned upstream address of a program or document, or None for what ships with the package."""
        entry = self.files[entry_id]
        base = self._collections[entry.collection].base_url
        return f"{base}/{entry.upstream}" if base else None

    def by_sha256(self, sha256: str) -> RomEntry | None:
        """The program whose whole file has this SHA-256 (lower-case hexadecimal), or None."""
        return next((rom for rom in self._roms.values() if rom.sha256 == sha256), None)

    def by_body_sha1(self, sha1: str) -> RomEntry | None:
        """The program whose PRG and CHR have this SHA-1 (lower-case hexadecimal), or None."""
        return next((rom for rom in self._roms.values() if rom.body_sha1 == sha1), None)

    def _require_collection(self, name: str) -> None:
        if name not in self._collections:
            known = ", ".join(self._collections)
            raise ManifestError(f"There is no collection {name!r}; there are: {known}.")


def parse_manifest(text: str) -> Manifest:
    """Parse a manifest's TOML.

    Raises:
        ManifestError: not TOML, or a field is missing, unknown or out of range.
    """
    try:
        tables = _Tables.model_validate(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, ValidationError) as fault:
        raise ManifestError(f"The ROM manifest is malformed: {fault}") from fault
    return Manifest(tables, vector_hashes())


@lru_cache(maxsize=1)
def load_manifest() -> Manifest:
    """The manifest that ships with the package.

    Raises:
        ManifestError: the file is malformed.
    """
    return parse_manifest((files("nesproof.roms_manifest") / "manifest.toml").read_text(encoding="utf-8"))
