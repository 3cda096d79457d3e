// Which board a mapper number names.
#include <stdexcept>
#include <string>
#include <utility>

#include "reference/board/axrom.hpp"
#include "reference/board/bnrom.hpp"
#include "reference/board/camerica.hpp"
#include "reference/board/cnrom.hpp"
#include "reference/board/color_dreams.hpp"
#include "reference/board/gxrom.hpp"
#include "reference/board/mmc1.hpp"
#include "reference/board/mmc3.hpp"
#include "reference/board/nina001.hpp"
#include "reference/board/nrom.hpp"
#include "reference/board/uxrom.hpp"

namespace nesproof::reference {

namespace {

// Mapper 34 is two boards. Where the submapper does not say which, CHR-ROM that needs a register does.
bool is_nina001(const CartridgeImage& image) {
  constexpr std::size_t kWithoutRegister = 8192;
  return image.submapper == 1 || (image.submapper != 2 && image.chr_rom.size() > kWithoutRegister);
}

}  // namespace

std::unique_ptr<Board> make_board(CartridgeImage image) {
  switch (image.mapper) {
    case 0: return std::make_unique<Nrom>(std::move(image));
    case 1: return std::make_unique<Mmc1>(std::move(image));
    case 2: return std::make_unique<UxRom>(std::move(image));
    case 3: return std::make_unique<CnRom>(std::move(image));
    case 4: return std::make_unique<Mmc3>(std::move(image));
    case 7: return std::make_unique<AxRom>(std::move(image));
    case 11: return std::make_unique<ColorDreams>(std::move(image));
    case 34:
      if (is_nina001(image)) return std::make_unique<Nina001>(std::move(image));
      return std::make_unique<BnRom>(std::move(image));
    case 66: return std::make_unique<GxRom>(std::move(image));
    case 71: return std::make_unique<Camerica>(std::move(image));
    default:
      throw std::invalid_argument("mapper " + std::to_string(image.mapper) +
                                  " is not supported by this console; it supports mappers 0 (NROM), 1 (MMC1), "
                                  "2 (UxROM), 3 (CNROM), 4 (MMC3), 7 (AxROM), 11 (Color Dreams), 34 (BNROM, NINA-001), "
                                  "66 (GxROM) and 71 (Camerica)");
  }
}

}  // namespace nesproof::reference
