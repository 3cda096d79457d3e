"""The document out of the artifact, without ever unpacking the archive onto a disk."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import Any

from gate_comment.errors import Refused
from gate_comment.github import GitHub

__all__ = ["LARGEST_ARCHIVE_BYTES", "LARGEST_DOCUMENT_BYTES", "artifact_archive", "document_in"]

ARTIFACT = "nesproof-gate"
DOCUMENT = "gate.json"
LARGEST_ARCHIVE_BYTES = 32 << 20
LARGEST_DOCUMENT_BYTES = 8 << 20
_MOST_FILES = 16


def artifact_archive(github: GitHub, run_id: int) -> bytes | None:
    """The archive that the gate's run left; None where it left none.

    Raises:
        Refused: it is too large, or there are several of that name.
    """
    found: list[Any] = [
        artifact
        for artifact in github.pages(f"actions/runs/{run_id}/artifacts", "artifacts", name=ARTIFACT)
        if artifact["name"] == ARTIFACT and not artifact["expired"]
    ]
    if not found:
        return None
    if len(found) > 1:
        raise Refused("The run left several artifacts of the gate's name.")
    if found[0]["size_in_bytes"] > LARGEST_ARCHIVE_BYTES:
        raise Refused(f"The artifact is larger than {LARGEST_ARCHIVE_BYTES} bytes.")
    return github.download(f"actions/artifacts/{int(found[0]['id'])}/zip", limit=LARGEST_ARCHIVE_BYTES)


def document_in(archive: bytes) -> bytes:
    """The bytes of `gate.json`. Other files of the archive are not looked at.

    Raises:
        Refused: the archive is none, holds none or several of it, or one that is too large.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            members = opened.infolist()
            if len(members) > _MOST_FILES:
                raise Refused(f"The artifact holds more than {_MOST_FILES} files.")
            documents = [member for member in members if member.filename == DOCUMENT]
            if len(documents) != 1:
                raise Refused(f"The artifact holds {len(documents)} files {DOCUMENT}, not one.")
            if documents[0].file_size > LARGEST_DOCUMENT_BYTES:
                raise Refused(f"{DOCUMENT} is larger than {LARGEST_DOCUMENT_BYTES} bytes.")
            with opened.open(documents[0]) as stream:
                data = stream.read(LARGEST_DOCUMENT_BYTES + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError):
        raise Refused("The artifact is no readable archive.") from None
    if len(data) > LARGEST_DOCUMENT_BYTES:
        raise Refused(f"{DOCUMENT} is larger than {LARGEST_DOCUMENT_BYTES} bytes.")
    return data
