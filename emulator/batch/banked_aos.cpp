#include "batch/aos.hpp"
#include "batch/boards.hpp"
#include "core/board/banked.hpp"

namespace nesproof::batch {

std::unique_ptr<Consoles> make_banked_aos(std::shared_ptr<const HostCartridge> cartridge, std::size_t count,
                                          std::shared_ptr<ThreadPool> pool) {
  return std::make_unique<AosConsoles<core::Banked>>(std::move(cartridge), count, std::move(pool));
}

}  // namespace nesproof::batch
