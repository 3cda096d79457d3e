// A cartridge board, seen from the console's two buses: https://www.nesdev.org/wiki/Mapper
//
// A board is a set of banks (offsets into PRG-ROM, CHR and nametable memory) that its registers move. Reads go
// through the banks without a virtual call; what a board does of its own (registers, A12, counters) is virtual and
// asked for only when the board says that it watches. Every offset is masked when it is used, so that neither a
// short memory nor a hostile snapshot can read out of bounds.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "reference/types.hpp"
#include "state/visitor.hpp"

namespace nesproof::reference {

enum class Mirroring : u8 { Horizontal, Vertical, FourScreen };

// What one mapper number leaves open beside its submapper; bits of `variant`.
enum Variant : u8 {
  kNecIrq = 1,   // MMC3: the older IRQ counter
  kMmc6Ram = 2,  // MMC3: the MMC6's RAM of 1 KiB
};

// What the loader found in the file. Sizes are in bytes.
struct CartridgeImage {
  std::vector<u8> prg_rom;
  std::vector<u8> chr_rom;  // empty: the board has CHR-RAM
  u32 chr_ram_bytes = 0;
  u32 prg_ram_bytes = 0;
  Mirroring mirroring = Mirroring::Horizontal;
  std::vector<u8> trainer;  // 512 bytes at $7000, or empty
  u16 mapper = 0;
  u8 submapper = 0;
  u8 variant = 0;  // Variant
};

// What a board's chip holds, as state/architecture.def lists it; each board says what it keeps where.
struct BoardRegisters {
  std::array<u8, 8> banks{};
  u8 select = 0, mirroring = 0, prg_ram_control = 0;
  u8 irq_latch = 0, irq_counter = 0;
  bool irq_reload = false, irq_enabled = false;
  u8 a12_low_cycles = 0;
};

class Board {
 public:
  explicit Board(CartridgeImage image);
  virtual ~Board() = default;
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  // RAM gets `fill`, banks their power-on positions, the trainer its place.
  void power_on(u8 fill);
  virtual void reset() {}

  // PPU bus, $0000-$3EFF (14 bits; palette RAM is inside the PPU and never comes here).
  u8 ppu_read(u16 address) const {
    return address & 0x2000 ? nametables_[ciram_offset(address)] : chr_[chr_offset(address)];
  }
  void ppu_write(u16 address, u8 value) {
    if (address & 0x2000) {
      nametables_[ciram_offset(address)] = value;
    } else if (chr_writable_) {
      chr_[chr_offset(address)] = value;
    }
  }
  // The PPU has put `address` on its bus (each change of its address pins, rendering or not).
  void ppu_address(u16 address) {
    if (watches_ppu_address_) on_ppu_address(address);
  }

  // CPU bus, $4020-$FFFF. What nothing drives reads as `open_bus`.
  u8 cpu_read(u16 address, u8 open_bus) const {
    if (address & 0x8000) return prg_rom_[prg_offset(address)];
    if (address >= 0x6000 && !prg_ram_.empty()) return prg_ram_[address & prg_ram_mask_];
    return open_bus;
  }
  bool answers_cpu(u16 address) const { return address & 0x8000 || (address >= 0x6000 && !prg_ram_.empty()); }
  void cpu_write(u16 address, u8 value) {
    if (address >= 0x6000 && address < 0x8000 && !prg_ram_.empty()) prg_ram_[address & prg_ram_mask_] = value;
    on_cpu_write(address, value);
  }
  // From outside: false where there is no PRG-RAM.
  bool poke_prg_ram(u16 address, u8 value) {
    if (address < 0x6000 || address >= 0x8000 || prg_ram_.empty()) return false;
    prg_ram_[address & prg_ram_mask_] = value;
    return true;
  }
  // Once a CPU cycle, for boards that count cycles.
  void cpu_cycle() {
    if (watches_cpu_cycles_) on_cpu_cycle();
  }
  bool irq_line() const { return irq_; }

  std::span<u8> prg_ram() { return prg_ram_; }
  std::span<u8> chr_ram() { return chr_writable_ ? std::span<u8>(chr_) : std::span<u8>(); }
  std::span<u8> nametables() { return nametables_; }
  state::Sizes sizes() const;
  template <class V>
  void visit(V& v) {
    namespace f = state::fields;
    v(f::board_registers, registers_.banks);
    v(f::board_select, registers_.select);
    v(f::board_mirroring, registers_.mirroring);
    v(f::board_prg_ram_control, registers_.prg_ram_control);
    v(f::board_irq_latch, registers_.irq_latch);
    v(f::board_irq_counter, registers_.irq_counter);
    v(f::board_irq_reload, registers_.irq_reload);
    v(f::board_irq_enabled, registers_.irq_enabled);
    v(f::board_irq, irq_);
    v(f::board_a12_low_cycles, registers_.a12_low_cycles);
    v(f::cartridge_prg_ram, prg_ram());
    v(f::cartridge_chr_ram, chr_ram());
    v(f::cartridge_nametables, nametables());
  }
  // Tells cartridges apart: a hash of ROMs, sizes, mirroring and board.
  u64 identity() const { return identity_; }

 protected:
  virtual void on_cpu_write(u16 /*address*/, u8 /*value*/) {}
  virtual void on_ppu_address(u16 /*address*/) {}
  virtual void on_cpu_cycle() {}

  std::array<u32, 4> prg_bank_{};        // offsets in bytes of the 8 KiB windows at $8000, $A000, $C000, $E000
  std::array<u32, 8> chr_bank_{};        // offsets in bytes of the 1 KiB windows at $0000, $0400 ... $1C00
  std::array<u32, 4> nametable_bank_{};  // offsets in bytes of the 1 KiB windows at $2000, $2400, $2800, $2C00
  void set_mirroring(Mirroring mirroring);

  BoardRegisters registers_;
  bool watches_ppu_address_ = false;
  bool watches_cpu_cycles_ = false;
  bool irq_ = false;

 private:
  u32 prg_offset(u16 address) const { return (prg_bank_[(address >> 13) & 3] + (address & 0x1FFFu)) & prg_mask_; }
  u32 chr_offset(u16 address) const { return (chr_bank_[(address >> 10) & 7] + (address & 0x3FFu)) & chr_mask_; }
  u32 ciram_offset(u16 address) const {
    return (nametable_bank_[(address >> 10) & 3] + (address & 0x3FFu)) & nametable_mask_;
  }

  std::vector<u8> prg_rom_;
  std::vector<u8> chr_;  // ROM or RAM
  std::vector<u8> prg_ram_;
  std::vector<u8> nametables_;
  std::vector<u8> trainer_;
  u32 prg_mask_ = 0, chr_mask_ = 0, prg_ram_mask_ = 0, nametable_mask_ = 0;
  bool chr_writable_ = false;
  u64 identity_ = 0;
};

// The board that the image's mapper number names; std::invalid_argument for one that is not supported.
std::unique_ptr<Board> make_board(CartridgeImage image);

}  // namespace nesproof::reference
