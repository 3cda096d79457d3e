// Loads and stores of registers, away from events, without going through their cycles one by one.
//
// Where no event is near and nothing is pending, the cycles before an instruction's last do nothing that shows, as long
// as the instruction reads and writes nothing but its own bytes in ROM and, in its last cycle, one address.
#pragma once

#include "core/bus/exact.hpp"

namespace nesproof::core {

enum class PlainIo : u8 {
  Refused,  // nothing has been done
  Quiet,    // events and all that could be pending are as before
  Moved,    // perhaps not
};

namespace plain_io_detail {

template <class Board>
constexpr PlainIo read_effect(u32 at) {
  if (at < 0x4000) {
    const bool moves = at >= 0x2000 && ((at & 7) == 2 || (Board::kWatchesA12 && (at & 7) == 7));
    return moves ? PlainIo::Moved : PlainIo::Quiet;
  }
  return at == 0x4015 ? PlainIo::Moved : PlainIo::Quiet;
}

template <class Board>
constexpr PlainIo write_effect(u32 at) {
  if (at < 0x4000) {
    const bool moves = at >= 0x2000 && ((at & 7) < 2 || (Board::kWatchesA12 && (at & 7) != 2 && (at & 7) != 5));
    return moves ? PlainIo::Moved : PlainIo::Quiet;
  }
  if (at < 0x4020) return at < 0x4010 || at == 0x4016 ? PlainIo::Quiet : PlainIo::Moved;
  return Board::kHasIrq && at >= 0xC000 ? PlainIo::Moved : PlainIo::Quiet;
}

// Of the instruction's last cycle, in which `at` is read; its high byte was on the bus before.
template <Operation kOperation, class S>
NESPROOF_INLINE PlainIo load(ExactMachine<S>& m, u32 at, u32 cycles) {
  m.now += cycles;
  m.program_counter = (m.program_counter + 3) & 0xFFFF;
  m.drive(at >> 8);
  take<kOperation>(m, m.access_read(at));
  const PlainIo effect = read_effect<typename S::Board>(at);
  if (effect == PlainIo::Moved) m.end_cycle();
  return effect;
}

// An index that crosses a page makes one more read, elsewhere.
template <Operation kOperation, class S>
NESPROOF_INLINE PlainIo load_indexed(ExactMachine<S>& m, u32 base, u32 index) {
  const u32 at = base + index;
  return (base ^ at) < 0x100 ? load<kOperation>(m, at, 4) : PlainIo::Refused;
}

template <class S>
NESPROOF_INLINE PlainIo store(ExactMachine<S>& m, u32 at, u32 value, u32 cycles) {
  m.now += cycles;
  m.program_counter = (m.program_counter + 3) & 0xFFFF;
  m.access_write(at, value);
  const PlainIo effect = write_effect<typename S::Board>(at);
  if (effect == PlainIo::Moved) m.end_cycle();
  return effect;
}

// The read before the write does nothing where it meets a board with registers, in ROM or PRG-RAM, or the sound unit's,
// which are not there to be read.
template <class S>
NESPROOF_INLINE PlainIo store_indexed(ExactMachine<S>& m, u32 base, u32 index, u32 value) {
  const u32 at = base + index;
  const bool meets_board = S::Board::kHasRegisters && at >= 0x4020 && at <= 0xFFFF;
  const bool reads_nothing = (at >= 0x4000 && at <= 0x4013) || meets_board;
  return (base ^ at) < 0x100 && reads_nothing ? store(m, at, value, 5) : PlainIo::Refused;
}

}  // namespace plain_io_detail

// The instruction at PC, in ROM, before the deadline and with nothing pending.
template <class S>
PlainIo step_plain_io(ExactMachine<S>& m) {
  using namespace plain_io_detail;
  const auto& cartridge = *m.console.cartridge;
  const u32 place = S::Board::prg_offset(m.console, static_cast<u16>(m.program_counter));
  // It or the next may lie across the ROM's end, or the border of a window: none is smaller than 8 KiB.
  if (place + 3 > cartridge.prg_mask) return PlainIo::Refused;
  if (S::Board::kHasRegisters && ((place + 3) ^ place) >> 13 != 0) return PlainIo::Refused;
  const u32 base = cartridge.prg_rom[place + 1] | static_cast<u32>(cartridge.prg_rom[place + 2]) << 8;
  switch (cartridge.prg_rom[place]) {
    case 0xAD: return load<Operation::Lda>(m, base, 4);
    case 0xAE: return load<Operation::Ldx>(m, base, 4);
    case 0xAC: return load<Operation::Ldy>(m, base, 4);
    case 0x2C: return load<Operation::Bit>(m, base, 4);
    case 0xBD: return load_indexed<Operation::Lda>(m, base, m.x);
    case 0xB9: return load_indexed<Operation::Lda>(m, base, m.y);
    case 0x8D: return store(m, base, m.a, 4);
    case 0x8E: return store(m, base, m.x, 4);
    case 0x8C: return store(m, base, m.y, 4);
    case 0x9D: return store_indexed(m, base, m.x, m.a);
    case 0x99: return store_indexed(m, base, m.y, m.a);
    default: return PlainIo::Refused;
  }
}

}  // namespace nesproof::core
