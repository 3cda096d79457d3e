"""How many machine instructions the step kernel issues for what it does, read off its machine code.

Counted are shortest paths through the control flow: from the schedule's choice to the dispatch of an instruction, and
from each instruction's first machine instruction to the next dispatch or, behind a block's last, to the next choice.
So it is the least that a warp issues; a crossed page or a second sector costs more.
"""

from __future__ import annotations

import heapq
import re
import shutil
import struct
import subprocess
import sysconfig
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from nesproof.emulator.gpu.cubin import sections
from nesproof.emulator.gpu.errors import GpuUnavailableError

__all__ = ["MachineCosts", "find_nvdisasm", "machine_costs"]

_KERNEL = "nesproof_step"
_CHOICE = "REDUX"
"""The machine instruction that chooses a key: once a step."""

_FIRST_IN_TABLE = 2
"""The dispatch's table begins with this opcode of the fast machine: the first two are the exact machine's."""

_INSTRUCTION = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z][\w.]*)\s*(.*?)\s*;")
_LABEL = re.compile(r"^(\S+):")
_TARGET = re.compile(r"`\((\S+?)\)")


@dataclass(frozen=True)
class MachineCosts:
    """Machine instructions, at least.

    Attributes:
        choice: from the schedule's choice to the first instruction's dispatch.
        inner: by the fast machine's opcode, up to the next dispatch.
        last: by the fast machine's opcode, up to the next choice.
        exact_cycle: of the exact machine, for a cycle in which nothing else happens.
    """

    choice: int
    inner: dict[int, int]
    last: dict[int, int]
    exact_cycle: int


def find_nvdisasm() -> Path:
    """The disassembler, of the package or on the PATH.

    Raises:
        GpuUnavailableError: it is not installed.
    """
    for place in ("nvidia/cu13/bin/nvdisasm", "nvidia/cuda_nvdisasm/bin/nvdisasm", "nvidia/cu12/bin/nvdisasm"):
        candidate = Path(sysconfig.get_path("purelib")) / place
        if candidate.is_file():
            return candidate
    found = shutil.which("nvdisasm")
    if found is None:
        raise GpuUnavailableError(
            "The disassembler nvdisasm is not installed.", remedy="Remedy: pip install 'nesproof[cuda]'."
        )
    return Path(found)


def machine_costs(cubin: bytes) -> MachineCosts:
    """Of the step kernel in a binary of the part "plain" for sm_80 or later.

    Raises:
        GpuUnavailableError: the disassembler is not installed.
        ValueError: the machine code is not laid out as this expects.
    """
    code = _Code(_disassembled(cubin))
    (choice,) = [at for at in code.entry() if code.opcode[at].startswith(_CHOICE)]
    (dispatch,) = [at for at in code.entry() if code.opcode[at].startswith("BRX")]
    table = _table(sections(cubin)[f".nv.constant2.{_KERNEL}"], code)
    to_dispatch, to_choice = code.distances_to(dispatch, {choice}), code.distances_to(choice, {dispatch})
    reads = [name for name in code.functions if "ExactMachine" in name and "E4readEj" in name]
    return MachineCosts(
        choice=to_dispatch[choice],
        inner={opcode: to_dispatch[at] for opcode, at in table.items() if at in to_dispatch},
        last={opcode: to_choice[at] for opcode, at in table.items() if at in to_choice},
        exact_cycle=min((code.length_of(name) for name in reads), default=0),
    )


