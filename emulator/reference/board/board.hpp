// A cartridge board, seen from the console's two buses: https://www.nesdev.org/wiki/Mapper
//
// A board is a set of windows (offsets into PRG-ROM, PRG-RAM, CHR and nametable memory) that its registers move. Reads
// go through the windows without a virtual call; what a board does of its own (registers, A12, counters) is virtual and
// asked for only when the board says that it watches. Every offset is masked when it is used, so that neither a short
// memory nor a hostile snapshot can read out of bounds.
//
// A board of this folder, one file a family, has a constructor that says what it watches and at most these:
//
//   on_power_on      what its registers hold at power-on where that is not 0
//   on_cpu_write     its registers
//   move_windows     where the windows stand, by the registers alone
//   on_ppu_address, on_cpu_cycle   what it counts
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "faults/hooks.hpp"
#include "reference/types.hpp"
#include "state/visitor.hpp"

namespace nesproof::reference {

enum class Mirroring : u8 { Horizontal, Vertical, FourScreen };

// What one mapper number leaves open beside its submapper; bits of `variant`.
enum BoardVariant : u8 {
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
  u8 variant = 0;  // BoardVariant
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

  // RAM gets `fill`, registers their power-on values, the trainer its place. The reset button reaches no board.
  void power_on(u8 fill);
  // After loading a snapshot, in which the PPU has `ppu_address` on its bus: recomputes what none holds.
  void restored(u16 ppu_address);

  // --- PPU bus, $0000-$3EFF (14 bits; palette RAM is inside the PPU and never comes here)
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

  // --- CPU bus, $4020-$FFFF. What nothing drives reads as `open_bus`.
  u8 cpu_read(u16 address, u8 open_bus) const {
    if (address & 0x8000) return prg_rom_[prg_offset(address)];
    switch (prg_ram_access(address)) {
      case RamAccess::None: return open_bus;
      case RamAccess::Zero: return 0;
      default: return prg_ram_[prg_ram_offset(address)];
    }
  }
  bool answers_cpu(u16 address) const { return address & 0x8000 || prg_ram_access(address) != RamAccess::None; }
  // In CPU cycle `cycle`, counted from power-on.
  void cpu_write(u16 address, u8 value, u64 cycle) {
    if (prg_ram_access(address) == RamAccess::ReadWrite) prg_ram_[prg_ram_offset(address)] = value;
    NESPROOF_FAULT(board_writes_lost, return);
    if (watches_cpu_writes_) on_cpu_write(address, value, cycle);
  }
  // From outside, whatever protects it: false where there is no PRG-RAM.
  bool poke_prg_ram(u16 address, u8 value) {
    if (address < prg_ram_begin_ || address >= 0x8000 || prg_ram_.empty()) return false;
    prg_ram_[prg_ram_offset(address)] = value;
    return true;
  }
  // M2 falls: after the access of each CPU cycle, for boards that count them.
  void cpu_cycle() {
    if (watches_cpu_cycles_) on_cpu_cycle();
  }
  bool irq_line() const { return irq_ && has_irq_; }

  // --- State
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
  virtual void on_power_on() {}
  virtual void on_restored(u16 /*ppu_address*/) {}
  virtual void move_windows() {}
  virtual void on_cpu_write(u16 /*address*/, u8 /*value*/, u64 /*cycle*/) {}
  virtual void on_ppu_address(u16 /*address*/) {}
  virtual void on_cpu_cycle() {}

  // --- Windows, for move_windows. Banks are counted in the window's size and repeat beyond the memory's end.
  static constexpr u32 kLastBank = ~u32{0};  // of any size, of a memory of any size
  void map_prg_8k(unsigned window, u32 bank) { prg_bank_[window] = bank * 0x2000; }
  void map_prg_16k(unsigned half, u32 bank);
  void map_prg_32k(u32 bank);
  void map_chr_1k(unsigned window, u32 bank) { chr_bank_[window] = bank * 0x400; }
  void map_chr_4k(unsigned half, u32 bank);
  void map_chr_8k(u32 bank);
  // A cartridge with four screens has memory for all of them, and no chip mirrors any.
  void mirror(Mirroring mirroring);
  void mirror_one_screen(u32 page);

