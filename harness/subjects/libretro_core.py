"""A libretro core with as much of a front end around it as a NES needs, through `ctypes`; `fceumm_adapter.py` uses it.

Loaded by its path in the worker's own environment, beside the adapter; it needs nothing but the standard library.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any

ROM_NAME = "cartridge.nes"
RAM_BYTES = 2048

# Of libretro's interface, what this front end uses.
GET_CAN_DUPE, GET_SYSTEM_DIRECTORY, SET_PIXEL_FORMAT, GET_VARIABLE, GET_SAVE_DIRECTORY = 3, 9, 10, 15, 31
GET_VARIABLE_UPDATE, GET_LOG, SET_MEMORY_MAPS, GET_INPUT_BITMASKS = 17, 27, 36 | 0x10000, 51 | 0x10000
LOG_WARNING = 2
RGB565 = 2
ALL_BUTTONS = 256
SYSTEM_RAM = 2
BIT_OF = (8, 0, 2, 3, 4, 5, 6, 7)
"""For each bit of our byte (A, B, Select, Start, Up, Down, Left, Right) libretro's button."""
PAD_WORDS = tuple(sum(1 << BIT_OF[bit] for bit in range(8) if byte >> bit & 1) for byte in range(256))


class Game(ctypes.Structure):
    """A cartridge as the core is given it."""

    _fields_ = [
        ("path", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_size_t),
        ("meta", ctypes.c_char_p),
    ]


class Variable(ctypes.Structure):
    """An option that the core asks for."""

    _fields_ = [("key", ctypes.c_char_p), ("value", ctypes.c_char_p)]


class Area(ctypes.Structure):
    """Memory that the core hands out."""

    _fields_ = [
        ("flags", ctypes.c_uint64),
        ("pointer", ctypes.c_void_p),
        ("offset", ctypes.c_size_t),
        ("start", ctypes.c_size_t),
        ("select", ctypes.c_size_t),
        ("disconnect", ctypes.c_size_t),
        ("length", ctypes.c_size_t),
        ("space", ctypes.c_char_p),
    ]


class Areas(ctypes.Structure):
    """All of it."""

    _fields_ = [("first", ctypes.POINTER(Area)), ("count", ctypes.c_uint)]


