// Hostile snapshots: any bytes either are refused and change nothing, or load into a console that runs on safely.
//
// The first byte chooses a cartridge and how the rest is used: as a whole snapshot with the right header written over
// it (bit 7), or as a list of edits (position 2, value 1) of a sound one, which reaches further behind the checks. The
// second byte is the cartridge's board (any_cartridge.hpp).
#include <algorithm>

#include "any_cartridge.hpp"
#include "input.hpp"

namespace nesproof::fuzz {

namespace {

constexpr std::size_t kHeaderBytes = state::kSnapshotHeaderBytes;
constexpr int kUnits = 500;

// A program that writes to every kind of register, the board's included, and lets NMI, IRQ and both DMAs run.
constexpr u8 kProgram[] = {
    0xA9, 0x90, 0x8D, 0x00, 0x20,        // LDA #$90, STA PPUCTRL
    0xA9, 0x1E, 0x8D, 0x01, 0x20,        // LDA #$1E, STA PPUMASK
    0xA9, 0x1F, 0x8D, 0x15, 0x40,        // LDA #$1F, STA $4015
    0xA9, 0xCF, 0x8D, 0x10, 0x40,        // LDA #$CF, STA $4010
    0xA9, 0x02, 0x8D, 0x14, 0x40,        // LDA #$02, STA OAMDMA
    0xAD, 0x07, 0x20, 0x8D, 0x07, 0x20,  // LDA PPUDATA, STA PPUDATA
    0xAD, 0x16, 0x40, 0x8D, 0x16, 0x40,  // LDA $4016, STA $4016
    0x48, 0x58, 0xEE, 0x03, 0x40,        // PHA, CLI, INC $4003
    0xEE, 0x00, 0x80, 0x8D, 0x01, 0xC0,  // INC $8000, STA $C001
    0x4C, 0x14, 0x80,                    // JMP $8014
};

reference::CartridgeImage image_of(u8 choice, u8 board) {
  reference::CartridgeImage image;
  image.prg_rom = filled(kProgram, 32768);
  std::copy(std::begin(kProgram), std::end(kProgram), image.prg_rom.begin());
  constexpr u8 kVectors[] = {0x14, 0x80, 0x00, 0x80, 0x1E, 0x80};
  std::copy(std::begin(kVectors), std::end(kVectors), image.prg_rom.end() - 6);
  image.mirroring = static_cast<reference::Mirroring>(choice % 3);
  image.prg_ram_bytes = choice & 4 ? 8192 : 0;
  if (choice & 8) {
    image.chr_rom = filled(kProgram, 8192);
  } else {
    image.chr_ram_bytes = choice & 16 ? 64 : 8192;
  }
  const std::vector<u8> bank = image.prg_rom;
  put_on_board(image, board);
  for (std::size_t at = 0; at < image.prg_rom.size(); ++at) image.prg_rom[at] = bank[at % bank.size()];
  image.chr_rom = filled(kProgram, image.chr_rom.size());
  return image;
}

void run(std::span<const u8> bytes) {
  Input input(bytes);
  const u8 choice = input.byte(), board = input.byte();
  reference::Console console(image_of(choice, board));
  for (int unit = 0; unit < 200 * (choice & 3); ++unit) console.step_unit();

  const std::vector<u8> sound = snapshot_of(console);
  std::vector<u8> hostile = sound;
  if (choice & 0x80) {
    const auto given = input.rest();
    const bool keeps_header = choice & 0x40;
    const std::size_t start = keeps_header ? kHeaderBytes : 0;
    hostile.resize(start + given.size());
    std::copy(given.begin(), given.end(), hostile.begin() + static_cast<std::ptrdiff_t>(start));
    if (keeps_header) hostile.resize(sound.size());
  } else {
    for (int edit = 0; edit < 64; ++edit) {
      const u16 position = input.word();
      hostile[position % hostile.size()] ^= input.byte();
    }
  }

  const u64 before = console.digest();
  try {
    console.load(hostile);
  } catch (const state::SnapshotError&) {
    demand(console.digest() == before, "a refused snapshot changes nothing");
    return;
  }
  const std::vector<u8> canonical = snapshot_of(console);
  reference::Console other(image_of(choice, board));
  other.load(canonical);
  demand(other.digest() == console.digest(), "what was loaded can be saved and loaded again");
  for (int unit = 0; unit < kUnits; ++unit) {
    console.step_unit();
    other.step_unit();
  }
  demand(other.digest() == console.digest(), "both run on alike");
  if (choice & 0x20) console.step_frame(0xFF, 0x0F);
  for (u32 address = 0; address < 0x10000; address += 7) console.peek(static_cast<u16>(address));
  console.press_reset();
  for (int unit = 0; unit < kUnits; ++unit) console.step_unit();
}

}  // namespace

}  // namespace nesproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  nesproof::fuzz::run({data, size});
  return 0;
}
