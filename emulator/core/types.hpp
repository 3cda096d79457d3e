// Integers of fixed size, without the standard library: g++ and NVRTC compile this folder unchanged.
#pragma once

namespace nesproof::core {

using u8 = unsigned char;
using i8 = signed char;
using u16 = unsigned short;
using i16 = short;
using u32 = unsigned int;
using i32 = int;
using u64 = unsigned long long;
using i64 = long long;

static_assert(sizeof(u8) == 1 && sizeof(u16) == 2 && sizeof(u32) == 4 && sizeof(u64) == 8);

// Times are counts modulo 2^32 (cycles or dots); `a` may lie before `b` by up to half of that.
constexpr i32 since(u32 later, u32 earlier) { return static_cast<i32>(later - earlier); }

}  // namespace nesproof::core
