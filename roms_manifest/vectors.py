"""The single-step vectors: 237 files of 100 cases, one an opcode, with their form and how upstream's files give them.

Upstream (jepebe/ProcessorTestsBinaries, a binary form of the MIT-licensed ProcessorTests by Tom Harte) has 10,000
cases in each file. Checked here are the first 100 of each file, in order, leaving out those in which an opcode that
looks at the decimal flag meets it set (the 2A03 has no decimal mode); there are none for the twelve halting opcodes and
the seven unstable ones. `vectors.sha256` holds the hashes of these reduced files, never of upstream's own, which are
not pinned by hash: a reduction that does not match is thrown away.

A case, no padding, PC and addresses big-endian: name (10 bytes, NUL-padded); PC (2), S, A, X, Y, P; count (1) and that
many RAM entries of address (2) and value (1); the same again for the final state; count (1) and that many bus cycles of
address (2), value (1) and `r` or `w` (1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from nesproof.roms_manifest.errors import ManifestError

__all__ = [
    "CASES_PER_OPCODE",
    "VECTORS",
    "VectorSet",
    "case_spans",
    "reduce_vectors",
    "vector_file_name",
    "vector_hashes",
]

VECTORS = "vectors"
"""The name by which `nesproof roms` knows them, as a collection."""
CASES_PER_OPCODE = 100

_NAME_BYTES = 10
_REGISTER_BYTES = 7
_P_OFFSET = 6
_DECIMAL_FLAG = 0x08
# ADC, SBC and the unofficial RRA, ISC, ARR: the odd opcodes of these rows.
_DECIMAL_OPCODES = frozenset(row | column for row in (0x60, 0x70, 0xE0, 0xF0) for column in range(1, 16, 2))


@dataclass(frozen=True)
class VectorSet:
    """The expected SHA-256 of each reduced file by opcode, and where upstream's files are."""

    sha256_by_opcode: Mapping[int, str]
    base_url: str
    commit: str
    licence: str

    def source_url(self, opcode: int) -> str:
        """The pinned address of upstream's whole file for an opcode."""
        return f"{self.base_url}/{vector_file_name(opcode)}"


def vector_file_name(opcode: int) -> str:
    """`XX.bin`, the opcode in lower-case hexadecimal."""
    return f"{opcode:02x}.bin"


@lru_cache(maxsize=1)
def vector_hashes() -> VectorSet:
    """The set that `vectors.sha256` beside this file lists.

    Raises:
        ManifestError: the list is malformed.
    """
    commit = "787e9af32c9f8798b163f0027aa21da90e147228"
    hashes: dict[int, str] = {}
    text = (files("nesproof.roms_manifest") / "vectors.sha256").read_text(encoding="ascii")
    for line in text.splitlines():
        digest, _, name = line.partition("  ")
        if len(digest) != 64 or not name.endswith(".bin"):
            raise ManifestError(f"vectors.sha256 has a malformed line: {line!r}.")
        hashes[int(name[:2], 16)] = digest
    return VectorSet(
        sha256_by_opcode=hashes,
        base_url=f"https://raw.githubusercontent.com/jepebe/ProcessorTestsBinaries/{commit}/6502",
        commit=commit,
        licence="MIT",
    )


def case_spans(data: bytes) -> Iterator[tuple[int, int]]:
    """(start, end) of each whole case in `data`, in order; a last case cut short is not yielded."""
    position = 0
    while (end := _case_end(data, position)) is not None:
        yield position, end
        position = end


def _case_end(data: bytes, start: int) -> int | None:
    position = start + _NAME_BYTES
    for header_bytes, entry_bytes in ((_REGISTER_BYTES, 3), (_REGISTER_BYTES, 3), (0, 4)):
        position += header_bytes
        if position >= len(data):
            return None
        position += 1 + entry_bytes * data[position]
    return position if position <= len(data) else None


def reduce_vectors(data: bytes, opcode: int) -> bytes | None:
    """The reduced file out of (the beginning of) upstream's, or None where `data` holds too few cases.

    `data` may be cut anywhere. A file that is reduced already is returned as it is.
    """
    kept: list[bytes] = []
    for start, end in case_spans(data):
        meets_decimal = bool(data[start + _NAME_BYTES + _P_OFFSET] & _DECIMAL_FLAG)
        if meets_decimal and opcode in _DECIMAL_OPCODES:
            continue
        kept.append(data[start:end])
        if len(kept) == CASES_PER_OPCODE:
            return b"".join(kept)
    return None
