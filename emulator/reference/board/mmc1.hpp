// MMC1 (SxROM): registers of five bits that are written a bit at a time. https://www.nesdev.org/wiki/MMC1
//
//   $8000-$9FFF  banks[0]  control    CPPMM  C CHR of 4 KiB, PP PRG-ROM's windows, MM mirroring
//   $A000-$BFFF  banks[1]  CHR 0      at $0000, or all 8 KiB
//   $C000-$DFFF  banks[2]  CHR 1      at $1000
//   $E000-$FFFF  banks[3]  PRG        RPPPP  R PRG-RAM off, PPPP 16 KiB of PRG-ROM
//   select       the shift register: a 1 stands where the next bit comes in when it has got through
//
// Boards with less CHR than the registers can name use their upper bits elsewhere:
//
//   SUROM, SXROM   bit 4 is the 256 KiB half of PRG-ROM, of its fixed bank as well
//   SXROM          bits 2-3 are the 8 KiB of PRG-RAM
//   SOROM          bit 3 is the 8 KiB of PRG-RAM
//   SZROM          bit 4 is the 8 KiB of PRG-RAM
//   SNROM          bit 4 turns PRG-RAM off, as bit 4 of the PRG register does
//
// Hardware takes these bits from CHR 0 or CHR 1 by the PPU's A12 where CHR banks have 4 KiB. SNROM's is taken so here:
// a program can see by it what the PPU fetches. The others come from CHR 0 always: programs must give both the same
// value, or PRG-ROM flickers.
#pragma once

#include <utility>

#include "reference/board/board.hpp"

namespace nesproof::reference {

class Mmc1 final : public Board {
 public:
  explicit Mmc1(CartridgeImage image) : Board(std::move(image)) {
    watches_cpu_writes_ = true;
    watches_ppu_address_ = is_snrom();
  }

 private:
  enum Register { kControl, kChr0, kChr1, kPrg };
  static constexpr u8 kEmpty = 0x10;  // of the shift register
  static constexpr u8 kFixLast = 0x0C;
  static constexpr u8 kFixedPrg = 5;  // the submapper of SEROM, SHROM and SH1ROM, whose PRG-ROM has no register

  // By its sizes: a board with as little ROM and CHR that has more RAM, or none, is another one.
  bool is_snrom() const { return prg_rom_bytes() <= 0x40000 && chr_bytes() <= 0x2000 && prg_ram_bytes() == 0x2000; }

  u8 control() const { return registers_.banks[kControl]; }

  void on_power_on() override {
    registers_.select = kEmpty;
    registers_.banks[kControl] = kFixLast;
  }
  // At a boundary the cycle before was none that could make the next write follow at once.
  void on_restored(u16 ppu_address) override {
    last_write_cycle_ = kLongAgo;
    a12_ = ppu_address & 0x1000;
  }

  // A write in the cycle right after another is ignored, as the second one of a read-modify-write instruction is,
  // unless it empties the shift register.
  void on_cpu_write(u16 address, u8 value, u64 cycle) override {
    if (address < 0x8000) return;
    bool follows_at_once = cycle == last_write_cycle_ + 1;
    NESPROOF_FAULT(mmc1_takes_the_second_write, follows_at_once = false);
    last_write_cycle_ = cycle;
    if (value & 0x80) {
      registers_.select = kEmpty;
      registers_.banks[kControl] |= kFixLast;
      move_windows();
    } else if (!follows_at_once) {
      shift_in(address, value & 1);
    }
  }

  void shift_in(u16 address, u8 bit) {
    const bool full = registers_.select & 1;
    const u8 shifted = static_cast<u8>((registers_.select >> 1 & 0x0F) | bit << 4);
    registers_.select = full ? kEmpty : shifted;
    if (!full) return;
    registers_.banks[address >> 13 & 3] = shifted;
    move_windows();
  }

  void move_windows() override {
    move_prg_rom();
    move_chr();
    switch (control() & 3) {
      case 0: mirror_one_screen(0); break;
      case 1: mirror_one_screen(1); break;
      case 2: mirror(Mirroring::Vertical); break;
      case 3: mirror(Mirroring::Horizontal); break;
    }
    map_prg_ram_8k(prg_ram_bank());
    protect_prg_ram();
  }

  void on_ppu_address(u16 address) override {
    const bool a12 = address & 0x1000;
    if (a12 == a12_) return;
    a12_ = a12;
    protect_prg_ram();
  }

  void protect_prg_ram() {
    const u8 chr = registers_.banks[control() & 0x10 && a12_ ? kChr1 : kChr0];
    const bool is_off = registers_.banks[kPrg] & 0x10 || (is_snrom() && chr & 0x10);
    let_prg_ram(is_off ? RamAccess::None : RamAccess::ReadWrite);
  }

  void move_prg_rom() {
    if (submapper_ == kFixedPrg) return;
    const u32 half = prg_rom_bytes() > 0x40000 ? registers_.banks[kChr0] & 0x10 : 0;
    const u32 bank = half | (registers_.banks[kPrg] & 0x0F);
    switch (control() >> 2 & 3) {
      case 2:
        map_prg_16k(0, half);
        map_prg_16k(1, bank);
        break;
      case 3:
        map_prg_16k(0, bank);
        map_prg_16k(1, half | 0x0F);
        break;
      default: map_prg_32k(bank >> 1); break;
    }
  }

  void move_chr() {
    if (control() & 0x10) {
      map_chr_4k(0, registers_.banks[kChr0]);
      map_chr_4k(1, registers_.banks[kChr1]);
    } else {
      map_chr_8k(registers_.banks[kChr0] >> 1);
    }
  }

  u32 prg_ram_bank() const {
    const u32 chr0 = registers_.banks[kChr0];
    if (prg_ram_bytes() > 0x4000) return chr0 >> 2 & 3;
    if (prg_ram_bytes() < 0x4000) return 0;
    return chr_bytes() > 0x2000 ? chr0 >> 4 & 1 : chr0 >> 3 & 1;
  }

  static constexpr u64 kLongAgo = ~u64{1};
  u64 last_write_cycle_ = kLongAgo;
  bool a12_ = false;  // of the PPU's address bus, where the board is SNROM
};

}  // namespace nesproof::reference
