"""Which ROMs exist: hashes, licences, pinned sources, how each reports; the house ROMs; the resolver.

from nesproof.roms_manifest import Resolver, load_manifest

manifest = load_manifest()
rom = manifest["nes-test-roms/cpu_reset/registers"]
data = Resolver().read(rom.id)
"""

from nesproof.roms_manifest.cartridge_file import CartridgeFile, CartridgeSettings, settings_of
from nesproof.roms_manifest.entries import Collection, Document, FileEntry, Hold, RomEntry, Run
from nesproof.roms_manifest.errors import (
    FetchError,
    ManifestError,
    RomError,
    RomMismatchWarning,
    RomMissing,
)
from nesproof.roms_manifest.manifest import Manifest, load_manifest, parse_manifest
from nesproof.roms_manifest.resolver import Lookup, Mismatch, Resolver

__all__ = [
    "CartridgeFile",
    "CartridgeSettings",
    "Collection",
    "Document",
    "FetchError",
    "FileEntry",
    "Hold",
    "Lookup",
    "Manifest",
    "ManifestError",
    "Mismatch",
    "Resolver",
    "RomEntry",
    "RomError",
    "RomMismatchWarning",
    "RomMissing",
    "Run",
    "load_manifest",
    "parse_manifest",
    "settings_of",
]
