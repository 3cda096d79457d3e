// Consoles of which each lies together: what the CPU batch steps, one after the other on each thread.
#pragma once

#include "batch/laid_out.hpp"
#include "faults/hooks.hpp"

namespace nesproof::batch {

template <class Board>
class AosConsoles final : public LaidOut<AosPlaces, Board> {
 public:
  using LaidOut<AosPlaces, Board>::LaidOut;

  void run(std::span<const Piece> pieces, Buttons buttons) override {
    this->pool().run(this->count(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t console = begin; console < end; ++console) {
        if (console + 1 < end) fetch_ahead(console + 1);
        for (const Piece& piece : pieces) run_piece(console, piece, buttons);
      }
    });
  }

 private:
  // Consoles that no cache holds come while the one before runs: with thousands of them a sixth of the time.
  void fetch_ahead(std::size_t console) const {
    const Places places = this->places();
    const std::uint8_t* const state = places.base + console * places.console_bytes;
    for (std::size_t at = 0; at < core::kFixedBytes + std::size_t{2048}; at += 64) __builtin_prefetch(state + at, 1);
  }

  void run_piece(std::size_t console, const Piece& piece, const Buttons& buttons) {
    const core::u8* rows = buttons.of(console, piece.first);
    NESPROOF_FAULT(buttons_of_the_lane_before, rows = buttons.of(console == 0 ? 0 : console - 1, piece.first));
    const auto frames = static_cast<core::u32>(piece.frames);
    this->prepare(console, piece);
    core::run(this->system(console), rows, buttons.frame_stride, frames);
    this->finish(console, piece);
  }
};

}  // namespace nesproof::batch
