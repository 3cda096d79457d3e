"""Says which manifest entry a file is, or almost is; with both hashes where it almost is."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from nesproof.roms_manifest.entries import RomEntry
from nesproof.roms_manifest.manifest import Manifest

__all__ = ["FileHashes", "Identification", "file_hashes", "identify"]


@dataclass(frozen=True)
class FileHashes:
    """Of a whole file, lower-case hexadecimal."""

    sha256: str
    sha1: str


def file_hashes(data: bytes) -> FileHashes:
    """Both hashes that ROM databases list."""
    return FileHashes(hashlib.sha256(data).hexdigest(), hashlib.sha1(data, usedforsecurity=False).hexdigest())


@dataclass(frozen=True)
class Identification:
    """`exact`: the whole file is the entry's. `body`: PRG and CHR are, header or tail differ. `name`: only the name is.

    `found` and `expected` are the hashes that were compared, of the algorithm `algorithm`.
    """

    match: Literal["exact", "body", "name"]
    entry: RomEntry
    algorithm: str
    found: str
    expected: str

    @property
    def sentence(self) -> str:
        """For a person."""
        if self.match == "exact":
            return f"This is {self.entry.id} ({self.algorithm} {self.found})."
        what = {
            "body": f"This has the program of {self.entry.id}, but another header or tail",
            "name": f"This is named like {self.entry.id}, but is another program",
        }[self.match]
        return f"{what}: {self.algorithm} found {self.found}, expected {self.expected}."


def identify(manifest: Manifest, *, file_name: str, sha256: str, body_sha1: str | None) -> tuple[Identification, ...]:
    """Entries that a file matches or almost matches, the best kind of match only.

    Args:
        manifest: where to look.
        file_name: the file's name without folder.
        sha256: of the whole file, lower-case hexadecimal.
        body_sha1: of PRG and CHR, or None where they could not be told.
    """
    exact = manifest.by_sha256(sha256)
    if exact is not None:
        return (Identification("exact", exact, "SHA-256", sha256, exact.sha256),)
    body = None if body_sha1 is None else manifest.by_body_sha1(body_sha1)
    if body is not None:
        return (Identification("body", body, "SHA-256", sha256, body.sha256),)
    wanted = file_name.casefold()
    return tuple(
        Identification("name", rom, "SHA-256", sha256, rom.sha256)
        if body_sha1 is None or rom.body_sha1 is None
        else Identification("name", rom, "body SHA-1", body_sha1, rom.body_sha1)
        for rom in manifest.values()
        if rom.path.rsplit("/", 1)[-1].casefold() == wanted
    )
