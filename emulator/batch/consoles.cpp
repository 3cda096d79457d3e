#include "batch/consoles.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "batch/boards.hpp"
#include "core/board/kinds.hpp"

namespace nesproof::batch {

namespace {

struct Makers {
  MakeConsoles *aos, *interleaved;
};

Makers makers_of(std::uint16_t mapper) {
  switch (core::board_kind(mapper)) {
    case core::BoardKind::Nrom: return {make_nrom_aos, make_nrom_interleaved};
    case core::BoardKind::Banked: return {make_banked_aos, make_banked_interleaved};
    case core::BoardKind::Mmc3: return {make_mmc3_aos, make_mmc3_interleaved};
    default:
      throw std::invalid_argument("mapper " + std::to_string(mapper) +
                                  " is not supported by this console; it supports 0, 1, 2, 3, 4, 7, 11, 34, 66 and 71");
  }
}

}  // namespace

std::unique_ptr<Consoles> make_consoles(std::shared_ptr<const HostCartridge> cartridge, std::size_t count,
                                        Layout layout, std::shared_ptr<ThreadPool> pool) {
  const Makers makers = makers_of(cartridge->view().mapper);
  return (layout == Layout::Interleaved ? makers.interleaved : makers.aos)(std::move(cartridge), count,
                                                                           std::move(pool));
}

}  // namespace nesproof::batch
