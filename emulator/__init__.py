"""NES consoles: cartridges, the dot-clocked reference console, the fast one, and many of that at once.

from nesproof.emulator import Cartridge, Console

console = Console(Cartridge.load("game.nes"))
console.step(buttons=0x08, frames=2)  # Start
picture = console.rgb()

batch = Batch(Cartridge.load("game.nes"), num_envs=256)
batch.step(buttons, frames=4, record="last")  # uint8 [256]
observations = batch.draw()  # uint8 [256, 240, 256]
"""

# First of all, since it says what is wrong where the compiled console is not there.
from nesproof.emulator.build import build_info  # isort: skip

from nesproof.emulator.batching import Batch, BatchMemory
from nesproof.emulator.buttons import Button
from nesproof.emulator.cartridge import Cartridge, CartridgeError, CartridgeWarning
from nesproof.emulator.console import CONSOLE_KINDS, Console, ConsoleKind
from nesproof.emulator.snapshot import SnapshotError
from nesproof.emulator.views import CpuView, PpuView

__all__ = [
    "CONSOLE_KINDS",
    "Batch",
    "BatchMemory",
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
