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

template <class S>
u8 status_flags(S s) {
  return static_cast<u8>(s.ppu_vblank() << 7 | s.ppu_sprite_zero_hit() << 6 | s.ppu_sprite_overflow() << 5);
}

// --- Status without catching up
namespace event_detail {

// Flags for `dots` dots from the PPU's time on: a read that finds so many made finds those flags, and its like does.
template <class S>
void keep_status(S s, u8 flags, u32 dots) {
  const u32 anchor = s.lazy_ppu_anchor_cycle();
  // An access of cycle c finds 3c - 1 dots made.
  s.lazy_ppu_steady_until() = anchor + (s.lazy_ppu_time() + dots - 3 * anchor + 4) / 3;
  s.lazy_ppu_steady_flags() = flags;
}

// --- Where the PPU will be, in the picture's positions (prediction.hpp)
inline constexpr u32 kSkippedDot = line_detail::position_of(kPreRenderLine, kDotsPerLine - 1);
inline constexpr u32 kClearing = line_detail::position_of(kPreRenderLine, 1);

template <class S>
bool will_skip_dot(S s, u32 now) {
  return rendering_enabled(s) && s.ppu_odd_frame() && now < kSkippedDot;
}
// The position `dots` dots from now: not beyond the picture's end, nor with a delay under way.
template <class S>
u32 position_then(S s, u32 now, u32 dots) {
  const u32 then = now + dots;
  return then + (then >= kSkippedDot && will_skip_dot(s, now));
}

// The flag that follows a cause by a dot. False where only going there tells; `until` is lowered to the last position
// at which the flag is still down.
constexpr bool foresee_flag(const line_detail::Forecast& cause, u32 then, bool& flag, u32& until) {
  if (then <= cause.position) {
    if (cause.position < until) until = cause.position;
    return true;
  }
  flag = true;
  return cause.certain;
}

// What a read finds `dots` dots from now, in the picture that the PPU is in or that comes next. False where only going
// there tells.
template <class S>
__attribute__((noinline)) bool foresee_status(S s, u32 dots) {
  const u32 line = s.ppu_scanline(), dot = s.ppu_dot();
  if (line == 240 || (line == kVblankLine && dot < 2) || s.ppu_vblank() || delay_pending(s)) return false;
  const u32 now = line_detail::position_of(line, dot), then = position_then(s, now, dots);
  u32 until = line_detail::kPictureEnd - 1;
  if (then > until) return false;
  bool hit = s.ppu_sprite_zero_hit(), overflow = s.ppu_sprite_overflow();
  if (now < kClearing && then < kClearing) {
    until = kClearing - 1;
  } else {
    if (now < kClearing) hit = overflow = false;
    if (rendering_enabled(s)) {
      if (!hit && !foresee_flag(line_detail::hit_forecast(s), then, hit, until)) return false;
      if (!overflow && !foresee_flag(line_detail::overflow_forecast(s), then, overflow, until)) return false;
    }
  }
  const u32 steady_dots = until - now - (until >= kSkippedDot && will_skip_dot(s, now));
  keep_status(s, static_cast<u8>(hit << 6 | overflow << 5), steady_dots);
  return true;
}

}  // namespace event_detail

// The first cycle after `cycle` in which a read of $2002 could find other flags than one in `cycle` did, or do more
// than read. It holds until a register is accessed but for $2002.
template <class S>
__attribute__((noinline)) u32 ppu_status_steady_until(S s, u32 cycle) {
  if (since(s.lazy_ppu_steady_until(), cycle) > 0) return s.lazy_ppu_steady_until();
  if (s.ppu_vblank() || s.ppu_oam_corrupt() || s.lazy_ppu_vblank_taken_at() == cycle) return cycle + 1;
  const u32 at = dot_of_frame(s.ppu_scanline(), s.ppu_dot());
  u32 dots = flags_steady_dots(s);
  if (at < kFrameEndAt) {
    if (kFrameEndAt - 1 - at < dots) dots = kFrameEndAt - 1 - at;
  } else if (at < kVblankAt) {
    return cycle + 1;
  } else if (event_detail::dots_to_next_frame_end(s, at) - 1 < dots) {
    dots = event_detail::dots_to_next_frame_end(s, at) - 1;
  }
  event_detail::keep_status(s, status_flags(s), dots);
  if (since(s.lazy_ppu_steady_until(), cycle) <= 0) s.lazy_ppu_steady_until() = cycle + 1;
  return s.lazy_ppu_steady_until();
}

}  // namespace nesproof::core
