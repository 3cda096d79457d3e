// Pattern tables with a byte a pixel: https://www.nesdev.org/wiki/PPU_pattern_tables
//
// A tile's row, two bytes of bit planes in the cartridge, is eight bytes of pixels 0 to 3 here, the leftmost in the
// lowest byte; its eight rows follow each other. That is four times the cartridge's memory, and what every row of every
// picture is copied from.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/types.hpp"

namespace nesproof::batch {

using PatternRow = core::u64;

inline constexpr std::size_t kChrBytesPerTile = 16;
inline constexpr std::size_t kRowsPerTile = 8;
inline constexpr std::size_t kChrBytesPerRow = kChrBytesPerTile / kRowsPerTile;

// `rows` takes half as many rows as there are bytes, which are a multiple of 16.
void unpack_patterns(const core::u8* chr, std::size_t bytes, PatternRow* rows);

// Memory smaller than a window of 1 KiB appears in it again and again.
inline constexpr std::size_t kWindowBytes = 1024;
inline std::size_t rows_to_hold(std::size_t bytes) { return std::max(bytes, kWindowBytes) / 2; }
inline void repeat_to_window(std::vector<PatternRow>& rows, std::size_t made) {
  for (std::size_t row = made; row < rows.size(); ++row) rows[row] = rows[row - made];
}

// The rows of a memory of any size, and of a window at least.
std::vector<PatternRow> unpacked(const core::u8* chr, std::size_t bytes);

}  // namespace nesproof::batch
