"""Cartridge files: iNES 1, NES 2.0 and zip, checked to the last byte."""

from nesproof.emulator.cartridge.asked import Region
from nesproof.emulator.cartridge.boards import SUPPORTED_BOARDS
from nesproof.emulator.cartridge.cartridge import Cartridge
from nesproof.emulator.cartridge.chips import Mmc3Irq, Mmc3PrgRam
from nesproof.emulator.cartridge.errors import CartridgeError, CartridgeWarning, UnsupportedBoardError

__all__ = [
    "SUPPORTED_BOARDS",
    "Cartridge",
    "CartridgeError",
    "CartridgeWarning",
    "Mmc3Irq",
    "Mmc3PrgRam",
    "Region",
    "UnsupportedBoardError",
]
