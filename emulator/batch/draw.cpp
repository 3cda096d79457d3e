#include "batch/draw.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace nesproof::batch {

namespace {

using core::LineKind;
using core::LineRecord;
using core::u16;
using core::u32;
using core::u64;
using core::u8;

constexpr u64 kEveryPixel = 0x0101010101010101;
constexpr u8 kOfSprite = 0x10, kTaken = 0x20;

// Bytes of $FF where `bits` has a lowest bit.
constexpr u64 whole_pixels(u64 bits) {
  const u64 lowest = bits & kEveryPixel;
  return (lowest << 8) - lowest;
}
constexpr u64 opaque_pixels(u64 entries) { return whole_pixels(entries | entries >> 1); }

class Picture {
 public:
  Picture(const PictureSource& source, core::DrawLog& log, const RowMaker& make)
      : source_(source), log_(log), make_(make) {}

  void draw() {
    u32 line = log_.first_undrawn;
    while (line < core::kDrawnLines) line += draw_lines(line);
    log_.first_undrawn = core::kDrawnLines;
  }

 private:
  // Draws the line, and lines below it that show the same tiles; returns how many.
  u32 draw_lines(u32 line) {
    const LineRecord& record = log_.lines[line];
    if (record.kind == LineKind::Pixels) return 1;
    if (record.kind == LineKind::Blank) {
      put_blank(line);
      return 1;
    }
    const u32 first_row = core::fine_y(record.v);
    if (!(record.mask & core::kMaskBackground)) {
      std::memset(rows_.entries[first_row], 0, TileRows::kStride);
      finish(line);
      return 1;
    }
    const u32 count = lines_of_tiles(line);
    name_tiles(record.v);
    make_.copy_tiles(names_, source_.patterns.rows + (record.control & core::kControlBackgroundTable ? 4 : 0),
                     first_row, first_row + count - 1, rows_);
    for (u32 i = 0; i < count; ++i) finish(line + i);
    return count;
  }

  u32 lines_of_tiles(u32 line) const {
    const LineRecord& record = log_.lines[line];
    const u32 most = std::min<u32>(kRowsPerTile - core::fine_y(record.v), core::kDrawnLines - line);
    u32 count = 1;
    while (count < most && shows_same_tiles(record, log_.lines[line + count], count)) ++count;
    return count;
  }
  static bool shows_same_tiles(const LineRecord& first, const LineRecord& below, u32 lines) {
    return below.kind == LineKind::Rendered && below.v == first.v + lines * 0x1000 &&
           ((below.control ^ first.control) & core::kControlBackgroundTable) == 0 &&
           (below.mask & core::kMaskBackground) != 0;
  }

  void name_tiles(u16 v_two_tiles_on) {
    const u16 v = core::after_tiles(v_two_tiles_on, 64 - 2);
    // The nametable that the line begins in, and the one beside it.
    for (u32 side = 0; side < 2; ++side) {
      const u32 address = core::nametable_address(v) ^ side << 10;
      const u8* const nametable = source_.nametables[address >> 10 & 3];
      std::memcpy(names_.name + 32 * side, nametable + (address & 0x3E0), 32);
      spread_palettes(nametable + 0x3C0 + (v >> 4 & 0x38), v >> 4 & 4, names_.palette + 32 * side);
    }
    names_.first = v & 0x1F;
  }
  // A row of attribute bytes as a palette for each of 32 tiles.
  static void spread_palettes(const u8* attributes, u32 shift, u8* palettes) {
    for (u32 i = 0; i < 8; ++i) {
      const u32 bits = static_cast<u32>(attributes[i] >> shift);
      palettes[i * 4] = palettes[i * 4 + 1] = static_cast<u8>((bits & 3) << 2);
      palettes[i * 4 + 2] = palettes[i * 4 + 3] = static_cast<u8>(bits & 0xC);
    }
  }

  // Sprites and colours for a line whose entries are made.
  void finish(u32 line) {
    const LineRecord& record = log_.lines[line];
    u8* const entries = rows_.entries[core::fine_y(record.v)] + record.fine_x;
    if (!(record.mask & core::kMaskBackgroundLeft)) std::memset(entries, 0, 8);
    u64 sprites = 0;
    if (record.mask & core::kMaskSprites) sprites = sprites_on(line, core::sprite_rows(record.control));
    if (sprites != 0) put_sprites(line, record, sprites, entries);
    if (record.mask != colours_mask_) find_colours(record.mask);
    if (log_.pixel_bytes == 1) {
      make_.put_narrow(entries, colours_, sprites != 0, narrow_row(line));
    } else {
      make_.put_wide(entries, colours_, sprites != 0, wide_row(line));
    }
  }

