"""What one mapper number leaves open of a Nintendo MMC3: its IRQ counter, and an MMC6's RAM in its place.

https://www.nesdev.org/wiki/MMC3, https://www.nesdev.org/wiki/MMC6, https://www.nesdev.org/wiki/NES_2.0_submappers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

__all__ = ["MMC3", "MMC6", "MMC6_RAM_BYTES", "NEC_MMC3", "Mmc3Chip", "Mmc3Irq", "Mmc3PrgRam"]

Mmc3Irq = Literal["sharp", "nec"]
Mmc3PrgRam = Literal["mmc3", "mmc6"]

MMC6_RAM_BYTES = 1 << 10
"""In the chip, at `$7000`."""


@dataclass(frozen=True)
class Mmc3Chip:
    """`irq` is "sharp" for the newer counter, which raises an IRQ whenever a clock leaves it at 0, and "nec" for the
    older one, which raises none where it was reloaded with 0 after it had reached 0 by itself.
    """

    irq: Mmc3Irq = "sharp"
    prg_ram: Mmc3PrgRam = "mmc3"

    def with_choices(self, irq: Mmc3Irq | None, prg_ram: Mmc3PrgRam | None) -> Mmc3Chip:
        """This chip with what was asked for in place of what it has."""
        return replace(self, irq=irq or self.irq, prg_ram=prg_ram or self.prg_ram)


MMC3 = Mmc3Chip()
NEC_MMC3 = Mmc3Chip(irq="nec")
MMC6 = Mmc3Chip(prg_ram="mmc6")
