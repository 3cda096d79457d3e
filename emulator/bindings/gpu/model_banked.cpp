#include "bindings/gpu/model_boards.hpp"
#include "core/board/banked.hpp"

namespace nesproof::bindings {

gpu::model::Counts count_banked_warps(const std::string& schedule, const core::Cartridge& cartridge,
                                      const gpu::model::Consoles& consoles, std::uint32_t frames_at_once) {
  return count_warps_of<core::Banked>(schedule, cartridge, consoles, frames_at_once);
}

}  // namespace nesproof::bindings
