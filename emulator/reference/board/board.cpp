#include "reference/board/board.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

#include "reference/board/nrom.hpp"
#include "state/cartridge_identity.hpp"

namespace nesproof::reference {

namespace {

constexpr std::size_t kMaxRomBytes = std::size_t{64} << 20;
constexpr u32 kMaxRamBytes = u32{1} << 20;
constexpr u32 kTrainerBytes = 512;

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

// Repeats the content up to a power of two, so that a mask stands for every bank that a board could select.
std::vector<u8> to_power_of_two(std::vector<u8> bytes) {
  const std::size_t size = bytes.size();
  bytes.resize(std::bit_ceil(size));
  for (std::size_t at = size; at < bytes.size(); ++at) bytes[at] = bytes[at % size];
  return bytes;
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

Board::Board(CartridgeImage image) {
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
  prg_rom_ = to_power_of_two(std::move(image.prg_rom));
  chr_ = chr_writable_ ? std::vector<u8>(image.chr_ram_bytes) : to_power_of_two(std::move(image.chr_rom));
  prg_ram_.resize(image.prg_ram_bytes);
  trainer_ = std::move(image.trainer);
  nametables_.resize(image.mirroring == Mirroring::FourScreen ? 4096 : 2048);
  prg_mask_ = static_cast<u32>(prg_rom_.size() - 1);
  chr_mask_ = static_cast<u32>(chr_.size() - 1);
  prg_ram_mask_ = prg_ram_.empty() ? 0 : static_cast<u32>(prg_ram_.size() - 1);
  nametable_mask_ = static_cast<u32>(nametables_.size() - 1);
  set_mirroring(image.mirroring);
}

void Board::set_mirroring(Mirroring mirroring) {
  switch (mirroring) {
    case Mirroring::Horizontal: nametable_bank_ = {0x000, 0x000, 0x400, 0x400}; break;
    case Mirroring::Vertical: nametable_bank_ = {0x000, 0x400, 0x000, 0x400}; break;
    case Mirroring::FourScreen: nametable_bank_ = {0x000, 0x400, 0x800, 0xC00}; break;
  }
}

void Board::power_on(u8 fill) {
  std::ranges::fill(prg_ram_, fill);
  std::ranges::fill(nametables_, fill);
  if (chr_writable_) std::ranges::fill(chr_, fill);
  for (u32 at = 0; at < trainer_.size() && !prg_ram_.empty(); ++at) {
    prg_ram_[(0x7000 + at) & prg_ram_mask_] = trainer_[at];
  }
  irq_ = false;
}

state::Sizes Board::sizes() const {
  return {.prg_ram_bytes = static_cast<u32>(prg_ram_.size()),
          .chr_ram_bytes = chr_writable_ ? static_cast<u32>(chr_.size()) : 0,
          .nametable_bytes = static_cast<u32>(nametables_.size())};
}

std::unique_ptr<Board> make_board(CartridgeImage image) {
  switch (image.mapper) {
    case 0: return std::make_unique<Nrom>(std::move(image));
    default:
      throw std::invalid_argument("mapper " + std::to_string(image.mapper) +
                                  " is not supported by this console; it supports mapper 0 (NROM)");
  }
}

}  // namespace nesproof::reference
