"""The sections of a compiled file, and hashes over those that decide how it runs: of extensions and of GPU binaries."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable

__all__ = ["NotElf", "code_hashes", "elf_sections", "kernel_code_sha256"]

_MAGIC = b"\x7fELF\x02\x01"
_HEADER = struct.Struct("<16x2xHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_NO_BITS = 8
_RUNS = (".text", ".rodata", ".data")
_RUNS_ON_GPU = (".text", ".rodata", ".data", ".nv.constant", ".nv.global")


class NotElf(ValueError):
    """The bytes are no 64-bit little-endian ELF file, or a damaged one."""


def elf_sections(data: bytes) -> list[tuple[str, bytes]]:
    """Name and contents of each section that holds any, in the order of the file.

    Raises:
        NotElf: it is none.
    """
    if not data.startswith(_MAGIC) or len(data) < 64:
        raise NotElf("it is no 64-bit little-endian ELF file")
    fields = _HEADER.unpack_from(data)
    table, size, count, names_index = fields[4], fields[9], fields[10], fields[11]
    if size != _SECTION.size or table + size * count > len(data) or names_index >= count:
        raise NotElf("its table of sections is damaged")
    headers = [_SECTION.unpack_from(data, table + size * n) for n in range(count)]
    names = _contents(data, headers[names_index])
    return [
        (names[h[0] :].split(b"\0", 1)[0].decode("utf-8", "replace"), _contents(data, h))
        for h in headers
        if h[1] not in {0, _NO_BITS}
    ]


def _contents(data: bytes, header: tuple[int, ...]) -> bytes:
    offset, length = header[4], header[5]
    if offset + length > len(data):
        raise NotElf("a section lies beyond its end")
    return data[offset : offset + length]


def code_hashes(data: bytes, *, without: Iterable[bytes] = ()) -> dict[str, str]:
    """SHA-256 of .text, .rodata and .data (with what belongs to each, such as .text.unlikely or .data.rel.ro).

    `without` are byte strings that only name the build and count as zeros.

    Raises:
        NotElf: it is none.
    """
    return _hashes(data, _RUNS, without)


def kernel_code_sha256(cubin: bytes) -> str:
    """One SHA-256 over a GPU binary's machine code and constants; what only describes them is left out.

    Raises:
        NotElf: it is none.
    """
    return hashlib.sha256(repr(sorted(_hashes(cubin, _RUNS_ON_GPU, ()).items())).encode()).hexdigest()


def _hashes(data: bytes, groups: tuple[str, ...], without: Iterable[bytes]) -> dict[str, str]:
    digests = {group: hashlib.sha256() for group in groups}
    found: set[str] = set()
    masks = [bytes(mask) for mask in without if mask]
    for name, contents in elf_sections(data):
        group = next(
            (g for g in groups if name == g or name.startswith((f"{g}.", f"{g}1")) or _is_numbered(name, g)), None
        )
        if group is None:
            continue
        kept = contents
        for mask in masks:
            kept = kept.replace(mask, bytes(len(mask)))
        digests[group].update(f"{name}\0{len(kept)}\0".encode() + kept)
        found.add(group)
    return {group: digests[group].hexdigest() for group in groups if group in found}


def _is_numbered(name: str, group: str) -> bool:
    """A constant bank of a GPU binary: `.nv.constant0.kernel`."""
    return group.startswith(".nv.") and name.startswith(group)