  // --- PRG-RAM
  enum class RamAccess : u8 { None, Zero, ReadOnly, ReadWrite };
  static constexpr unsigned kRamPages = 16;  // of 512 bytes, $6000-$7FFF
  void map_prg_ram_8k(u32 bank) { prg_ram_bank_ = bank * 0x2000; }
  void let_prg_ram(RamAccess access) {
    NESPROOF_FAULT(prg_ram_never_protected, access = RamAccess::ReadWrite);
    prg_ram_access_.fill(access);
  }
  void let_prg_ram_page(unsigned page, RamAccess access) { prg_ram_access_[page] = access; }

  // What is on the bus when the CPU writes a value where PRG-ROM answers as well: the zeros of both.
  u8 with_bus_conflict(u16 address, u8 value) const {
    NESPROOF_FAULT(bus_conflicts_missing, return value);
    return value & prg_rom_[prg_offset(address)];
  }

  std::size_t prg_rom_bytes() const { return prg_rom_.size(); }
  std::size_t prg_ram_bytes() const { return prg_ram_.size(); }
  std::size_t chr_bytes() const { return chr_.size(); }

  BoardRegisters registers_;
  bool watches_cpu_writes_ = false;  // to $4020-$FFFF
  bool watches_ppu_address_ = false;
  bool watches_cpu_cycles_ = false;
  bool has_irq_ = false;
  bool irq_ = false;
  u16 prg_ram_begin_ = 0x6000;
  const u8 submapper_;
  const u8 variant_;
  const Mirroring header_mirroring_;

 private:
  u32 prg_offset(u16 address) const { return (prg_bank_[(address >> 13) & 3] + (address & 0x1FFFu)) & prg_mask_; }
  u32 chr_offset(u16 address) const { return (chr_bank_[(address >> 10) & 7] + (address & 0x3FFu)) & chr_mask_; }
  u32 ciram_offset(u16 address) const {
    return (nametable_bank_[(address >> 10) & 3] + (address & 0x3FFu)) & nametable_mask_;
  }
  u32 prg_ram_offset(u16 address) const { return (prg_ram_bank_ + (address & 0x1FFFu)) & prg_ram_mask_; }
  RamAccess prg_ram_access(u16 address) const {
    if (address < 0x6000 || address >= 0x8000 || prg_ram_.empty()) return RamAccess::None;
    return prg_ram_access_[(address >> 9) & (kRamPages - 1)];
  }

  std::vector<u8> prg_rom_;
  std::vector<u8> chr_;  // ROM or RAM
  std::vector<u8> prg_ram_;
  std::vector<u8> nametables_;
  std::vector<u8> trainer_;
  u32 prg_mask_ = 0, chr_mask_ = 0, prg_ram_mask_ = 0, nametable_mask_ = 0;
  std::array<u32, 4> prg_bank_{};        // offsets in bytes of the 8 KiB windows at $8000, $A000, $C000, $E000
  std::array<u32, 8> chr_bank_{};        // offsets in bytes of the 1 KiB windows at $0000, $0400 ... $1C00
  std::array<u32, 4> nametable_bank_{};  // offsets in bytes of the 1 KiB windows at $2000, $2400, $2800, $2C00
  u32 prg_ram_bank_ = 0;                 // offset in bytes of the window at $6000
  std::array<RamAccess, kRamPages> prg_ram_access_{};
  bool chr_writable_ = false;
  u64 identity_ = 0;
};

// The board that the image's mapper number names; std::invalid_argument for one that is not supported.
std::unique_ptr<Board> make_board(CartridgeImage image);

}  // namespace nesproof::reference