class Core:
    """The library with a front end around it; `options` are those that are not left at what the core makes of them."""

    def __init__(self, path: str, options: dict[bytes, bytes]) -> None:
        self._options = options
        self._library = library = ctypes.CDLL(path)
        self.areas: list[tuple[int, int, int]] = []
        self.complaints: list[str] = []
        self.geometry = (0, 0, 0)
        self.picture = 0
        self.pads = [0, 0]
        self._folder = ctypes.create_string_buffer(os.fsencode(os.getcwd()))  # noqa: PTH109
        self._pixel_format = -1
        self._rom: Any = None
        environment = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_uint, ctypes.c_void_p)
        video = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_size_t)
        sample = ctypes.CFUNCTYPE(None, ctypes.c_int16, ctypes.c_int16)
        samples = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t)
        poll = ctypes.CFUNCTYPE(None)
        buttons = ctypes.CFUNCTYPE(ctypes.c_int16, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint)
        # The core's words come as a format and one string, which is where a third argument lies on Linux.
        log = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)
        self._log = log(self._hear)
        self._callbacks = {
            "environment": environment(self._answer),
            "video_refresh": video(self._show),
            "audio_sample": sample(lambda _left, _right: None),
            "audio_sample_batch": samples(lambda _data, frames: frames),
            "input_poll": poll(lambda: None),
            "input_state": buttons(self._button),
        }
        for name, callback in self._callbacks.items():
            getattr(library, f"retro_set_{name}")(callback)
        library.retro_load_game.restype = ctypes.c_bool
        library.retro_load_game.argtypes = [ctypes.POINTER(Game)]
        library.retro_get_memory_data.restype = ctypes.c_void_p
        library.retro_get_memory_size.restype = ctypes.c_size_t
        library.retro_serialize_size.restype = ctypes.c_size_t
        for name in ("retro_serialize", "retro_unserialize"):
            getattr(library, name).restype = ctypes.c_bool
            getattr(library, name).argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        library.retro_init()
        self.run = library.retro_run
        self.reset = library.retro_reset

    def load(self, rom: bytes) -> bool:
        """Power on with a cartridge; False where the core refuses it. What it warns of lies in `complaints`."""
        if self._rom is not None:
            self._library.retro_unload_game()
        self.areas = []
        self.complaints = []
        self.picture = 0
        self._rom = ctypes.create_string_buffer(rom, len(rom))
        game = Game(os.fsencode(ROM_NAME), ctypes.cast(self._rom, ctypes.c_void_p), len(rom), None)
        taken = bool(self._library.retro_load_game(ctypes.byref(game)))
        if not taken:
            self._rom = None
        return taken

    def ram(self) -> bytes:
        """The 2 KiB of work RAM."""
        return ctypes.string_at(self._library.retro_get_memory_data(SYSTEM_RAM), RAM_BYTES)

    def fill_ram(self, byte: int) -> None:
        """Let all of it hold one byte."""
        ctypes.memset(self._library.retro_get_memory_data(SYSTEM_RAM), byte, RAM_BYTES)

    def byte(self, address: int) -> int | None:
        """A byte of the memory that the core hands out, or None."""
        for start, length, pointer in self.areas:
            if start <= address < start + length:
                return ctypes.string_at(pointer + address - start, 1)[0]
        return None

    def write(self, address: int, value: int) -> bool:
        """Change a byte of that memory; False where it is not in it."""
        for start, length, pointer in self.areas:
            if start <= address < start + length:
                ctypes.memset(pointer + address - start, value, 1)
                return True
        return False

    def save(self) -> bytes:
        """The core's state."""
        size = self._library.retro_serialize_size()
        state = ctypes.create_string_buffer(size)
        if not self._library.retro_serialize(state, size):
            raise RuntimeError("the core does not give its state")
        return state.raw

    def restore(self, state: bytes) -> bool:
        """Go to a state; False where the core refuses it."""
        if len(state) != self._library.retro_serialize_size():
            return False
        return bool(self._library.retro_unserialize(ctypes.create_string_buffer(state, len(state)), len(state)))

    def pixels(self) -> bytes:
        """The picture as it lies: 16 bits a pixel, row after row, as wide as a row in memory is."""
        _, height, pitch = self.geometry
        return ctypes.string_at(self.picture, height * pitch)

    def _answer(self, command: int, data: Any) -> bool:
        if command == GET_VARIABLE:
            variable = ctypes.cast(data, ctypes.POINTER(Variable)).contents
            if variable.key not in self._options:
                return False
            variable.value = self._options[variable.key]
            return True
        if command == SET_PIXEL_FORMAT:
            self._pixel_format = ctypes.cast(data, ctypes.POINTER(ctypes.c_int))[0]
            return self._pixel_format == RGB565
        if command in {GET_SYSTEM_DIRECTORY, GET_SAVE_DIRECTORY}:
            ctypes.cast(data, ctypes.POINTER(ctypes.c_void_p))[0] = ctypes.addressof(self._folder)
            return True
        if command == GET_CAN_DUPE:
            ctypes.cast(data, ctypes.POINTER(ctypes.c_bool))[0] = True
            return True
        if command == SET_MEMORY_MAPS:
            given = ctypes.cast(data, ctypes.POINTER(Areas)).contents
            areas = [given.first[at] for at in range(given.count)]
            self.areas = [(a.start, a.length, a.pointer + a.offset) for a in areas if a.pointer and a.length]
            return True
        if command == GET_LOG:
            ctypes.cast(data, ctypes.POINTER(ctypes.c_void_p))[0] = ctypes.cast(self._log, ctypes.c_void_p)
            return True
        if command == GET_VARIABLE_UPDATE:
            ctypes.cast(data, ctypes.POINTER(ctypes.c_bool))[0] = False
            return True
        return command == GET_INPUT_BITMASKS

    def _hear(self, level: int, words: bytes, string: int | None) -> None:
        if level >= LOG_WARNING and words == b"%s" and string:
            self.complaints.append(ctypes.string_at(string)[:200].decode("latin-1").strip())

    def _show(self, picture: int | None, width: int, height: int, pitch: int) -> None:
        if picture:
            self.picture = picture
            self.geometry = (width, height, pitch)

    def _button(self, port: int, _device: int, _index: int, button: int) -> int:
        if port > 1:
            return 0
        pads = self.pads[port]
        return pads if button == ALL_BUTTONS else pads >> button & 1