  u64 sprites_on(u32 line, u32 height) {
    Sprites& sprites = height == 16 ? tall_sprites_ : sprites_;
    if (!sprites.hold(line, height)) sprites.find(source_.state, 0, height);
    return sprites.on(line);
  }

  void put_sprites(u32 line, const LineRecord& record, u64 sprites, u8* entries) const {
    for (u32 count = 0; sprites != 0 && count < 8; ++count, sprites &= sprites - 1) {
      const u8* const sprite = &source_.state.ppu_oam(static_cast<u32>(std::countr_zero(sprites)) * 4);
      const u8 attributes = sprite[2], x = sprite[3];
      const u32 address = core::sprite_pattern_address(record.control, line - 1, sprite[0], sprite[1], attributes);
      u64 pixels = source_.patterns.rows[address >> 10][(address >> 4 & 63) * kRowsPerTile + (address & 7)];
      if (attributes & 0x40) pixels = __builtin_bswap64(pixels);
      u64 opaque = opaque_pixels(pixels);
      if (x < 8 && !(record.mask & core::kMaskSpritesLeft))
        opaque = x == 0 ? 0 : opaque >> (64 - 8 * x) << (64 - 8 * x);
      u64 under;
      std::memcpy(&under, entries + x, 8);
      opaque &= ~whole_pixels(under / kTaken);  // bit 5
      const u64 shown = attributes & 0x20 ? opaque & ~opaque_pixels(under) : opaque;
      const u64 entry = pixels | kEveryPixel * (kOfSprite | (attributes & 3u) << 2);
      under = (under & ~shown) | (entry & shown) | (opaque & kEveryPixel * kTaken);
      std::memcpy(entries + x, &under, 8);
    }
  }

  void find_colours(u8 mask) {
    colours_mask_ = mask;
    for (u32 i = 0; i < 16; ++i) {
      const u8 background = source_.state.ppu_palette(i & 3 ? i : 0) & core::colour_mask(mask);
      const u8 sprite = source_.state.ppu_palette(16 + i) & core::colour_mask(mask);
      colours_.background[i] = colours_.background[i + 16] = background;
      colours_.sprites[i] = colours_.sprites[i + 16] = sprite;
    }
    colours_.emphasis = core::emphasis(mask);
  }

  void put_blank(u32 line) const {
    const LineRecord& record = log_.lines[line];
    const u32 entry = (record.v & 0x3F00) == 0x3F00 ? record.v & 0x1Fu : 0;
    const u32 colour = core::draw_detail::colour_of(source_.state, record.mask, entry);
    if (log_.pixel_bytes == 1) {
      std::memset(narrow_row(line), static_cast<int>(colour & 0x3F), core::kPictureWidth);
    } else {
      std::fill_n(wide_row(line), core::kPictureWidth, static_cast<u16>(colour));
    }
  }

  u8* narrow_row(u32 line) const { return log_.frame + line * core::kPictureWidth; }
  u16* wide_row(u32 line) const { return reinterpret_cast<u16*>(log_.frame) + line * core::kPictureWidth; }

  using Sprites = core::SpritesOfLines<core::kDrawnLines>;
  static constexpr u32 kNoMask = 0x100;

  const PictureSource& source_;
  core::DrawLog& log_;
  const RowMaker& make_;
  u32 colours_mask_ = kNoMask;
  Colours colours_;
  TileNames names_{};
  Sprites sprites_, tall_sprites_;
  TileRows rows_;
};

}  // namespace

void draw_picture(const PictureSource& source, core::DrawLog& log, const RowMaker& make) {
  Picture(source, log, make).draw();
}

Painter::Painter(const core::Cartridge& cartridge, const RowMaker& make) : make_(make) {
  if (cartridge.chr_rom != nullptr) chr_rom_ = unpacked(cartridge.chr_rom, cartridge.chr_mask + std::size_t{1});
}

const RowMaker& fastest_rows() {
  const RowMaker* const best = avx2_rows();
  return best != nullptr ? *best : kPortableRows;
}

}  // namespace nesproof::batch
