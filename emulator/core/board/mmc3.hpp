// MMC3 and MMC6 (TxROM, HKROM): 8 KiB of PRG-ROM, 1 and 2 KiB of CHR, and an IRQ that counts rises of the PPU's A12.
// https://www.nesdev.org/wiki/MMC3 https://www.nesdev.org/wiki/MMC6
//
//   $8000   7  bit  0        $8001  the bank of the register that $8000 names
//           CPR- -rrr        $A000  bit 0: 0 vertical, 1 horizontal mirroring
//           |||   +++- register: 0, 1 are 2 KiB of CHR, 2-5 1 KiB, 6, 7 8 KiB of PRG-ROM
//           ||+- MMC6: its RAM is there
//           |+- $8000 and $C000 change places
//           +- $0000 and $1000 change places
//   $C000   what the counter is loaded with      $C001  it is loaded with the next clock
//   $E000   no IRQ, and none is pending          $E001  IRQs
#pragma once

#include "core/board/a12.hpp"
#include "core/board/windows.hpp"
#include "core/cartridge.hpp"
#include "core/catch_up.hpp"

namespace nesproof::core {

// ppu/a12_forecast.hpp
template <class S>
u32 next_a12_irq(S s, u32 now);
// ppu/advance.hpp
template <class S>
void ppu_catch_up(S s, u32 dot_time, CatchUp why);

struct Mmc3 : WindowOffsets {
  static constexpr bool kHasRegisters = true, kHasIrq = true, kWatchesA12 = true;
  static constexpr bool kRamFollowsA12 = false;

  // --- Registers
  // A CPU write of cycle `cycle` to $4020-$FFFF, after PRG-RAM has taken it.
  template <class S>
  NESPROOF_OUTLINE static void write(S s, u32 address, u32 value_written, u32 cycle) {
    const u8 value = static_cast<u8>(value_written);
    if (address < 0x8000) return;
    NESPROOF_FAULT(board_writes_lost, return);
    if (address >= 0xC000) {
      ppu_catch_up(s, 3 * cycle - 1, CatchUp::RegisterWrite);
      return write_irq(s, address, value);
    }
    switch (address & 0xE001) {
      case 0x8000: return select(s, value, cycle);
      case 0x8001: return put_bank(s, value, cycle);
      case 0xA000: s.board_mirroring() = value; return move_windows(s, windows(s), cycle);
      default:
        if (!is_mmc6(s) || (s.board_select() & kMmc6RamIsThere)) s.board_prg_ram_control() = value;
        return put_windows(s, windows(s));
    }
  }

  // In no cycle before does the IRQ line rise by itself. `now`: cycles that are complete, or that of an access.
  template <class S>
  static u32 next_event(const S& s, u32 now) {
    if (s.board_irq() && !s.cpu_irq_line()) return now + 1;  // the line is up, and nobody has looked
    const u32 event = next_a12_irq(s, now);
    NESPROOF_FAULT(mmc3_irq_foretold_a_cycle_late, return event + 1);
    return event;
  }

  // --- The counter
  // `clocks` clocks one after the other.
  template <class S>
  static void clock_irq(S s, u32 clocks) {
    u32 counter = s.board_irq_counter();
    bool raised = false;
    while (clocks != 0) {
      if (s.board_irq_reload() || counter == 0) {
        const bool counts = !is_nec(s) || s.board_irq_reload() || counter != 0;
        counter = s.board_irq_latch();
        s.board_irq_reload() = 0;
        --clocks;
        if (counter == 0) raised |= counts;
      } else {
        const u32 steps = clocks < counter ? clocks : counter;
        counter -= steps;
        clocks -= steps;
        raised |= counter == 0;
      }
    }
    s.board_irq_counter() = static_cast<u8>(counter);
    if (raised && s.board_irq_enabled()) s.board_irq() = 1;
  }

  // How many clocks it takes until an IRQ is raised; 0 where clocks alone raise none.
  template <class S>
  static u32 clocks_to_irq(S s) {
    if (!s.board_irq_enabled() || s.board_irq()) return 0;
    if (!s.board_irq_reload() && s.board_irq_counter() != 0) return s.board_irq_counter();
    if (s.board_irq_latch() != 0) return 1 + s.board_irq_latch();
    return is_nec(s) && !s.board_irq_reload() ? 0 : 1;
  }

  // --- $6000-$7FFF: 8 KiB, or MMC6's 1 KiB at $7000, four times, of which each half is let through by itself
  template <class S>
  static bool prg_ram_place(const S& s, u32 address, u32& offset) {
    if (is_mmc6(s) && address < 0x7000) return false;
    return WindowOffsets::prg_ram_place(s, address, offset);
  }
  template <class S>
  static bool answers(const S& s, u32 address) {
    if (!is_mmc6(s)) return WindowOffsets::answers(s, address);
    return address >= 0x7000 && (s.board_prg_ram_control() & (kReadsLower | kReadsUpper)) != 0;
  }
  template <class S>
  static u32 read_prg_ram(const S& s, u32 address, u32 open_bus) {
    u32 offset;
    if (!answers(s, address) || !prg_ram_place(s, address, offset)) return open_bus;
    if (is_mmc6(s) && !(s.board_prg_ram_control() & (address & 0x200 ? kReadsUpper : kReadsLower))) return 0;
    return s.cartridge_prg_ram(offset);
  }
  template <class S>
  static void write_prg_ram(const S& s, u32 address, u32 value) {
    u32 offset;
    if (is_mmc6(s)) {
      const u8 both = address & 0x200 ? kReadsUpper | kTakesUpper : kReadsLower | kTakesLower;
      if ((s.board_prg_ram_control() & both) != both || !prg_ram_place(s, address, offset)) return;
      s.cartridge_prg_ram(offset) = static_cast<u8>(value);
    } else {
      WindowOffsets::write_prg_ram(s, address, value);
    }
  }

