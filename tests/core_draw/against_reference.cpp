// Draws random pictures every way there is and compares them with the reference's, pixel for pixel.
//
//   against_reference FIRST COUNT [spoil]
//
// Seeds FIRST and on. With `spoil` a record says another fine x than the truth, which must be found. Prints how many
// lines were compared, and what differs; the exit status is 1 where something does.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "batch/draw.hpp"
#include "scene.hpp"

namespace {

using namespace scene;

constexpr u16 kUntouched = 0xEEEE;

struct Tally {
  u64 pictures = 0, lines = 0, blank = 0, crowded = 0, cut = 0, split = 0, pixels = 0;
};

// One way to draw: into a frame of its own, with a log of its own.
struct Way {
  const char* name;
  u8 pixel_bytes;
  void (*draw)(Way& way, const core::Cartridge& cartridge, u8* state, u32 upto);
  core::DrawLog log{};
  std::vector<u16> frame{};
};

void line_by_line(Way& way, const core::Cartridge& cartridge, u8* state, u32 upto) {
  core::draw_logged_lines(AosSystem(core::Aos{state}, &cartridge, &way.log), upto);
}

void by_eights(Way& way, const core::Cartridge& cartridge, u8* state, u32 upto) {
  const AosSystem s(core::Aos{state}, &cartridge, &way.log);
  for (u32 line = way.log.first_undrawn; line < upto; ++line) {
    const u64 set = core::sprites_of_line(s, line, core::sprite_rows(way.log.lines[line].control));
    for (u32 eight = 0; eight < 32; ++eight) core::draw_eight_pixels(s, line, set, 31 - eight);
  }
  way.log.first_undrawn = static_cast<u8>(upto);
}

// The last lane of a tile whose other lanes hold something else.
void interleaved(Way& way, const core::Cartridge& cartridge, u8* state, u32 upto) {
  constexpr u32 kLane = 29;
  std::vector<u64> tile(cartridge.state_bytes() * core::kLanes / 8, 0x5A5A5A5A5A5A5A5A);
  const TileSystem to({reinterpret_cast<u8*>(tile.data()), kLane}, &cartridge, &way.log);
  const AosSystem from(core::Aos{state}, &cartridge, &way.log);
  const auto& sizes = cartridge;
#define FIELD(name, type, count, unit, class_, max) \
  for (u32 i = 0; i < static_cast<u32>(count); ++i) to.name(i) = from.name(i);
#include "state/architecture.def"
#undef FIELD
  core::draw_logged_lines(to, upto);
}

template <const batch::RowMaker& (*kMake)()>
void at_once(Way& way, const core::Cartridge& cartridge, u8* state, u32 upto) {
  const AosSystem s(core::Aos{state}, &cartridge, &way.log);
  batch::Painter(cartridge, kMake()).draw_lines(s, upto);
}
// Where a processor lacks a make, the portable one stands in.
const batch::RowMaker& or_portable(const batch::RowMaker* make) {
  return make != nullptr ? *make : batch::kPortableRows;
}
const batch::RowMaker& portable() { return or_portable(nullptr); }
const batch::RowMaker& avx2() { return or_portable(batch::avx2_rows()); }
const batch::RowMaker& avx512() { return or_portable(batch::avx512_rows()); }

bool compare(const Way& way, const Picture& picture, u64 seed, Tally& tally) {
  for (u32 at = 0; at < way.frame.size(); ++at) {
    const u32 line = at / 256;
    // Lines that no record describes are nobody's to draw.
    const bool untouched = picture.log.lines[line].kind == LineKind::Pixels;
    const u16 truth = untouched ? kUntouched : picture.reference_frame()[at];
    const u16 expected = truth & (way.pixel_bytes == 2 ? 0xFFFF : untouched ? 0xFF : 0x3F);
    const u16 found = way.pixel_bytes == 1 ? reinterpret_cast<const u8*>(way.frame.data())[at] : way.frame[at];
    tally.pixels += !untouched;
    if (found == expected) continue;
    const core::LineRecord& record = picture.log.lines[line];
    std::printf("seed %llu, %s, %d bytes a pixel: line %u, x %u is %03X instead of %03X (mask %02X, control %02X)\n",
                seed, way.name, way.pixel_bytes, line, at % 256, found, expected, record.mask, record.control);
    return false;
  }
  return true;
}

bool check(u64 seed, bool spoil, Tally& tally) {
  Picture picture(seed);
  std::vector<Way> ways;
  for (const u8 bytes : {1, 2}) {
    ways.push_back({"line by line", bytes, line_by_line});
    ways.push_back({"eight pixels at a time", bytes, by_eights});
    ways.push_back({"interleaved", bytes, interleaved});
    ways.push_back({"at once, portable", bytes, at_once<portable>});
    ways.push_back({"at once, AVX2", bytes, at_once<avx2>});
    ways.push_back({"at once, AVX-512", bytes, at_once<avx512>});
  }
  for (Way& way : ways) way.frame.assign(std::size_t{240} * 256, kUntouched);
  u32 drawn = 0;
  const auto draw = [&](u32 upto) {
    if (spoil && drawn == 0) picture.log.lines[upto / 2].fine_x ^= 1;
    drawn = upto;
    for (Way& way : ways) {
      std::memcpy(way.log.lines, picture.log.lines, sizeof picture.log.lines);
      way.log.pixel_bytes = way.pixel_bytes;
      way.log.frame = reinterpret_cast<u8*>(way.frame.data());
      way.draw(way, picture.cartridge(), picture.core().base, upto);
    }
  };
  const auto split = [&](u32 line, u32 x, u32 fine_x) {
    core::LineRecord after{};
    for (Way& way : ways) {
      way.log.lines[line] = picture.log.lines[line];
      way.log.pixel_bytes = way.pixel_bytes;
      way.log.frame = reinterpret_cast<u8*>(way.frame.data());
      const AosSystem s(core::Aos{picture.core().base}, &picture.cartridge(), &way.log);
      fine_x == kOtherChange ? core::split_line(s, line, x) : core::change_fine_x(s, line, x, static_cast<u8>(fine_x));
      after = way.log.lines[line];
    }
    picture.log.lines[line] = after;
  };
  picture.run(draw, split);
  draw(core::kDrawnLines);
  ++tally.pictures;
  for (u32 line = 0; line < core::kDrawnLines; ++line) {
    tally.lines += picture.log.lines[line].kind == LineKind::Rendered;
    tally.blank += picture.log.lines[line].kind == LineKind::Blank;
    tally.split += core::draw_detail::has_other_half(picture.log.lines[line]);
    tally.cut += picture.log.lines[line].first_x != 0;
    core::SpritesOfLines<1> sprites;
    sprites.find(picture.core(), line, core::sprite_rows(picture.log.lines[line].control));
    tally.crowded += sprites.on(line) != sprites.shown_by(line);
  }
  bool good = true;
  for (const Way& way : ways) good &= compare(way, picture, seed, tally);
  return good;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const u64 first = std::strtoull(arguments[1], nullptr, 10), pictures = std::strtoull(arguments[2], nullptr, 10);
  const bool spoil = count > 3 && std::string(arguments[3]) == "spoil";
  Tally tally;
  u64 bad = 0;
  for (u64 seed = first; seed < first + pictures; ++seed) bad += !check(seed, spoil, tally);
  std::printf(
      "pictures %llu rendered %llu blank %llu crowded %llu cut %llu split %llu pixels %llu avx2 %d avx512 %d bad "
      "%llu\n",
      tally.pictures, tally.lines, tally.blank, tally.crowded, tally.cut, tally.split, tally.pixels,
      batch::avx2_rows() != nullptr, batch::avx512_rows() != nullptr, bad);
  return bad != 0;
}
