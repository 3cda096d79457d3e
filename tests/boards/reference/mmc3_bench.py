"""A bench with an MMC3 in it: its registers, its A12, and what its counter does while a picture is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bench import CODE, Bench

SELECT, BANK, MIRRORING, PRG_RAM = 0x8000, 0x8001, 0xA000, 0xA001
LATCH, RELOAD, DISABLE, ENABLE = 0xC000, 0xC001, 0xE000, 0xE001
NOP, JMP, CLI = 0xEA, 0x4C, 0x58
SLED = 0x0420, 0x07F0


@dataclass(frozen=True)
class Clock:
    """A change of the counter, as a boundary finds it: where the PPU is, and what the counter has become."""

    scanline: int
    dot: int
    counter: int


class Mmc3(Bench):
    def __init__(self, **fields: Any) -> None:
        super().__init__(4, **fields)

    # --- Registers
    def put_bank(self, number: int, value: int, *, modes: int = 0) -> None:
        self.store(SELECT, modes | number)
        self.store(BANK, value)

    def count_from(self, latch: int) -> None:
        """The counter is `latch` after the next clock."""
        self.store(LATCH, latch)
        self.store(RELOAD, 0)

    @property
    def counter(self) -> int:
        return int(self.field("board_irq_counter"))

    @property
    def irq(self) -> bool:
        return bool(self.field("board_irq"))

    # --- A12, with rendering off
    def clock(self, times: int = 1) -> None:
        for _ in range(times):
            self.ppu_address(0x0000)
            self.ppu_address(0x1000)

    # --- Pictures
    def render(self, control: int, mask: int = 0x18, *, scroll: tuple[int, int] = (0, 0)) -> None:
        """From the next picture on. The counter starts from 255, and A12 is low until then."""
        self.sled()
        while self.field("ppu_scanline") != 241:
            self.console.step_instruction()
        self.count_from(255)
        self.clock()
        self.ppu_address(0x0000)
        self.store(0x2005, scroll[0])
        self.store(0x2005, scroll[1])
        self.store(0x2000, control)
        self.store(0x2001, mask)
        self.sled()

    def sled(self) -> None:
        """From here on nothing but NOPs, and a jump back now and then."""
        start, end = SLED
        self.console.ram[start:end] = NOP
        self.console.ram[end : end + 3] = [JMP, start & 0xFF, start >> 8]
        self.console.ram[CODE : CODE + 3] = [JMP, start & 0xFF, start >> 8]
        self.console.trace(0, start=CODE)

    def clocks_of_a_frame(self) -> list[Clock]:
        """Those from one scanline 241 to the next."""
        while self.field("ppu_scanline") == 241:
            self.console.step_instruction()
        clocks, before = [], self.counter
        while True:
            self.console.step_instruction()
            state = self.console.state()[0]
            counter = int(state["board_irq_counter"])
            if counter != before:
                clocks.append(Clock(int(state["ppu_scanline"]), int(state["ppu_dot"]), counter))
                before = counter
            if state["ppu_scanline"] == 241:
                return clocks

    def put_sprites(self, sprites: list[tuple[int, int, int, int]]) -> None:
        """(y, tile, attributes, x) each; the others are off the screen."""
        state = self.console.state().copy()
        state["ppu_oam"][0] = 0xFF
        for number, sprite in enumerate(sprites):
            state["ppu_oam"][0, number * 4 : number * 4 + 4] = sprite
        self.console.load_state(state.tobytes())
