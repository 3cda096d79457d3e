"""Each subject introduces itself once before anything is measured: its version, what it can do, how it was built."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from nesproof.harness.errors import HarnessError
from nesproof.harness.evidence.model import Build, FailedMeasurement, Package, SubjectRecord, UnavailableMeasurement
from nesproof.harness.subjects.client import SubjectInfo, open_subject
from nesproof.harness.subjects.errors import SubjectUnavailable

__all__ = ["Introductions"]


@dataclass
class Introductions:
    """Opens subjects on demand, each once; `records` are those that came up, `builds` how their code was built."""

    log_dir: Path
    timeout_s: float = 30.0
    records: dict[str, SubjectRecord] = field(default_factory=dict)
    builds: dict[str, Build] = field(default_factory=dict)
    _absences: dict[str, UnavailableMeasurement | FailedMeasurement] = field(default_factory=dict)

    def absence(self, name: str, *, promised: bool) -> UnavailableMeasurement | FailedMeasurement | None:
        """Why the subject cannot be measured, or None.

        `promised`: the claim rests on this subject without having listed it as a requirement, so that its absence is a
        broken installation and not something optional.
        """
        if name not in self.records and name not in self._absences:
            self._introduce(name)
        absence = self._absences.get(name)
        if isinstance(absence, UnavailableMeasurement) and promised:
            return FailedMeasurement(stage=f"Starting {name}", reason=absence.reason)
        return absence

    def lacking(self, name: str, capabilities: tuple[str, ...]) -> list[str]:
        """Those of `capabilities` that the subject does not declare."""
        return [c for c in capabilities if c not in self.records[name].capabilities]

    def _introduce(self, name: str) -> None:
        log_path = self.log_dir / f"subject-{name}.txt"
        try:
            with open_subject(name, timeout_s=self.timeout_s, log_path=log_path) as subject:
                info = subject.info
                self.records[name] = SubjectRecord(
                    name=name,
                    version=subject.version[:200],
                    python=info.python[:200],
                    capabilities=tuple(sorted(subject.capabilities)),
                    packages=tuple(Package(name=n, version=v) for n, v in info.packages),
                )
                if info.build:
                    self.builds[name] = _build(info)
        except SubjectUnavailable as fault:
            self._absences[name] = UnavailableMeasurement(
                missing=f"subject:{name}", reason=fault.reason, remedy=fault.remedy
            )
        except HarnessError as fault:
            self._absences[name] = FailedMeasurement(
                stage=f"Starting {name}", reason=str(fault)[:60_000], log=f"logs/{log_path.name}"
            )


def _build(info: SubjectInfo) -> Build:
    build = info.build or {}

    def word(*keys: str, limit: int = 200) -> str:
        return str(next((build[key] for key in keys if build.get(key)), "unknown"))[:limit]

    def hexadecimal(key: str, *lengths: int) -> str | None:
        value = build.get(key)
        fits = isinstance(value, str) and len(value) in lengths and set(value) <= set("0123456789abcdef")
        return str(value) if fits else None

    return Build(
        compiler=word("compiler", "compiler_id"),
        compiler_version=word("compiler_version"),
        flags=word("flags", limit=4_000),
        build_type=word("build_type"),
        commit=hexadecimal("git_commit", 40, 64),
        sources_sha256=hexadecimal("sources_sha256", 64),
        extension_sha256=hexadecimal("extension_sha256", 64),
    )
