"""The compiled kernels: registers, stack, spills and code size of each architecture. No GPU is needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.evidence.model import FigureRow, FiguresMeasurement
from nesproof.harness.probes.figures import FiguresPlan
from nesproof.harness.subjects.client import open_subject
from nesproof.roms_manifest import Resolver

__all__ = ["machine_code", "measure_kernels"]

_COMPILE_S = 600.0
_CODE = "machine_code"
_MOST_HASHES = 36


def measure_kernels(
    plan: FiguresPlan, *, resolver: Resolver, work_dir: Path, on_step: Callable[[str], None]
) -> FiguresMeasurement:
    """Compile for every architecture that the claims name, and for every cartridge: the workload's, or those of `rom`.

    Rows are labelled `rom`, `arch` and `part`: the name of a kernel or of a function that kernels call, and `all` for
    the whole: the most registers of any kernel, the largest stack frame, the spills of all kernels, what the functions
    save that they call (the compiler does not tell its spills from the registers that a function keeps for its caller),
    all code, and how long the compilation took when it was made (it may come from the cache). For the workload's own
    cartridge there are the rows of parts, and in the settings a hash over the machine code of each architecture
    (`machine_code`); of other cartridges there is the whole.
    """
    if plan.workload is None:
        raise ConfigurationError("A claim about the kernels names the workload whose cartridge they are made for.")
    log = work_dir / "logs" / f"kernels-{plan.subject}.txt"
    rows: list[FigureRow] = []
    compiler, cached = "", []
    hashes: dict[str, str | int | float | bool] = {}
    with open_subject(plan.subject, timeout_s=_COMPILE_S, log_path=log) as subject:
        for rom, arch in _compilations(plan, plan.workload.rom):
            compiled = subject.compile_kernels(resolver.read(rom), arch)
            compiler = compiled.compiler
            if rom == plan.workload.rom:
                cached.append(arch if compiled.was_cached else "")
                hashes |= {f"{_CODE} {arch} {part}"[:200]: sha256 for part, sha256 in compiled.machine_code.items()}
            kernels = [f for f in compiled.functions if f.is_kernel]
            whole = {
                "registers": max((f.registers or 0 for f in kernels), default=0),
                "stack_bytes": max((f.stack_bytes for f in compiled.functions), default=0),
                "spill_bytes": sum(f.spill_store_bytes + f.spill_load_bytes for f in kernels),
                "saved_bytes": sum(
                    f.spill_store_bytes + f.spill_load_bytes for f in compiled.functions if not f.is_kernel
                ),
                "code_bytes": sum(f.code_bytes for f in compiled.functions),
                "compile_seconds": round(compiled.compile_seconds, 3),
            }
            rows.append(FigureRow(labels={"rom": rom, "arch": arch, "part": "all"}, figures=whole))
            rows += [
                FigureRow(
                    labels={"rom": rom, "arch": arch, "part": f.name[:200], "is_kernel": f.is_kernel},
                    figures={
                        **({} if f.registers is None else {"registers": f.registers}),
                        "stack_bytes": f.stack_bytes,
                        "spill_bytes" if f.is_kernel else "saved_bytes": f.spill_store_bytes + f.spill_load_bytes,
                        "code_bytes": f.code_bytes,
                    },
                )
                for f in (compiled.functions if rom == plan.workload.rom else ())
                # Most functions are inlined everywhere: they have no code, and nothing to say.
                if f.is_kernel or f.code_bytes or f.spill_store_bytes or f.spill_load_bytes
            ]
            on_step(f"{rom}, {arch}: {whole['registers']} registers, {whole['spill_bytes']} bytes of spills")
    return FiguresMeasurement(
        of="static",
        subject=plan.subject,
        workload=plan.workload.key,
        settings={
            "compiler": compiler[:200],
            "from_the_cache": ", ".join(filter(None, cached)) or "none",
            **dict(list(hashes.items())[:_MOST_HASHES]),
        },
        rows=tuple(rows),
    )


def _compilations(plan: FiguresPlan, rom_of_workload: str) -> dict[tuple[str, str], None]:
    """Which cartridges for which architectures, in the claims' order, each once."""
    found: dict[tuple[str, str], None] = {}
    for claim in plan.claims:
        one = replace(plan, claims=[claim])
        roms = one.wanted("rom") or (rom_of_workload,)
        found.update(dict.fromkeys((str(rom), str(arch)) for rom in roms for arch in one.wanted("arch")))
    return found


def machine_code(measurement: FiguresMeasurement) -> dict[str, dict[str, str]]:
    """The hashes over the machine code that a table carries: architecture → binary → SHA-256."""
    found: dict[str, dict[str, str]] = {}
    for name, value in measurement.settings.items():
        word, _, rest = name.partition(" ")
        arch, _, part = rest.partition(" ")
        if word == _CODE and part:
            found.setdefault(arch, {})[part] = str(value)
    return found
