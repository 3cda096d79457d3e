"""Compiled kernels in figures: what ptxas says and what the binary holds."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

__all__ = ["FunctionFigures", "code_bytes", "function_figures", "sections"]

_PROPERTIES = re.compile(r"Function properties for (\S+)")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_ENTRY = re.compile(r"Compiling entry function '([^']+)'")
_USED = re.compile(r"Used (\d+) registers")
_CUMULATIVE = re.compile(r"(\d+) bytes cumulative stack size")


@dataclass(frozen=True)
class FunctionFigures:
    """One kernel, or one function that kernels call.

    Attributes:
        name: as in the binary.
        is_kernel: it can be launched.
        registers: a thread's, with those of the functions that it calls; None for a function of its own.
        stack_bytes: its own stack frame, a thread's.
        spill_store_bytes, spill_load_bytes: what the register allocator moves to memory and back, instructions' bytes;
            of a function also the registers that it saves for its callers.
        code_bytes: its machine code; 0 where it was inlined everywhere.
    """

    name: str
    is_kernel: bool
    registers: int | None
    stack_bytes: int
    spill_store_bytes: int
    spill_load_bytes: int
    code_bytes: int


def function_figures(ptxas_log: str, cubin: bytes) -> tuple[FunctionFigures, ...]:
    """The figures of every function, kernels first, each in the order of its name.

    Args:
        ptxas_log: what ptxas printed with `-v`.
        cubin: the binary that came with it.
    """
    sizes = code_bytes(cubin)
    frames: dict[str, tuple[int, int, int]] = {}
    registers: dict[str, int] = {}
    entry = function = ""
    for line in ptxas_log.splitlines():
        if found := _ENTRY.search(line):
            entry = found[1]
        elif found := _PROPERTIES.search(line):
            function = found[1]
        elif found := _STACK.search(line):
            stack, stores, loads = (int(n) for n in found.groups())
            frames[function] = stack, stores, loads
        elif found := _USED.search(line):
            registers[entry] = int(found[1])
    names = frames.keys() | registers.keys()
    figures = [
        FunctionFigures(name, name in registers, registers.get(name), *frames.get(name, (0, 0, 0)), sizes.get(name, 0))
        for name in names
    ]
    return tuple(sorted(figures, key=lambda f: (not f.is_kernel, f.name)))


def code_bytes(cubin: bytes) -> dict[str, int]:
    """The size of each kernel's machine code, with that of the functions that it calls.

    Raises:
        ValueError: it is not a 64-bit little-endian ELF file.
    """
    text = ".text."
    return {name.removeprefix(text): len(data) for name, data in sections(cubin).items() if name.startswith(text)}


def sections(cubin: bytes) -> dict[str, bytes]:
    """The ELF file's sections that hold bytes, by name.

    Raises:
        ValueError: it is not a 64-bit little-endian ELF file.
    """
    if cubin[:6] != b"\x7fELF\x02\x01" or len(cubin) < 64:
        raise ValueError("the kernels' binary is not a 64-bit little-endian ELF file")
    no_bits = 8
    (table,) = struct.unpack_from("<Q", cubin, 0x28)
    entry_bytes, count, names_index = struct.unpack_from("<HHH", cubin, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", cubin, table + i * entry_bytes) for i in range(count)]
    names_at = headers[names_index][4]
    found = {}
    for name_at, kind, _flags, _address, offset, size_bytes, *_rest in headers:
        begin = names_at + name_at
        if kind != no_bits:
            name = cubin[begin : cubin.index(b"\0", begin)].decode()
            found[name] = cubin[offset : offset + size_bytes]
    return found
