"""What a compiled console is told of a cartridge."""

from __future__ import annotations

from typing import Any

from nesproof.emulator.cartridge.cartridge import Cartridge

__all__ = ["native_arguments"]


def native_arguments(cartridge: Cartridge) -> dict[str, Any]:
    """Keyword arguments, the same for each kind of console."""
    return {
        "prg_rom": cartridge.prg_rom,
        "chr_rom": cartridge.chr_rom,
        "chr_ram_bytes": cartridge.chr_ram_bytes,
        "prg_ram_bytes": cartridge.prg_ram_bytes,
        "mirroring": cartridge.mirroring,
        "trainer": cartridge.trainer,
        "mapper": cartridge.mapper,
        "submapper": cartridge.submapper,
    }
