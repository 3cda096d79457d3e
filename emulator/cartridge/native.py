"""What a compiled console is told of a cartridge."""

from __future__ import annotations

from typing import Any

from nesproof.emulator.cartridge.cartridge import Cartridge

__all__ = ["native_arguments", "variant_of"]


def variant_of(cartridge: Cartridge) -> int:
    """What its mapper number leaves open, as bits: 1 the older IRQ of an MMC3, 2 an MMC6's RAM."""
    return int(cartridge.irq == "nec") | int(cartridge.prg_ram == "mmc6") << 1


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
        "variant": variant_of(cartridge),
    }
