"""What the kernels know when they are compiled: the cartridge's board and sizes, and the variants."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, get_args

from nesproof.emulator.cartridge import SUPPORTED_BOARDS, Cartridge
from nesproof.emulator.cartridge.native import variant_of

__all__ = ["PARTS", "SCHEDULES", "Part", "Schedule", "Specialisation"]

Part = Literal["plain", "recording"]
"""The two binaries that the kernels' text makes: what every batch needs, and what pictures need besides."""

PARTS: tuple[Part, ...] = get_args(Part)

Schedule = Literal["smallest-key", "largest-group", "free-running"]
SCHEDULES: tuple[str, ...] = get_args(Schedule)

_POLICIES = {
    "smallest-key": "SmallestKeyFirst",
    "largest-group": "LargestGroupFirst",
    "free-running": "FreeRunning",
}
_NAMETABLE_BANKS = {
    "horizontal": (0, 0, 1024, 1024),
    "vertical": (0, 1024, 0, 1024),
    "four-screen": (0, 1024, 2048, 3072),
}


@dataclass(frozen=True)
class Specialisation:
    """Constants of one compilation; two cartridges that agree in them share the kernels.

    Attributes:
        prg_rom_bytes, chr_rom_bytes, prg_ram_bytes, chr_ram_bytes: powers of two, or 0; of ROMs, as they are laid out.
        mirroring: of the nametables.
        mapper, submapper, variant: of the board; which kind of it is compiled core/board/kinds.hpp says.
        schedule: which lanes of a warp run next (core/schedule.hpp).
        aligned_frames: the lanes of a warp wait for each other at the end of each frame.
    """

    prg_rom_bytes: int
    chr_rom_bytes: int
    prg_ram_bytes: int
    chr_ram_bytes: int
    mirroring: str
    mapper: int = 0
    submapper: int = 0
    variant: int = 0
    schedule: Schedule = "smallest-key"
    aligned_frames: bool = True

    @staticmethod
    def of(cartridge: Cartridge, *, schedule: Schedule = "smallest-key", aligned_frames: bool = True) -> Specialisation:
        """For a cartridge.

        Raises:
            ValueError: the board is not emulated, or there is no such schedule.
        """
        if cartridge.mapper not in SUPPORTED_BOARDS:
            raise ValueError(f"the kernels have no board for mapper {cartridge.mapper}")
        if schedule not in _POLICIES:
            raise ValueError(f"there is no schedule {schedule!r}; the schedules are: {', '.join(SCHEDULES)}")
        return Specialisation(
            prg_rom_bytes=_laid_out(len(cartridge.prg_rom)),
            chr_rom_bytes=_laid_out(len(cartridge.chr_rom)),
            prg_ram_bytes=cartridge.prg_ram_bytes,
            chr_ram_bytes=cartridge.chr_ram_bytes,
            mirroring=cartridge.mirroring,
            mapper=cartridge.mapper,
            submapper=cartridge.submapper,
            variant=variant_of(cartridge),
            schedule=schedule,
            aligned_frames=aligned_frames,
        )

    @property
    def rom_bytes(self) -> tuple[int, int]:
        """Of PRG-ROM and CHR-ROM."""
        return self.prg_rom_bytes, self.chr_rom_bytes

    @property
    def nametable_banks(self) -> tuple[int, int, int, int]:
        """Where the nametables at $2000, $2400, $2800 and $2C00 begin."""
        return _NAMETABLE_BANKS[self.mirroring]

    @property
    def nametable_bytes(self) -> int:
        """2048, or 4096 with four screens."""
        return 4096 if self.mirroring == "four-screen" else 2048

    def options(self, part: Part) -> tuple[str, ...]:
        """The compiler's `-D` options."""
        packed = sum(bank << 16 * i for i, bank in enumerate(self.nametable_banks))
        values: dict[str, object] = {
            "PRG_MASK": f"{self.prg_rom_bytes - 1}u",
            "CHR_MASK": f"{(self.chr_rom_bytes or self.chr_ram_bytes) - 1}u",
            "CHR_IS_ROM": int(self.chr_rom_bytes > 0),
            "PRG_RAM_BYTES": f"{self.prg_ram_bytes}u",
            "CHR_RAM_BYTES": f"{self.chr_ram_bytes}u",
            "NAMETABLE_BYTES": f"{self.nametable_bytes}u",
            "NAMETABLE_BANKS": f"{packed}ull",
            "RECORDING": int(part == "recording"),
            "MAPPER": self.mapper,
            "SUBMAPPER": self.submapper,
            "VARIANT": self.variant,
            "SCHEDULE": _POLICIES[self.schedule],
            "ALIGNED_FRAMES": int(self.aligned_frames),
        }
        return tuple(f"-DNESPROOF_{name}={value}" for name, value in values.items())

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def _laid_out(size_bytes: int) -> int:
    """The power of two of bytes that a ROM fills, so that an address is reached by masking it."""
    return 1 << (size_bytes - 1).bit_length() if size_bytes else 0
