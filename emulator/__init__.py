"""NES consoles: cartridges, and the dot-clocked reference console.

from nesproof.emulator import Cartridge, Console

console = Console(Cartridge.load("game.nes"))
console.step(buttons=0x08, frames=2)  # Start
picture = console.rgb()
"""

# First of all, since it says what is wrong where the compiled console is not there.
from nesproof.emulator.build import build_info
from nesproof.emulator.buttons import Button
from nesproof.emulator.cartridge import Cartridge, CartridgeError, CartridgeWarning
from nesproof.emulator.console import CONSOLE_KINDS, Console, ConsoleKind
from nesproof.emulator.snapshot import SnapshotError
from nesproof.emulator.views import CpuView, PpuView

__all__ = [
    "CONSOLE_KINDS",
    "Button",
    "Cartridge",
    "CartridgeError",
    "CartridgeWarning",
    "Console",
    "ConsoleKind",
    "CpuView",
    "PpuView",
    "SnapshotError",
    "build_info",
]
