"""What of a build decides how it runs: comments and the build's own name do not, code and data do."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from nesproof.harness.gate.code import is_on_path
from nesproof.harness.gate.fingerprint import fingerprint_of, own_paths
from nesproof.harness.probes.elf_sections import NotElf, code_hashes, elf_sections, kernel_code_sha256

SOURCE = """
extern "C" const char* build_name() { return "%NAME%"; }
extern "C" int answer(int n) { return n * 40 + 2; }
int table[3] = {1, 2, 3};
"""
PYTHON = "def step(frames):\n    return frames + 1\n"

LIBRARY = "emulator/_core.cpython-x.so"
needs_elf = pytest.mark.skipif(
    shutil.which("c++") is None or not Path("/proc/self").exists(), reason="no C++ or no ELF"
)


def built(folder: Path, source: str = SOURCE, python: str = PYTHON) -> Path:
    """A folder as a build of the emulator leaves it; its compiled part carries the hash over the sources."""
    emulator = folder / "emulator"
    (emulator / "core").mkdir(parents=True)
    (emulator / "core" / "run.cpp").write_text(source)
    (emulator / "console.py").write_text(python)
    sha256 = hashlib.sha256(source.encode()).hexdigest()
    name = hashlib.sha256(f"{sha256}  core/run.cpp\n".encode()).hexdigest()
    compiled = folder.parent / f"{folder.name}.cpp"
    compiled.write_text(source.replace("%NAME%", name))
    library = emulator / "_core.cpython-x.so"
    command = ["c++", "-O1", "-shared", "-fPIC", "-g0", "-o", str(library), str(compiled)]
    subprocess.run(command, check=True)
    return folder


@needs_elf
def test_comments_and_layout_make_no_difference(tmp_path: Path) -> None:
    before = fingerprint_of(built(tmp_path / "a"), is_own=True)
    source = "// A remark.\n" + SOURCE.replace("return n", "/* and why */ return  n")
    after = fingerprint_of(built(tmp_path / "b", source, f"# A remark.\n{PYTHON}\n"), is_own=True)
    assert before == after
    assert set(before.files) == {"emulator/_core.cpython-x.so", "emulator/console.py"}
    assert {".text", ".rodata", ".data"} <= set(before.files["emulator/_core.cpython-x.so"])


@needs_elf
@pytest.mark.parametrize(("old", "new", "section"), [("* 40", "* 41", ".text"), ("{1, 2, 3}", "{1, 2, 4}", ".data")])
def test_code_and_data_do(old: str, new: str, section: str, tmp_path: Path) -> None:
    before = fingerprint_of(built(tmp_path / "a"), is_own=True).files[LIBRARY]
    after = fingerprint_of(built(tmp_path / "b", SOURCE.replace(old, new)), is_own=True).files[LIBRARY]
    assert [part for part in before if before[part] != after[part]] == [section]


@needs_elf
def test_python_and_its_constants_do(tmp_path: Path) -> None:
    before = fingerprint_of(built(tmp_path / "a"), is_own=True)
    after = fingerprint_of(built(tmp_path / "b", python=PYTHON.replace("1", "2")), is_own=True)
    assert before.files["emulator/console.py"] != after.files["emulator/console.py"]


@needs_elf
def test_of_another_project_every_file_counts(tmp_path: Path) -> None:
    folder = built(tmp_path / "a")
    (folder / "rom.bin").write_bytes(b"1")
    before = fingerprint_of(folder, is_own=False)
    (folder / "rom.bin").write_bytes(b"2")
    assert before.files["rom.bin"] != fingerprint_of(folder, is_own=False).files["rom.bin"]
    assert "emulator/core/run.cpp" in before.files


def test_a_console_on_the_cpu_does_not_run_the_gpus_python() -> None:
    paths = own_paths("_core")
    on_path = [
        name
        for name in ("emulator/_core.x.so", "emulator/_reference.x.so", "emulator/batching.py", "emulator/gpu/batch.py")
        if is_on_path(name, paths)
    ]
    assert on_path == ["emulator/_core.x.so", "emulator/batching.py"]


@needs_elf
def test_sections_are_read_by_name_and_damage_is_refused(tmp_path: Path) -> None:
    library = built(tmp_path / "a") / "emulator" / "_core.cpython-x.so"
    data = library.read_bytes()
    assert {".text", ".data"} <= {name for name, _ in elf_sections(data)}
    assert code_hashes(data) != code_hashes(data, without=[b"\xc3"])
    assert len(kernel_code_sha256(data)) == 64
    for broken in (b"", b"\x7fELF", data[:100], data[: len(data) // 2], b"MZ" + data[2:]):
        with pytest.raises(NotElf):
            elf_sections(broken)
