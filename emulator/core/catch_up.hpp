// Why a chip that lags behind the CPU has to catch up.
#pragma once

#include "core/types.hpp"

namespace nesproof::core {

enum class CatchUp : u8 {
  Event,          // a cycle in which a line, a DMA request or the frame may change
  RegisterRead,   // the CPU reads a register of the chip
  RegisterWrite,  // the CPU writes one
  OamDma,         // 256 bytes go to OAM
  Settle,         // somebody looks at the state from outside
};

}  // namespace nesproof::core
