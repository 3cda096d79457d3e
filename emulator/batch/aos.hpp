// Consoles of which each lies together: what the CPU batch steps, one after the other on each thread.
#pragma once

#include "batch/laid_out.hpp"

namespace nesproof::batch {

template <class Board>
class AosConsoles final : public LaidOut<AosPlaces, Board> {
 public:
  using LaidOut<AosPlaces, Board>::LaidOut;

  void run(std::span<const Piece> pieces, Buttons buttons) override {
    this->pool().run(this->count(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t console = begin; console < end; ++console) {
        for (const Piece& piece : pieces) run_piece(console, piece, buttons);
      }
    });
  }

 private:
  void run_piece(std::size_t console, const Piece& piece, const Buttons& buttons) {
    const core::u8* const rows = buttons.of(console, piece.first);
    const auto frames = static_cast<core::u32>(piece.frames);
    this->prepare(console, piece);
    core::run(this->system(console), rows, buttons.frame_stride, frames);
    this->finish(console, piece);
  }
};

}  // namespace nesproof::batch
