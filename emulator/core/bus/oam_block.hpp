// OAM DMA in one go, where nothing comes in between. https://www.nesdev.org/wiki/DMA#OAM_DMA
//
// The halt cycle, one more where a put follows it, then 256 gets and puts. Nothing of it shows but 256 bytes in OAM and
// the time, as long as the source is memory and no event falls into it.
#pragma once

#include "core/bus/exact.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

// At a boundary with nothing but OAM DMA asked for and code in ROM: moves the bytes and the time; or, false, nothing
// that shows, provided that the exact machine's next unit follows. `deadline` as for the fast machine: a unit that
// starts before it meets no event.
template <class S>
bool move_oam_block(ExactMachine<S>& m, u32 deadline) {
  auto console = m.console;
  const u32 halt = m.now + 1;
  u32 first_get = apu_is_get(console, halt) ? halt + 2 : halt + 1;
  NESPROOF_FAULT(oam_dma_without_its_halt, first_get = apu_is_get(console, halt) ? halt : halt + 1);
  const u32 last_put = first_get + 511;
  const u32 from = static_cast<u32>(console.dma_oam_page()) << 8;
  if (since(deadline, last_put) <= 0) return false;
  bool moved = false;
  if (from < 0x2000) {
    const auto byte_at = [=](u32 k) { return console.bus_ram((from & 0x07FF) + k); };
    moved = ppu_write_oam_block(console, first_get + 1, byte_at);
  } else if (from >= 0x8000) {
    const auto byte_at = [=](u32 k) { return console.prg(static_cast<u16>(from + k)); };
    moved = ppu_write_oam_block(console, first_get + 1, byte_at);
  }
  if (!moved) return false;
  console.dma_oam_requested() = 0;
  m.now = last_put;
  return true;
}

}  // namespace nesproof::core
