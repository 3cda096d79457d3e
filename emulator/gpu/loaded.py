"""The kernels loaded onto a GPU for one cartridge: launches with checked arguments, and the cartridge's memories."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from nesproof.emulator import _gpu
from nesproof.emulator.cartridge import Cartridge
from nesproof.emulator.cartridge.native import native_arguments
from nesproof.emulator.gpu.arrays import DeviceMemory
from nesproof.emulator.gpu.compile import CompiledKernels
from nesproof.emulator.gpu.specialisation import Part

__all__ = ["MAX_THREADS", "PARAMETERS", "LoadedKernels", "Roms"]

_PLAIN = {
    "power_on": "ppuupu",
    "press_reset": "ppu",
    "spread_buttons": "pLLupuu",
    "step": "pupuu",
    "settle": "pu",
    "read": "pupup",
    "read_ram": "pup",
    "frame_count": "pup",
    "digest": "pup",
    "save": "ppupLpu",
    "load": "ppupL",
    "check": "puLpup",
}
_RECORDING = {
    "step_recorded": "pupuppLu",
    "draw": "pup",
    "colour": "pLLupup",
}
"""Each kernel's parameters in order: p a pointer, u 32 bits, L 64 bits. A test holds them against kernels.cu."""

PARAMETERS: dict[Part, dict[str, str]] = {"plain": _PLAIN, "recording": _RECORDING}

_TYPES = {"p": ctypes.c_uint64, "u": ctypes.c_uint32, "L": ctypes.c_uint64}

MAX_THREADS = 128
"""Of a block; what the step kernel's launch bounds say."""

_FACTS = ("state_bytes", "fixed_bytes", "snapshot_body_bytes", "draw_log_bytes")


class Roms:
    """A cartridge's memories on a GPU, where all of a batch's binaries read them.

    Args:
        driver: the GPU's.
        cartridge: whose memories are copied.
        stream: the copies' order.
        idle_skipping: loops that wait are skipped.

    Attributes:
        in_order: PRG-ROM, CHR-ROM and code map, as the kernels' cartridge has them. A ROM whose size is no power of two
            is laid out as on the host, by the same code.
        trainer: the bytes that belong at $7000.
    """

    def __init__(self, driver: Any, cartridge: Cartridge, stream: int, *, idle_skipping: bool) -> None:
        def uploaded(data: bytes) -> DeviceMemory:
            memory = DeviceMemory(driver, len(data))
            if data:
                driver.upload(memory.address, np.frombuffer(data, np.uint8), stream)
            return memory

        memories = _gpu.memories(**native_arguments(cartridge), idle_skipping=idle_skipping)
        self.in_order = tuple(uploaded(data) for data in memories)
        self.trainer = uploaded(cartridge.trainer)


class LoadedKernels:
    """A binary on a GPU, told where its cartridge's ROMs lie.

    Args:
        driver: the GPU's.
        compiled: for its architecture, and for the cartridge.
        roms: the cartridge's, which live as long as this.
        stream: the copies' order.
    """

    def __init__(self, driver: Any, compiled: CompiledKernels, roms: Roms, stream: int) -> None:
        self._driver = driver
        self._module = driver.load(compiled.cubin)
        self._parameters = PARAMETERS[compiled.part]
        self._functions = {name: driver.function(self._module, f"nesproof_{name}") for name in self._parameters}
        self._roms = roms
        for rom, size_bytes in zip(roms.in_order, compiled.specialisation.rom_bytes, strict=False):
            if rom.size_bytes != size_bytes:
                raise ValueError(f"the binary is for a ROM of {size_bytes} bytes; this one has {rom.size_bytes}")
        addresses = np.array([rom.address if rom.size_bytes else 0 for rom in roms.in_order], np.uint64)
        at, size_bytes = driver.variable(self._module, "nesproof_cartridge")
        if size_bytes < addresses.nbytes:
            raise ValueError("the binary's cartridge has no room for three addresses")
        driver.upload(at, addresses, stream)
        at, size_bytes = driver.variable(self._module, "nesproof_facts")
        facts = np.empty(size_bytes // 4, np.uint32)
        driver.download(at, facts, stream)
        self.state_bytes, self.fixed_bytes, self.snapshot_body_bytes, self.draw_log_bytes = (
            int(fact) for fact in facts[: len(_FACTS)]
        )

    def unload(self) -> None:
        """Free everything; nothing may run any more."""
        self._functions.clear()
        self._driver.unload(self._module)

    def launch(self, name: str, threads: int, arguments: tuple[int, ...], stream: int) -> None:
        """Run a kernel on at least so many threads.

        Args:
            name: one of its part's `PARAMETERS`.
            threads: those beyond are the kernel's to ignore.
            arguments: in the kernel's order.
            stream: in whose order.
        """
        if threads == 0:
            return
        values = [_TYPES[kind](value) for kind, value in zip(self._parameters[name], arguments, strict=True)]
        block = self._block_threads(threads)
        self._driver.launch(self._functions[name], -(-threads // block), block, values, stream)

    def _block_threads(self, threads: int) -> int:
        # A few warps are spread over the multiprocessors; many share blocks.
        return 32 if threads <= 32 * 4 * self._driver.multiprocessors else MAX_THREADS
