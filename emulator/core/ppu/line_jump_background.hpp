// The background pipeline over many dots at once: https://www.nesdev.org/wiki/PPU_rendering
//
// Shift registers and latches after a dot follow from the last three tiles before it, so that tiles further back only
// move v. A stretch of tiles is dots 1-256 counted from 0, or dots 321-336 counted from 320: in both the first dot
// neither shifts nor loads, and every eighth dot after it does both.
#pragma once

#include "core/ppu/fetch.hpp"

namespace nesproof::core {

namespace line_detail {

// Shift registers, latches and fetch address of one console, in registers while a jump works on them.
struct BackgroundPipe {
  u16 v;
  u16 bus;  // the fetch address as the board has it
  u8 control;
  u8 latch;  // attribute bits that are shifted in
  u32 low, high;
  u32 attribute_low, attribute_high;
  u8 next_tile, next_attribute, next_low, next_high;

  // `count` is at most 16.
  void shift(u32 count) {
    const u32 ones = (1u << count) - 1;
    low = low << count & 0xFFFF;
    high = (high << count | ones) & 0xFFFF;
    attribute_low = (attribute_low << count | (latch & 1 ? ones : 0)) & 0xFF;
    attribute_high = (attribute_high << count | (latch & 2 ? ones : 0)) & 0xFF;
  }
  void load() {
    low = (low & 0xFF00) | next_low;
    high = (high & 0xFF00) | next_high;
    latch = next_attribute;
  }
  // Bit 0 is set where the background shows something in this dot.
  bool is_opaque(u32 fine_x) const { return (low | high) >> (15 - fine_x) & 1; }
};

template <class S>
BackgroundPipe background_pipe(S s) {
  return {
      .v = s.ppu_v(),
      .bus = s.ppu_address_bus(),
      .control = s.ppu_control(),
      .latch = s.ppu_background_attribute_latch(),
      .low = s.ppu_background_pattern_low(),
      .high = s.ppu_background_pattern_high(),
      .attribute_low = s.ppu_background_attribute_low(),
      .attribute_high = s.ppu_background_attribute_high(),
      .next_tile = s.ppu_next_tile(),
      .next_attribute = s.ppu_next_attribute(),
      .next_low = s.ppu_next_low(),
      .next_high = s.ppu_next_high(),
  };
}

template <class S>
void put_background_pipe(S s, const BackgroundPipe& pipe) {
  s.ppu_v() = pipe.v;
  s.ppu_address_bus() = pipe.bus;
  s.ppu_background_attribute_latch() = pipe.latch;
  s.ppu_background_pattern_low() = static_cast<u16>(pipe.low);
  s.ppu_background_pattern_high() = static_cast<u16>(pipe.high);
  s.ppu_background_attribute_low() = static_cast<u8>(pipe.attribute_low);
  s.ppu_background_attribute_high() = static_cast<u8>(pipe.attribute_high);
  s.ppu_next_tile() = pipe.next_tile;
  s.ppu_next_attribute() = pipe.next_attribute;
  s.ppu_next_low() = pipe.next_low;
  s.ppu_next_high() = pipe.next_high;
}

// The second dot of an access may find another address than the first one put.
template <class S>
u8 fetch_byte(S s, BackgroundPipe& pipe, u16 address) {
  pipe.bus = static_cast<u16>((address & 0x3F00) | (pipe.bus & 0x00FF));
  return s.video(pipe.bus);
}

// A tile's eight phases.
template <class S>
void fetch_whole_tile(S s, BackgroundPipe& pipe) {
  const u16 v = pipe.v;
  pipe.next_tile = s.nametable(nametable_address(v));
  pipe.next_attribute = s.nametable(attribute_address(v)) >> attribute_shift(v) & 3;
  pipe.bus = background_pattern_address(pipe.control, pipe.next_tile, v) | 8;
  pipe.next_low = s.chr(pipe.bus & ~8);
  pipe.next_high = s.chr(pipe.bus);
  pipe.v = next_tile_of(v);
}

// The phases after `from` up to `to` of one tile's eight.
template <class S>
void fetch_tile_phases(S s, BackgroundPipe& pipe, u32 from, u32 to) {
  const auto made = [from, to](u32 phase) { return from < phase && phase <= to; };
  if (made(1)) pipe.bus = nametable_address(pipe.v);
  if (made(2)) pipe.next_tile = fetch_byte(s, pipe, nametable_address(pipe.v));
  if (made(3)) pipe.bus = attribute_address(pipe.v);
  if (made(4)) pipe.next_attribute = fetch_byte(s, pipe, attribute_address(pipe.v)) >> attribute_shift(pipe.v) & 3;
  if (to <= 4) return;
  const u16 pattern = background_pattern_address(pipe.control, pipe.next_tile, pipe.v);
  if (made(5)) pipe.bus = pattern;
  if (made(6)) pipe.next_low = fetch_byte(s, pipe, pattern);
  if (made(7)) pipe.bus = pattern | 8;
  if (made(8)) {
    pipe.next_high = fetch_byte(s, pipe, pattern | 8);
    pipe.v = next_tile_of(pipe.v);
  }
}

// From dot `at` of a stretch of tiles to dot `to`, both at most 256.
template <class S>
__attribute__((noinline)) void pass_tiles(S s, BackgroundPipe& pipe, u32 at, u32 to) {
  while (at < to) {
    const u32 phase = at & 7;
    if (phase == 0) {
      const u32 tile = at >> 3, last = to >> 3;
      if (tile + 3 < last) {
        pipe.v = after_tiles(pipe.v, last - 3 - tile);
        at = (last - 3) << 3;
      }
    }
    const u32 dots = to - at < 8 - phase ? to - at : 8 - phase;
    if (phase != 0) {
      pipe.shift(dots);
    } else {
      if (at != 0) {
        pipe.shift(1);
        pipe.load();
      }
      pipe.shift(dots - 1);
    }
    dots == 8 ? fetch_whole_tile(s, pipe) : fetch_tile_phases(s, pipe, phase, phase + dots);
    at += dots;
  }
}

// Dots 321-340, of which those after `at` up to `to` are made.
template <class S>
void pass_prefetch(S s, BackgroundPipe& pipe, u32 at, u32 to) {
  if (at < 336) {
    pass_tiles(s, pipe, at - 320, (to < 336 ? to : 336) - 320);
    at = 336;
  }
  const u16 address = nametable_address(pipe.v);
  for (u32 dot = at + 1; dot <= to; ++dot) {
    if (dot == 337) {
      pipe.shift(1);
      pipe.load();
    }
    if (dot & 1) {
      pipe.bus = address;
    } else {
      pipe.next_tile = fetch_byte(s, pipe, address);
    }
  }
}

// v at the start of a line, `rows` lines further down, at most 240. From the attribute table's rows on, y counts to 256
// and keeps its nametable.
constexpr u16 after_rows(u16 v, u32 rows) {
  u32 y = (v >> 2 & 0xF8u) | fine_y(v);
  u32 nametable = v & 0x0800u;
  const bool in_picture = y < 240;
  y += rows;
  for (; in_picture && y >= 240; y -= 240) nametable ^= 0x0800;
  return static_cast<u16>((v & kScrollX) | nametable | (y & 0xF8) << 2 | (y & 7) << 12);
}
static_assert(after_rows(0x73A0, 1) == 0x0800 && after_rows(0x73E0, 1) == 0x0000 && after_rows(0x0BC0, 16) == 0x0800);
static_assert(after_rows(0x0000, 239) == 0x73A0 && after_rows(0x041F, 0) == 0x041F &&
              after_rows(0x1000, 240) == 0x1800);

}  // namespace line_detail

}  // namespace nesproof::core
