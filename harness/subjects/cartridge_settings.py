"""How a request says what a cartridge has beyond what its file's header says."""

from __future__ import annotations

from typing import Any

from nesproof.roms_manifest import settings_of

__all__ = ["SETTINGS_CAPABILITY", "cartridge_args"]

SETTINGS_CAPABILITY = "cartridge-settings"
"""What a subject must declare to be given a file that carries settings: without them it would run another cartridge."""


def cartridge_args(rom: bytes) -> dict[str, Any]:
    """The request's arguments beside the file; none where it carries no settings."""
    settings = settings_of(rom).given()
    return {"cartridge": settings} if settings else {}
