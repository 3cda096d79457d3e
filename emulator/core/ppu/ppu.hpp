// The NTSC picture processing unit, 2C02G, of the fast console: https://www.nesdev.org/wiki/PPU
//
// A line is 341 dots, a frame 262 lines: 0-239 are drawn, 240 idles, 241-260 are vertical blank, 261 is the pre-render
// line. The PPU lags behind the CPU and catches up by the widest jump that is exact:
//
//   advance.hpp            which way through the dots is taken
//   idle_jump.hpp          any number of dots without rendering
//   line_jump.hpp          any number of dots of rendered lines
//   line_pixels.hpp        and their pixels, where a recorded line is not described by a row
//   a12_jump.hpp           and address bit 12, where the board watches it (a12_line.hpp, a12_tall_sprites.hpp)
//   dots.hpp               one dot, the way of everything else
//
//   access.hpp             the CPU's reads and writes
//   oam_block.hpp          OAM DMA's 256 bytes at once
//   events.hpp             when something happens by itself that others can see
//   prediction.hpp         when the sprite flags could rise
//   a12_forecast.hpp       when a board's counter of address bit 12 could raise its IRQ
//   power.hpp              power-on, reset, settled states
//
//   registers.hpp          PPUCTRL, PPUMASK, delays
//   scroll.hpp             v and t
//   open_bus.hpp           the data bus towards the CPU and its decay
//   fetch.hpp              the bus to the cartridge
//   data_port.hpp          the memory cycle of $2007
//   delays.hpp             effects that arrive dots later
//   background.hpp         background shift registers and fetches
//   sprite_evaluation.hpp  the search for the next line's sprites
//   sprite_units.hpp       the eight sprite output units
//   pixel.hpp              from shift registers to a pixel, and sprite-0 hit
//   recording.hpp          rows and pixels of a frame that is to be drawn
//
// Where in a CPU cycle an access finds the PPU: after 3c - 1 dots. The flag that rises and falls at dot 1 is sampled a
// dot earlier than everything else, so it changes at dot 2 here.
#pragma once

#include "core/ppu/a12_forecast.hpp"
#include "core/ppu/access.hpp"
#include "core/ppu/advance.hpp"
#include "core/ppu/events.hpp"
#include "core/ppu/oam_block.hpp"
#include "core/ppu/power.hpp"
