"""NVRTC compiles the kernels without a GPU, once. Needs the extra `cuda`; nothing here looks for a GPU."""

import time
from pathlib import Path
from typing import Any

import pytest

from nesproof.emulator import Cartridge
from nesproof.emulator.gpu.cache import KernelCache
from nesproof.emulator.gpu.compile import MAX_REGISTERS, CompiledKernels, compile_kernels, options_for
from nesproof.emulator.gpu.cubin import function_figures, sections
from nesproof.emulator.gpu.disassembly import machine_costs
from nesproof.emulator.gpu.errors import GpuUnavailableError, KernelCompilationError, UnknownArchitectureError
from nesproof.emulator.gpu.sources import KERNELS, kernel_sources
from nesproof.emulator.gpu.specialisation import PARTS, Specialisation

TOY = {
    KERNELS: b'#include "core/types.hpp"\nextern "C" __global__ void toy(int* at) { *at = NESPROOF_PRG_MASK; }\n',
    "core/types.hpp": b"#pragma once\n",
}


@pytest.fixture(scope="module")
def specialisation(scroller: Cartridge) -> Specialisation:
    pytest.importorskip("cuda.bindings", reason="the extra cuda is not installed")
    return Specialisation.of(scroller)


@pytest.fixture(scope="module")
def compiled(specialisation: Specialisation, session_cache: KernelCache, once: Any) -> CompiledKernels:
    with once.alone("kernels"):
        return compile_kernels(specialisation, "sm_90", cache=session_cache)


def test_the_kernels_compile_within_their_registers(compiled: CompiledKernels) -> None:
    kernels = {figures.name: figures for figures in compiled.functions if figures.is_kernel}
    assert {"nesproof_step", "nesproof_power_on", "nesproof_digest"} <= kernels.keys()
    assert 0 < compiled.registers <= MAX_REGISTERS
    step = kernels["nesproof_step"]
    assert step.code_bytes > 50_000
    assert step.spill_store_bytes + step.spill_load_bytes <= 16
    assert compiled.cubin[:4] == b"\x7fELF"


def test_the_machine_code_is_read(compiled: CompiledKernels) -> None:
    try:
        costs = machine_costs(compiled.cubin)
    except GpuUnavailableError as fault:
        pytest.skip(str(fault))
    assert 10 < costs.choice < 200
    assert len(costs.inner) > 100
    assert all(10 < cost < 200 for cost in costs.inner.values())
    assert 20 < costs.exact_cycle < 1000


def test_a_second_time_comes_from_the_disk(
    compiled: CompiledKernels, specialisation: Specialisation, session_cache: KernelCache
) -> None:
    started = time.perf_counter()
    again = compile_kernels(specialisation, "sm_90", cache=session_cache)
    assert again.was_cached
    assert again.cubin == compiled.cubin
    assert again.functions == compiled.functions
    # A cached one reads a file; a compiler that was started would take far longer than the first compilation's half.
    assert time.perf_counter() - started < max(1.0, compiled.compile_seconds / 2)


@pytest.mark.parametrize("architecture", ["sm_75", "sm_90"])
def test_figures_of_a_toy(specialisation: Specialisation, tmp_path: Path, architecture: str) -> None:
    made = compile_kernels(specialisation, architecture, cache=KernelCache(tmp_path / "k"), sources=TOY)
    assert not made.was_cached
    (toy,) = made.functions
    assert (toy.name, toy.is_kernel, toy.stack_bytes, toy.spill_store_bytes) == ("toy", True, 0, 0)
    assert 0 < (toy.registers or 0) < 32
    assert toy.code_bytes == len(sections(made.cubin)[".text.toy"])


def test_the_key_covers_all_that_matters(specialisation: Specialisation, tmp_path: Path) -> None:
    cache = KernelCache(tmp_path / "k")

    def was_cached(**change: Any) -> bool:
        wanted: dict[str, Any] = {"architecture": "sm_90", "sources": TOY, "specialisation": specialisation} | change
        return compile_kernels(cache=cache, **wanted).was_cached

    assert not was_cached()
    assert was_cached()
    assert not was_cached(architecture="sm_80")
    assert not was_cached(part="recording")
    assert not was_cached(sources=TOY | {"core/types.hpp": b"#pragma once\n\n"})
    assert not was_cached(specialisation=Specialisation(**(vars(specialisation) | {"prg_ram_bytes": 0})))
    assert not was_cached(line_info=True)
    assert was_cached()


def test_a_corrupt_entry_is_compiled_again(specialisation: Specialisation, tmp_path: Path) -> None:
    cache = KernelCache(tmp_path / "k")
    good = compile_kernels(specialisation, "sm_90", cache=cache, sources=TOY)
    (path,) = cache.folder.iterdir()
    path.write_bytes(path.read_bytes()[:-1] + b"X")
    again = compile_kernels(specialisation, "sm_90", cache=cache, sources=TOY)
    assert not again.was_cached
    assert again.cubin == good.cubin


def test_an_unknown_architecture_is_named(specialisation: Specialisation, tmp_path: Path) -> None:
    with pytest.raises(UnknownArchitectureError, match=r"sm_90.*not for 'sm_12345'"):
        compile_kernels(specialisation, "sm_12345", cache=KernelCache(tmp_path / "k"), sources=TOY)


def test_a_faulty_source_says_where(specialisation: Specialisation, tmp_path: Path) -> None:
    with pytest.raises(KernelCompilationError, match=r"gpu/kernels.cu\(1\): error") as fault:
        compile_kernels(specialisation, "sm_90", cache=KernelCache(tmp_path / "k"), sources={KERNELS: b"int x = y;"})
    assert "identifier" in fault.value.log
    assert not list((tmp_path / "k").iterdir())


def test_options_name_no_folder(specialisation: Specialisation) -> None:
    for part in PARTS:
        assert not [option for option in options_for(specialisation, "sm_90", part) if "/" in option]
    assert "-jtd=10" in options_for(specialisation, "sm_90")


def test_every_include_is_among_the_sources() -> None:
    sources = kernel_sources()
    for name, text in sources.items():
        for line in text.decode().splitlines():
            if line.startswith("#include"):
                assert line.split('"')[1] in sources, f"{name}: {line}"


LOG = """
ptxas info    : Compiling entry function 'k' for 'sm_90'
ptxas info    : Function properties for k
ptxas         .     16 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 40 registers, used 0 barriers, 16 bytes cumulative stack size
ptxas info    : Function properties for f
ptxas         .     0 bytes stack frame, 12 bytes spill stores, 0 bytes spill loads
"""


def test_the_log_is_read(specialisation: Specialisation, tmp_path: Path) -> None:
    cubin = compile_kernels(specialisation, "sm_90", cache=KernelCache(tmp_path / "k"), sources=TOY).cubin
    kernel, function = function_figures(LOG, cubin)
    assert (kernel.name, kernel.registers, kernel.stack_bytes) == ("k", 40, 16)
    assert (kernel.spill_store_bytes, kernel.spill_load_bytes) == (4, 8)
    assert (function.name, function.is_kernel, function.registers, function.spill_store_bytes) == ("f", False, None, 12)
