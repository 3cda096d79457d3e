"""What the evidence document says of the place: what ran, where, built how, on which programs."""

from __future__ import annotations

from pydantic import Field

from nesproof.harness.evidence.fields import Hex, Name, Record, Sha256, Text

__all__ = [
    "Build",
    "Gpu",
    "Machine",
    "Package",
    "RomRecord",
    "Source",
    "SubjectRecord",
    "WorkloadRecord",
]


class Source(Record):
    """Which nesproof ran. `commit` and `dirty` are None where it was installed from a wheel built outside git."""

    version: Name
    commit: Hex | None
    dirty: bool | None
    tree_sha256: Sha256
    """SHA-256 over the installed package's own files, so that two dirty trees can be told apart."""


class Build(Record):
    """How the emulator's native code was built.

    `commit` is what stood checked out when it was configured, None outside git; `sources_sha256` is over the native
    sources themselves, as `sha256sum` lists them, so that a build of changed sources can be told from the commit's.
    """

    compiler: Name
    compiler_version: Name
    flags: Text
    build_type: Name
    commit: Hex | None
    sources_sha256: Sha256 | None
    extension_sha256: Sha256 | None


class Gpu(Record):
    """One GPU, as its driver describes it."""

    name: Name
    driver: Name
    memory_bytes: int = Field(ge=0)
    compute_capability: Name
    sm_clock_mhz: int | None = None
    memory_clock_mhz: int | None = None


class Machine(Record):
    """The machine, without anything that names its owner."""

    os: Name
    kernel: Name
    arch: Name
    cpu_model: Name
    physical_cores: int | None
    logical_cores: int
    usable_cores: int
    memory_bytes: int
    governor: Name | None
    virtualised: bool | None
    gpus: tuple[Gpu, ...] = ()


class Package(Record):
    """One installed Python package."""

    name: Name
    version: Name


class SubjectRecord(Record):
    """A subject as it introduced itself."""

    name: Name
    version: Name
    python: Name
    capabilities: tuple[Name, ...]
    packages: tuple[Package, ...] = ()


class RomRecord(Record):
    """A ROM that the run used, by hash; never its bytes."""

    id: Name
    sha256: Sha256
    licence: Name


class WorkloadRecord(Record):
    """A workload that the run used."""

    key: Name
    title: Text
    rom: Name
    warmup_frames: int
    frames: int
    draw: Name
    identity_sha256: Sha256