def _disassembled(cubin: bytes) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernels.cubin"
        path.write_bytes(cubin)
        done = subprocess.run([find_nvdisasm(), "-c", str(path)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(f"nvdisasm fails: {done.stderr.strip()[:200]}")
    begin = done.stdout.find(f"\n.text.{_KERNEL}:")
    if begin < 0:
        raise ValueError(f"the binary has no kernel {_KERNEL}")
    end = done.stdout.find("\n\t.section", begin)
    return done.stdout[begin : end if end >= 0 else len(done.stdout)]


def _table(constants: bytes, code: _Code) -> dict[int, int]:
    """Where each opcode's code begins, from the dispatch's jump table, which is the first in the kernel's constants."""
    table: dict[int, int] = {}
    entry = set(code.entry())
    for index, (address,) in enumerate(struct.iter_unpack("<I", constants[: len(constants) // 4 * 4])):
        if address not in entry:
            break
        table[index + _FIRST_IN_TABLE] = address
    return table


@dataclass
class _Code:
    """A kernel's machine instructions by address: the entry function first, then what it calls."""

    text: str = field(repr=False)
    opcode: dict[int, str] = field(default_factory=dict)
    functions: dict[str, int] = field(default_factory=dict)
    _target: dict[int, str] = field(default_factory=dict)
    _predicated: set[int] = field(default_factory=set)
    _labels: dict[str, int] = field(default_factory=dict)
    _lengths: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        pending: list[str] = []
        for line in self.text.splitlines():
            if label := _LABEL.match(line):
                pending.append(label[1])
            elif found := _INSTRUCTION.search(line):
                at = int(found[1], 16)
                for name in pending:
                    self._labels[name] = at
                    if name.startswith("$"):
                        self.functions[name] = at
                pending.clear()
                self.opcode[at] = found[3]
                if found[2]:
                    self._predicated.add(at)
                if target := _TARGET.search(found[4]):
                    self._target[at] = target[1]
        self._order = sorted(self.opcode)
        self._next = dict(zip(self._order, self._order[1:], strict=False))

    def entry(self) -> list[int]:
        """The kernel's own instructions."""
        end = min(self.functions.values(), default=1 << 40)
        return [at for at in self._order if at < end]

    def distances_to(self, goal: int, without: set[int]) -> dict[int, int]:
        """From each instruction of the entry function, itself counted, on paths without calls or `without`."""
        entry = set(self.entry())
        back: dict[int, list[int]] = {}
        for at in entry - without:
            if self.opcode[at].startswith("CALL"):
                continue
            for after in self._successors(at):
                back.setdefault(after, []).append(at)
        for at in without:  # a path may begin there
            for after in self._successors(at):
                back.setdefault(after, []).append(at)
        return _shortest(goal, lambda at: back.get(at, []), stop=without)

    def length_of(self, function: str) -> int:
        """Instructions of the shortest way through a function and what it calls."""
        if function not in self._lengths:
            self._lengths[function] = 0  # what calls itself counts once
            begin = self.functions[function]
            done = _shortest(begin, self._successors, cost=self._cost)
            ends = [length for at, length in done.items() if self.opcode[at].startswith("RET")]
            self._lengths[function] = min(ends, default=0)
        return self._lengths[function]

    def _cost(self, at: int) -> int:
        if self.opcode[at].startswith("CALL") and self._target.get(at, "") in self.functions:
            return 1 + self.length_of(self._target[at])
        return 1

    def _successors(self, at: int) -> list[int]:
        opcode, after = self.opcode[at], self._next.get(at)
        if opcode.startswith(("EXIT", "RET", "BRX")):
            return [after] if at in self._predicated and after is not None else []
        if opcode.startswith("BRA"):
            target = self._labels.get(self._target.get(at, ""))
            ways = [target] if target is not None else []
            return ways + ([after] if at in self._predicated and after is not None else [])
        return [after] if after is not None else []


def _shortest(
    begin: int,
    ways: Callable[[int], list[int]],
    *,
    cost: Callable[[int], int] = lambda _at: 1,
    stop: set[int] = frozenset(),  # type: ignore[assignment]
) -> dict[int, int]:
    done: dict[int, int] = {}
    waiting = [(cost(begin), begin)]
    while waiting:
        length, at = heapq.heappop(waiting)
        if at in done:
            continue
        done[at] = length
        if at in stop:
            continue
        for other in ways(at):
            if other not in done:
                heapq.heappush(waiting, (length + cost(other), other))
    return done
