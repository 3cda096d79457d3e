"""Finds the file of a manifest entry: accepted by its SHA-256 alone, never by its name."""

from __future__ import annotations

import hashlib
import stat
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from nesproof.roms_manifest.cartridge_file import CartridgeFile
from nesproof.roms_manifest.entries import Document, FileEntry, RomEntry
from nesproof.roms_manifest.errors import ManifestError, RomMismatchWarning, RomMissing
from nesproof.roms_manifest.manifest import Manifest, load_manifest
from nesproof.roms_manifest.places import installed_folder, rom_search_path, vector_search_path
from nesproof.roms_manifest.vectors import VECTORS, reduce_vectors, vector_file_name

__all__ = ["FETCH_COMMAND", "Lookup", "Mismatch", "Resolver"]

FETCH_COMMAND = "nesproof roms fetch"
"""It asks before it downloads; with `--yes` it does not."""

_MOST_BYTES = 16 << 20
"""The largest file that is read; nothing in the manifest, nor upstream's vectors of 1 MB an opcode, comes near."""


@dataclass(frozen=True)
class Mismatch:
    """A file that lies where the entry's should, with other bytes. `found` is empty where it could not be hashed."""

    entry_id: str
    path: Path
    expected_sha256: str
    found_sha256: str
    detail: str

    @property
    def sentence(self) -> str:
        """For a person; names the entry, not the local folder."""
        found = f"SHA-256 {self.found_sha256}" if self.found_sha256 else "not hashed"
        return (
            f"{self.entry_id}: the file found has other bytes ({self.detail}; {found}; "
            f"expected SHA-256 {self.expected_sha256})."
        )


@dataclass(frozen=True)
class Lookup:
    """What a search found: the accepted file with its bytes, and the files that were refused on the way."""

    path: Path | None
    content: bytes | None
    mismatches: tuple[Mismatch, ...]


