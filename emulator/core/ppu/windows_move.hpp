// What the PPU does before windows of CHR or nametables move: everything that follows from where they stand is made.
#pragma once

#include "core/board/windows.hpp"
#include "core/ppu/advance.hpp"

namespace nesproof::core {

// In the access of cycle `cycle`.
template <class S>
__attribute__((noinline)) void picture_windows_will_move(S s, u32 cycle) {
  ppu_catch_up(s, access_time(cycle), CatchUp::RegisterWrite);
  windows_will_move(s);
  pay_owed_dots(s);
  hit_prediction_void(s);
  s.lazy_ppu_steady_until() = cycle;
}

}  // namespace nesproof::core
