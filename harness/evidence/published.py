"""Published evidence: documents alone, compressed, in a folder that is kept with the sources.

`2026-07-31T150405Z-5f674aa0c1d2e3f4.json.gz` is the very `evidence.json` of a bundle: the moment it was made, and the
first digits of its SHA-256, which the bundle's manifest lists. So neither can be changed without another name.

Where gzip leaves a document above the limit, xz takes its place (`.json.xz`).
"""

from __future__ import annotations

import hashlib
import lzma
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timezone
from pathlib import Path
from typing import Final

from nesproof.harness.evidence.measurements import ChangeMeasurement, RatioMeasurement
from nesproof.harness.evidence.model import Evidence
from nesproof.harness.evidence.reading import (
    EvidenceInconsistent,
    EvidenceRefused,
    parse_evidence,
    read_regular_file,
)

__all__ = [
    "PUBLISHED_LIMIT_BYTES",
    "PublishedDocument",
    "document_name",
    "is_document",
    "read_document",
    "read_published",
    "why_unpublishable",
]

PUBLISHED_LIMIT_BYTES: Final = 100_000
"""How large a published document may be, compressed."""
_DOCUMENT_LIMIT_BYTES: Final = 16 << 20
_XZ_MEMORY_LIMIT_BYTES: Final = 128 << 20
_DOCUMENTS_LIMIT: Final = 2_000
_NAME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{6}Z-[0-9a-f]{16}\.json\.(?:gz|xz)")


@dataclass(frozen=True)
class PublishedDocument:
    """A document alone: `sha256` is over the bytes of `evidence.json`, `path` the compressed file."""

    evidence: Evidence
    sha256: str
    path: Path


def document_name(evidence: Evidence, sha256: str) -> str:
    """What the published file of a document is called, without its suffix (`.json.gz`)."""
    return f"{evidence.created_utc.astimezone(timezone.utc):%Y-%m-%dT%H%M%SZ}-{sha256[:16]}"


def is_document(path: Path) -> bool:
    """True where the name is that of a published document."""
    return _NAME.fullmatch(path.name) is not None


def read_published(folder: Path) -> tuple[PublishedDocument, ...]:
    """The published documents in `folder`, oldest first; none where there is no such folder.

    Other files (a README) are passed over, hidden ones too.

    Raises:
        EvidenceRefused: a file named as a document is none, is too large, or holds evidence that must not be published.
        EvidenceInconsistent: a document is not the one that its name says.
    """
    if not folder.is_dir():
        return ()
    paths = sorted(path for path in folder.iterdir() if path.name.endswith((".json.gz", ".json.xz")))
    if len(paths) > _DOCUMENTS_LIMIT:
        raise EvidenceRefused(f"{folder} holds more than {_DOCUMENTS_LIMIT} documents.")
    documents = [read_document(path) for path in paths if not path.name.startswith(".")]
    for document in documents:
        reason = why_unpublishable(document.evidence)
        if reason is not None:
            raise EvidenceRefused(f"{document.path.name} must not be among what is published: {reason}")
    seen: dict[str, PublishedDocument] = {}
    for document in documents:
        if (twin := seen.setdefault(document.sha256, document)) is not document:
            raise EvidenceRefused(f"{document.path.name} is the same document as {twin.path.name}; remove one.")
    return tuple(sorted(documents, key=lambda d: (d.evidence.created_utc, d.sha256)))


def read_document(path: Path) -> PublishedDocument:
    """One published document, held against its name.

    Raises:
        EvidenceRefused: not the name or the contents of a document, or too large.
        EvidenceInconsistent: it is another document than its name says.
    """
    if not is_document(path):
        raise EvidenceRefused(
            f"{path.name} is no name of a published document, which reads 2026-07-31T150405Z-5f674aa0c1d2e3f4.json.gz."
        )
    data = _unpacked(read_regular_file(path, what=path.name, limit_bytes=PUBLISHED_LIMIT_BYTES), path.name)
    evidence = parse_evidence(data, what=path.name)
    sha256 = hashlib.sha256(data).hexdigest()
    if not path.name.startswith(f"{document_name(evidence, sha256)}.json"):
        raise EvidenceInconsistent(f"{path.name} holds another document than its name says: SHA-256 {sha256}.")
    return PublishedDocument(evidence, sha256, path)


def why_unpublishable(evidence: Evidence) -> str | None:
    """One sentence on why the evidence must not be published, or None where it may."""
    source = evidence.source
    if evidence.fixture is not None:
        return "It was made up and nothing of it was measured."
    if evidence.interrupted:
        return "The run was interrupted."
    if source.dirty:
        return "The source tree had uncommitted changes; commit them and measure again."
    if source.commit is None or source.dirty is None:
        return "It names no commit; measure in a clean git checkout, or in an installation from one."
    if any(measurement.load.busy and measurement.load.overridden for measurement in _timings(evidence)):
        return "Something was timed on a busy machine all the same (--allow-busy); measure again on a quiet one."
    bare = evidence.unproven_claims()
    for record in evidence.claims:
        if record.selected and record.measurement is not None and record.claim.id in bare:
            named = (
                "none is named in its `killed_by`" if record.claim.is_unproven else "those it names left it as it was"
            )
            return f"{record.claim.id} is UNPROVEN: no planted fault is known to make it fail; {named}."
    return None


def _timings(evidence: Evidence) -> Iterator[RatioMeasurement | ChangeMeasurement]:
    measurements = [measurement for _, measurement in evidence.measurements()]
    if evidence.falsification is not None:
        measurements += [control.measurement for control in evidence.falsification.controls]
        measurements += [pair.measurement for pair in evidence.falsification.pairs]
    yield from (m for m in measurements if isinstance(m, (RatioMeasurement, ChangeMeasurement)))


def _unpacked(data: bytes, name: str) -> bytes:
    """The whole document of a compressed file that holds nothing else; a bomb is not unpacked beyond the limit."""
    limit = _DOCUMENT_LIMIT_BYTES + 1
    stream: zlib._Decompress | lzma.LZMADecompressor
    try:
        if name.endswith(".gz"):
            stream = zlib.decompressobj(wbits=31)
            unpacked = stream.decompress(data, limit)
        else:
            stream = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_XZ_MEMORY_LIMIT_BYTES)
            unpacked = stream.decompress(data, max_length=limit)
    except (zlib.error, lzma.LZMAError) as fault:
        raise EvidenceRefused(f"{name} is damaged: it cannot be decompressed.") from fault
    if len(unpacked) >= limit:
        raise EvidenceRefused(f"{name} holds more than {_DOCUMENT_LIMIT_BYTES} bytes.")
    if not stream.eof or stream.unused_data:
        raise EvidenceRefused(f"{name} is damaged: it ends too early, or something follows the document.")
    return unpacked