class Resolver:
    """Looks entries up by id under each folder of a search path.

    Args:
        search_path: folders for programs and documents; default: house ROMs, `NESPROOF_ROM_PATH`, the user's cache.
            What another Python package brings is looked for there last.
        vector_path: folders for the vectors; default: `NESPROOF_VECTOR_PATH`, the user's cache.
        manifest: default: the one that ships with the package.
    """

    def __init__(
        self,
        search_path: Sequence[Path] | None = None,
        *,
        vector_path: Sequence[Path] | None = None,
        manifest: Manifest | None = None,
    ) -> None:
        self.manifest = load_manifest() if manifest is None else manifest
        self.search_path = tuple(rom_search_path() if search_path is None else search_path)
        self.vector_path = tuple(vector_search_path() if vector_path is None else vector_path)
        self._accepted: dict[str, tuple[Path, tuple[int, int, int]]] = {}

    def look_up(self, entry_id: str) -> Lookup:
        """Search for a program or document, reading and hashing each candidate.

        Raises:
            ManifestError: the manifest has no such id.
        """
        entry = self._entry(entry_id)
        mismatches: list[Mismatch] = []
        for candidate in self._candidates(entry):
            outcome = _examine(entry.id, candidate, entry.size_bytes, entry.sha256)
            if isinstance(outcome, bytes):
                return Lookup(candidate, outcome, tuple(mismatches))
            if outcome is not None:
                mismatches.append(outcome)
        return Lookup(None, None, tuple(mismatches))

    def find(self, entry_id: str) -> Path | None:
        """The entry's file, or None where none with the right SHA-256 is there; warns of files with other bytes.

        A file is hashed again only when its size or its time of change differ from the last time.
        """
        known = self._accepted.get(entry_id)
        if known is not None and _fingerprint(known[0]) == known[1]:
            return known[0]
        path = self._accept(entry_id)[0]
        if path is not None and (fingerprint := _fingerprint(path)) is not None:
            self._accepted[entry_id] = (path, fingerprint)
        return path

    def read(self, entry_id: str) -> bytes:
        """The entry's bytes, exactly those that were hashed; a `CartridgeFile` where the entry has settings.

        Raises:
            RomMissing: no file with the right SHA-256 is in the search path; the message has the remedy.
            ManifestError: the manifest has no such id.
        """
        content = self._accept(entry_id)[1]
        entry = self._entry(entry_id)
        if content is not None:
            settings = entry.cartridge if isinstance(entry, RomEntry) else None
            return CartridgeFile(content, settings) if settings is not None and settings.given() else content
        remedy = self.remedy(entry_id)
        if self._ships(entry):
            what = "ships with nesproof, but the installed file is absent or has other bytes: reinstall nesproof"
        elif self.manifest.collections[entry.collection].base_url:
            what = (
                f"is not at hand: run `{FETCH_COMMAND}`, or put the file under a folder of NESPROOF_ROM_PATH "
                f"as {entry.path}"
            )
        else:
            what = "is not at hand, and nesproof does not fetch it: "
            what += f"put it into a folder of NESPROOF_ROM_PATH as {entry.path}"
            what += f", or run `{remedy}`" if remedy else ""
        raise RomMissing(f"{entry_id} {what}.", remedy=remedy)

    def remedy(self, entry_id: str) -> str | None:
        """The one command that brings a missing file, or None where there is none.

        Raises:
            ManifestError: the manifest has no such id.
        """
        entry = self._entry(entry_id)
        collection = self.manifest.collections[entry.collection]
        if self._ships(entry):
            return "pip install --force-reinstall nesproof"
        if collection.base_url:
            return f"{FETCH_COMMAND} --collection {entry.collection} --yes"
        # The package brings programs; a movie of one is nobody's to install.
        return None if isinstance(entry, Document) else f"pip install --no-deps {collection.brought_by}"

    def read_vectors(self, opcode: int) -> bytes:
        """The 100 cases of one opcode (form: `vectors.py`), verified by SHA-256.

        A reduced file is taken as it is; upstream's whole file is reduced first.

        Raises:
            RomMissing: no file whose reduction has the right SHA-256 is in the search path.
            ManifestError: there are no vectors for this opcode.
        """
        content, refused = self._look_up_vectors(opcode)
        name = vector_file_name(opcode)
        for _ in refused:
            warnings.warn(
                f"{VECTORS}/{name}: the file found does not give the expected cases.", RomMismatchWarning, stacklevel=2
            )
        if content is not None:
            return content
        remedy = f"{FETCH_COMMAND} --collection {VECTORS} --yes"
        raise RomMissing(
            f"The vectors of opcode {opcode:02X} are not at hand: run `{remedy}`, or put {name} under a folder of "
            "NESPROOF_VECTOR_PATH.",
            remedy=remedy,
        )

    def vectors_state(self, opcode: int) -> Literal["found", "missing", "mismatch"]:
        """Whether the vectors of an opcode are at hand; "mismatch" where only files with other cases are."""
        content, refused = self._look_up_vectors(opcode)
        if content is not None:
            return "found"
        return "mismatch" if refused else "missing"

    def missing_vectors(self) -> tuple[int, ...]:
        """The opcodes whose vectors are not at hand."""
        opcodes = sorted(self.manifest.vectors.sha256_by_opcode)
        return tuple(opcode for opcode in opcodes if self.vectors_state(opcode) != "found")

    def _look_up_vectors(self, opcode: int) -> tuple[bytes | None, tuple[Path, ...]]:
        expected = self.manifest.vectors.sha256_by_opcode.get(opcode)
        if expected is None:
            raise ManifestError(f"There are no vectors for opcode {opcode:02X}.")
        refused: list[Path] = []
        for folder in self.vector_path:
            path = folder / vector_file_name(opcode)
            data = _read_regular(path, _MOST_BYTES)
            reduced = None if data is None else reduce_vectors(data, opcode)
            if reduced is not None and hashlib.sha256(reduced).hexdigest() == expected:
                return reduced, tuple(refused)
            if path.exists():
                refused.append(path)
        return None, tuple(refused)

    def _candidates(self, entry: FileEntry) -> Iterator[Path]:
        yield from (folder / entry.path for folder in self.search_path)
        package_folder = self.manifest.collections[entry.collection].package_folder
        folder = installed_folder(package_folder) if package_folder else None
        if folder is not None:
            yield folder / PurePosixPath(entry.path).name

    def _ships(self, entry: FileEntry) -> bool:
        collection = self.manifest.collections[entry.collection]
        return not collection.base_url and not collection.brought_by

    def _accept(self, entry_id: str) -> tuple[Path | None, bytes | None]:
        lookup = self.look_up(entry_id)
        for mismatch in lookup.mismatches:
            warnings.warn(mismatch.sentence, RomMismatchWarning, stacklevel=3)
        return lookup.path, lookup.content

    def _entry(self, entry_id: str) -> FileEntry:
        try:
            return self.manifest.files[entry_id]
        except KeyError:
            raise ManifestError(f"The manifest has no entry {entry_id!r}; see `nesproof roms list`.") from None


def _examine(entry_id: str, path: Path, size_bytes: int, sha256: str) -> bytes | Mismatch | None:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return Mismatch(entry_id, path, sha256, "", "not a regular file")
    if status.st_size > _MOST_BYTES:
        return Mismatch(entry_id, path, sha256, "", f"{status.st_size} bytes where {size_bytes} are expected")
    data = _read_regular(path, _MOST_BYTES)
    if data is None:
        return Mismatch(entry_id, path, sha256, "", "cannot be read")
    found = hashlib.sha256(data).hexdigest()
    if found == sha256:
        return data
    return Mismatch(entry_id, path, sha256, found, f"{len(data)} bytes where {size_bytes} are expected")


def _read_regular(path: Path, most_bytes: int) -> bytes | None:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > most_bytes:
            return None
        with path.open("rb") as file:
            data = file.read(most_bytes + 1)
    except (OSError, ValueError):
        return None
    return data if len(data) <= most_bytes else None


def _fingerprint(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
