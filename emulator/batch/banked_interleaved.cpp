#include "batch/boards.hpp"
#include "batch/interleaved.hpp"
#include "core/board/banked.hpp"

namespace nesproof::batch {

std::unique_ptr<Consoles> make_banked_interleaved(std::shared_ptr<const HostCartridge> cartridge, std::size_t count,
                                                  std::shared_ptr<ThreadPool> pool) {
  return std::make_unique<InterleavedConsoles<core::Banked>>(std::move(cartridge), count, std::move(pool));
}

}  // namespace nesproof::batch
