#include "batch/draw.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#include "faults/hooks.hpp"

namespace nesproof::batch {

namespace {

using core::LineKind;
using core::LineRecord;
using core::u16;
using core::u32;
using core::u64;
using core::u8;

constexpr u64 kEveryPixel = 0x0101010101010101;

using Sprites = core::SpritesOfLines<core::kDrawnLines>;

class Picture {
 public:
  Picture(const PictureSource& source, core::DrawLog& log, const RowMaker& make)
      : source_(source), log_(log), make_(make) {}

  void draw(u32 upto) {
    u32 line = log_.first_undrawn;
    upto_ = upto;
    windows_ = source_.windows;
    NESPROOF_FAULT(last_line_not_drawn, log_.lines[core::kDrawnLines - 1].kind = LineKind::Pixels);
    while (line < upto) line += draw_lines(line);
    log_.first_undrawn = static_cast<u8>(upto);
  }

 private:
  // Draws the line, and lines below it that show the same tiles; returns how many.
  u32 draw_lines(u32 line) {
    const LineRecord& record = log_.lines[line];
    if (record.kind == LineKind::Pixels) return 1;
    while (windows_->end_line <= line) ++windows_;
    if (record.kind == LineKind::Blank) {
      put_blank(line);
      return 1;
    }
    if (core::draw_detail::has_other_half(record)) {
      const LineRecord before = core::draw_detail::other_half(record);
      entries_[0] = rows_.entries[core::fine_y(before.v)] + before.fine_x;
      draw_together(before, line, 1);
    }
    const u32 count = lines_of_tiles(line);
    draw_together(record, line, count);
    return count;
  }

  void draw_together(const LineRecord& record, u32 line, u32 count) {
    const u64 sprites = record.mask & core::kMaskSprites ? sprites_on(line, count) : 0;
    if (record.mask != colours_mask_) find_colours(record.mask);
    make_background(record, count);
    if (sprites != 0) put_sprites(line, count, sprites);
    put_rows(line, count, sprites != 0, record.first_x);
  }

  // As long as all but fine x stays the same; says where each line's entries are to be.
  u32 lines_of_tiles(u32 line) {
    const LineRecord* const records = log_.lines + line;
    const u32 first_row = core::fine_y(records->v);
    const u32 most = std::min({static_cast<u32>(kRowsPerTile) - first_row, windows_->end_line - line, upto_ - line});
    u8* row = rows_.entries[first_row];
    entries_[0] = row + records->fine_x;
    if (records->first_x != 0) return 1;
    const u64 first = bits_of(records[0]);
    u32 count = 1;
    for (; count < most && bits_of(records[count]) == first + count * 0x1000; ++count) {
      entries_[count] = (row += TileRows::kStride) + records[count].fine_x;
    }
    return count;
  }
  // A record but for fine x as one number, v in its lowest bits.
  static u64 bits_of(const LineRecord& record) {
    static_assert(sizeof(LineRecord) == 8 && offsetof(LineRecord, v) == 0 && offsetof(LineRecord, fine_x) == 2);
    static_assert(offsetof(LineRecord, first_x) == 6 && offsetof(LineRecord, fine_x_before) == 7);
    u64 bits;
    std::memcpy(&bits, &record, sizeof bits);
    return bits & 0xFFFFFFFF'FF00FFFF;
  }

  // --- Background
  const PatternRow* const* background_of(const LineRecord& record) const {
    return windows_->patterns.rows + (record.control & core::kControlBackgroundTable ? 4 : 0);
  }
  void make_background(const LineRecord& record, u32 count) {
    const u32 first_row = core::fine_y(record.v);
    if (!(record.mask & core::kMaskBackground)) {
      std::memset(rows_.entries[first_row], 0, count * TileRows::kStride);
      return;
    }
    name_tiles(record.v);
    make_.copy_tiles(names_, background_of(record), first_row, first_row + count - 1, rows_);
    NESPROOF_FAULT(left_column_not_clipped, return);
    if (record.mask & core::kMaskBackgroundLeft) return;
    for (u32 i = 0; i < count; ++i) std::memset(entries_[i], 0, 8);
  }

  void name_tiles(u16 v_two_tiles_on) {
    const u16 v = core::after_tiles(v_two_tiles_on, 64 - 2);
    // The nametable that the line begins in, and the one beside it.
    const u32 address = core::nametable_address(v);
    const u8* const sides[2] = {windows_->nametables[address >> 10 & 3], windows_->nametables[(address >> 10 & 3) ^ 1]};
    for (u32 side = 0; side < 2; ++side) std::memcpy(names_.name + 32 * side, sides[side] + (address & 0x3E0), 32);
    const u32 attributes = 0x3C0 + (v >> 4 & 0x38);
    make_.spread_palettes(sides[0] + attributes, sides[1] + attributes, v >> 4 & 4, names_);
    names_.first = v & 0x1F;
  }

  // --- Sprites
  u64 sprites_on(u32 line, u32 count) {
    const u32 height = core::sprite_rows(log_.lines[line].control);
    Sprites& sprites = height == 16 ? tall_sprites_ : sprites_;
    if (!sprites.hold(line, height)) sprites.find(source_.state, 0, height);
    u64 all = 0;
    for (u32 i = 0; i < count; ++i) all |= sprites.on(line + i);
    return all;
  }

