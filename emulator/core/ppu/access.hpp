// The CPU's reads and writes of $2000-$2007: https://www.nesdev.org/wiki/PPU_registers
#pragma once

#include "core/ppu/advance.hpp"
#include "core/ppu/events.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

namespace access_detail {

// A read in the dot before the vblank flag rises finds it down and keeps it down for the whole frame.
template <class S>
u8 read_status(S s, u32 cycle) {
  drive_open_bus_status(s, status_flags(s));
  if (s.ppu_scanline() == kVblankLine && s.ppu_dot() == 1) s.ppu_vblank_suppressed() = 1;
  NESPROOF_FAULT(vblank_never_suppressed, s.ppu_vblank_suppressed() = 0);
  if (s.ppu_vblank()) s.lazy_ppu_vblank_taken_at() = cycle;
  s.ppu_vblank() = 0;
  s.ppu_w() = 0;
  return s.ppu_open_bus();
}

// The same where the flags are known and vblank is down, wherever the PPU is.
template <class S>
u8 read_foreseen_status(S s) {
  drive_open_bus_status(s, s.lazy_ppu_steady_flags());
  s.ppu_w() = 0;
  return s.ppu_open_bus();
}

// While rendering, the pipeline has the data bus of OAM, but in the dots of the pre-render line that evaluate nothing.
template <class S>
u8 read_oam(S s) {
  pay_owed_dots(s);
  const u32 dot = s.ppu_dot();
  const bool evaluates_nothing = s.ppu_scanline() == kPreRenderLine && dot >= 1 && dot <= 256;
  const u8 value = renders_now(s) && !evaluates_nothing ? s.ppu_oam_data_bus() : s.ppu_oam(s.ppu_oam_address());
  drive_open_bus(s, value);
  return value;
}

template <class S>
u8 read_data(S s) {
  pay_owed_dots(s);
  const u16 v = s.ppu_v();
  if (is_palette(v)) {
    drive_open_bus_colour(s, s.ppu_palette(v & 0x1F) & colour_mask(s.ppu_mask()));
  } else {
    NESPROOF_FAULT(read_buffer_bypassed, s.ppu_read_buffer() = s.video(v & 0x3FFF));
    drive_open_bus(s, s.ppu_read_buffer());
  }
  const u8 value = s.ppu_open_bus();
  if (s.ppu_data_delay() != 0) finish_data_access(s, renders_now(s));
  s.ppu_data_is_write() = 0;
  s.ppu_data_delay() = kDataDots;
  return value;
}

template <class S>
void write_data(S s, u8 value) {
  pay_owed_dots(s);
  if (s.ppu_data_delay() != 0) finish_data_access(s, renders_now(s));
  s.ppu_data_written() = value;
  s.ppu_data_is_write() = 1;
  s.ppu_data_delay() = kDataDots;
}

template <class S>
void write_control(S s, u8 value) {
  const u8 changed = s.ppu_control() ^ value;
  if (changed & (kControlSpriteTable | kControlTallSprites | kControlBackgroundTable)) pay_owed_dots(s);
  if (changed & (kControlSpriteTable | kControlTallSprites)) {
    disturb(s, kFirstEvaluationDot);
  } else if (changed & kControlBackgroundTable) {
    disturb(s, kFirstPrefetchDot);
  }
  changed& kControlTallSprites ? predictions_void(s) : hit_prediction_void(s);
  s.ppu_control() = value;
  s.ppu_t() = static_cast<u16>((s.ppu_t() & 0x73FF) | (value & 3) << 10);
}

template <class S>
void write_scroll(S s, u8 value) {
  u16& t = s.ppu_t();
  hit_prediction_void(s);
  if (s.ppu_w()) {
    t = static_cast<u16>((t & 0x0C1F) | (value & 0x07) << 12 | (value & 0xF8) << 2);
  } else {
    t = static_cast<u16>((t & 0x7FE0) | value >> 3);
    const u8 fine_x = value & 7;
    if (fine_x != s.ppu_fine_x()) fine_x_will_change(s, fine_x);
    s.ppu_fine_x() = fine_x;
  }
  s.ppu_w() ^= 1;
}

template <class S>
void write_address(S s, u8 value) {
  u16& t = s.ppu_t();
  hit_prediction_void(s);
  if (s.ppu_w()) {
    t = static_cast<u16>((t & 0x7F00) | value);
    pay_owed_dots(s);
    s.ppu_address_delay() = kAddressDots;
  } else {
    t = static_cast<u16>((t & 0x00FF) | (value & 0x3F) << 8);
  }
  s.ppu_w() ^= 1;
}

// While rendering nothing is written, but OAMADDR moves to the next sprite.
template <class S>
void write_oam(S s, u8 value) {
  pay_owed_dots(s);
  predictions_void(s);
  if (renders_now(s)) {
    disturb_evaluation(s);
    s.ppu_oam_address() = static_cast<u8>((s.ppu_oam_address() + 4) & 0xFC);
  } else {
    memory_will_change(s);
    write_oam_byte(s, value);
  }
}

// An access, the PPU being where it finds it.
template <class S>
void take_write(S s, u32 reg, u8 value) {
  drive_open_bus(s, value);
  const bool ignored = s.ppu_warming_up();
  switch (reg & 7) {
    case 0:
      if (!ignored) write_control(s, value);
      return;
    case 1:
      if (ignored) return;
      disturb(s, kNoPrefetchDot);
      s.ppu_mask() = value;
      s.ppu_mask_delay() = kMaskDots;
      return;
    case 3:
      pay_owed_dots(s);
      disturb_evaluation(s);
      predictions_void(s);
      s.ppu_oam_address() = value;
      return;
    case 4: write_oam(s, value); return;
    case 5:
      if (!ignored) write_scroll(s, value);
      return;
    case 6:
      if (!ignored) write_address(s, value);
      return;
    case 7: write_data(s, value); return;
    default: return;  // $2002 takes nothing
  }
}

// Whether a write changes nothing but t, and fine x where nobody looks at it before the line is over.
template <class S>
bool changes_scroll_alone(S s, u32 reg, u8 value) {
  switch (reg) {
    case 0: return ((s.ppu_control() ^ value) & ~(kControlNmi | 0x43)) == 0;
    case 5: return true;
    case 6: return !s.ppu_w();
    default: return false;
  }
}

// Whether such a write may be done before the PPU has come to `at`: no dot from its time to there reads what changes. t
// is read at dot 257, on line 261 more often, and fine x by pixels and hits.
template <class S>
bool may_write_early(S s, u32 reg, u8 value, u32 at) {
  const u32 dots = at - s.lazy_ppu_time(), dot = s.ppu_dot();
  if (dots >= (dot < 257 ? 257 : kDotsPerLine + 257) - dot || s.ppu_scanline() >= kDrawnLines - 1) return false;
  if (reg != 5 || s.ppu_w() || (value & 7) == s.ppu_fine_x()) return true;
  if (s.log != nullptr) return false;
  return s.ppu_sprite_zero_hit() || (!s.ppu_unit_zero_on_line() && dot + dots < kDotsPerLine);
}

// As far as must be for a write at `at` that changes scroll alone: to the beginning of its line, or all the way.
template <class S>
void advance_for_scroll(S s, u32 reg, u8 value, u32 at) {
  if (may_write_early(s, reg, value, at)) return;
  const u32 now = line_detail::position_of(s.ppu_scanline(), s.ppu_dot()), dots = at - s.lazy_ppu_time();
  const u32 dot_then = (event_detail::position_then(s, now, dots) + 1) % kDotsPerLine;
  if (dot_then < dots && dot_then < 257 && s.ppu_mask_delay() == 0) {
    advance_ppu(s, at - dot_then);
    if (may_write_early(s, reg, value, at)) return;
  }
  advance_ppu(s, at);
}

template <class S>
__attribute__((noinline)) void write_beyond_quiet(S s, u32 reg, u8 value, u32 at) {
  if (changes_scroll_alone(s, reg, value) && s.ppu_address_delay() == 0 && !s.ppu_warming_up()) {
    advance_for_scroll(s, reg, value, at);
  } else {
    advance_ppu(s, at);
  }
  take_write(s, reg, value);
}

}  // namespace access_detail

