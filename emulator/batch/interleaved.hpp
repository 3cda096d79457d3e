// Consoles in the GPU's layout, a tile run by the GPU's schedule: the lanes of a tile are the lanes of a warp, those
// beyond the last console are never there.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "batch/laid_out.hpp"
#include "core/schedule.hpp"

namespace nesproof::batch {

template <class Board>
class InterleavedConsoles final : public LaidOut<TilePlaces, Board> {
  using Base = LaidOut<TilePlaces, Board>;
  using Lane = core::Lane<typename Base::System>;

 public:
  using Base::Base;

  void run(std::span<const Piece> pieces, Buttons buttons) override {
    const std::size_t tiles = (this->count() + core::kLanes - 1) / core::kLanes;
    this->pool().run(tiles, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t tile = begin; tile < end; ++tile) {
        for (const Piece& piece : pieces) run_piece(tile * core::kLanes, piece, buttons);
      }
    });
  }

 private:
  void run_piece(std::size_t first, const Piece& piece, const Buttons& buttons) {
    const std::size_t lanes = std::min<std::size_t>(core::kLanes, this->count() - first);
    for (std::size_t lane = 0; lane < lanes; ++lane) this->prepare(first + lane, piece);
    run_warp(first, lanes, piece, buttons);
    for (std::size_t lane = 0; lane < lanes; ++lane) this->finish(first + lane, piece);
  }

  void run_warp(std::size_t first, std::size_t count, const Piece& piece, const Buttons& buttons) {
    std::vector<Lane> lanes;
    lanes.reserve(count);
    for (std::size_t console = first; console < first + count; ++console) {
      lanes.emplace_back(this->system(console), buttons.of(console, piece.first), buttons.frame_stride,
                         static_cast<core::u32>(piece.frames));
    }
    core::HostWarp<Lane> warp(lanes.data(), static_cast<core::u32>(count));
    core::run_warp<core::SmallestKeyFirst>(warp);
    for (Lane& lane : lanes) lane.end();
  }
};

}  // namespace nesproof::batch
