"""Writes a file's size and hashes into its manifest entry: `python -m nesproof.roms_manifest.rehash house/scroller`.

For the house ROMs after a rebuild. Only the four lines of the named entries change; the rest of the TOML is kept.
"""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path

from nesproof.roms_manifest.errors import ManifestError
from nesproof.roms_manifest.manifest import parse_manifest

__all__ = ["main", "rehashed"]


def rehashed(manifest_text: str, entry_id: str, data: bytes) -> str:
    """The manifest's text with the hashes of `data` (an iNES file without trainer) in the entry `entry_id`.

    Raises:
        ManifestError: there is no such entry, or it lacks a line for a hash.
    """
    start = manifest_text.find(f'\nid = "{entry_id}"\n')
    if start < 0:
        raise ManifestError(f"The manifest has no entry {entry_id!r}.")
    end = manifest_text.find("\n[[", start)
    table = manifest_text[start : end if end >= 0 else len(manifest_text)]
    body = data[16 : 16 + data[4] * 0x4000 + data[5] * 0x2000]
    values = {
        "size_bytes": str(len(data)),
        "sha256": f'"{hashlib.sha256(data).hexdigest()}"',
        "sha1": f'"{hashlib.sha1(data, usedforsecurity=False).hexdigest()}"',
        "body_sha1": f'"{hashlib.sha1(body, usedforsecurity=False).hexdigest()}"',
    }
    fresh = table
    for key, value in values.items():
        fresh, count = re.subn(rf"(?m)^{key} = .*$", f"{key} = {value}", fresh)
        if count != 1:
            raise ManifestError(f"The entry {entry_id!r} has no line {key}.")
    return manifest_text.replace(table, fresh)


def main(arguments: list[str]) -> int:
    """Rehash the entries named, or every house ROM; returns an exit code."""
    folder = Path(__file__).parent
    path = folder / "manifest.toml"
    text = path.read_text(encoding="utf-8")
    manifest = parse_manifest(text)
    for entry_id in arguments or [rom.id for rom in manifest.collection("house")]:
        if entry_id not in manifest:
            print(f"The manifest has no entry {entry_id!r}.", file=sys.stderr)
            return 2
        text = rehashed(text, entry_id, (folder / manifest[entry_id].path).read_bytes())
        print(f"{entry_id}: {parse_manifest(text)[entry_id].sha256}")
    path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
