// The memory cycle that an access to $2007 asks for: https://www.nesdev.org/wiki/PPU_registers#PPUDATA
//
// It takes kDataDots dots; the last but one may find the bus with the pipeline. Where the pipeline reads in it, one
// byte goes to both; where the pipeline drives an address, the byte of the dot before becomes the address's low half.
#pragma once

#include "core/ppu/fetch.hpp"
#include "core/ppu/prediction.hpp"
#include "core/ppu/recording.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

constexpr bool is_palette(u16 address) { return (address & 0x3F00) == 0x3F00; }

// $3F10, $3F14, $3F18 and $3F1C are $3F00, $3F04, $3F08 and $3F0C; both copies are kept.
template <class S>
void write_palette(S s, u16 address, u8 value) {
  s.ppu_palette(address & 0x1F) = value & 0x3F;
  NESPROOF_FAULT(palette_not_mirrored, return);
  if ((address & 3) == 0) s.ppu_palette((address & 0x1F) ^ 0x10) = value & 0x3F;
}

template <class S>
void access_memory(S s, u16 address) {
  if (!s.ppu_data_is_write()) {
    s.ppu_read_buffer() = s.video(address);  // under the palette lies the nametable
    return;
  }
  memory_will_change(s);
  hit_prediction_void(s);
  if (is_palette(address)) {
    write_palette(s, address, s.ppu_data_written());
  } else {
    write_video(s, address, s.ppu_data_written());
  }
}

// While rendering, both of the pipeline's increments happen at once.
template <class S>
void step_video_address(S s, bool rendering) {
  u16& v = s.ppu_v();
  disturb(s, rendering ? 0 : kFirstPrefetchDot);  // while rendering, the pipeline's bus as well
  hit_prediction_void(s);
  if (rendering) {
    v = next_row_of(next_tile_of(v));
  } else {
    v = (v + (s.ppu_control() & kControlStep32 ? 32 : 1)) & 0x7FFF;
    put_address(s, v & 0x3FFF);
  }
}

// The cycle outside rendering.
template <class S>
void finish_data_access_idle(S s) {
  s.ppu_data_delay() = 0;
  s.ppu_data_collides() = 0;
  access_memory(s, s.ppu_v() & 0x3FFF);
  step_video_address(s, false);
}

// The cycle as far as it has come, at once: with its last dot, or when the next access cuts it short.
template <class S>
__attribute__((noinline)) void finish_data_access(S s, bool rendering) {
  s.ppu_data_delay() = 0;
  u16& bus = s.ppu_address_bus();
  if (s.ppu_data_collides()) {
    access_memory(s, static_cast<u16>((bus & 0x3F00) | s.ppu_collided()));
    bus = static_cast<u16>((bus & 0x3F00) | (s.ppu_data_is_write() ? s.ppu_data_written() : s.ppu_read_buffer()));
    s.ppu_data_collides() = 0;
  } else {
    access_memory(s, rendering ? bus : static_cast<u16>(s.ppu_v() & 0x3FFF));
  }
  step_video_address(s, rendering);
}

template <class S>
void step_data_access(S s, bool rendering) {
  const u8 left = --s.ppu_data_delay();
  if (left == 1) {
    const u32 dot = s.ppu_dot();
    const bool collides = rendering && (dot == 0 || (dot & 1));
    s.ppu_data_collides() = collides;
    if (collides) s.ppu_collided() = s.ppu_data_is_write() ? s.ppu_data_written() : s.video(s.ppu_address_bus());
  } else if (left == 0) {
    finish_data_access(s, rendering);
  }
}

}  // namespace nesproof::core
