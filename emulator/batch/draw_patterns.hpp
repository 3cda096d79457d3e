// Pattern tables with a byte a pixel: https://www.nesdev.org/wiki/PPU_pattern_tables
//
// A tile's row, two bytes of bit planes in the cartridge, is eight bytes of pixels 0 to 3 here, the leftmost in the
// lowest byte; its eight rows follow each other. That is four times the cartridge's memory, and what every row of every
// picture is copied from.
#pragma once

#include <cstddef>
#include <vector>

#include "core/types.hpp"

namespace nesproof::batch {

using PatternRow = core::u64;

inline constexpr std::size_t kChrBytesPerTile = 16;
inline constexpr std::size_t kRowsPerTile = 8;

// `rows` takes half as many rows as there are bytes, which are a multiple of 16.
void unpack_patterns(const core::u8* chr, std::size_t bytes, PatternRow* rows);

// The rows of a memory of any size, as often as it appears in a window of 1 KiB.
std::vector<PatternRow> unpacked(const core::u8* chr, std::size_t bytes);

}  // namespace nesproof::batch
