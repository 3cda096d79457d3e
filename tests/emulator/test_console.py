"""The Python face: frames, buttons, memory, pictures, views, and what is refused."""

from __future__ import annotations

import copy
import pickle
import signal
import threading

import numpy as np
import pytest
from programs import CODE, cartridge, console, cycles_of

from nesproof import emulator
from nesproof.emulator import CONSOLE_KINDS, Cartridge, Console, build_info
from nesproof.emulator.buttons import Button
from nesproof.emulator.palette import rgb_palette

LOOP = bytes([0x4C, 0x00, 0xC0])
# Strobes, reads the first button of both controllers into $10 and $11 in the NMI, counts frames in $12.
NMI = bytes(
    [
        *(0xA9, 1, 0x8D, 0x16, 0x40, 0xA9, 0, 0x8D, 0x16, 0x40),
        *(0xAD, 0x16, 0x40, 0x85, 0x10, 0xAD, 0x17, 0x40, 0x85, 0x11, 0xE6, 0x12, 0x40),
    ]
)


def machine_with_nmi() -> Console:
    """NMIs are on: PPUCTRL is written for ever, since it takes no write in the first frame."""
    return Console(cartridge(bytes([0xA9, 0x80, 0x8D, 0x00, 0x20, 0x4C, 0x00, 0xC0]), nmi=0xD000, data={0xD000: NMI}))


def test_all_names_are_there() -> None:
    assert all(hasattr(emulator, name) for name in emulator.__all__)


# --- Frames


def test_a_step_ends_just_after_scanline_241_dot_1() -> None:
    machine = Console(cartridge(LOOP))
    for frame in range(1, 6):
        machine.step()
        assert machine.frame_count == frame
        position = machine.ppu.scanline, machine.ppu.dot
        assert (241, 1) <= position < (241, 1 + 3 * 3)


def test_the_first_frame_is_short_and_the_others_have_their_length() -> None:
    machine = Console(cartridge(LOOP))
    machine.step()
    first = machine.cpu.cycle
    machine.step(0, 60)
    assert abs(first - (241 * 341 + 1) / 3) <= 3
    assert abs((machine.cpu.cycle - first) / 60 - 262 * 341 / 3) < 0.1


def test_frames_in_one_call_and_one_by_one_are_the_same() -> None:
    buttons = np.random.default_rng(1).integers(0, 256, (20, 2)).astype(np.uint8)
    at_once, one_by_one, pairs = machine_with_nmi(), machine_with_nmi(), machine_with_nmi()
    at_once.step(buttons)
    for first, second in buttons.tolist():
        one_by_one.step(np.array([[first, second]], np.uint8))
        pairs.step((first, second))
    assert at_once.save_state() == one_by_one.save_state() == pairs.save_state()


def test_buttons_reach_their_controllers() -> None:
    machine = machine_with_nmi()
    machine.step(0, 3)
    machine.step(Button.A | Button.LEFT)
    assert (machine.ram[0x10] & 1, machine.ram[0x11] & 1) == (1, 0)
    machine.step((0, Button.A))
    assert (machine.ram[0x10] & 1, machine.ram[0x11] & 1) == (0, 1)
    machine.step((Button.B, Button.START))
    assert (machine.ram[0x10] & 1, machine.ram[0x11] & 1) == (0, 0)
    machine.step(np.array([1, 1], np.uint8))
    assert (machine.ram[0x10] & 1, machine.ram[0x11] & 1) == (1, 0)
    machine.step(1, frames=0)
    assert machine.frame_count == 8


@pytest.mark.parametrize(
    ("buttons", "frames", "error", "match"),
    [
        (256, None, ValueError, "0 to 255"),
        (-1, None, ValueError, "0 to 255"),
        ((1, 2, 3), None, ValueError, "one for each player"),
        ((1, 300), None, ValueError, "0 to 255"),
        ("A", None, TypeError, "not str"),
        (True, None, TypeError, "not bool"),
        (0, -1, ValueError, "not be negative"),
        (0, 10**12, ValueError, "at most 10000000"),
        (np.zeros(3, np.int64), None, TypeError, "uint8 is needed"),
        (np.zeros((3, 3), np.uint8), None, ValueError, r"\[3, 3\]"),
        (np.zeros((1, 3, 2), np.uint8), None, ValueError, r"\[1, 3, 2\]"),
        (np.zeros(3, np.uint8), 4, ValueError, "leave frames out"),
    ],
)
def test_wrong_buttons_are_refused_before_anything_runs(
    buttons: object, frames: int | None, error: type[Exception], match: str
) -> None:
    machine = Console(cartridge(LOOP))
    with pytest.raises(error, match=match):
        machine.step(buttons, frames)  # type: ignore[arg-type]
    assert machine.frame_count == 0


