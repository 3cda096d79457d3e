// When the PPU does something by itself that others can see: https://www.nesdev.org/wiki/PPU_frame_timing
#pragma once

#include "core/ppu/idle_jump.hpp"
#include "core/ppu/prediction.hpp"

namespace nesproof::core {

namespace event_detail {

// The cycle in which a dot is made that the PPU has not made yet. A cycle's dots are 3c - 2 to 3c.
template <class S>
u32 cycle_of(S s, u32 dot_time) {
  const u32 anchor = s.lazy_ppu_anchor_cycle();
  return anchor + (dot_time - 3 * anchor + 2) / 3;
}

// Dots to the next frame's landmark, if the odd frame leaves one out.
template <class S>
u32 dots_to_next_frame_end(S s, u32 at) {
  return kDotsPerFrame - at + kFrameEndAt - s.ppu_odd_frame();
}

}  // namespace event_detail

// Level of the NMI line, provided that no event has been passed.
template <class S>
bool ppu_nmi_line(S s) {
  return s.ppu_vblank() && (s.ppu_control() & kControlNmi);
}

// In no cycle before does the frame end or the NMI line change by itself.
template <class S>
u32 ppu_next_event(S s) {
  const u32 at = dot_of_frame(s.ppu_scanline(), s.ppu_dot());
  const bool nmi = s.ppu_control() & kControlNmi;
  u32 dots;
  if (at < kFrameEndAt) {
    dots = kFrameEndAt - at;
  } else if (at < kVblankAt && nmi) {
    dots = kVblankAt - at;
  } else if (at < kVblankClearAt && nmi && s.ppu_vblank()) {
    dots = kVblankClearAt - at;
  } else {
    dots = event_detail::dots_to_next_frame_end(s, at);
  }
  return event_detail::cycle_of(s, s.lazy_ppu_time() + dots);
}

// The first cycle after `cycle` in which a read of $2002 could find other flags than one in `cycle` did, or do more
// than read. It holds until a register is accessed but for $2002.
template <class S>
[[gnu::noinline]] u32 ppu_status_steady_until(S s, u32 cycle) {
  if (since(s.lazy_ppu_steady_until(), cycle) > 0) return s.lazy_ppu_steady_until();
  if (s.ppu_vblank() || s.lazy_ppu_vblank_taken_at() == cycle) return cycle + 1;
  const u32 at = dot_of_frame(s.ppu_scanline(), s.ppu_dot());
  u32 dots;  // for which the flags are known
  if (at < kFrameEndAt) {
    dots = kFrameEndAt - 1 - at;
  } else if (at < kVblankAt) {
    return cycle + 1;
  } else {
    dots = event_detail::dots_to_next_frame_end(s, at) - 1;
  }
  const u32 sprite_flag_dots = flags_steady_dots(s);
  if (sprite_flag_dots < dots) dots = sprite_flag_dots;
  // An access of cycle c finds 3c - 1 dots made.
  const u32 anchor = s.lazy_ppu_anchor_cycle();
  const u32 until = anchor + (s.lazy_ppu_time() + dots - 3 * anchor + 4) / 3;
  if (since(until, cycle) <= 0) return cycle + 1;
  s.lazy_ppu_steady_until() = until;
  return until;
}

}  // namespace nesproof::core
