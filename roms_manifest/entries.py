"""What the manifest says of one file: where it lies, its hashes, licence and source, and how it is run."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from nesproof.roms_manifest.cartridge_file import CartridgeSettings
from nesproof.roms_manifest.protocols import Protocol

__all__ = ["Button", "Collection", "Document", "FileEntry", "Hold", "RomEntry", "Run"]

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Sha1 = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
Button = Literal["A", "B", "Select", "Start", "Up", "Down", "Left", "Right"]

_BUTTON_BITS: dict[str, int] = {
    "A": 0x01,
    "B": 0x02,
    "Select": 0x04,
    "Start": 0x08,
    "Up": 0x10,
    "Down": 0x20,
    "Left": 0x40,
    "Right": 0x80,
}


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Hold(_Model):
    """Buttons of controller 1 held from frame `first_frame` for `frames` frames, counted from power-on."""

    buttons: tuple[Button, ...] = Field(min_length=1)
    first_frame: int = Field(ge=0)
    frames: int = Field(ge=1)

    @property
    def mask(self) -> int:
        """The buttons as one byte: A 01, B 02, Select 04, Start 08, Up 10, Down 20, Left 40, Right 80."""
        mask = 0
        for button in self.buttons:
            mask |= _BUTTON_BITS[button]
        return mask


class Run(_Model):
    """One way to run a program: its protocol, what is held, and the frames after which it has failed.

    `reset_delay_frames` is how many frames after the request (status 81 at `$6000`) the reset button is pressed; the
    hardware tests ask for at least 100 ms, which is 7 frames. None means that the program asks for no reset.
    """

    name: str = Field(default="default", pattern=r"^[a-z0-9-]+$")
    protocol: Protocol
    hold: tuple[Hold, ...] = ()
    reset_delay_frames: int | None = Field(default=None, ge=7)
    limit_frames: int = Field(ge=0)

    def buttons_at(self, frame: int) -> int:
        """Controller 1's button byte at `frame` (0 is the first frame after power-on)."""
        mask = 0
        for hold in self.hold:
            if hold.first_frame <= frame < hold.first_frame + hold.frames:
                mask |= hold.mask
        return mask


class FileEntry(_Model):
    """One file: `path` is relative to a search folder, `upstream` to the collection's pinned base address."""

    id: str = Field(pattern=r"^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*$")
    path: str
    upstream: str = ""
    collection: str
    size_bytes: int = Field(ge=1)
    sha256: Sha256
    sha1: Sha1
    licence: str = Field(min_length=1)

    @field_validator("path", "upstream")
    @classmethod
    def _stays_inside(cls, value: str) -> str:
        pure = PurePosixPath(value)
        if pure.is_absolute() or ".." in pure.parts or "\\" in value or value.startswith("~"):
            raise ValueError(f"{value!r} is not a plain relative path")
        return value


class Document(FileEntry):
    """A readme, licence, log or input movie that belongs to ROMs; nothing is run."""

    kind: Literal["document", "log", "movie"] = "document"


class RomEntry(FileEntry):
    """One program. `body_sha1` is over PRG and CHR without header and tail; None for a raw image (no header).

    `mapper` is the board that it is run on, `submapper` the variant of it that its NES 2.0 header names and that it is
    made for; None where the number alone says enough. `cartridge` is what the program wants of its cartridge where the
    header does not say it, or says otherwise; nothing of it is set where the program does not care.
    """

    title: str = ""
    body_sha1: Sha1 | None = None
    mapper: int | None = Field(default=None, ge=0, le=4095)
    submapper: int | None = Field(default=None, ge=1, le=15)
    board: str
    cartridge: CartridgeSettings = CartridgeSettings()
    run: tuple[Run, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _runs_have_distinct_names(self) -> RomEntry:
        names = [run.name for run in self.run]
        if len(set(names)) != len(names):
            raise ValueError(f"{self.id}: two runs have one name")
        return self

    @model_validator(mode="after")
    def _board_is_the_one_that_is_run(self) -> RomEntry:
        if self.cartridge.mapper not in (None, self.mapper):
            raise ValueError(f"{self.id}: it is run on mapper {self.cartridge.mapper}, but names {self.mapper}")
        if self.submapper is not None and self.mapper is None:
            raise ValueError(f"{self.id}: it names submapper {self.submapper} of no mapper")
        return self


class Collection(_Model):
    """Files of one origin. `base_url` is pinned to `commit`; it is empty for what is not fetched.

    What is not fetched ships with this package, or comes inside another Python package that whoever wants it installs:
    `brought_by` is that package as pip takes it, `package_folder` where its files lie, beginning with the name that is
    imported.
    """

    name: str = Field(pattern=r"^[a-z0-9-]+$")
    title: str
    repository: str = ""
    commit: str = Field(default="", pattern=r"^([0-9a-f]{40})?$")
    base_url: str = ""
    brought_by: str = Field(default="", pattern=r"^([a-z0-9-]+==[0-9.]+)?$")
    package_folder: str = Field(default="", pattern=r"^([A-Za-z0-9_]+(/[A-Za-z0-9_]+)*)?$")
    licence: str
    notes: str = ""

    @model_validator(mode="after")
    def _address_is_pinned(self) -> Collection:
        if self.base_url and (not self.commit or self.commit not in self.base_url):
            raise ValueError(f"{self.name}: the address does not name the commit")
        if bool(self.brought_by) != bool(self.package_folder) or (self.brought_by and self.base_url):
            raise ValueError(f"{self.name}: a package that brings files has a folder, and no address beside it")
        return self
