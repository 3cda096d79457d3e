"""Workloads: which ROM, which inputs, how many frames. Data of the benchmarks room, loaded by id."""

from __future__ import annotations

import hashlib
import sys
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from nesproof.harness.claims.runs import Draw
from nesproof.harness.errors import ConfigurationError, first_fault
from nesproof.roms_manifest import Resolver

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["Hold", "Workload", "load_workload", "workload_ids"]

_MOVIE = "movie:"


class Hold(BaseModel):
    """A button mask held from frame `first_frame` for `frames` frames of the warm-up."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    buttons: int = Field(ge=0, le=0xFF)
    first_frame: int = Field(ge=0)
    frames: int = Field(ge=1)


class Workload(BaseModel):
    """One timed window of play.

    From power-on, `warmup_frames` frames are stepped untimed; then, where `wait_for` names bytes of RAM, frames without
    a button until RAM holds them; then `frames` frames are the timed window. Frame f of warm-up and window is stepped
    with byte f of the input stream (one byte a frame, controller 1).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z0-9-]+$")
    version: int = Field(ge=1)
    title: str
    rom: str
    """Id of a ROM in the manifest."""
    buttons: str
    """File name under `benchmarks/corpora`, "none" for no button ever, or "movie:ID" for a document of the manifest
    that is the window's input; the warm-up's is then `warmup_holds`."""
    warmup_holds: tuple[Hold, ...] = ()
    wait_for: tuple[tuple[Annotated[int, Field(ge=0, lt=0x800)], Annotated[int, Field(ge=0, le=0xFF)]], ...] = ()
    """Pairs of address and value."""
    stream: int = Field(default=0, ge=0)
    """Which stream of that file, where it holds several of `stream_frames` bytes each."""
    stream_frames: int = Field(default=0, ge=0)
    """Length of one stream in frames; 0 where the file is one stream."""
    lane_buttons: str = ""
    """File with the streams of a batch's lanes, where they differ: lane l takes stream l modulo their number."""
    lane_stream_frames: int = Field(default=0, ge=0)
    """Length of one of these streams in frames."""
    warmup_frames: int = Field(ge=0)
    frames: int = Field(ge=1)
    draw: Draw = "every"
    """What is drawn where a claim does not choose."""
    draws: tuple[Draw, ...] = ("none", "every", "last-of-4")
    """What may be chosen."""
    frame_counter_address: int = Field(ge=0, lt=0x800)
    """Where the game counts its own frames in RAM, little-endian."""
    frame_counter_bytes: int = Field(default=2, ge=1, le=4)
    notes: str = ""

    @model_validator(mode="after")
    def _whole(self) -> Workload:
        if self.draw not in self.draws:
            raise ValueError(f"draw is {self.draw}, which draws does not list")
        if bool(self.lane_buttons) != bool(self.lane_stream_frames):
            raise ValueError("lane_buttons and lane_stream_frames go together")
        if self.warmup_holds and not self.movie:
            raise ValueError("warmup_holds goes with a movie")
        return self

    @property
    def key(self) -> str:
        """`id@version`, as claims name it."""
        return f"{self.id}@{self.version}"

    @property
    def movie(self) -> str | None:
        """Id of the manifest's document that is the window's input, or None."""
        return self.buttons.removeprefix(_MOVIE) if self.buttons.startswith(_MOVIE) else None

    @property
    def needed_files(self) -> tuple[str, ...]:
        """Ids of what the manifest must find."""
        return (self.rom,) if self.movie is None else (self.rom, self.movie)

    @property
    def distinct_lanes(self) -> int:
        """How many lanes of a batch have inputs of their own; further lanes repeat them."""
        return len(_corpus(self.lane_buttons)) // self.lane_stream_frames if self.lane_buttons else 1

    def input_stream(self, *, lanes: int = 1, resolver: Resolver | None = None) -> bytes:
        """The buttons of warm-up and window together: `warmup_frames + frames` bytes for each lane, lane after lane.

        Raises:
            ConfigurationError: a corpus is too short.
            RomMissing: a movie is not at hand.
        """
        first = self._one_stream(resolver)
        if lanes == 1:
            return first
        if not self.lane_buttons:
            return first * lanes
        data, length = _corpus(self.lane_buttons), self.lane_stream_frames
        streams = [self._cut(data[at : at + length], self.lane_buttons) for at in range(0, len(data), length)]
        if streams[0] != first:
            raise ConfigurationError(f"Workload {self.key} has other inputs for lane 0 than for a console alone.")
        return b"".join(streams[lane % len(streams)] for lane in range(lanes))

    def warmup_buttons(self) -> bytes:
        """The buttons of the warm-up alone, a byte a frame; a movie is not needed for them."""
        if self.movie is not None:
            return self._held_in_warmup()
        return self._one_stream(None)[: self.warmup_frames]

    def identity_sha256(self, *, resolver: Resolver | None = None) -> str:
        """SHA-256 of everything that defines the workload but the ROM's bytes (those have their own hash)."""
        digest = hashlib.sha256(self.model_dump_json(exclude={"title", "notes"}).encode())
        digest.update(self.input_stream(resolver=resolver))
        if self.lane_buttons:
            digest.update(_corpus(self.lane_buttons))
        return digest.hexdigest()

    def _one_stream(self, resolver: Resolver | None) -> bytes:
        if self.buttons == "none":
            return bytes(self.warmup_frames + self.frames)
        if self.movie is not None:
            window = (resolver or Resolver()).read(self.movie)[: self.frames]
            return self._cut(self._held_in_warmup() + window, self.movie)
        data = _corpus(self.buttons)
        if self.stream_frames:
            data = data[self.stream * self.stream_frames : (self.stream + 1) * self.stream_frames]
        return self._cut(data, self.buttons)

    def _held_in_warmup(self) -> bytes:
        held = bytearray(self.warmup_frames)
        for hold in self.warmup_holds:
            for frame in range(hold.first_frame, min(hold.first_frame + hold.frames, self.warmup_frames)):
                held[frame] |= hold.buttons
        return bytes(held)

    def _cut(self, data: bytes, source: str) -> bytes:
        wanted = self.warmup_frames + self.frames
        if len(data) < wanted:
            raise ConfigurationError(
                f"Workload {self.key} needs {wanted} frames of input, but {source} holds {len(data)}."
            )
        return data[:wanted]


def _corpus(name: str) -> bytes:
    return (files("nesproof.benchmarks") / "corpora" / name).read_bytes()


def workload_ids() -> list[str]:
    """The ids of every shipped workload, sorted."""
    folder = files("nesproof.benchmarks") / "workloads"
    return sorted(p.name.removesuffix(".toml") for p in folder.iterdir() if p.name.endswith(".toml"))


def load_workload(key: str) -> Workload:
    """Load a workload by `id` or `id@version`.

    Raises:
        ConfigurationError: unknown id, malformed file, or another version than the one asked for.
    """
    workload_id, _, version = key.partition("@")
    if workload_id not in workload_ids():
        raise ConfigurationError(f"There is no workload {workload_id!r}; there are: {', '.join(workload_ids())}.")
    text = (files("nesproof.benchmarks") / "workloads" / f"{workload_id}.toml").read_text(encoding="utf-8")
    try:
        workload = Workload.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as fault:
        raise ConfigurationError(f"Workload {workload_id} is malformed: {fault}.") from fault
    except ValidationError as fault:
        raise ConfigurationError(f"Workload {workload_id} is malformed: {first_fault(fault)}.") from fault
    if version and version != str(workload.version):
        raise ConfigurationError(
            f"Workload {workload_id} is at version {workload.version}, but version {version} was asked for."
        )
    return workload
