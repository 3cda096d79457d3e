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
  constexpr std::size_t kWindowBytes = 1024;
  std::vector<core::u8> window(chr, chr + bytes);
  while (!window.empty() && window.size() < kWindowBytes) window.push_back(window[window.size() - bytes]);
  std::vector<PatternRow> rows(window.size() / 2);
  unpack_patterns(window.data(), window.size(), rows.data());
  return rows;
}

}  // namespace nesproof::batch
