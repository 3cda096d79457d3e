// Finished pictures as colours or grey, in two makes that give the same bytes: portable, and AVX2.
//
// Pixels are what drawing leaves: palette entries of a byte, or of two bytes with emphasis in bits 6 to 8. The colours,
// and what grey they are, come from emulator/palette.py.
#pragma once

#include <cstddef>

#include "core/types.hpp"

namespace nesproof::batch {

inline constexpr std::size_t kEntries = 64, kEmphases = 8;

class ColourTable {
 public:
  enum Channel : std::size_t { kRed, kGreen, kBlue, kGrey, kChannels };
  // A channel's 64 entries in four tables of 16, each twice: as a shuffle of 32 bytes looks them up.
  struct Channels {
    alignas(32) core::u8 of[kChannels][4][32];
  };

  // By emphasis << 6 | entry: 512 colours of three bytes, and of one.
  ColourTable(const core::u8* rgb, const core::u8* grey);

  core::u32 rgb(std::size_t pixel) const { return rgb_[pixel]; }  // red in the lowest byte; 0 above blue
  core::u8 grey(std::size_t pixel) const { return grey_[pixel]; }
  const Channels& channels(std::size_t emphasis) const { return channels_[emphasis]; }

 private:
  core::u32 rgb_[kEmphases * kEntries];
  core::u8 grey_[kEmphases * kEntries];
  Channels channels_[kEmphases];
};

// Any number of pixels, so that pictures which lie one behind the other go in one call. Three bytes a pixel come out of
// `*_to_rgb`, one of `*_to_grey`. Bits above those of a pixel must be 0.
struct ColourMaker {
  void (*narrow_to_rgb)(const core::u8* pixels, std::size_t count, const ColourTable& table, core::u8* out);
  void (*wide_to_rgb)(const core::u16* pixels, std::size_t count, const ColourTable& table, core::u8* out);
  void (*narrow_to_grey)(const core::u8* pixels, std::size_t count, const ColourTable& table, core::u8* out);
  void (*wide_to_grey)(const core::u16* pixels, std::size_t count, const ColourTable& table, core::u8* out);
};

extern const ColourMaker kPortableColours;
// Null where the compiler or the processor has no AVX2.
const ColourMaker* avx2_colours();
// The best of this processor.
const ColourMaker& fastest_colours();

}  // namespace nesproof::batch
