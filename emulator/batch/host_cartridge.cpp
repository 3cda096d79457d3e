#include "batch/host_cartridge.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>

#include "core/cpu/code_map.hpp"
#include "state/cartridge_identity.hpp"

namespace nesproof::batch {

namespace {

constexpr std::size_t kMaxRomBytes = std::size_t{64} << 20;
constexpr std::uint32_t kMaxRamBytes = std::uint32_t{1} << 20;
constexpr std::size_t kTrainerBytes = 512;

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

void check(const CartridgeImage& image) {
  require(!image.prg_rom.empty() && image.prg_rom.size() <= kMaxRomBytes, "PRG-ROM must have 1 byte to 64 MiB");
  require(image.chr_rom.size() <= kMaxRomBytes, "CHR-ROM may have at most 64 MiB");
  require(image.chr_rom.empty() != (image.chr_ram_bytes == 0), "this board has either CHR-ROM or CHR-RAM");
  for (const std::uint32_t bytes : {image.chr_ram_bytes, image.prg_ram_bytes}) {
    require(bytes <= kMaxRamBytes, "RAM may have at most 1 MiB");
    require(bytes == 0 || std::has_single_bit(bytes), "RAM must be a power of two");
  }
  require(image.trainer.empty() || image.trainer.size() == kTrainerBytes, "a trainer has 512 bytes");
}

std::uint64_t identity_of(const CartridgeImage& image) {
  return state::cartridge_identity({.prg_rom = image.prg_rom,
                                    .chr_rom = image.chr_rom,
                                    .trainer = image.trainer,
                                    .chr_ram_bytes = image.chr_ram_bytes,
                                    .prg_ram_bytes = image.prg_ram_bytes,
                                    .mapper = image.mapper,
                                    .submapper = image.submapper,
                                    .variant = image.variant,
                                    .mirroring = static_cast<std::uint64_t>(image.mirroring)});
}

// Laid out as chips are, so that an address is reached by masking it: of a size that is no power of two, the largest
// chip that is in it, and what is left again and again in as much behind it. The last bank is the file's last.
std::vector<std::uint8_t> laid_out(std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return {};
  const std::size_t chip = std::bit_floor(bytes.size());
  std::vector<std::uint8_t> all(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(chip));
  if (chip == bytes.size()) return all;
  const std::vector<std::uint8_t> rest = laid_out(bytes.subspan(chip));
  while (all.size() < 2 * chip) all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

core::u32 mask_of(std::size_t bytes) { return static_cast<core::u32>(bytes - 1); }

void set_mirroring(core::Cartridge& cartridge, Mirroring mirroring) {
  constexpr core::u16 kBanks[3][4] = {
      {0x000, 0x000, 0x400, 0x400}, {0x000, 0x400, 0x000, 0x400}, {0x000, 0x400, 0x800, 0xC00}};
  std::ranges::copy(kBanks[static_cast<std::size_t>(mirroring)], cartridge.nametable_bank);
  cartridge.nametable_bytes = mirroring == Mirroring::FourScreen ? 4096 : 2048;
}

}  // namespace

HostCartridge::HostCartridge(CartridgeImage image, bool idle_skipping) : idle_skipping_(idle_skipping) {
  check(image);
  identity_ = identity_of(image);
  prg_rom_ = laid_out(image.prg_rom);
  chr_rom_ = laid_out(image.chr_rom);
  trainer_ = std::move(image.trainer);
  view_.prg_rom = prg_rom_.data();
  view_.chr_rom = chr_rom_.empty() ? nullptr : chr_rom_.data();
  view_.prg_mask = mask_of(prg_rom_.size());
  view_.chr_mask = mask_of(chr_rom_.empty() ? image.chr_ram_bytes : chr_rom_.size());
  view_.prg_ram_bytes = image.prg_ram_bytes;
  view_.chr_ram_bytes = image.chr_ram_bytes;
  view_.mapper = image.mapper;
  view_.submapper = image.submapper;
  view_.variant = image.variant;
  set_mirroring(view_, image.mirroring);
  code_map_.resize(prg_rom_.size());
  core::map_code(view_, idle_skipping, true, code_map_.data());
  view_.code_map = code_map_.data();
}

std::vector<std::uint32_t> HostCartridge::plain_code_map() const {
  std::vector<std::uint32_t> map(code_map_.size());
  core::map_code(view_, idle_skipping_, false, map.data());
  return map;
}

state::Sizes HostCartridge::sizes() const {
  return {.prg_ram_bytes = view_.prg_ram_bytes,
          .chr_ram_bytes = view_.chr_ram_bytes,
          .nametable_bytes = view_.nametable_bytes};
}

}  // namespace nesproof::batch
