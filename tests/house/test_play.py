"""The game itself, played by the shipped movies."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files

import numpy as np
import pytest

from nesproof.benchmarks.streams import random_stream
from nesproof.emulator.cartridge import Cartridge
from nesproof.emulator.console import Console

TITLE, CARD, PLAY, DYING, FLAG, OVER, WON = 0, 1, 3, 4, 5, 6, 7
A, B, SELECT, START, UP, DOWN, LEFT, RIGHT = (1 << bit for bit in range(8))
STATUS_BAR_LINES = 32


def _wild(frames: int) -> bytes:
    return np.random.default_rng(1).integers(0, 256, frames, dtype=np.uint8).tobytes()


def _to_play(console: Console, labels: dict[str, int]) -> None:
    console.step(0, frames=60)
    console.step(START, frames=4)
    for _ in range(200):
        if console.ram[labels["game_mode"]] == PLAY:
            return
        console.step(0)
    pytest.fail("Start did not lead into play within 200 frames")


def test_title_needs_start(house_console: Callable[..., Console], scroller_labels: dict[str, int]) -> None:
    console = house_console("scroller")
    console.step(0, frames=60)
    for buttons in (A, B, SELECT, UP, DOWN, LEFT, RIGHT, A | B | RIGHT):
        console.step(buttons, frames=10)
        assert console.ram[scroller_labels["game_mode"]] == TITLE
    console.step(START, frames=2)
    assert console.ram[scroller_labels["game_mode"]] == CARD


def test_winning_movie_reaches_the_flag(
    house_console: Callable[..., Console], scroller_labels: dict[str, int], corpus: Callable[[str], bytes]
) -> None:
    console = house_console("scroller")
    movie = corpus("scroller-level-1.buttons")
    complete = np.zeros(len(movie), bool)
    for frame, buttons in enumerate(movie):
        console.step(buttons)
        complete[frame] = console.ram[scroller_labels["level_complete"]] == 1
    assert not complete[:1000].any()
    assert complete.any()
    assert console.ram[scroller_labels["lives"]] == 3
    # the fox goes home, time becomes score, and the second level begins
    console.step(0, frames=700)
    assert console.ram[scroller_labels["level"]] == 1
    assert console.ram[scroller_labels["game_mode"]] == PLAY


def test_whole_game_can_be_won(
    house_console: Callable[..., Console], scroller_labels: dict[str, int], corpus: Callable[[str], bytes]
) -> None:
    console = house_console("scroller")
    movie = np.frombuffer(corpus("scroller-whole-game.buttons"), np.uint8)
    console.step(movie)
    assert console.ram[scroller_labels["level"]] == 3
    assert console.ram[scroller_labels["level_complete"]] == 1
    console.step(0, frames=450)
    assert console.ram[scroller_labels["game_mode"]] == WON
    # afterwards the title, and the score of this game on it
    console.step(0, frames=600)
    assert console.ram[scroller_labels["game_mode"]] == TITLE
    top = scroller_labels["top_score"]
    score = scroller_labels["score_digits"]
    assert bytes(console.ram[top : top + 6]) == bytes(console.ram[score : score + 6]) > b"\0\0\1"


@pytest.mark.parametrize("steps_right", [0, 120])
def test_the_left_edge_of_the_screen_is_a_wall(
    steps_right: int, house_console: Callable[..., Console], scroller_labels: dict[str, int]
) -> None:
    console = house_console("scroller")
    _to_play(console, scroller_labels)
    console.step(RIGHT, frames=steps_right)
    x, camera = scroller_labels["player_x"], scroller_labels["camera_x"]
    console.step(LEFT | B, frames=200)
    where = int.from_bytes(bytes(console.ram[x : x + 2]), "little")
    assert where == int.from_bytes(bytes(console.ram[camera : camera + 2]), "little")
    assert console.ram[scroller_labels["game_mode"]] == PLAY


def test_three_deaths_end_the_game(house_console: Callable[..., Console], scroller_labels: dict[str, int]) -> None:
    console = house_console("scroller")
    _to_play(console, scroller_labels)
    lives, modes = [], set()
    for _ in range(2400):
        console.step(RIGHT)
        lives.append(int(console.ram[scroller_labels["lives"]]))
        modes.add(int(console.ram[scroller_labels["game_mode"]]))
        if console.ram[scroller_labels["game_mode"]] == DYING:
            assert console.ram[scroller_labels["player_alive"]] == 0
        if OVER in modes:
            break
    assert sorted(set(lives), reverse=True) == [3, 2, 1, 0]
    assert lives == sorted(lives, reverse=True)
    assert OVER in modes


@pytest.mark.parametrize("name", ["scroller", "busy"])
def test_every_ram_fill_plays_alike(
    name: str, house_console: Callable[..., Console], corpus: Callable[[str], bytes]
) -> None:
    stream = corpus("scroller-random.buttons")[:500]
    runs = []
    for fill in (0x00, 0xFF, 0x5A):
        console = house_console(name, fill)
        frames = []
        for buttons in stream:
            console.step(buttons)
            frames.append((bytes(console.ram), console.frame.tobytes()))
        # RAM is cleared, and the picture drawn, within the first frames
        runs.append(frames[60:])
    assert runs[0] == runs[1] == runs[2]


def test_status_bar_stays_while_the_level_scrolls(
    house_console: Callable[..., Console], scroller_labels: dict[str, int]
) -> None:
    console = house_console("scroller")
    _to_play(console, scroller_labels)
    console.step(0, frames=10)
    before = console.frame.copy()
    console.step(RIGHT | B, frames=85)
    assert console.ram[scroller_labels["camera_x"]] > 60
    after = console.frame
    # labels and the bar's lower edge are where they were; the time has changed, the level has moved
    assert (before[:16] == after[:16]).all()
    assert (before[24:STATUS_BAR_LINES] == after[24:STATUS_BAR_LINES]).all()
    assert (before[16:24, 176:208] != after[16:24, 176:208]).any()
    assert (before[STATUS_BAR_LINES:] != after[STATUS_BAR_LINES:]).mean() > 0.1


def test_without_a_sprite_0_hit_the_game_goes_on(scroller_labels: dict[str, int]) -> None:
    image = bytearray((files("nesproof.roms_manifest.house") / "scroller.nes").read_bytes())
    # sprite 0 is put where it never meets the background
    operand = 16 + scroller_labels["begin_sprites"] - 0x8000 + 1
    assert image[operand - 1 : operand + 1] == b"\xa9\x17"
    image[operand] = 0xF8
    console = Console(Cartridge.load(bytes(image)))
    _to_play(console, scroller_labels)
    address = scroller_labels["frame_counter"]
    start = int.from_bytes(bytes(console.ram[address : address + 2]), "little")
    console.step(RIGHT, frames=200)
    assert int.from_bytes(bytes(console.ram[address : address + 2]), "little") == start + 200
    x = scroller_labels["player_x"]
    assert int.from_bytes(bytes(console.ram[x : x + 2]), "little") > 200
    assert console.ram[scroller_labels["lag_frames"]] == 0


@pytest.mark.parametrize("buttons", [_wild(2000), random_stream(99, frames=2000)], ids=["wild", "plausible"])
def test_any_buttons_keep_the_game_sound(
    buttons: bytes, house_console: Callable[..., Console], scroller_labels: dict[str, int]
) -> None:
    console = house_console("scroller")
    console.step(0, frames=10)

    def value(label: str, size: int = 1) -> int:
        start = scroller_labels[label]
        return int.from_bytes(bytes(console.ram[start : start + size]), "little")

    def digits(label: str, size: int) -> bytes:
        start = scroller_labels[label]
        return bytes(console.ram[start : start + size])

    start = value("frame_counter", 2)
    for frame, held in enumerate(buttons, 1):
        console.step(held)
        assert value("frame_counter", 2) == start + frame
        assert value("game_mode") <= WON
        assert value("lives") <= 9
        assert value("level") <= 3
        assert max(digits("score_digits", 6) + digits("timer_digits", 3)) <= 9
        if value("game_mode") == PLAY:
            assert 0 <= value("player_x", 2) - value("camera_x", 2) < 256
    assert value("lag_frames") == 0
