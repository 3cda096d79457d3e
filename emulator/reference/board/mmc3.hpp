// MMC3 and MMC6 (TxROM, HKROM): windows of 8 KiB of PRG-ROM and 1 and 2 KiB of CHR, and an IRQ that counts rises of the
// PPU's A12. https://www.nesdev.org/wiki/MMC3  https://www.nesdev.org/wiki/MMC6
//
//   $8000, even  select           which of banks[0..7] the next register writes; bit 6 swaps PRG, bit 7 CHR windows
//   $8001, odd   banks[0..7]      R0-R7
//   $A000, even  mirroring        bit 0: horizontal
//   $A001, odd   prg_ram_control  what PRG-RAM lets through
//   $C000-$FFFF  the IRQ's counter (mmc3_irq.hpp)
#pragma once

#include <utility>

#include "reference/board/board.hpp"
#include "reference/board/mmc3_irq.hpp"

namespace nesproof::reference {

class Mmc3 final : public Board {
 public:
  explicit Mmc3(CartridgeImage image) : Board(std::move(image)), irq_counter_(registers_, irq_, variant_ & kNecIrq) {
    watches_cpu_writes_ = watches_ppu_address_ = watches_cpu_cycles_ = has_irq_ = true;
    if (is_mmc6()) prg_ram_begin_ = 0x7000;
  }

 private:
  static constexpr u8 kSwapsPrg = 0x40, kSwapsChr = 0x80;
  static constexpr u8 kMmc6RamOn = 0x20;  // of `select`

  bool is_mmc6() const { return variant_ & kMmc6Ram; }

  // Hardware leaves all of it to chance; this is a board on which every window shows what comes next in memory, and
  // PRG-RAM is on, since many programs never turn it on. The MMC6 holds its RAM off until it is turned on.
  void on_power_on() override {
    registers_.banks = {0, 2, 4, 5, 6, 7, 0, 1};
    registers_.mirroring = header_mirroring_ == Mirroring::Horizontal;
    registers_.prg_ram_control = is_mmc6() ? 0 : 0x80;
  }
  void on_restored(u16 ppu_address) override { irq_counter_.restored(ppu_address); }

  void on_cpu_write(u16 address, u8 value, u64 /*cycle*/) override {
    if (address < 0x8000) return;
    const bool odd = address & 1;
    switch (address & 0xE000) {
      case 0x8000: odd ? write_bank(value) : write_select(value); break;
      case 0xA000: odd ? write_prg_ram_control(value) : void(registers_.mirroring = value); break;
      case 0xC000: odd ? irq_counter_.reload() : irq_counter_.set_latch(value); return;
      case 0xE000: odd ? irq_counter_.enable() : irq_counter_.disable(); return;
    }
    move_windows();
  }
  void on_ppu_address(u16 address) override { irq_counter_.ppu_address(address); }
  void on_cpu_cycle() override { irq_counter_.m2_falls(); }

  void write_bank(u8 value) { registers_.banks[registers_.select & 7] = value; }
  void write_select(u8 value) {
    registers_.select = value;
    if (is_mmc6() && !(value & kMmc6RamOn)) registers_.prg_ram_control = 0;
  }
  void write_prg_ram_control(u8 value) {
    if (!is_mmc6() || registers_.select & kMmc6RamOn) registers_.prg_ram_control = value;
  }

  void move_windows() override {
    const auto& r = registers_.banks;
    const u32 last = static_cast<u32>(prg_rom_bytes() / 0x2000) - 1;
    const unsigned swapped = registers_.select & kSwapsPrg ? 2 : 0;
    map_prg_8k(0 ^ swapped, r[6]);
    map_prg_8k(1, r[7]);
    map_prg_8k(2 ^ swapped, last - 1);
    map_prg_8k(3, last);

    const unsigned half = registers_.select & kSwapsChr ? 4 : 0;
    for (unsigned i = 0; i < 4; ++i) map_chr_1k(i ^ half, (r[i / 2] & 0xFEu) | (i & 1));
    for (unsigned i = 4; i < 8; ++i) map_chr_1k(i ^ half, r[i - 2]);

    mirror(registers_.mirroring & 1 ? Mirroring::Horizontal : Mirroring::Vertical);
    is_mmc6() ? protect_mmc6_ram() : protect_prg_ram();
  }

  void protect_prg_ram() {
    const bool enabled = registers_.prg_ram_control & 0x80, protects = registers_.prg_ram_control & 0x40;
    let_prg_ram(!enabled ? RamAccess::None : protects ? RamAccess::ReadOnly : RamAccess::ReadWrite);
  }

  // 1 KiB at $7000, four times: two halves of 512 bytes, each with a bit that lets it be read and one that, beside it,
  // lets it be written. Where one half may be read the chip drives the bus for both.
  //
  //   7  bit  0
  //   RWrw ....
  //   ||++------ the lower half
  //   ++-------- the upper half
  void protect_mmc6_ram() {
    const u8 upper = registers_.prg_ram_control >> 6, lower = registers_.prg_ram_control >> 4 & 3;
    const auto access_of = [&](u8 half) {
      if (half & 2) return half & 1 ? RamAccess::ReadWrite : RamAccess::ReadOnly;
      return (upper | lower) & 2 ? RamAccess::Zero : RamAccess::None;
    };
    let_prg_ram(RamAccess::None);
    for (unsigned page = kRamPages / 2; page < kRamPages; ++page) {
      let_prg_ram_page(page, access_of(page & 1 ? upper : lower));
    }
  }

  Mmc3Irq irq_counter_;
};

}  // namespace nesproof::reference
