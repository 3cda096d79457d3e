"""The machine, the build and everything that the run used, as labelled facts."""

from __future__ import annotations

from dataclasses import dataclass

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.model import Package, RomRecord, SubjectRecord, WorkloadRecord
from nesproof.reports.figures import bytes_text
from nesproof.reports.wording import ABSENT

__all__ = ["Fact", "Surroundings", "surroundings"]


@dataclass(frozen=True)
class Fact:
    """One labelled fact; `is_code` where it should be set in a fixed-width face."""

    label: str
    value: str
    is_code: bool = False


@dataclass(frozen=True)
class Surroundings:
    """Where the run took place and what it used."""

    machine: tuple[Fact, ...]
    source: tuple[Fact, ...]
    build: tuple[Fact, ...]
    subjects: tuple[SubjectRecord, ...]
    packages: tuple[Package, ...]
    roms: tuple[RomRecord, ...]
    workloads: tuple[WorkloadRecord, ...]


def surroundings(evidence: Evidence) -> Surroundings:
    """The surroundings of a run; what the evidence lacks reads "not measured"."""
    return Surroundings(
        machine=_machine(evidence),
        source=_source(evidence),
        build=_build(evidence),
        subjects=evidence.subjects,
        packages=evidence.packages,
        roms=evidence.roms,
        workloads=evidence.workloads,
    )


def _machine(evidence: Evidence) -> tuple[Fact, ...]:
    machine = evidence.machine
    physical = ABSENT if machine.physical_cores is None else str(machine.physical_cores)
    facts = [
        Fact("Processor", machine.cpu_model),
        Fact("Cores", f"{physical} physical, {machine.logical_cores} logical, {machine.usable_cores} usable"),
        Fact("Memory", bytes_text(machine.memory_bytes)),
        Fact("System", f"{machine.os}, {machine.arch}"),
        Fact("Kernel", machine.kernel),
        Fact("Frequency governor", _or_absent(machine.governor)),
        Fact("Virtual machine", _yes_no(machine.virtualised)),
    ]
    if not machine.gpus:
        facts.append(Fact("GPU", "none seen"))
    for gpu in machine.gpus:
        clocks = (gpu.sm_clock_mhz, gpu.memory_clock_mhz)
        sm_clock, memory_clock = (ABSENT if c is None else f"{c} MHz" for c in clocks)
        facts.append(
            Fact(
                "GPU",
                f"{gpu.name}, {bytes_text(gpu.memory_bytes)}, compute capability {gpu.compute_capability}, "
                f"driver {gpu.driver}, SM clock {sm_clock}, memory clock {memory_clock}",
            )
        )
    return tuple(facts)


def _source(evidence: Evidence) -> tuple[Fact, ...]:
    source = evidence.source
    commit = "not recorded (built outside git)" if source.commit is None else source.commit
    return (
        Fact("nesproof", source.version),
        Fact("Commit", commit, is_code=source.commit is not None),
        Fact("Uncommitted changes", "not recorded" if source.dirty is None else _yes_no(source.dirty)),
        Fact("Installed files", f"sha256:{source.tree_sha256}", is_code=True),
    )


def _build(evidence: Evidence) -> tuple[Fact, ...]:
    build = evidence.build
    if build is None:
        return (Fact("Native code", ABSENT),)
    return (
        Fact("Compiler", f"{build.compiler} {build.compiler_version}"),
        Fact("Build type", build.build_type),
        Fact("Flags", build.flags or "none", is_code=bool(build.flags)),
        _hash("Built from commit", build.commit),
        _hash("Native sources", build.sources_sha256, "sha256:"),
        _hash("Extension", build.extension_sha256, "sha256:"),
    )


def _hash(name: str, value: str | None, prefix: str = "") -> Fact:
    return Fact(name, ABSENT) if value is None else Fact(name, prefix + value, is_code=True)


def _or_absent(value: str | None) -> str:
    return ABSENT if value is None else value


def _yes_no(value: bool | None) -> str:
    if value is None:
        return ABSENT
    return "yes" if value else "no"
