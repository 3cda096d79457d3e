#include "batch/consoles.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "batch/boards.hpp"

namespace nesproof::batch {

std::unique_ptr<Consoles> make_consoles(std::shared_ptr<const HostCartridge> cartridge, std::size_t count,
                                        Layout layout, std::shared_ptr<ThreadPool> pool) {
  const bool interleaved = layout == Layout::Interleaved;
  switch (const unsigned mapper = cartridge->view().mapper) {
    case 0: return (interleaved ? make_nrom_interleaved : make_nrom_aos)(std::move(cartridge), count, std::move(pool));
    default:
      throw std::invalid_argument("mapper " + std::to_string(mapper) +
                                  " is not supported by this console; it supports mapper 0 (NROM)");
  }
}

}  // namespace nesproof::batch
