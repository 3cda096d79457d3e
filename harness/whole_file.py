"""Writing a file so that it is there whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.plain_text import plain_line

__all__ = ["name_place", "replacing", "require_folder", "require_place_for", "write_whole"]


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` as the file `path`.

    Raises:
        OSError: the disk is full, the folder is absent or not writable; what was there before is untouched.
    """
    with replacing(path) as out:
        out.write(data)


def require_place_for(path: Path | None) -> None:
    """Find out before the work whether a file can be written there at all.

    Raises:
        ConfigurationError: there is no such folder, or the name is a folder's or none at all.
    """
    if path is None:
        return
    shown = plain_line(str(path), limit=300)
    if path.is_dir():
        raise ConfigurationError(f"{shown} is a folder; name a file to write.")
    if not path.parent.is_dir():
        raise ConfigurationError(f"There is no folder {plain_line(str(path.parent), limit=300)} to write a file into.")


def require_folder(path: Path | None) -> None:
    """Make the folder and find out before the work whether files can be written into it at all.

    Raises:
        ConfigurationError: they cannot.
    """
    if path is None:
        return
    shown = plain_line(str(path), limit=300)
    if str(path) in {"", "."}:
        raise ConfigurationError("Name a folder for what is written; the current one is not cluttered.")
    try:
        path.mkdir(parents=True, exist_ok=True)
        write_whole(path / f".probe-{secrets.token_hex(4)}", b"x" * 4096)
    except OSError as fault:
        why = fault.strerror or "it cannot be made"
        raise ConfigurationError(f"Nothing can be written into {shown}: {why}; name another folder.") from fault
    finally:
        for probe in path.glob(".probe-????????"):
            probe.unlink(missing_ok=True)


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes the name `path` once the block has written it whole; after a fault nothing of it is left."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        if path.exists() and not path.is_file():  # /dev/stdout, /dev/full, a FIFO: there is nothing to replace
            with path.open("wb") as out:
                yield out
            return
        with fresh.open("xb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(path)
    except BaseException as fault:
        fresh.unlink(missing_ok=True)
        name_place(fault, path, made_as=fresh)
        raise


def name_place(fault: BaseException, place: Path, *, made_as: Path) -> None:
    """Let the operating system's fault name the place that is written: a write names none, and what is made under
    another name first is nothing that anybody asked for."""
    if isinstance(fault, OSError) and fault.errno and str(fault.filename or made_as).startswith(str(made_as)):
        fault.filename, fault.filename2 = str(place), None
