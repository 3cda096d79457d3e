// Effects that arrive some dots after the access or the pixel that caused them (registers.hpp has how many).
#pragma once

#include "core/ppu/data_port.hpp"
#include "core/ppu/sprite_evaluation.hpp"

namespace nesproof::core {

template <class S>
bool delay_pending(S s) {
  return (s.ppu_mask_delay() | s.ppu_address_delay() | s.ppu_data_delay() | s.ppu_hit_delay() |
          s.ppu_overflow_delay()) != 0;
}

// The pipeline has PPUMASK.
template <class S>
void apply_mask(S s) {
  const bool rendered_line = is_rendered_line(s.ppu_scanline());
  const bool was_on = rendering_enabled(s), is_on = s.ppu_mask() & kMaskRendering;
  was_on != is_on ? disturb_evaluation(s) : disturb(s, kNoPrefetchDot);
  predictions_void(s);
  s.ppu_pipeline_mask() = s.ppu_mask();
  if (!rendered_line || was_on == is_on) return;
  if (was_on) {
    lose_oam_charge(s);
    put_address(s, s.ppu_v() & 0x3FFF);
  } else if (s.ppu_dot() != 0) {
    s.ppu_oam_corrupt() = 0;
  }
}

template <class S>
void apply_address(S s, bool rendering) {
  disturb(s, kFirstPrefetchDot);
  hit_prediction_void(s);
  s.ppu_v() = s.ppu_t();
  if (!rendering) put_address(s, s.ppu_v() & 0x3FFF);
}

// One dot's share, before the dot does anything else; the position is the new one.
template <class S>
__attribute__((noinline)) void step_delays(S s) {
  if (s.ppu_mask_delay() != 0 && --s.ppu_mask_delay() == 0) apply_mask(s);
  const bool rendering = rendering_enabled(s) && is_rendered_line(s.ppu_scanline());
  if (s.ppu_address_delay() != 0 && --s.ppu_address_delay() == 0) apply_address(s, rendering);
  if (s.ppu_data_delay() != 0) step_data_access(s, rendering);
  if (s.ppu_hit_delay() != 0 && --s.ppu_hit_delay() == 0) s.ppu_sprite_zero_hit() = 1;
  if (s.ppu_overflow_delay() != 0 && --s.ppu_overflow_delay() == 0) s.ppu_sprite_overflow() = 1;
}

// `dots` dots at once in which nothing is rendered, neither before nor after, and no flag is on its way. Of two
// effects that arrive in the same dot the address is first.
template <class S>
void pass_delays_idle(S s, u32 dots) {
  if ((s.ppu_mask_delay() | s.ppu_address_delay()) == 0 && s.ppu_data_delay() <= dots) {
    return finish_data_access_idle(s);  // mostly
  }
  const auto pass = [dots](u8& delay) {
    const bool arrives = delay != 0 && delay <= dots;
    delay = static_cast<u8>(delay <= dots ? 0 : delay - dots);
    return arrives;
  };
  const bool data_first = s.ppu_data_delay() < s.ppu_address_delay();
  if (pass(s.ppu_mask_delay())) {
    disturb(s, kNoPrefetchDot);
    predictions_void(s);
    s.ppu_pipeline_mask() = s.ppu_mask();
  }
  const bool address = pass(s.ppu_address_delay()), data = pass(s.ppu_data_delay());
  if (data && data_first) finish_data_access_idle(s);
  if (address) apply_address(s, false);
  if (data && !data_first) finish_data_access_idle(s);
  if (s.ppu_data_delay() == 1) s.ppu_data_collides() = 0;
}

// The same with `dots` dots from time `begun` on, for a board that sees when an effect arrives.
template <class S>
__attribute__((noinline)) void pass_delays_watched(S s, u32 dots, u32 begun) {
  const u32 time = s.lazy_ppu_time();
  while (dots != 0 && delay_pending(s)) {
    u32 piece = dots;
    const u8 delays[] = {s.ppu_mask_delay(), s.ppu_address_delay(), s.ppu_data_delay()};
    for (const u8 delay : delays) piece = delay != 0 && delay < piece ? delay : piece;
    begun += piece;
    s.lazy_ppu_time() = begun;
    pass_delays_idle(s, piece);
    dots -= piece;
  }
  s.lazy_ppu_time() = time;
}

}  // namespace nesproof::core
