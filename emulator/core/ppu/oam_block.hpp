// OAM DMA's 256 bytes at once: https://www.nesdev.org/wiki/DMA
#pragma once

#include "core/ppu/access.hpp"

namespace nesproof::core {

// Byte k is what a put of cycle `first_cycle` + 2k writes to $2004. Where a put may meet rendering it returns false,
// and the PPU has caught up with `first_cycle`: nothing before may access it any more.
template <class S, class F>
bool ppu_write_oam_block(S s, u32 first_cycle, F byte_at) {
  constexpr u32 kBytes = 256, kCyclesToLast = 2 * (kBytes - 1);
  ppu_catch_up(s, access_time(first_cycle), CatchUp::OamDma);
  const u32 at = dot_of_frame(s.ppu_scanline(), s.ppu_dot());
  const bool may_render = (s.ppu_pipeline_mask() | (s.ppu_mask_delay() != 0 ? s.ppu_mask() : 0)) & kMaskRendering;
  if (may_render && (at < kPostRenderAt || at + 3 * kCyclesToLast >= kPreRenderAt)) return false;
  // The last byte is what the bus keeps, so that it does not age before it has come.
  ppu_catch_up(s, access_time(first_cycle + kCyclesToLast), CatchUp::OamDma);
  memory_will_change(s);
  pay_owed_dots(s);
  predictions_void(s);
  s.lazy_ppu_steady_until() = first_cycle + kCyclesToLast;
  const u32 start = s.ppu_oam_address();
  u8 last = 0;
  if (start == 0) {
    for (u32 k = 0; k < kBytes; k += 4) {
      const u8 y = byte_at(k), tile = byte_at(k + 1), attributes = byte_at(k + 2);
      last = byte_at(k + 3);
      s.ppu_oam(k) = y;
      s.ppu_oam(k + 1) = tile;
      s.ppu_oam(k + 2) = attributes & kOamAttributeBits;
      s.ppu_oam(k + 3) = last;
    }
  } else {
    for (u32 k = 0; k < kBytes; ++k) {
      const u32 address = (start + k) & 0xFF;
      last = byte_at(k);
      s.ppu_oam(address) = (address & 3) == 2 ? last & kOamAttributeBits : last;
    }
  }
  drive_open_bus(s, last);
  return true;
}

}  // namespace nesproof::core
