// The eight sprite units over many dots at once, and what is fetched for them:
// https://www.nesdev.org/wiki/PPU_rendering
#pragma once

#include "core/ppu/fetch.hpp"
#include "core/ppu/line_jump_background.hpp"
#include "core/ppu/sprite_scan.hpp"
#include "core/ppu/sprite_units.hpp"

namespace nesproof::core {

namespace line_detail {

// Pixels of a visible line with rendering on: counters run down, and a unit whose counter has been at 0 for a pixel
// shifts.
template <class S>
__attribute__((noinline)) void pass_unit_pixels(S s, u32 pixels) {
  u32 counting = s.ppu_unit_counting();
  for (u32 unit = 0; unit < 8; ++unit) {
    const u32 counter = s.ppu_unit_counter(unit);
    u32 shifts = pixels;
    if (counting >> unit & 1) {
      if (counter >= pixels) {
        s.ppu_unit_counter(unit) = static_cast<u8>(counter - pixels);
        continue;
      }
      counting &= ~(1u << unit);
      shifts = pixels - counter;
    }
    s.ppu_unit_counter(unit) = static_cast<u8>(counter > pixels ? counter - pixels : 0);
    s.ppu_unit_low(unit) = static_cast<u8>(shifts < 8 ? s.ppu_unit_low(unit) << shifts : 0);
    s.ppu_unit_high(unit) = static_cast<u8>(shifts < 8 ? s.ppu_unit_high(unit) << shifts : 0);
  }
  s.ppu_unit_counting() = static_cast<u8>(counting);
}

// One of dots 257-320, but for v.
template <class S>
__attribute__((noinline)) void fetch_sprite_dot(S s, BackgroundPipe& pipe, Evaluation& e, u32 line, u32 dot) {
  const u32 unit = (dot - 257) >> 3, phase = (dot - 257) & 7;
  const u8 value = s.ppu_secondary_oam(e.secondary);
  e.bus = value;
  e.address = 0;
  if (phase < 3 || phase == 7) e.secondary = (e.secondary + 1) & 31;
  const u8 y = s.ppu_sprite_y(), attributes = s.ppu_sprite_attributes();
  if (phase >= 4) {
    const u16 address = static_cast<u16>(
        sprite_pattern_address(pipe.control, line, y, s.ppu_sprite_tile(), attributes) | (phase & 2 ? 8 : 0));
    if (phase == 4) s.ppu_unit_counter(unit) = value;
    if (!(phase & 1)) {
      pipe.bus = address;
      return;
    }
    const u8 bits = sprite_pattern(pipe.control, line, y, attributes, fetch_byte(s, pipe, address));
    (phase == 5 ? s.ppu_unit_low(unit) : s.ppu_unit_high(unit)) = bits;
    return;
  }
  const u16 address = nametable_address(pipe.v);
  if (phase & 1) {
    pipe.bus = static_cast<u16>((address & 0x3F00) | (pipe.bus & 0x00FF));  // the byte goes nowhere
  } else {
    pipe.bus = address;
  }
  if (phase == 0) s.ppu_sprite_y() = value;
  if (phase == 1) s.ppu_sprite_tile() = value;
  if (phase == 2) {
    s.ppu_sprite_attributes() = value;
    s.ppu_unit_attributes(unit) = value;
  }
}

// The eight dots of one unit, whose sprite stands in secondary OAM at `at`. Returns the last address.
template <class S>
u16 fetch_sprite(S s, u8 control, u32 line, u32 unit, u32 at) {
  const u8 y = s.ppu_secondary_oam(at), tile = s.ppu_secondary_oam((at + 1) & 31);
  const u8 attributes = s.ppu_secondary_oam((at + 2) & 31);
  s.ppu_unit_attributes(unit) = attributes;
  s.ppu_unit_counter(unit) = s.ppu_secondary_oam((at + 3) & 31);
  const u16 address = sprite_pattern_address(control, line, y, tile, attributes);
  u8 low = 0, high = 0;
  if (sprite_on_line(line, y, sprite_rows(control))) {
    low = s.chr(address), high = s.chr(address | 8);
    if (attributes & 0x40) low = mirrored_row(low), high = mirrored_row(high);
  }
  s.ppu_unit_low(unit) = low;
  s.ppu_unit_high(unit) = high;
  return address | 8;
}

template <class S>
void name_fetched_sprite(S s, u32 at) {
  s.ppu_sprite_y() = s.ppu_secondary_oam(at);
  s.ppu_sprite_tile() = s.ppu_secondary_oam((at + 1) & 31);
  s.ppu_sprite_attributes() = s.ppu_secondary_oam((at + 2) & 31);
}

// Dots 257-320, of which those after `at` up to `to` are made.
template <class S>
__attribute__((noinline)) void pass_sprite_fetches(S s, BackgroundPipe& pipe, Evaluation& e, u32 line, u32 at, u32 to) {
  const u16 t = s.ppu_t();
  while (at < to) {
    const u32 unit = (at - 256) >> 3;
    u32 reached = at + 1;
    if ((at & 7) == 0 && at + 8 <= to) {
      reached = at + 8;
      pipe.bus = fetch_sprite(s, pipe.control, line, unit, e.secondary);
      name_fetched_sprite(s, e.secondary);
      e.bus = s.ppu_secondary_oam((e.secondary + 3) & 31);
      e.secondary = (e.secondary + 4) & 31;
      e.address = 0;
    } else {
      fetch_sprite_dot(s, pipe, e, line, reached);
    }
    if (at == 256) pipe.v = with_x_of(pipe.v, t);
    if (line == kPreRenderLine && reached >= 280 && at < 304) pipe.v = with_y_of(pipe.v, t);
    at = reached;
  }
}

// Secondary OAM and what else the search leaves at a line's end, with OAMADDR at 0 at its dot 65. Dots 1-256. Returns
// how many sprites it found.
template <class S>
__attribute__((noinline)) u32 evaluate_line(S s, u32 line) {
  const u32 height = sprite_rows(s.ppu_control());
  u64 in_range = sprites_in_range(s, line, height);
  const bool last_in_range = in_range >> 63;
  s.ppu_sprite_zero_found() = in_range & 1;
  u32 found = 0, sprite = 0;
  for (; in_range != 0 && found < 8; in_range &= in_range - 1, ++found) {
    sprite = draw_detail::first_of(in_range);
    for (u32 byte = 0; byte < 4; ++byte) s.ppu_secondary_oam(found * 4 + byte) = s.ppu_oam(sprite * 4 + byte);
  }
  for (u32 at = found * 4; at < 32; ++at) s.ppu_secondary_oam(at) = 0xFF;
  s.ppu_evaluation_byte() = 0;
  s.ppu_evaluation_full() = found == 8;
  s.ppu_evaluation_done() = 1;
  if (found < 8) {
    if (!last_in_range) s.ppu_secondary_oam(found * 4) = s.ppu_oam(63 * 4);  // written before it was judged
  } else if (sprite != 63) {
    Evaluation e{.address = 0, .bus = 0, .secondary = 0, .byte = 0, .full = 1, .done = 0, .zero_found = 0};
    for (e.address = static_cast<u8>(sprite * 4 + 4); !e.done;) {
      examine(e, sprite_on_line(line, s.ppu_oam(e.address), height));
    }
    s.ppu_evaluation_byte() = e.byte;
  }
  return found;
}

// Dots 257-320 after that.
template <class S>
void fetch_sprites_of_line(S s, u32 line, u32 found) {
  const u8 control = s.ppu_control();
  u32 unit = 0;
  // The place after the last one found may hold the y of a sprite that was judged, and $FF.
  for (; unit < found; ++unit) fetch_sprite(s, control, line, unit, unit * 4);
  for (; unit < 8; ++unit) {
    s.ppu_unit_counter(unit) = s.ppu_unit_attributes(unit) = 0xFF;
    s.ppu_unit_low(unit) = s.ppu_unit_high(unit) = 0;
  }
  name_fetched_sprite(s, 28);
}

}  // namespace line_detail

}  // namespace nesproof::core
