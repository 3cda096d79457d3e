// The warp model over each kind of board, in a file of its own: a console's whole program is a template over it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "gpu/model/run.hpp"

namespace nesproof::bindings {

using CountWarps = gpu::model::Counts(const std::string& schedule, const core::Cartridge& cartridge,
                                      const gpu::model::Consoles& consoles, std::uint32_t frames_at_once);

// As the kinds of board of batch/boards.hpp. Each throws std::invalid_argument for a schedule that is none.
CountWarps count_nrom_warps, count_banked_warps, count_mmc3_warps;

template <class Board>
gpu::model::Counts count_warps_of(const std::string& schedule, const core::Cartridge& cartridge,
                                  const gpu::model::Consoles& consoles, std::uint32_t frames_at_once) {
  if (schedule == "smallest-key") {
    return gpu::model::run<core::SmallestKeyFirst, Board>(cartridge, consoles, frames_at_once);
  }
  if (schedule == "largest-group") {
    return gpu::model::run<core::LargestGroupFirst, Board>(cartridge, consoles, frames_at_once);
  }
  if (schedule == "free-running") {
    return gpu::model::run<core::FreeRunning, Board>(cartridge, consoles, frames_at_once);
  }
  throw std::invalid_argument("there is no schedule " + schedule);
}

}  // namespace nesproof::bindings
