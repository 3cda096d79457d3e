"""Compiled kernels on disk: a private folder, an entry a key, each checked before it is believed.

An entry is code that will run, so the folder is the user's alone (mode 0700), entries appear whole (a temporary file,
then a rename), and each carries the SHA-256 of what it holds: a damaged or truncated one counts as absent.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

import platformdirs

__all__ = ["Entry", "KernelCache", "UnsafeCacheWarning", "cache_folder"]

_FORMAT = "nesproof-kernel 1"


class UnsafeCacheWarning(UserWarning):
    """The cache's folder is not the user's alone, so nothing is kept or looked up there."""


@dataclass(frozen=True)
class Entry:
    """What one compilation made.

    Attributes:
        cubin: the binary.
        log: what the compiler printed.
        compile_seconds: how long it took then.
    """

    cubin: bytes
    log: str
    compile_seconds: float


def cache_folder() -> Path:
    """`NESPROOF_KERNEL_CACHE` where set, else `kernels` in the platform's cache folder. It need not exist yet."""
    chosen = os.environ.get("NESPROOF_KERNEL_CACHE")
    if chosen:
        return Path(chosen).expanduser().absolute()
    return Path(platformdirs.user_cache_dir("nesproof", False)) / "kernels"


class KernelCache:
    """Entries by key in one folder; several processes may use it at once.

    Args:
        folder: `cache_folder()` by default. Where it cannot be made, or others may write to it, nothing is cached and
            an `UnsafeCacheWarning` says so once.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = cache_folder() if folder is None else folder
        self._usable: bool | None = None

    def get(self, key: str) -> Entry | None:
        """The entry, or None where there is none that is whole and says that it belongs to this key."""
        if not self._is_usable():
            return None
        try:
            data = self._path(key).read_bytes()
        except OSError:
            return None
        return _entry_from(data, key)

    def put(self, key: str, entry: Entry) -> None:
        """Keep an entry; a full or read-only disk is no error, since the kernels are at hand already."""
        if not self._is_usable():
            return
        with contextlib.suppress(OSError):
            handle, name = tempfile.mkstemp(dir=self.folder, prefix=".new-")
            temporary = Path(name)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_bytes_of(key, entry))
                    file.flush()
                    os.fsync(file.fileno())
                temporary.replace(self._path(key))
            finally:
                temporary.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.kernels"

    def _is_usable(self) -> bool:
        if self._usable is None:
            fault = _fault_of(self.folder)
            self._usable = fault is None
            if fault is not None:
                warnings.warn(
                    f"compiled kernels are not kept: {self.folder} {fault}; "
                    "set NESPROOF_KERNEL_CACHE to a folder that is yours alone",
                    UnsafeCacheWarning,
                    stacklevel=4,
                )
        return self._usable


def _fault_of(folder: Path) -> str | None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except OSError as fault:
        return f"cannot be made ({fault.strerror})"
    if not stat.S_ISDIR(found.st_mode):
        return "is not a folder"
    if found.st_uid != os.getuid():
        return "belongs to another user"
    if found.st_mode & 0o077:
        return f"is open to other users (mode {stat.S_IMODE(found.st_mode):04o})"
    return None


def _bytes_of(key: str, entry: Entry) -> bytes:
    payload = entry.log.encode() + entry.cubin
    header = {
        "format": _FORMAT,
        "key": key,
        "log_bytes": len(entry.log.encode()),
        "compile_seconds": entry.compile_seconds,
        "sha256": hashlib.sha256(payload).hexdigest(),
    }
    return json.dumps(header).encode() + b"\n" + payload


def _entry_from(data: bytes, key: str) -> Entry | None:
    line, _, payload = data.partition(b"\n")
    try:
        header = json.loads(line)
        if header["format"] != _FORMAT or header["key"] != key:
            return None
        if hashlib.sha256(payload).hexdigest() != header["sha256"]:
            return None
        log_bytes = int(header["log_bytes"])
        return Entry(payload[log_bytes:], payload[:log_bytes].decode(), float(header["compile_seconds"]))
    except (ValueError, KeyError, TypeError):
        return None
