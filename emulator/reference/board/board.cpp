#include "reference/board/board.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "reference/board/memory_layout.hpp"
#include "state/cartridge_identity.hpp"

namespace nesproof::reference {

namespace {

constexpr std::size_t kMaxRomBytes = std::size_t{64} << 20;
constexpr u32 kMaxRamBytes = u32{1} << 20;
constexpr u32 kTrainerBytes = 512;

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

u64 identity_of(const CartridgeImage& image) {
  return state::cartridge_identity({.prg_rom = image.prg_rom,
                                    .chr_rom = image.chr_rom,
                                    .trainer = image.trainer,
                                    .chr_ram_bytes = image.chr_ram_bytes,
                                    .prg_ram_bytes = image.prg_ram_bytes,
                                    .mapper = image.mapper,
                                    .submapper = image.submapper,
                                    .variant = image.variant,
                                    .mirroring = static_cast<u64>(image.mirroring)});
}

}  // namespace

Board::Board(CartridgeImage image)
    : submapper_(image.submapper), variant_(image.variant), header_mirroring_(image.mirroring) {
  require(!image.prg_rom.empty() && image.prg_rom.size() <= kMaxRomBytes, "PRG-ROM must have 1 byte to 64 MiB");
  require(image.chr_rom.size() <= kMaxRomBytes, "CHR-ROM may have at most 64 MiB");
  require(!image.chr_rom.empty() || image.chr_ram_bytes > 0, "there is neither CHR-ROM nor CHR-RAM");
  require(image.chr_rom.empty() || image.chr_ram_bytes == 0, "this board has either CHR-ROM or CHR-RAM, not both");
  require(image.chr_ram_bytes <= kMaxRamBytes && image.prg_ram_bytes <= kMaxRamBytes, "RAM may have at most 1 MiB");
  require(std::has_single_bit(image.chr_ram_bytes) || image.chr_ram_bytes == 0, "CHR-RAM must be a power of two");
  require(std::has_single_bit(image.prg_ram_bytes) || image.prg_ram_bytes == 0, "PRG-RAM must be a power of two");
  require(image.trainer.empty() || image.trainer.size() == kTrainerBytes, "a trainer has 512 bytes");
  identity_ = identity_of(image);
  chr_writable_ = image.chr_rom.empty();
  prg_rom_ = laid_out_as_chips(std::move(image.prg_rom));
  chr_ = chr_writable_ ? std::vector<u8>(image.chr_ram_bytes) : laid_out_as_chips(std::move(image.chr_rom));
  prg_ram_.resize(image.prg_ram_bytes);
  trainer_ = std::move(image.trainer);
  nametables_.resize(image.mirroring == Mirroring::FourScreen ? 4096 : 2048);
  prg_mask_ = static_cast<u32>(prg_rom_.size() - 1);
  chr_mask_ = static_cast<u32>(chr_.size() - 1);
  prg_ram_mask_ = prg_ram_.empty() ? 0 : static_cast<u32>(prg_ram_.size() - 1);
  nametable_mask_ = static_cast<u32>(nametables_.size() - 1);
  map_prg_32k(0);
  map_chr_8k(0);
  mirror(header_mirroring_);
  let_prg_ram(RamAccess::ReadWrite);
}

// --- Windows

void Board::map_prg_16k(unsigned half, u32 bank) {
  map_prg_8k(half * 2, bank * 2);
  map_prg_8k(half * 2 + 1, bank * 2 + 1);
}

void Board::map_prg_32k(u32 bank) {
  map_prg_16k(0, bank * 2);
  map_prg_16k(1, bank * 2 + 1);
}

void Board::map_chr_4k(unsigned half, u32 bank) {
  for (unsigned window = 0; window < 4; ++window) map_chr_1k(half * 4 + window, bank * 4 + window);
}

void Board::map_chr_8k(u32 bank) {
  map_chr_4k(0, bank * 2);
  map_chr_4k(1, bank * 2 + 1);
}

void Board::mirror(Mirroring mirroring) {
  if (header_mirroring_ == Mirroring::FourScreen) mirroring = Mirroring::FourScreen;
  NESPROOF_FAULT(four_screens_folded, if (mirroring == Mirroring::FourScreen) mirroring = Mirroring::Vertical);
  switch (mirroring) {
    case Mirroring::Horizontal: nametable_bank_ = {0x000, 0x000, 0x400, 0x400}; break;
    case Mirroring::Vertical: nametable_bank_ = {0x000, 0x400, 0x000, 0x400}; break;
    case Mirroring::FourScreen: nametable_bank_ = {0x000, 0x400, 0x800, 0xC00}; break;
  }
}

void Board::mirror_one_screen(u32 page) {
  NESPROOF_FAULT(one_screen_page_stuck, page = 0);
  if (header_mirroring_ != Mirroring::FourScreen) nametable_bank_.fill(page * 0x400);
}

// --- Power and state

void Board::power_on(u8 fill) {
  std::ranges::fill(prg_ram_, fill);
  std::ranges::fill(nametables_, fill);
  if (chr_writable_) std::ranges::fill(chr_, fill);
  for (u32 at = 0; at < trainer_.size() && !prg_ram_.empty(); ++at) {
    prg_ram_[(0x1000 + at) & prg_ram_mask_] = trainer_[at];
  }
  registers_ = {};
  irq_ = false;
  on_power_on();
  restored(0);
}

void Board::restored(u16 ppu_address) {
  on_restored(ppu_address);
  move_windows();
}

state::Sizes Board::sizes() const {
  return {.prg_ram_bytes = static_cast<u32>(prg_ram_.size()),
          .chr_ram_bytes = chr_writable_ ? static_cast<u32>(chr_.size()) : 0,
          .nametable_bytes = static_cast<u32>(nametables_.size())};
}

}  // namespace nesproof::reference
