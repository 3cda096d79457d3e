"""Workloads: which ROM, which inputs, how many frames. Data of the benchmarks room, loaded by id."""

from __future__ import annotations

import hashlib
import sys
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nesproof.harness.errors import ConfigurationError, first_fault

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["Workload", "load_workload", "workload_ids"]


class Workload(BaseModel):
    """One timed window of play.

    From power-on, `warmup_frames` frames are stepped untimed, then `frames` frames are the timed window. Frame f
    of either is stepped with byte f of the input stream (one byte a frame, controller 1).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z0-9-]+$")
    version: int = Field(ge=1)
    title: str
    rom: str
    """Id of a ROM in the manifest."""
    buttons: str
    """File name under `benchmarks/corpora`, or "none" for no button ever."""
    stream: int = Field(default=0, ge=0)
    """Which stream of that file, where it holds several of `stream_frames` bytes each."""
    stream_frames: int = Field(default=0, ge=0)
    """Length of one stream in frames; 0 where the file is one stream."""
    warmup_frames: int = Field(ge=0)
    frames: int = Field(ge=1)
    draw: str = Field(default="every", pattern=r"^(none|every|last-of-4)$")
    frame_counter_address: int = Field(ge=0, lt=0x800)
    """Where the game counts its own frames in RAM, little-endian."""
    frame_counter_bytes: int = Field(default=2, ge=1, le=4)
    notes: str = ""

    @property
    def key(self) -> str:
        """`id@version`, as claims name it."""
        return f"{self.id}@{self.version}"

    def input_stream(self) -> bytes:
        """The buttons of warm-up and window together: `warmup_frames + frames` bytes."""
        wanted = self.warmup_frames + self.frames
        if self.buttons == "none":
            return bytes(wanted)
        data = (files("nesproof.benchmarks") / "corpora" / self.buttons).read_bytes()
        if self.stream_frames:
            data = data[self.stream * self.stream_frames : (self.stream + 1) * self.stream_frames]
        if len(data) < wanted:
            raise ConfigurationError(
                f"Workload {self.key} needs {wanted} frames of input, but {self.buttons} holds {len(data)}."
            )
        return data[:wanted]

    def identity_sha256(self) -> str:
        """SHA-256 of everything that defines the workload but the ROM's bytes (those have their own hash)."""
        digest = hashlib.sha256(self.model_dump_json(exclude={"title", "notes"}).encode())
        digest.update(self.input_stream())
        return digest.hexdigest()


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
