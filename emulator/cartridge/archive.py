"""Takes the one `.nes` file out of a zip, in memory; a member's name is never used as a path."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from pathlib import PurePosixPath

from nesproof.emulator.cartridge.errors import CartridgeError
from nesproof.emulator.cartridge.plain_text import plain_text
from nesproof.emulator.cartridge.source import MAX_FILE_BYTES, Source

__all__ = ["is_zip", "unpack"]

_ENCRYPTED = 0x0001
_CHUNK_BYTES = 1 << 16
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
    KeyError,
    IndexError,
    OSError,
)
"""What the zip reader raises over damaged or contrived archives."""


def is_zip(data: bytes) -> bool:
    """Whether the bytes begin as a zip does, an empty one included."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"))


def unpack(source: Source) -> Source:
    """The single `.nes` member, at most 16 MiB, counted while it is unpacked.

    Raises:
        CartridgeError: none or several `.nes` members, encrypted, too large, damaged, or packed by a method other
            than store and deflate.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            member = _only_rom(source.name, archive.infolist())
            return Source(_member_name(member), _content(source.name, archive, member))
    except CartridgeError:
        raise
    except _DAMAGE as fault:
        reason = plain_text(str(fault)) or type(fault).__name__
        raise CartridgeError(f"{source.name}: is a zip that cannot be unpacked ({reason}).") from fault


def _only_rom(name: str, members: list[zipfile.ZipInfo]) -> zipfile.ZipInfo:
    roms = [m for m in members if not m.is_dir() and m.filename.lower().endswith(".nes") and not _is_resource(m)]
    if len(roms) != 1:
        found = f"{len(roms)} .nes files" if roms else "no .nes file"
        raise CartridgeError(
            f"{name}: is a zip with {found} among {len(members)} members; a zip with exactly one is supported."
        )
    member = roms[0]
    if member.flag_bits & _ENCRYPTED:
        raise CartridgeError(f"{name}: is an encrypted zip; only unencrypted ones are supported.")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise CartridgeError(
            f"{name}: is a zip packed by method {member.compress_type}; store (0) and deflate (8) are supported."
        )
    return member


def _is_resource(member: zipfile.ZipInfo) -> bool:
    # macOS adds a file of attributes, with the same suffix, for each file that it packs.
    return member.filename.startswith("__MACOSX/") or PurePosixPath(member.filename).name.startswith("._")


def _member_name(member: zipfile.ZipInfo) -> str:
    return plain_text(member.filename.replace("\\", "/").rsplit("/", 1)[-1])


def _content(name: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    # The size that the archive declares is the packer's word: what comes out is counted.
    content = bytearray()
    with archive.open(member) as stream:
        while chunk := stream.read(_CHUNK_BYTES):
            content += chunk
            if len(content) > MAX_FILE_BYTES:
                raise CartridgeError(
                    f"{name}: unpacks to more than {MAX_FILE_BYTES} bytes; at most that many (16 MiB) are supported."
                )
    return bytes(content)
