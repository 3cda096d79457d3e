#include "batch/draw_patterns.hpp"

#include <array>
#include <bit>

namespace nesproof::batch {

namespace {

static_assert(std::endian::native == std::endian::little, "the leftmost pixel is the lowest byte");

// A byte's bits as bytes of 0 or 1, the top bit first.
constexpr std::array<PatternRow, 256> kSpread = [] {
  std::array<PatternRow, 256> spread{};
  for (unsigned bits = 0; bits < 256; ++bits) {
    for (unsigned x = 0; x < 8; ++x) spread[bits] |= PatternRow{bits >> (7 - x) & 1} << (8 * x);
  }
  return spread;
}();

}  // namespace

void unpack_patterns(const core::u8* chr, std::size_t bytes, PatternRow* rows) {
  for (std::size_t tile = 0; tile < bytes; tile += kChrBytesPerTile) {
    for (std::size_t row = 0; row < kRowsPerTile; ++row) {
      *rows++ = kSpread[chr[tile + row]] | kSpread[chr[tile + row + 8]] << 1;
    }
  }
}

std::vector<PatternRow> unpacked(const core::u8* chr, std::size_t bytes) {
  std::vector<PatternRow> rows(rows_to_hold(bytes));
  unpack_patterns(chr, bytes, rows.data());
  repeat_to_window(rows, bytes / 2);
  return rows;
}

}  // namespace nesproof::batch