template <class S>
void ppu_write(S s, u32 reg, u8 value, u32 cycle) {
  const u32 at = access_time(cycle);
  s.lazy_ppu_steady_until() = cycle;
  if (pass_quiet_dots(s, at)) {
    access_detail::take_write(s, reg, value);
  } else {
    access_detail::write_beyond_quiet(s, reg & 7, value, at);
  }
}

template <class S>
u8 ppu_read(S s, u32 reg, u32 cycle) {
  switch (reg & 7) {
    case 2: {
      const u32 at = access_time(cycle);
      if (since(s.lazy_ppu_steady_until(), cycle) > 0) return access_detail::read_foreseen_status(s);
      if (!pass_quiet_dots(s, at)) {
        if (event_detail::foresee_status(s, at - s.lazy_ppu_time())) return access_detail::read_foreseen_status(s);
        advance_ppu(s, at);
      }
      return access_detail::read_status(s, cycle);
    }
    case 4: ppu_catch_up(s, access_time(cycle), CatchUp::RegisterRead); return access_detail::read_oam(s);
    case 7:
      s.lazy_ppu_steady_until() = cycle;
      ppu_catch_up(s, access_time(cycle), CatchUp::RegisterRead);
      return access_detail::read_data(s);
    default:  // write-only registers drive nothing; but the bus ages
      ppu_catch_up(s, access_time(cycle), CatchUp::RegisterRead);
      return s.ppu_open_bus();
  }
}

// On a settled state, without side effects.
template <class S>
u8 ppu_peek(S s, u32 reg) {
  switch (reg & 7) {
    case 2: return static_cast<u8>(status_flags(s) | (s.ppu_open_bus() & 0x1F));
    case 4: return renders_now(s) ? s.ppu_oam_data_bus() : s.ppu_oam(s.ppu_oam_address());
    case 7: {
      const u16 v = s.ppu_v();
      if (!is_palette(v)) return s.ppu_read_buffer();
      return static_cast<u8>((s.ppu_palette(v & 0x1F) & colour_mask(s.ppu_mask())) | (s.ppu_open_bus() & 0xC0));
    }
    default: return s.ppu_open_bus();
  }
}

}  // namespace nesproof::core
