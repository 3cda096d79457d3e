// Which kind of board a mapper number is: one program is compiled for each kind.
#pragma once

#include "core/types.hpp"

namespace nesproof::core {

enum class BoardKind : u8 {
  Unsupported,
  Nrom,    // nothing moves
  Banked,  // registers move windows
  Mmc3,    // and A12 clocks an IRQ
};

constexpr BoardKind board_kind(u16 mapper) {
  switch (mapper) {
    case 0: return BoardKind::Nrom;
    case 1:
    case 2:
    case 3:
    case 7:
    case 11:
    case 34:
    case 66:
    case 71: return BoardKind::Banked;
    case 4: return BoardKind::Mmc3;
    default: return BoardKind::Unsupported;
  }
}

}  // namespace nesproof::core
