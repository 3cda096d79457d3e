// A cartridge as the input chooses: sizes and board first, then what is in its ROMs.
//
//   bytes  content
//   1      bits 0-1 PRG-ROM 8, 16, 32, 24 KiB; bits 2-3 mirroring (3 is four-screen); bit 4 CHR-ROM; bit 5 trainer
//   1      bits 0-3 CHR-RAM 64 << n, at most 8 KiB; bits 4-7 PRG-RAM the same (on an MMC1 32 KiB), 0 for none
//   1      bits 0-3 the board (kBoards); bits 4-5 PRG-ROM times 1, 3, 4, 16 and bits 6-7 CHR-ROM times 1, 3, 4, 16,
//          or CHR-RAM times 1, 2, 4, 8, but for NROM
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "input.hpp"
#include "reference/board/board.hpp"

namespace nesproof::fuzz {

struct BoardKind {
  u16 mapper;
  u8 submapper = 0;
  u8 variant = 0;
};
inline constexpr BoardKind kBoards[16] = {{0},
                                          {1},
                                          {2},
                                          {3},
                                          {4},
                                          {4, 4, reference::kNecIrq},
                                          {4, 1, reference::kMmc6Ram},
                                          {7},
                                          {11},
                                          {34, 2},
                                          {34, 1},
                                          {66},
                                          {71},
                                          {71, 1},
                                          {1, 5},
                                          {2, 1}};

inline u32 ram_bytes(u8 nibble, u32 most) { return nibble == 0 ? 0 : std::min(u32{64} << (nibble - 1), most); }

inline void put_on_board(reference::CartridgeImage& image, u8 choice) {
  const BoardKind& board = kBoards[choice & 15];
  image.mapper = board.mapper;
  image.submapper = board.submapper;
  image.variant = board.variant;
  if (board.variant & reference::kMmc6Ram) image.prg_ram_bytes = 1024;
  if (board.mapper == 0) return;
  constexpr std::size_t kTimes[] = {1, 3, 4, 16};
  image.prg_rom.resize(image.prg_rom.size() * kTimes[choice >> 4 & 3]);
  image.chr_rom.resize(image.chr_rom.size() * kTimes[choice >> 6 & 3]);
  image.chr_ram_bytes <<= choice >> 6 & 3;
}

inline reference::CartridgeImage image_from(Input& input) {
  const u8 kind = input.byte(), sizes = input.byte(), board = input.byte();
  constexpr std::size_t kPrgSizes[] = {8192, 16384, 32768, 24576};
  reference::CartridgeImage image;
  image.mirroring = static_cast<reference::Mirroring>(std::min((kind >> 2) & 3, 2));
  image.prg_ram_bytes = ram_bytes(sizes >> 4, kBoards[board & 15].mapper == 1 ? 32768 : 8192);
  if (kind & 0x20) image.trainer = std::vector<u8>(512, 0xEA);
  image.prg_rom.resize(kPrgSizes[kind & 3]);
  if (kind & 0x10) {
    image.chr_rom.resize(8192);
  } else {
    image.chr_ram_bytes = std::max(ram_bytes(sizes & 15, 8192), u32{64});
  }
  put_on_board(image, board);
  return image;
}

inline void fill_roms(reference::CartridgeImage& image, std::span<const u8> content) {
  image.prg_rom = filled(content, image.prg_rom.size());
  const auto after = content.size() > image.prg_rom.size() ? content.subspan(image.prg_rom.size()) : content;
  if (!image.chr_rom.empty()) image.chr_rom = filled(after, image.chr_rom.size());
  // NMI, reset and IRQ vectors of every bank point into ROM, else most programs would run RAM full of zeros.
  for (std::size_t end = 8192; end <= image.prg_rom.size(); end += 8192) {
    for (std::size_t i = 1; i <= 5; i += 2) image.prg_rom[end - i] |= 0x80;
  }
}

}  // namespace nesproof::fuzz