  // Puts them over the background of lines that are drawn together. Sprite by sprite in OAM's order, so that on every
  // line the first one has its say first.
  void put_sprites(u32 line, u32 count, u64 all) {
    const LineRecord& record = log_.lines[line];
    const Sprites& sprites = core::sprite_rows(record.control) == 16 ? tall_sprites_ : sprites_;
    // Which of them each line shows, where a line may have more than eight.
    u64 shown[kRowsPerTile];
    const bool crowded = std::popcount(all) > 8;
    for (u32 i = 0; crowded && i < count; ++i) shown[i] = sprites.shown_by(line + i);
    for (; all != 0; all &= all - 1) {
      put_sprite(record, line, count, static_cast<u32>(std::countr_zero(all)), crowded ? shown : nullptr);
    }
  }

  void put_sprite(const LineRecord& record, u32 line, u32 count, u32 number, const u64* shown) const {
    const u8* const sprite = &source_.state.ppu_oam(number * 4);
    const u32 y = sprite[0], attributes = sprite[2], x = sprite[3], height = core::sprite_rows(record.control);
    const u32 top = core::sprite_pattern_address(record.control, y, sprite[0], sprite[1], 0);
    const PatternRow* pattern = windows_->patterns.rows[top >> 10] + (top >> 4 & 63) * kRowsPerTile;
    const bool upside_down = attributes & 0x80;
    if (upside_down) pattern += height - 1;
    SpriteRows rows{.pattern = nullptr,
                    .step = upside_down ? -1 : 1,
                    .entries = nullptr,
                    .x = x,
                    .count = 0,
                    .seen = ~u64{0},
                    .behind = attributes & 0x20 ? ~u64{0} : 0,
                    .entry = kEveryPixel * (kOfSprite | (attributes & 3) << 2),
                    .mirrored = (attributes & 0x40) != 0};
    NESPROOF_FAULT(sprites_always_in_front, rows.behind = 0);
    if (x < 8 && !(record.mask & core::kMaskSpritesLeft)) rows.seen = x == 0 ? 0 : rows.seen << (64 - 8 * x);

    const u32 end = std::min(line + count, y + 1 + height);
    for (u32 at = std::max(line, y + 1); at < end; at += rows.count + 1) {
      rows.pattern = pattern + static_cast<std::ptrdiff_t>(at - y - 1) * rows.step;
      rows.entries = entries_ + (at - line);
      rows.count = end - at;
      if (shown != nullptr) {
        rows.count = 0;
        while (at + rows.count < end && shown[at + rows.count - line] >> number & 1) ++rows.count;
      }
      if (rows.count != 0) make_.put_sprite(rows);
    }
  }

  // --- Colours
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

  void put_rows(u32 line, u32 count, bool has_sprites, u32 first_x) const {
    if (log_.pixel_bytes == 1) {
      put_from(first_x, narrow_row(line),
               [&](u8* rows) { make_.put_narrow(entries_, count, colours_, has_sprites, rows); });
    } else {
      put_from(first_x, wide_row(line),
               [&](u16* rows) { make_.put_wide(entries_, count, colours_, has_sprites, rows); });
    }
  }
  void put_blank(u32 line) const {
    const LineRecord& record = log_.lines[line];
    const u32 entry = core::draw_detail::entry_of_blank(record);
    const u32 colour = core::draw_detail::colour_of(source_.state, record.mask, entry);
    if (log_.pixel_bytes == 1) {
      std::fill(narrow_row(line) + record.first_x, narrow_row(line + 1), static_cast<u8>(colour & 0x3F));
    } else {
      std::fill(wide_row(line) + record.first_x, wide_row(line + 1), static_cast<u16>(colour));
    }
  }
  // `put` writes whole rows; of a row whose first pixels are drawn only the others are taken.
  template <class Pixel, class Put>
  static void put_from(u32 first_x, Pixel* rows, const Put& put) {
    if (first_x == 0) return put(rows);
    Pixel row[core::kPictureWidth];
    put(row);
    std::copy(row + first_x, row + core::kPictureWidth, rows + first_x);
  }

  u8* narrow_row(u32 line) const { return log_.frame + line * core::kPictureWidth; }
  u16* wide_row(u32 line) const { return reinterpret_cast<u16*>(log_.frame) + line * core::kPictureWidth; }

  static constexpr u32 kNoMask = 0x100;

  const PictureSource& source_;
  core::DrawLog& log_;
  const RowMaker& make_;
  const PictureWindows* windows_;
  u32 upto_;
  u32 colours_mask_ = kNoMask;
  Colours colours_;
  u8* entries_[kRowsPerTile];  // of the lines that are drawn together, from their first pixel on
  TileNames names_;
  Sprites sprites_, tall_sprites_;
  TileRows rows_;
};

}  // namespace

void draw_picture(const PictureSource& source, core::DrawLog& log, const RowMaker& make, u32 upto) {
  Picture(source, log, make).draw(upto);
}

Painter::Painter(const core::Cartridge& cartridge, const RowMaker& make) : make_(make) {
  if (cartridge.chr_rom != nullptr) chr_rom_ = unpacked(cartridge.chr_rom, cartridge.chr_mask + std::size_t{1});
}

const RowMaker& fastest_rows() {
  for (const RowMaker* const make : {avx512_rows(), avx2_rows()}) {
    if (make != nullptr) return *make;
  }
  return kPortableRows;
}

}  // namespace nesproof::batch
