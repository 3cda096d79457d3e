"""The arrows between native parts: the two consoles share the state's field list, and nothing else."""

import re
from pathlib import Path

import pytest

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)

MAY_INCLUDE = {
    "state": {"state"},
    "faults": {"faults"},
    "reference": {"reference", "state", "faults"},
    "core": {"core", "state", "faults"},
    "batch": {"batch", "core", "state", "faults"},
    "gpu": {"gpu", "core", "state", "faults"},
    "bindings": {"bindings", "reference", "core", "batch", "gpu", "state", "faults"},
}
"""For each folder of `emulator/`, the folders whose files its own may include."""


def native_sources(root: Path) -> list[Path]:
    return [p for p in (root / "emulator").rglob("*") if p.suffix in {".cpp", ".hpp", ".cu", ".cuh", ".def"}]


def resolve(source: Path, name: str, root: Path) -> Path | None:
    for folder in (source.parent, root / "emulator"):
        candidate = (folder / name).resolve()
        if candidate.is_file():
            return candidate
    return None


def folder_of(path: Path, root: Path) -> str:
    return path.relative_to(root / "emulator").parts[0]


def violations(root: Path) -> list[str]:
    found = []
    for source in native_sources(root):
        allowed = MAY_INCLUDE[folder_of(source, root)]
        for bracket, name in INCLUDE.findall(source.read_text(encoding="utf-8")):
            if bracket == "<":
                if "nesproof" in name or name.split("/")[0] in MAY_INCLUDE:
                    found.append(f"{source}: <{name}> is ours: include it in quotes")
                continue
            target = resolve(source, name, root)
            if target is None:
                found.append(f"{source}: {name} does not exist")
            elif not target.is_relative_to(root / "emulator"):
                found.append(f"{source}: {name} lies outside emulator/")
            elif folder_of(target, root) not in allowed:
                found.append(f"{source}: may not include {name}")
    return found


def test_native_includes_follow_the_arrows(root: Path) -> None:
    assert len(native_sources(root)) > 10
    assert violations(root) == []


@pytest.mark.parametrize(
    ("where", "line", "complaint"),
    [
        ("reference/cpu.cpp", '#include "core/step.hpp"', "may not include core/step.hpp"),
        ("core/step.hpp", '#include "reference/cpu.cpp"', "may not include reference/cpu.cpp"),
        ("state/layout.hpp", '#include "../core/step.hpp"', "may not include ../core/step.hpp"),
        ("core/step.hpp", '#include "../../harness/x.hpp"', "lies outside emulator/"),
        ("core/step.hpp", '#include "gone.hpp"', "does not exist"),
        ("core/step.hpp", "#include <reference/cpu.cpp>", "include it in quotes"),
    ],
)
def test_the_scan_sees_a_forbidden_arrow(tmp_path: Path, where: str, line: str, complaint: str) -> None:
    for name in ("reference/cpu.cpp", "core/step.hpp", "state/layout.hpp"):
        path = tmp_path / "emulator" / name
        path.parent.mkdir(parents=True)
        path.write_text("#pragma once\n")
    (tmp_path / "harness").mkdir()
    (tmp_path / "harness" / "x.hpp").write_text("")
    (tmp_path / "emulator" / where).write_text(line + "\n")
    assert [v for v in violations(tmp_path) if complaint in v]