def test_strided_buttons_are_taken() -> None:
    wide = np.random.default_rng(2).integers(0, 256, (10, 4)).astype(np.uint8)
    strided, copied = machine_with_nmi(), machine_with_nmi()
    strided.step(wide[:, ::2])
    copied.step(wide[:, ::2].copy())
    assert strided.digest() == copied.digest()


# --- Jam, power and reset


def test_a_jammed_cpu_advances_a_cycle_at_a_time_until_reset() -> None:
    machine = console(bytes([0x02]))
    machine.step_instruction()
    assert machine.cpu.jammed
    assert cycles_of(machine, 3) == [1, 1, 1]
    machine.step(0, 2)
    assert machine.frame_count == 2
    machine.press_reset()
    machine.step_instruction()
    assert not machine.cpu.jammed
    assert machine.cpu.pc == CODE


def test_power_on_fills_memories_and_reset_keeps_them() -> None:
    machine = machine_with_nmi()
    machine.power_on(fill=0x3C)
    assert set(machine.ram.tolist()) == {0x3C}
    assert machine.peek(0x6000) == 0x3C
    assert set(machine.ppu.nametables.tolist()) == {0x3C}
    machine.ram[5] = 9
    machine.step(0, 3)
    machine.press_reset()
    assert machine.ram[5] == 9
    assert machine.frame_count == 3
    machine.power_on()
    assert machine.digest() == machine_with_nmi().digest()
    with pytest.raises(ValueError, match="0 to 255"):
        machine.power_on(fill=256)


def test_the_trainer_is_at_7000() -> None:
    header = b"NES\x1a" + bytes([1, 1, 4]) + bytes(9)
    trainer = bytes(range(256)) * 2
    machine = Console(Cartridge.load(header + trainer + bytes(0x4000) + bytes(0x2000)))
    assert [machine.peek(at) for at in (0x7000, 0x70FF, 0x7101, 0x71FF, 0x7200)] == [0, 0xFF, 1, 0xFF, 0]


# --- Memory


def test_ram_is_a_live_view() -> None:
    machine = machine_with_nmi()
    ram = machine.ram
    machine.step(0, 4)
    counted = int(ram[0x12])
    assert counted > 0
    ram[0x12] = 100
    machine.step()
    assert ram[0x12] == 101
    del machine
    assert ram.shape == (2048,)
    assert ram.dtype == np.uint8


def test_peek_and_poke() -> None:
    machine = Console(cartridge(LOOP))
    machine.poke(0x1801, 7)
    assert machine.ram[1] == 7
    machine.poke(0x6001, 8)
    addresses = np.array([[0x0001, 0x6001], [0xC000, 0xFFFC]])
    assert machine.peek(addresses).tolist() == [[7, 8], [0x4C, 0x00]]
    assert machine.peek(addresses).dtype == np.uint8
    assert isinstance(machine.peek(0x6001), int)
    assert machine.peek(np.array([], np.int64)).shape == (0,)
    for address in (0x2000, 0x4016, 0x5000, 0x8000):
        with pytest.raises(ValueError, match="cannot be poked"):
            machine.poke(address, 1)
    with pytest.raises(ValueError, match="0 to 65535"):
        machine.peek(0x10000)
    with pytest.raises(ValueError, match="0 to 255"):
        machine.poke(0, 256)
    with pytest.raises(TypeError, match="integers"):
        machine.peek(np.array([0.5]))  # type: ignore[arg-type]


# --- Pictures


def test_shapes_of_pictures() -> None:
    machine = Console(cartridge(LOOP))
    machine.step(0, 2)
    assert (machine.frame.shape, machine.frame.dtype) == ((240, 256), np.uint8)
    assert (machine.frame_emphasis.shape, machine.frame_emphasis.dtype) == ((240, 256), np.uint16)
    assert (machine.rgb().shape, machine.rgb().dtype) == ((240, 256, 3), np.uint8)
    assert not machine.frame_emphasis.flags.writeable
    assert np.array_equal(machine.rgb(), rgb_palette()[machine.frame_emphasis])


