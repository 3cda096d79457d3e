"""A program's file together with what its cartridge is beyond what the file's header says."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["CartridgeFile", "CartridgeSettings", "settings_of"]


class CartridgeSettings(BaseModel):
    """What holds in place of the header, each as `nesproof.emulator.Cartridge.load` takes it; None leaves it to that.

    `irq` and `prg_ram` are of an MMC3: "sharp" raises an IRQ whenever a clock leaves the counter at 0, "nec" (the
    older chip, also called revision A) none where it was reloaded with 0 after it had reached 0 by itself; "mmc6" is
    the MMC6's RAM at `$7000` in place of an MMC3's at `$6000`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    region: Literal["ntsc"] | None = None
    mapper: int | None = Field(default=None, ge=0, le=4095)
    submapper: int | None = Field(default=None, ge=0, le=15)
    irq: Literal["sharp", "nec"] | None = None
    prg_ram: Literal["mmc3", "mmc6"] | None = None

    def given(self) -> dict[str, Any]:
        """Those that are set, by name."""
        return self.model_dump(exclude_none=True)

    def over(self, other: CartridgeSettings) -> CartridgeSettings:
        """These, and for those that are not set here, the other's."""
        return CartridgeSettings(**{**other.given(), **self.given()})

    def __str__(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.given().items())


class CartridgeFile(bytes):
    """The bytes of a file, which carry the `settings` with them wherever they go.

    They compare and hash as the bytes alone; whoever keeps something by the file keeps it by `settings_of` as well.
    """

    settings: CartridgeSettings

    def __new__(cls, data: bytes, settings: CartridgeSettings) -> CartridgeFile:
        """The file's bytes with these settings."""
        file = super().__new__(cls, data)
        file.settings = settings
        return file

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the settings with the bytes."""
        return CartridgeFile, (bytes(self), self.settings)


def settings_of(data: bytes) -> CartridgeSettings:
    """What the file carries; nothing is set where it is bytes alone."""
    return data.settings if isinstance(data, CartridgeFile) else CartridgeSettings()