  // --- Power, and what is derived from the fields
  template <class S>
  static void power_on(const S& s) {
    constexpr u8 kBanks[8] = {0, 2, 4, 5, 6, 7, 0, 1};
    for (u32 i = 0; i < 8; ++i) s.board_registers(i) = kBanks[i];
    s.board_mirroring() = s.cartridge->nametable_bank[1] == 0;
    s.board_prg_ram_control() = is_mmc6(s) ? 0 : kRamIsThere;
  }
  // The fields have been put in, with `now` cycles complete.
  template <class S>
  static void settled(const S& s, u32 now) {
    put_windows(s, windows(s));
    a12_settled(s, now);
  }
  // Everything of the board's as of now; the PPU has caught up.
  template <class S>
  static void settle(const S& s) {
    a12_settle(s);
  }

 private:
  // --- Bits of $8000 and $A001
  static constexpr u8 kChrSwapped = 0x80, kPrgSwapped = 0x40, kMmc6RamIsThere = 0x20;
  static constexpr u8 kRamIsThere = 0x80, kRamIsProtected = 0x40;
  static constexpr u8 kReadsUpper = 0x80, kTakesUpper = 0x40, kReadsLower = 0x20, kTakesLower = 0x10;

  template <class S>
  static bool is_nec(const S& s) {
    NESPROOF_FAULT(mmc3_revisions_mixed_up, return !(s.cartridge->variant & kNecIrq));
    return s.cartridge->variant & kNecIrq;
  }
  template <class S>
  static bool is_mmc6(const S& s) {
    return s.cartridge->variant & kMmc6Ram;
  }

  template <class S>
  static void select(const S& s, u8 value, u32 cycle) {
    const u8 changed = s.board_select() ^ value;
    s.board_select() = value;
    if (is_mmc6(s) && !(value & kMmc6RamIsThere)) s.board_prg_ram_control() = 0;
    if (changed & (kChrSwapped | kPrgSwapped)) move_windows(s, windows(s), cycle);
  }

  // PRG-ROM alone is no concern of the PPU's.
  template <class S>
  static void put_bank(const S& s, u8 value, u32 cycle) {
    const u32 bank = s.board_select() & 7;
    if (s.board_registers(bank) == value) return;
    s.board_registers(bank) = value;
    if (bank < 6) return move_windows(s, windows(s), cycle);
    const u32 window = bank == 7 ? 1 : s.board_select() & kPrgSwapped ? 2 : 0;
    s.lazy_board_prg(window) = value * 0x2000u & s.cartridge->prg_mask;
  }

  template <class S>
  static void write_irq(const S& s, u32 address, u8 value) {
    switch (address & 0xE001) {
      case 0xC000:
        s.board_irq_latch() = value;
        NESPROOF_FAULT(mmc3_irq_a_line_late, if (value != 0xFF) s.board_irq_latch() = value + 1);
        return;
      case 0xC001:
        s.board_irq_counter() = 0;
        s.board_irq_reload() = 1;
        return;
      case 0xE000: s.board_irq_enabled() = s.board_irq() = 0; return;
      default: s.board_irq_enabled() = 1; return;
    }
  }

  // Where the registers say that the windows stand.
  template <class S>
  static Windows windows(const S& s) {
    Windows windows = first_windows(s);
    const u8 select = s.board_select(), control = s.board_prg_ram_control();
    const u32 swapped = select & kPrgSwapped ? 2 : 0;
    windows.prg[swapped] = s.board_registers(6) * 0x2000u;
    windows.prg[1] = s.board_registers(7) * 0x2000u;
    windows.prg[swapped ^ 2] = kLastBank * 0x2000u - 0x2000u;
    windows.prg[3] = kLastBank * 0x2000u;
    const u32 half = select & kChrSwapped ? 4 : 0;
    for (u32 i = 0; i < 4; ++i) {
      const u32 pair = s.board_registers(i >> 1) & 0xFEu;
      windows.chr[i ^ half] = (pair | (i & 1)) * 0x400u;
      windows.chr[(i + 4) ^ half] = s.board_registers(i + 2) * 0x400u;
    }
    if (s.cartridge->nametable_bytes == 2048) {
      s.board_mirroring() & 1 ? windows.put_horizontal() : windows.put_vertical();
    }
    windows.prg_ram_access = !(control & kRamIsThere)    ? 0
                             : control & kRamIsProtected ? kReadsRam
                                                         : kReadsRam | kTakesRam;
    return windows;
  }
};

}  // namespace nesproof::core
