"""Writing the document of a bundle as one that can be published (`published.py` says what that is)."""

from __future__ import annotations

import hashlib
import lzma
import struct
import zlib
from pathlib import Path
from typing import Final

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.evidence.bundle import Bundle
from nesproof.harness.evidence.published import (
    PUBLISHED_LIMIT_BYTES,
    PublishedDocument,
    document_name,
    read_document,
    why_unpublishable,
)
from nesproof.harness.whole_file import write_whole

__all__ = ["publish_document"]

_GZIP_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
"""Deflate, no flags, no moment, slowest, unknown system: nothing in it says when or where it was packed."""


def publish_document(bundle: Bundle, folder: Path) -> PublishedDocument:
    """Write the bundle's `evidence.json` into `folder`, which is made where it is absent.

    What is there is never written over: a document that is there already stays as it is.

    Raises:
        ConfigurationError: it must not be published, or is too large.
        OSError: the disk is full or the folder not writable; nothing of the document is left then.
    """
    reason = why_unpublishable(bundle.evidence)
    if reason is not None:
        raise ConfigurationError(f"This evidence cannot be published. {reason}")
    data = bundle.files["evidence.json"]
    stem = document_name(bundle.evidence, hashlib.sha256(data).hexdigest())
    for suffix in ("gz", "xz"):
        if (path := folder / f"{stem}.json.{suffix}").is_file():
            return read_document(path)
    folder.mkdir(parents=True, exist_ok=True)
    suffix, packed = _packed(data)
    path = folder / f"{stem}.json.{suffix}"
    write_whole(path, packed)
    return read_document(path)


def _packed(data: bytes) -> tuple[str, bytes]:
    sizes = {}
    for suffix, pack in (("gz", _gzip), ("xz", _xz)):
        packed = pack(data)
        if len(packed) <= PUBLISHED_LIMIT_BYTES:
            return suffix, packed
        sizes[suffix] = len(packed)
    raise ConfigurationError(
        f"The document has {min(sizes.values()):,} bytes compressed, and at most {PUBLISHED_LIMIT_BYTES:,} are "
        "published; measure fewer claims in one run (--claim), or plant faults in a run of their own."
    )


def _gzip(data: bytes) -> bytes:
    stream = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9)
    return _GZIP_HEADER + stream.compress(data) + stream.flush() + struct.pack("<LL", zlib.crc32(data), len(data))


def _xz(data: bytes) -> bytes:
    return lzma.compress(data, format=lzma.FORMAT_XZ, check=lzma.CHECK_CRC32, preset=6)
