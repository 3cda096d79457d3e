#include "batch/draw_colours.hpp"

namespace nesproof::batch {

namespace {

using core::u16;
using core::u32;
using core::u8;

template <class Pixel>
void to_rgb(const Pixel* pixels, std::size_t count, const ColourTable& table, u8* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const u32 colour = table.rgb(pixels[i]);
    *out++ = static_cast<u8>(colour);
    *out++ = static_cast<u8>(colour >> 8);
    *out++ = static_cast<u8>(colour >> 16);
  }
}

template <class Pixel>
void to_grey(const Pixel* pixels, std::size_t count, const ColourTable& table, u8* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = table.grey(pixels[i]);
}

}  // namespace

ColourTable::ColourTable(const u8* rgb, const u8* grey) {
  for (std::size_t i = 0; i < kEmphases * kEntries; ++i) {
    const u32 red = rgb[3 * i], green = rgb[3 * i + 1], blue = rgb[3 * i + 2];
    rgb_[i] = red | green << 8 | blue << 16;
    grey_[i] = grey[i];
    const u8 channels[kChannels] = {rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2], grey[i]};
    for (std::size_t channel = 0; channel < kChannels; ++channel) {
      u8* const to = channels_[i / kEntries].of[channel][i % kEntries / 16];
      to[i % 16] = to[i % 16 + 16] = channels[channel];
    }
  }
}

const ColourMaker kPortableColours{to_rgb<u8>, to_rgb<u16>, to_grey<u8>, to_grey<u16>};

const ColourMaker& fastest_colours() {
  const ColourMaker* const best = avx2_colours();
  return best != nullptr ? *best : kPortableColours;
}

}  // namespace nesproof::batch
