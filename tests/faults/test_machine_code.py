"""The build that is installed holds nothing of the hooks: its machine code is that of the sources without them.

Compiled twice each: as the installed build is, and with every hook deleted before the compiler sees it
(`NESPROOF_WITHOUT_HOOKS`). Compared are the bytes of code and data and what the linker puts into them; a build with the
hooks is the control. All but one file are compiled with less optimisation than the installed build, to be quick:
whatever a hook left behind would be there all the more.
"""

import hashlib
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nesproof.emulator
from nesproof.harness.probes.elf_sections import elf_sections, kernel_code_sha256

EMULATOR = Path(nesproof.emulator.__file__).parent
COMPILER = next((found for name in ("c++", "g++", "clang++") if (found := shutil.which(name))), None)
QUICK, AS_INSTALLED = "-O1", "-O3"
WITHOUT, WITH_HOOKS = "-DNESPROOF_WITHOUT_HOOKS", "-DNESPROOF_FAULTS"
RUNS = (".text", ".rodata", ".data", ".init_array")

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C++ compiler")


@pytest.fixture(scope="module")
def machine_code(once: Any) -> Callable[..., dict[str, str]]:
    """A hash of each section of code and data that the file is compiled to, and of what refers to others in it."""

    def compiled(source: str, optimisation: str, *options: str) -> dict[str, str]:
        command = [
            COMPILER, "-std=c++20", optimisation, "-DNDEBUG", "-fPIC", "-fvisibility=hidden", "-fno-plt", *options,
            f"-I{EMULATOR}", "-c", str(EMULATOR / source),
        ]  # fmt: skip

        def make(made: Path) -> None:
            subprocess.run([*command, "-o", str(made)], check=True, stdin=subprocess.DEVNULL)

        name = "-".join([source.replace("/", "-"), optimisation, *options])
        found = {
            name: hashlib.sha256(contents).hexdigest()
            for name, contents in elf_sections(once(f"machine-code-{name}.o", make).read_bytes())
            if name.removeprefix(".rela").startswith(RUNS)
        }
        assert any(name.startswith(".text") for name in found)
        return found

    return compiled


def hooks_reached_from(source: str) -> int:
    """How many hooks the preprocessor meets on its way through the file."""
    assert COMPILER is not None
    text = subprocess.run(
        [COMPILER, "-std=c++20", WITH_HOOKS, f"-I{EMULATOR}", "-E", str(EMULATOR / source)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return text.count("::nesproof::faults::is_planted(")


@pytest.mark.parametrize(
    ("source", "optimisation", "hooks"),
    [
        pytest.param("batch/nrom_aos.cpp", QUICK, 40, id="fast console"),
        pytest.param("batch/draw.cpp", QUICK, 3, id="drawing"),
        pytest.param("reference/ppu/ppu.cpp", AS_INSTALLED, 8, id="reference's PPU"),
        pytest.param("reference/console/console.cpp", QUICK, 20, id="reference"),
        pytest.param("reference/board/make_board.cpp", QUICK, 7, id="reference's boards"),
    ],
)
def test_hooks_leave_no_trace(
    source: str, optimisation: str, hooks: int, machine_code: Callable[..., dict[str, str]]
) -> None:
    assert hooks_reached_from(source) >= hooks, "there is little to leave a trace"
    assert machine_code(source, optimisation) == machine_code(source, optimisation, WITHOUT)


@pytest.mark.parametrize("source", ["batch/draw.cpp", "reference/ppu/ppu.cpp"])
def test_a_build_with_hooks_is_another(source: str, machine_code: Callable[..., dict[str, str]]) -> None:
    assert machine_code(source, QUICK) != machine_code(source, QUICK, WITH_HOOKS)


def test_the_kernels_hold_no_hook(tmp_path: Path) -> None:
    pytest.importorskip("cuda.bindings", reason="the extra cuda is not installed")
    from nesproof.emulator import Cartridge
    from nesproof.emulator.gpu.cache import KernelCache
    from nesproof.emulator.gpu.compile import compile_kernels
    from nesproof.emulator.gpu.errors import GpuUnavailableError
    from nesproof.emulator.gpu.sources import KERNELS, kernel_sources
    from nesproof.emulator.gpu.specialisation import Specialisation
    from nesproof.roms_manifest import Resolver

    specialisation = Specialisation.of(Cartridge.load(Resolver().read("house/scroller")))
    # One kernel, which runs a unit exactly and settles: processor, DMA, PPU, APU, and the digest.
    kernel = b"""
        #include "core/digest.hpp"
        #include "core/run.hpp"
        #include "gpu/console.hpp"
        using namespace nesproof::gpu;
        extern "C" __global__ void unit(u8* tiles, u64* digests) {
          const Console s = console_at(tiles, threadIdx.x);
          step_unit(s);
          settle(s);
          digests[threadIdx.x] = digest(s);
        }
    """
    sources = {**kernel_sources(), KERNELS: kernel}
    hooks = "faults/hooks.hpp"
    without = {**sources, hooks: b"#define NESPROOF_WITHOUT_HOOKS\n" + sources[hooks]}
    tmp_path.chmod(0o700)
    cache = KernelCache(tmp_path)
    try:
        codes = [
            kernel_code_sha256(compile_kernels(specialisation, "sm_90", cache=cache, sources=text).cubin)
            for text in (sources, without)
        ]
    except GpuUnavailableError as fault:
        pytest.skip(str(fault))
    assert codes[0] == codes[1]
