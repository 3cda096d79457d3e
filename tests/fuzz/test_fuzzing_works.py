"""The fuzzing itself can fail: a planted bug is found by the mutation loop, and its input is kept."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="condition: no C++ compiler")

TARGET = """
#include <cstddef>
#include <cstdlib>
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size > 2 && data[0] == 'O' && data[1] == 'K' && data[2] == 0xFF && PLANTED) std::abort();
  return 0;
}
"""


def run_driver(folder: Path, *, planted: int, seconds: int) -> subprocess.CompletedProcess[str]:
    (folder / "target.cpp").write_text(TARGET)
    (folder / "seed").write_bytes(b"OK...")
    driver = folder / "driver"
    sources = [folder / "target.cpp", HERE / "mutation_driver.cpp"]
    subprocess.run([COMPILER, "-std=c++20", f"-DPLANTED={planted}", *sources, "-o", driver], check=True, timeout=120)
    command = [driver, str(seconds), "1", folder / "input", folder / "seed"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@needs_compiler
def test_a_planted_bug_is_found_and_its_input_kept(tmp_path):
    run = run_driver(tmp_path, planted=1, seconds=30)
    assert run.returncode < 0
    assert (tmp_path / "input").read_bytes().startswith(b"OK\xff")


@needs_compiler
def test_without_it_nothing_is_found(tmp_path):
    run = run_driver(tmp_path, planted=0, seconds=1)
    assert run.returncode == 0
    runs = int(run.stdout.split()[0])
    assert runs > 100
    assert not (tmp_path / "input").exists()


def test_seeds_are_written_for_every_target(tmp_path):
    subprocess.run([sys.executable, HERE / "write_seeds.py", tmp_path], check=True, timeout=60)
    targets = {path.stem.removeprefix("fuzz_") for path in HERE.glob("fuzz_*.cpp")}
    assert {path.name for path in tmp_path.iterdir()} == targets
    script = (ROOT / "ci" / "sanitize.sh").read_text()
    assert 'targets="program snapshot flat_cpu core"' in script
    assert targets == {"program", "snapshot", "flat_cpu", "core"}
    for target in targets:
        assert len(list((tmp_path / target).iterdir())) > 50


def test_the_script_says_what_is_missing(tmp_path):
    environment = {"PATH": "/usr/bin:/bin", "PYTHON": "/bin/false"}
    run = subprocess.run(
        ["bash", ROOT / "ci" / "sanitize.sh"], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 2
    assert "make install-dev" in run.stderr
