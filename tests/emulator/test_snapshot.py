"""Snapshots: complete, of one size, refused where they cannot be, and harmless whatever their bytes."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from programs import cartridge, console

from nesproof.emulator import Cartridge, Console, SnapshotError
from nesproof.emulator.snapshot import compare, unpack

HEADER_BYTES = 32
HOUSE = Path(__file__).parents[2] / "roms_manifest" / "house"


def random_cartridge(seed: int, *, chr_ram: bool = False) -> Cartridge:
    """16 KiB of random code, random graphics: it reaches states that no game does. Never jams."""
    chance = random.Random(seed)
    jams = {0x02, 0x12, 0x22, 0x32, 0x42, 0x52, 0x62, 0x72, 0x92, 0xB2, 0xD2, 0xF2}
    usable = [value for value in range(256) if value not in jams]
    code = bytes(chance.choice(usable) for _ in range(0x3F00))
    # Switches rendering, NMI and the DMC on first.
    start = b"".join(
        bytes([0xA9, value, 0x8D, address & 0xFF, address >> 8])
        for address, value in [(0x2000, 0x90), (0x4010, 0xCF), (0x4013, 0x01), (0x4015, 0x1F), (0x4017, 0x00)]
    )
    wait = bytes([0x2C, 0x02, 0x20, 0x10, 0xFB]) * 2 + bytes([0xA9, 0x1E, 0x8D, 0x01, 0x20, 0x58])
    return cartridge(
        start + wait + code[len(start) + len(wait) :],
        nmi=0xC100 + chance.randrange(0x3000),
        irq=0xC100 + chance.randrange(0x3000),
        chr_rom=b"" if chr_ram else chance.randbytes(8192),
        vertical=bool(seed & 1),
    )


def house_or_random() -> list[Cartridge]:
    found = [Cartridge.load(path) for path in sorted(HOUSE.glob("*.nes"))]
    return found + [random_cartridge(seed, chr_ram=seed == 3) for seed in range(4)]


CARTRIDGES = house_or_random()


def dirty(cart: Cartridge, seed: int) -> Console:
    """A console with another past: another RAM fill, other buttons, stopped within a frame."""
    machine = Console(cart)
    machine.power_on(fill=0xA5)
    buttons = np.random.default_rng(seed).integers(0, 256, (7, 2)).astype(np.uint8)
    machine.step(buttons)
    for _ in range(1000 + seed):
        machine.step_instruction()
    return machine


@pytest.mark.parametrize("number", range(len(CARTRIDGES)))
@pytest.mark.parametrize("extra_instructions", [0, 1, 777, 3210])
def test_load_then_run_equals_running_on(number: int, extra_instructions: int) -> None:
    cart = CARTRIDGES[number]
    machine = Console(cart)
    buttons = np.random.default_rng(number).integers(0, 256, 40).astype(np.uint8)
    machine.step(buttons)
    for _ in range(extra_instructions):
        machine.step_instruction()
    saved = machine.save_state()

    other = dirty(cart, number)
    other.load_state(saved)
    assert other.digest() == machine.digest()
    assert other.save_state() == saved
    for frame in range(4):
        machine.step(int(buttons[frame]))
        other.step(int(buttons[frame]))
        assert compare(machine.save_state(), other.save_state(), machine.fields) == []
        if frame:  # the picture under way at the snapshot is not part of it
            assert np.array_equal(machine.frame_emphasis, other.frame_emphasis)


def test_the_size_is_the_cartridges_alone() -> None:
    for cart in CARTRIDGES:
        sizes = {len(Console(cart).save_state()), len(dirty(cart, 1).save_state())}
        assert len(sizes) == 1


def test_every_visited_field_is_in_the_dtype_once() -> None:
    machine = console()
    names = [field.name for field in machine.fields]
    assert len(names) == len(set(names))
    row = machine.state()
    stored = [field.name for field in machine.fields if field.field_class != "DERIVED" and field.count]
    assert list(row.dtype.names or ())[1:] == stored
    assert row.dtype.itemsize == len(machine.save_state())


def test_each_field_of_the_digest_changes_it_and_survives_a_round_trip() -> None:
    machine = dirty(random_cartridge(3, chr_ram=True), 5)
    # At a boundary where every field may hold any valid value: PPUMASK is on its way to the pipeline.
    original = machine.state().copy()
    original["ppu_mask_delay"] = 2
    machine.load_state(original.tobytes())
    base = machine.digest()
    for field in machine.fields:
        if field.field_class == "DERIVED" or field.count == 0:
            continue
        changed = original.copy()
        values = np.atleast_1d(changed[0][field.name]) if field.count > 1 else None
        old = int(values[-1]) if values is not None else int(changed[0][field.name])
        new = old ^ 1 if (old ^ 1) <= field.max else old - 1
        if field.name == "cpu_p":
            new = old ^ 0x40  # bits 4 and 5 have one stored form
        if values is not None:
            values[-1] = new
        else:
            changed[field.name] = new
        machine.load_state(changed.tobytes())
        assert (machine.digest() != base) == (field.field_class == "ARCH"), field.name
        assert [d.name for d in compare(original.tobytes(), machine.save_state(), machine.fields)] == [field.name]


def test_the_digest_is_the_documented_sum() -> None:
    machine = dirty(CARTRIDGES[-1], 2)
    mask = (1 << 64) - 1

    def scramble(x: int) -> int:
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
        return x ^ (x >> 31)

    def fnv1a(name: str) -> int:
        value = 0xCBF29CE484222325
        for byte in name.encode():
            value = ((value ^ byte) * 0x100000001B3) & mask
        return value

    row = machine.state()[0]
    total = 0
    for field in machine.fields:
        assert field.identity == fnv1a(field.name)
        if field.field_class == "ARCH" and field.count:
            for index, value in enumerate(np.atleast_1d(row[field.name])):
                inner = scramble((field.identity + index * 0x9E3779B97F4A7C15) & mask)
                total += scramble((inner + int(value)) & mask)
    assert machine.digest() == total & mask


def test_processes_agree(tmp_path: Path) -> None:
    rom = tmp_path / "random.nes"
    cart = random_cartridge(7)
    header = b"NES\x1a" + bytes([1, 1, int(cart.mirroring == "vertical")]) + bytes(9)
    rom.write_bytes(header + cart.prg_rom + cart.chr_rom)
    code = (
        "import sys; from nesproof.emulator import Cartridge, Console\n"
        "c = Console(Cartridge.load(sys.argv[1])); c.step(0x81, 30); print(c.digest())"
    )
    paths = [path for path in sys.path if path]
    digests = {
        subprocess.run(
            [sys.executable, "-c", f"import sys; sys.path[:0] = {paths!r}\n{code}", str(rom)],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for _ in range(2)
    }
    here = Console(Cartridge.load(rom))
    here.step(0x81, 30)
    assert digests == {f"{here.digest()}\n"}


# --- Bytes from strangers


@pytest.fixture(scope="module")
def saved() -> tuple[Console, bytes]:
    machine = dirty(random_cartridge(1), 1)
    return machine, machine.save_state()


def refused(machine: Console, state: bytes, match: str) -> None:
    before = machine.digest()
    with pytest.raises(SnapshotError, match=match):
        machine.load_state(state)
    assert machine.digest() == before


def test_truncated_and_foreign_bytes_are_refused(saved: tuple[Console, bytes]) -> None:
    machine, state = saved
    refused(machine, b"", "less than its header; give all that was saved")
    refused(machine, state[:31], "less than its header; give all that was saved")
    refused(machine, state[:-1], "are needed: give all that was saved")
    refused(machine, state + b"\0", "are needed: give all that was saved")
    refused(machine, b"X" + state[1:], "does not begin with NESPROOF; give what a console saved")
    refused(machine, state[:8] + b"\xff\xff\xff\xff" + state[12:], "version 4294967295; .*: save it again")
    refused(machine, state[:16] + bytes(8) + state[24:], "another list of fields; save it again")
    refused(machine, Console(random_cartridge(2)).save_state(), "another cartridge; load it with that one")
    assert issubclass(SnapshotError, ValueError)
    with pytest.raises(TypeError):
        machine.load_state("text")  # type: ignore[arg-type]


def test_a_value_out_of_range_is_refused_by_name(saved: tuple[Console, bytes]) -> None:
    machine, state = saved
    for field in machine.fields:
        width = np.dtype(field.dtype).itemsize
        if field.field_class == "DERIVED" or field.count == 0 or field.max >= (1 << 8 * width) - 1:
            continue
        row = unpack(state, machine.fields).copy()
        if field.count == 1:
            row[field.name] = field.max + 1
        else:
            row[field.name][0, -1] = field.max + 1
        refused(machine, row.tobytes(), f"{field.name} is {field.max + 1}")


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_payload_in_range_runs(saved: tuple[Console, bytes], data: st.DataObject) -> None:
    machine, state = saved
    row = np.frombuffer(state, unpack(state, machine.fields).dtype).copy()
    chance = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    for field in machine.fields:
        if field.field_class == "DERIVED" or field.count == 0:
            continue
        top = min(field.max, 2**63 - 1)
        values = chance.integers(0, top, field.count, endpoint=True, dtype=np.uint64)
        if data.draw(st.booleans()):
            values[:] = field.max
        row[field.name] = values if field.count > 1 else values[0]
    machine.load_state(row.tobytes())
    machine.step(0, 2)
    machine.load_state(state)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(position=st.integers(0, 10**6), value=st.integers(0, 255), count=st.integers(1, 64))
def test_flipped_bytes_are_refused_or_run(saved: tuple[Console, bytes], position: int, value: int, count: int) -> None:
    machine, state = saved
    broken = bytearray(state)
    for step in range(count):
        broken[(position + step * 7919) % len(broken)] ^= value
    try:
        machine.load_state(bytes(broken))
    except SnapshotError:
        return
    machine.step(0xFF)
    machine.load_state(state)
