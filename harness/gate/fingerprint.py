"""What of a build decides how it runs, read from its folder: hashes that comments and layout do not change.

A build of nesproof's own emulator names itself: the hash over its native sources is compiled into each extension. That
string counts as zeros here, since a comment changes it and nothing else.
"""

from __future__ import annotations

import ast
import hashlib
from pathlib import Path

from nesproof.harness.gate.document import Fingerprint, KernelCode
from nesproof.harness.probes.elf_sections import NotElf, code_hashes

__all__ = ["fingerprint_of", "own_paths"]

_NATIVE = (".cpp", ".hpp", ".cu", ".def")
_UNREAD = (*_NATIVE, ".pyc", ".pyi", ".typed", ".md")
"""Native sources run as what they were compiled to; the rest does not run at all."""
_MOST_FILES = 3_900


def fingerprint_of(folder: Path, *, is_own: bool, kernels: tuple[KernelCode, ...] = ()) -> Fingerprint:
    """The fingerprint of the build in that folder.

    Of a project that is not nesproof's own every file counts.
    """
    masks = [_sources_sha256(folder / "emulator").encode()] if is_own else []
    files: dict[str, dict[str, str]] = {}
    rest = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        name = path.relative_to(folder).as_posix()
        if "__pycache__" in path.parts or (is_own and (path.suffix in _UNREAD or path.name == "CMakeLists.txt")):
            continue
        parts = _parts(path, masks)
        if len(files) < _MOST_FILES:
            files[name[:4_000]] = parts
        else:
            rest.update(repr((name, sorted(parts.items()))).encode())
    if len(files) == _MOST_FILES:
        files["(all further files)"] = {"bytes": rest.hexdigest()}
    return Fingerprint(files=files, kernels=kernels)


def own_paths(extension: str) -> tuple[str, ...]:
    """Which files of a build of nesproof's emulator decide how a console on the CPU runs, whose compiled part is
    `extension`."""
    return (f"emulator/{extension}.*", "emulator/*.py", "!emulator/gpu/*")


def _parts(path: Path, masks: list[bytes]) -> dict[str, str]:
    data = path.read_bytes()
    if path.suffix == ".py":
        try:
            return {"syntax": hashlib.sha256(ast.dump(ast.parse(data)).encode("utf-8", "surrogatepass")).hexdigest()}
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
    try:
        hashes = code_hashes(data, without=masks)
        if hashes:
            return hashes
    except NotElf:
        pass
    for mask in masks:
        data = data.replace(mask, bytes(len(mask)))
    return {"bytes": hashlib.sha256(data).hexdigest()}


def _sources_sha256(emulator: Path) -> str:
    """What the build's CMakeLists.txt computes over the native sources and compiles in."""
    sources = sorted(p.relative_to(emulator).as_posix() for p in emulator.rglob("*") if p.suffix in _NATIVE)
    listing = "".join(f"{hashlib.sha256((emulator / s).read_bytes()).hexdigest()}  {s}\n" for s in sources)
    return hashlib.sha256(listing.encode()).hexdigest()
