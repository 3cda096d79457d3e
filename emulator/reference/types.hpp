// The integer types of the reference console. Names state the width, as in the hardware manuals' registers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nesproof::reference {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;

}  // namespace nesproof::reference
