// Which dot does what: https://www.nesdev.org/wiki/PPU_rendering
//
//   dot        visible lines 0-239                          pre-render line 261
//   0          a pattern address that nobody reads          the address pins still show v
//   1          first pixel                                  sprite flags are cleared (2: vblank, for the CPU)
//   1-256      tile fetches, 8 dots each; pixels; sprite    tile fetches
//              evaluation
//   256        v moves down                                 v moves down
//   257        v takes x from t                             v takes x from t
//   257-320    sprite fetches, 8 dots each; OAMADDR is 0    the same
//   280-304                                                 v takes y from t
//   321-336    the next line's first two tiles              the same
//   337-340    two fetches that nobody uses                 the same; 340 is skipped in odd frames
//   339        sprite units begin to count                  the same
//
// Lines 240-260 idle, but for the end of the frame at 241, 1 and the vblank flag. All of it needs rendering to be on,
// except the flags, the drawing of the backdrop, and the counters of the sprite units. Where nothing is rendered, the
// address pins show v; from the picture's end they do from line 240, dot 1.
#pragma once

#include <utility>

#include "faults/hooks.hpp"
#include "reference/ppu/ppu.hpp"

namespace nesproof::reference {

// --- Dot 0 of a line with rendering on
inline void Ppu::line_start_dot() {
  if (sprites_.corrupt) sprites_.take_over_row_zero();
  if (scanline_ != kPreRenderLine) put_address(background_pattern_address());  // nobody reads there
}

// --- Dots 1-256 of lines 0-239 with rendering on; `kPhase` is the dot modulo 8
template <unsigned kPhase, bool kEvaluating>
void Ppu::tile_dot() {
  constexpr bool kOdd = kPhase & 1;
  if constexpr (!kEvaluating) {
    kOdd ? sprites_.clear_bus() : sprites_.clear_byte();
  } else if constexpr (kOdd) {
    if (kPhase == 1 && dot_ == 65) sprites_.start();
    sprites_.read_oam();
  } else if (sprites_.evaluate(scanline_, control_.sprite_height(), kPhase == 2 && dot_ == 66)) {
    delay_dots_[kOverflowDelay] = kOverflowDots;
  }

  if (kPhase != 1 || dot_ != 1) background_.shift();
  if (kPhase == 1 && dot_ != 1) background_.load();
  draw_pixel();
  if (kPhase == 1 && dot_ == 1) units_.step_restart();
  fetch_background(kPhase);
}

// --- Dots 257-320 of a line with rendering on; `kPhase` counts 0 to 7 within a sprite
template <unsigned kPhase>
void Ppu::sprite_dot() {
  if (kPhase == 0 && dot_ == 257) {
    background_.shift();
    background_.load();
    sprites_.secondary_address = 0;
    units_.zero_on_line = sprites_.zero_found;
  }
  fetch_sprite(kPhase);
  if (kPhase == 0 && dot_ == 257) scroll_.copy_x();  // the address of this dot is still the old one
}

// --- Dots 321-336 of a line with rendering on; `kPhase` is the dot modulo 8
template <unsigned kPhase>
void Ppu::prefetch_dot() {
  if (kPhase == 1 && dot_ == 321) {
    sprites_.finish_line();
  } else {
    background_.shift();
    if (kPhase == 1) background_.load();
  }
  fetch_background(kPhase);
}

// --- Dots 337-340 of a line with rendering on
inline void Ppu::idle_fetch_dot() {
  if (dot_ == 337) {
    background_.shift();
    background_.load();
  }
  if (dot_ & 1) {
    put_address(scroll_.nametable_address());
  } else {
    background_.next_tile = fetch(scroll_.nametable_address());
  }
  if (dot_ == 339) units_.request_restart();
}

// What each dot of a visible line does with rendering on.
struct Ppu::Chart {
  using Dot = void (*)(Ppu&);
  std::array<Dot, kDots> dots{};

  template <auto kDot>
  static void call(Ppu& ppu) {
    (ppu.*kDot)();
  }
  template <unsigned kPhase>
  constexpr void set_phase() {
    for (unsigned dot = 1; dot <= 336; ++dot) {
      if (dot % 8 == kPhase && dot <= 64) dots[dot] = call<&Ppu::tile_dot<kPhase, false>>;
      if (dot % 8 == kPhase && dot > 64 && dot <= 256) dots[dot] = call<&Ppu::tile_dot<kPhase, true>>;
      if (dot % 8 == (kPhase + 1) % 8 && dot > 256 && dot <= 320) dots[dot] = call<&Ppu::sprite_dot<kPhase>>;
      if (dot % 8 == kPhase && dot > 320) dots[dot] = call<&Ppu::prefetch_dot<kPhase>>;
    }
  }
  constexpr Chart() {
    dots.fill(call<&Ppu::idle_fetch_dot>);
    dots[0] = call<&Ppu::line_start_dot>;
    [this]<unsigned... kPhases>(std::integer_sequence<unsigned, kPhases...>) {
      (set_phase<kPhases>(), ...);
    }(std::make_integer_sequence<unsigned, 8>{});
  }
};
inline constexpr Ppu::Chart Ppu::kVisibleLine;

// --- Line 261
inline void Ppu::pre_render_dot() {
  if (dot_ == 1) {
    status_.sprite_zero_hit = false;
    status_.sprite_overflow = false;
    warming_up_ = false;
  } else if (dot_ == 2) {
    status_.vblank = false;
  }
  if (!rendering_) return;
  if (dot_ == 0 || dot_ > 256) {
    kVisibleLine.dots[dot_](*this);
    if (dot_ >= 280 && dot_ <= 304) scroll_.copy_y();
    return;
  }
  if (dot_ != 1) background_.shift();
  if (dot_ % 8 == 1 && dot_ != 1) background_.load();
  fetch_background(dot_ % 8);
}

// --- Lines 0-239 with rendering off
inline void Ppu::forced_blank_dot() {
  if (dot_ - 1u >= 256u) return;
  draw_backdrop();
  units_.pass_pixel();
  if (dot_ == 1) units_.step_restart();
}

// --- Line 240
inline void Ppu::post_render_dot() {
  if (dot_ == 1) put_address(scroll_.v & 0x3FFF);
}

// --- Line 241
inline void Ppu::vblank_dot() {
  if (dot_ == 1) {
    enter_frame_end();
  } else if (dot_ == 2) {
    NESPROOF_FAULT(vblank_a_dot_late, return);
    status_.vblank = !vblank_suppressed_;
    vblank_suppressed_ = false;
  }
  NESPROOF_FAULT(vblank_a_dot_late, if (dot_ == 3) status_.vblank = !std::exchange(vblank_suppressed_, false));
}

inline void Ppu::tick() {
  if (++dot_ >= kDots - 1) end_line();
  if (std::bit_cast<u64>(delay_dots_) != 0) step_delays();

  if (scanline_ < kHeight) {
    rendering_ ? kVisibleLine.dots[dot_](*this) : forced_blank_dot();
  } else if (scanline_ == kPreRenderLine) {
    pre_render_dot();
  } else if (scanline_ == kVblankLine) {
    vblank_dot();
  } else if (scanline_ == kHeight) {
    post_render_dot();
  }
}

}  // namespace nesproof::reference
