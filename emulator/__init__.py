"""NES consoles: cartridges, and the dot-clocked reference console.

from nesproof.emulator import Cartridge, Console

console = Console(Cartridge.load("game.nes"))
console.step(buttons=0x08, frames=2)  # Start
picture = console.rgb()
"""

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


def build_info() -> dict[str, str | int]:
    """How the compiled console was built.

    Keys: `compiler_id`, `compiler_version`, `build_type`, `flags`, `git_commit` (of the source tree when the build was
    configured; empty where unknown), `cxx_standard` (the value of `__cplusplus`).
    """
    from nesproof.emulator import _reference

    return _reference.build_info()