def test_the_palette_is_plausible() -> None:
    table = rgb_palette().astype(int)
    assert table.shape == (512, 3)
    assert np.array_equal(table[0x0D:0x10].max(axis=1) <= 12, [True] * 3)  # black, or below
    assert table[0x20].min() == 255  # white
    assert np.ptp(table[[0x00, 0x10, 0x20]], axis=1).max() <= 2  # greys
    red, green, blue = table[0x16], table[0x1A], table[0x12]
    assert red.argmax() == 0
    assert green.argmax() == 1
    assert blue.argmax() == 2
    for bit, channel in ((1, 0), (2, 1), (4, 2)):  # emphasis dims the other two colours more
        ratio = (table[bit * 64 + 0x20] + 1) / (table[0x20] + 1)
        assert ratio.argmax() == channel
    assert (table[7 * 64 : 7 * 64 + 64].sum() / table[:64].sum()) < 0.85


# --- Construction


def test_unknown_kinds_and_boards_are_refused() -> None:
    with pytest.raises(ValueError, match="kinds are: reference, core"):
        Console(cartridge(LOOP), kind="dendy")  # type: ignore[arg-type]


def test_build_info_names_the_compiler() -> None:
    info = build_info()
    text = {"compiler_id", "compiler_version", "build_type", "flags", "git_commit", "sources_sha256"}
    assert set(info) == text | {"cxx_standard"}
    assert int(info["cxx_standard"]) >= 202002
    assert info["compiler_id"]
    assert "-march=native" not in str(info["flags"])


def test_trace_and_run_until() -> None:
    machine = Console(cartridge(bytes([0xA9, 0x05, 0xAA, 0x4C, 0x00, 0xC0])))
    lines = machine.trace(4)
    assert lines["pc"].tolist() == [0xC000, 0xC002, 0xC003, 0xC000]
    assert lines["cycle"].tolist() == [7, 9, 11, 14]
    assert lines["x"].tolist() == [0, 0, 5, 5]
    assert (lines["scanline"][0], lines["dot"][0]) == (0, 21)
    assert machine.run_until(0xC003)
    assert machine.cpu.pc == 0xC003
    assert not machine.run_until(0xD000, max_instructions=100)
    with pytest.raises(ValueError, match="not be negative"):
        machine.trace(-1)


def test_a_file_name_in_place_of_a_cartridge_is_refused_with_the_remedy() -> None:
    with pytest.raises(TypeError, match=r"Cartridge\.load makes of a file, not str"):
        Console("game.nes")  # type: ignore[arg-type]


def test_views_are_read_only() -> None:
    machine = Console(cartridge(LOOP))
    with pytest.raises(AttributeError):
        machine.cpu.a = 1  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        machine.ppu.oam[0] = 1


def test_threads_run_consoles_at_once_and_never_one_console() -> None:
    machine = Console(cartridge(LOOP))
    refused: list[str] = []

    def run() -> None:
        try:
            machine.step(0, 200)
        except RuntimeError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert machine.frame_count == 200 * (4 - len(refused))
    assert set(refused) <= {"the console is in use by another thread"}

    consoles = [machine_with_nmi() for _ in range(4)]
    threads = [threading.Thread(target=each.step, args=(0, 100)) for each in consoles]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({each.digest() for each in consoles}) == 1


def test_consoles_are_neither_copied_nor_pickled() -> None:
    """A shallow copy would share the machine: two names for one console."""
    machine = Console(cartridge(LOOP))
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="load_state"):
            attempt(machine)


def test_the_compiled_part_takes_no_other_shape_either() -> None:
    for kind in CONSOLE_KINDS:
        machine = Console(cartridge(LOOP), kind)  # type: ignore[arg-type]
        for shape in ((4, 1), (4, 0), (4, 3)):
            with pytest.raises(ValueError, match=r"\[frames, 2\]"):
                machine._native.step(np.zeros(shape, np.uint8), 1)
        with pytest.raises(ValueError, match="more frames are to be kept than run"):
            machine._native.step(np.zeros((4, 2), np.uint8), 5)
        assert machine.frame_count == 0


def test_a_long_trace_can_be_interrupted() -> None:
    machine = Console(cartridge(LOOP))
    lines = 20_000_000

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    earlier = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            machine.trace(lines)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, earlier)
    assert machine.cpu.cycle < 3 * lines


def test_a_trace_of_several_slices_is_one_trace() -> None:
    whole, parts = Console(cartridge(LOOP)), Console(cartridge(LOOP))
    lines = whole.trace(2_500_000, start=0xC000)
    for size, first in ((1_000_000, 0), (1_000_000, 1_000_000), (500_000, 2_000_000)):
        part = parts.trace(size, start=0xC000 if first == 0 else None)
        assert np.array_equal(part, lines[first : first + size])
    assert whole.digest() == parts.digest()
