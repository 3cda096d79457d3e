"""Gets the bytes: from memory, or from a path that is checked before anything is read."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from nesproof.emulator.cartridge.errors import CartridgeError
from nesproof.emulator.cartridge.plain_text import plain_text

__all__ = ["MAX_FILE_BYTES", "Source", "read_source"]

MAX_FILE_BYTES = 16 << 20
"""The largest file that is read, packed or unpacked: 16 MiB, far above any board that is emulated."""

_KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISCHR, "a character device"),
    (stat.S_ISBLK, "a block device"),
    (stat.S_ISSOCK, "a socket"),
)


@dataclass(frozen=True)
class Source:
    """`name` is safe to print and has no folder in it."""

    name: str
    data: bytes


def read_source(path_or_bytes: str | os.PathLike[str] | bytes | bytearray | memoryview) -> Source:
    """The bytes of a path, or the bytes given.

    Raises:
        CartridgeError: no such file, not a regular file, over 16 MiB, or not readable.
        TypeError: neither a path nor bytes.
    """
    if isinstance(path_or_bytes, (bytes, bytearray, memoryview)):
        data = bytes(path_or_bytes)
        if len(data) > MAX_FILE_BYTES:
            raise CartridgeError(_too_large("<bytes>", len(data)))
        return Source("<bytes>", data)
    path = os.fspath(path_or_bytes)
    if not isinstance(path, str):
        raise TypeError("a path must be str or os.PathLike[str]; bytes are taken as the file's content")
    name = plain_text(Path(path).name or path)
    try:
        return Source(name, _read(path, name))
    except OSError as fault:
        reason = fault.strerror or type(fault).__name__
        raise CartridgeError(f"{name}: cannot be read ({reason}); an iNES, NES 2.0 or zip file is expected.") from fault
    except ValueError as fault:
        if isinstance(fault, CartridgeError):
            raise
        raise CartridgeError(f"{name}: is no path ({plain_text(str(fault))}).") from fault


def _read(path: str, name: str) -> bytes:
    # The path is examined before it is opened, since opening a FIFO or a device can block or act; and again once it
    # is open, since the file may have been swapped in between.
    _check(os.stat(path), name)  # noqa: PTH116
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as file:
        _check(os.fstat(file.fileno()), name)
        data = file.read(MAX_FILE_BYTES + 1)
    if data is None:  # a kernel's "regular" file that has nothing to say yet
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    if len(data) > MAX_FILE_BYTES:
        raise CartridgeError(_too_large(name, len(data)))
    return data


def _check(status: os.stat_result, name: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = next((text for test, text in _KINDS if test(status.st_mode)), "not a regular file")
        raise CartridgeError(f"{name}: is {kind}; a regular iNES, NES 2.0 or zip file is supported.")
    if status.st_size > MAX_FILE_BYTES:
        raise CartridgeError(_too_large(name, status.st_size))


def _too_large(name: str, size: int) -> str:
    return f"{name}: has {size} bytes or more; at most {MAX_FILE_BYTES} bytes (16 MiB) are read."
