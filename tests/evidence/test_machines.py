"""What makes two runs the same machine, and what does not."""

from __future__ import annotations

import re
from typing import Any

import pytest

from nesproof.harness.evidence.machines import machine_key, machine_title
from nesproof.harness.evidence.surroundings import Gpu, Machine

GIB = 1 << 30
GPU = Gpu(name="NVIDIA H200", driver="580.1", memory_bytes=140 * GIB, compute_capability="9.0")
MACHINE = Machine(
    os="Debian 12", kernel="Linux 6.1", arch="x86_64", cpu_model="AMD EPYC 9R14", physical_cores=2, logical_cores=4,
    usable_cores=4, memory_bytes=int(7.6 * GIB), governor="powersave", virtualised=True, gpus=(GPU,),
)  # fmt: skip


def changed(**change: Any) -> Machine:
    return MACHINE.model_copy(update=change)


def gpu(**change: Any) -> Machine:
    return changed(gpus=(GPU.model_copy(update=change),))


@pytest.mark.parametrize(
    "same",
    [
        changed(os="Debian 13", kernel="Linux 6.12", governor="performance"),
        changed(memory_bytes=int(7.7 * GIB)),
        gpu(driver="590.0", sm_clock_mhz=1980, memory_clock_mhz=3201),
    ],
)
def test_what_its_owner_changes_makes_no_other_machine(same: Machine) -> None:
    assert machine_key(same) == machine_key(MACHINE)


@pytest.mark.parametrize(
    "other",
    [
        changed(cpu_model="AMD EPYC 9R15"),
        changed(arch="aarch64"),
        changed(physical_cores=4),
        changed(logical_cores=2, usable_cores=2),
        changed(usable_cores=2),
        changed(memory_bytes=int(15.2 * GIB)),
        changed(virtualised=False),
        changed(gpus=()),
        changed(gpus=(GPU, GPU)),
        gpu(name="NVIDIA H100"),
        gpu(memory_bytes=80 * GIB),
    ],
)
def test_other_parts_make_another_machine(other: Machine) -> None:
    assert machine_key(other) != machine_key(MACHINE)


def test_the_order_of_gpus_is_no_matter() -> None:
    small = GPU.model_copy(update={"name": "NVIDIA L4"})
    assert machine_key(changed(gpus=(GPU, small))) == machine_key(changed(gpus=(small, GPU)))


def test_the_title_says_what_tells_machines_apart() -> None:
    title = machine_title(changed(gpus=(GPU, GPU), usable_cores=3))
    assert title == "AMD EPYC 9R14, 2 cores with 4 threads, 3 usable, 8 GiB, virtual, 2 × NVIDIA H200"
    assert machine_title(changed(arch="aarch64", cpu_model="unknown", gpus=(), virtualised=None)).startswith(
        "unknown processor, aarch64, 2 cores"
    )


@pytest.mark.parametrize(
    "name", ["\x1b[31mred\x1b[0m\n<script>", "../../etc/passwd", "\u202eevil", "é" * 200, "", " ", "=HYPERLINK(1)"]
)
def test_a_hostile_name_names_no_path_and_moves_no_cursor(name: str) -> None:
    machine = changed(cpu_model=name, gpus=(GPU.model_copy(update={"name": name}),))
    assert re.fullmatch(r"[a-z0-9-]{1,72}", machine_key(machine))
    title = machine_title(machine)
    assert title.isprintable()
    assert len(title) < 400


def test_sizes_without_bound_are_borne() -> None:
    huge = changed(memory_bytes=10**30, gpus=tuple(GPU for _ in range(50)))
    assert len(machine_title(huge)) < 400
    assert machine_key(huge)
