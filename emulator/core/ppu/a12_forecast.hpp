// When a board that counts rises of the PPU's A12 could raise its IRQ: https://www.nesdev.org/wiki/MMC3#IRQ_Specifics
//
// The forecast is never too late. Mostly it is exact; else it is the first dot that could be the one, and it is asked
// for again there. It holds until the CPU writes to the board, to PPUCTRL, PPUMASK, OAM, OAMADDR or $2006, or accesses
// $2007.
#pragma once

#include "core/ppu/a12_jump.hpp"
#include "core/ppu/events.hpp"

namespace nesproof::core {

namespace a12_detail {

inline constexpr u32 kFarAway = u32{1} << 30;  // cycles
inline constexpr u32 kLongestDelay = kDataDots;

// The search through the picture for the clock that raises the IRQ.
template <class S>
class Search {
 public:
  Search(S s, u32 clocks) : s_(s), left_(clocks), level_(level_now(s)) {}

  // Its time, or an earlier one from which on more is known. Rendering is on, the line a rendered one, and no delay is
  // under way.
  u32 run() {
    const u32 line = s_.ppu_scanline(), dot = s_.ppu_dot(), now = s_.lazy_ppu_time();
    const bool tall = has_tall_sprites(control_);
    u32 units = units_of_small_sprites(control_);
    if (tall && !find_units(line, dot, units)) {
      // Up to the dot from which on secondary OAM says it, or through the sprite fetches one by one.
      if (dot < 256 && passes(slots_of(control_, 0), dot + 1, 256, now + 1)) return found_at_;
      return now + (dot < 256 ? 256 - dot : 1);
    }
    const bool skips = line == kPreRenderLine && s_.ppu_odd_frame() && dot < 340;
    const u32 last = skips ? 339 : 340;
    if (passes(slots_of(control_, units), dot + 1, last, now + 1)) return found_at_;
    const u32 next = line == kPreRenderLine ? 0 : line + 1, next_at = now + last + 1 - dot;
    if (!tall) return in_lines_of_small_sprites(next, next_at);
    // A row of OAM that changes with the line, or a search that does not begin at OAM 0.
    if (s_.ppu_oam_corrupt() || (dot >= 320 && s_.ppu_oam_address() != 0)) return next_at;
    return in_lines_of_tall_sprites(next, next_at);
  }

  static u32 until_pre_render(u32 line, u32 at) { return at + (kPreRenderLine - line) * kDotsPerLine; }

 private:
  // Takes the stretch's clocks; true if the one is among them.
  bool passes(u64 slots, u32 from, u32 to, u32 at) {
    const Clocks clocks = pass_dots(s_, level_, slots, from, to, at);
    if (clocks.first && --left_ == 0) {
      found_at_ = at;
      return true;
    }
    return takes(clocks.slots, at - from);
  }
  // Of a line whose dot 0 has the time `line_at`.
  bool takes(u64 clocks, u32 line_at) {
    for (; clocks != 0; clocks &= clocks - 1) {
      if (--left_ != 0) continue;
      found_at_ = line_at + rise_of(draw_detail::first_of(clocks));
      return true;
    }
    return false;
  }

  // The units of the line that the PPU is in, with sprites of 8x16; false where they cannot be told.
  bool find_units(u32 line, u32 dot, u32& units) {
    if (line == kPreRenderLine || dot >= 256) {
      pay_owed_dots(s_);
      units = units_from_secondary_oam(s_);
      return reads_back_in_step(s_, dot);
    }
    if (!search_is_undisturbed(s_, dot)) return false;
    units = units_from_oam(s_, line);
    return true;
  }

  u32 in_lines_of_small_sprites(u32 line, u32 at) {
    const u64 slots = slots_of(control_, units_of_small_sprites(control_));
    if (line == kDrawnLines) return behind_picture(at);
    if (passes(slots, 0, kDotsPerLine - 1, at)) return found_at_;
    ++line, at += kDotsPerLine;
    const u64 clocks = clocks_of_line(slots);  // one at the most
    if (clocks == 0 || line + left_ > kDrawnLines) {
      const u32 lines = kDrawnLines - line;
      if (clocks != 0) left_ -= lines;
      return behind_picture(at + lines * kDotsPerLine);
    }
    return at + (left_ - 1) * kDotsPerLine + rise_of(draw_detail::first_of(clocks));
  }

  u32 in_lines_of_tall_sprites(u32 line, u32 at) {
    if (line == kDrawnLines) return behind_picture(at);
    if (passes(slots_of_tall_sprites(line), 0, kDotsPerLine - 1, at)) return found_at_;
    const LineClocks clocks = clocks_of_lines_of_tall_sprites(s_);
    for (++line, at += kDotsPerLine; line < kDrawnLines; ++line, at += kDotsPerLine) {
      const u32 here = clocks.of_line(line);
      if (here >= left_) {
        takes(clocks_of_line(slots_of_tall_sprites(line)), at);
        return found_at_;
      }
      left_ -= here;
    }
    return behind_picture(at);
  }
  u64 slots_of_tall_sprites(u32 line) const { return slots_of(control_, units_from_oam(s_, line)); }

  // From dot 0 of line 240 on. In its dot 1 the bus shows v, which the pipeline has moved.
  u32 behind_picture(u32 at) const { return left_ == 1 ? at + 1 : until_pre_render(kDrawnLines, at); }

  S s_;
  u32 left_;  // clocks up to the one
  Level level_;
  u8 control_ = s_.ppu_control();
  u32 found_at_ = 0;
};

// In which dot the IRQ could be raised that takes `clocks` clocks; now, for never.
template <class S>
u32 next_irq_time(S s, u32 clocks) {
  const u32 line = s.ppu_scanline(), now = s.lazy_ppu_time();
  const bool delayed = (s.ppu_mask_delay() | s.ppu_address_delay() | s.ppu_data_delay()) != 0;
  const bool idle = !is_rendered_line(line);
  const u32 pre_render = Search<S>::until_pre_render(line, now - s.ppu_dot());
  // What is under way, or the picture's end, brings one clock at the most.
  if (delayed || (line == kDrawnLines && s.ppu_dot() == 0)) {
    if (clocks == 1) return now + 1;
    if (!idle || now + kLongestDelay - pre_render < kLongestDelay) return now + kLongestDelay;
  }
  const u8 mask = delayed ? s.ppu_mask() : s.ppu_pipeline_mask();
  if (mask & kMaskRendering) return idle ? pre_render : Search<S>(s, clocks).run();
  // The bus shows v; if it does not, it will by the picture's end.
  const bool will_rise = !s.lazy_board_a12() && (s.ppu_v() & 0x1000) != 0;
  if (!will_rise) return now;
  return line <= kDrawnLines ? now - s.ppu_dot() + (kDrawnLines - line) * kDotsPerLine + 1 : now + kDotsPerLine;
}

}  // namespace a12_detail

// In no cycle before does the board raise its IRQ by itself. `now` as for the board's next_event.
template <class S>
__attribute__((noinline)) u32 next_a12_irq(S s, u32 now) {
  const u32 clocks = S::Board::clocks_to_irq(s);
  if (clocks == 0) return now + a12_detail::kFarAway;
  const u32 at = a12_detail::next_irq_time(s, clocks);
  // It is seen when M2 falls next.
  return at == s.lazy_ppu_time() ? now + a12_detail::kFarAway : event_detail::cycle_of(s, at + 1);
}

}  // namespace nesproof::core
