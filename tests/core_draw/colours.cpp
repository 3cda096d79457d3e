// Converts pixels to colours and grey, in one make, and writes the bytes: what they must be is known to the caller.
//
//   colours MAKE FORMAT RGB GREY PIXELS OUT
//
// MAKE: portable or fastest. FORMAT: narrow_to_rgb, wide_to_rgb, narrow_to_grey or wide_to_grey. RGB and GREY are files
// of 512 colours, PIXELS one of pixels. The exit status is 3 where `fastest` is not AVX2.
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "batch/draw_colours.hpp"

namespace {

using namespace nesproof;
using core::u16;
using core::u8;

std::vector<u8> bytes_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 7) return 2;
  const bool fastest = arguments[1] == std::string("fastest");
  if (fastest && batch::avx2_colours() == nullptr) return 3;
  const batch::ColourMaker& make = fastest ? batch::fastest_colours() : batch::kPortableColours;
  const std::string format = arguments[2];
  const std::vector<u8> colours = bytes_of(arguments[3]), greys = bytes_of(arguments[4]),
                        input = bytes_of(arguments[5]);
  const batch::ColourTable table(colours.data(), greys.data());
  const bool wide = format.starts_with("wide"), rgb = format.ends_with("rgb");
  const std::size_t pixels = input.size() / (wide ? 2 : 1);
  std::vector<u8> out(pixels * (rgb ? 3 : 1));
  if (wide) {
    std::vector<u16> values(pixels);
    for (std::size_t i = 0; i < pixels; ++i) values[i] = static_cast<u16>(input[2 * i] | input[2 * i + 1] << 8);
    (rgb ? make.wide_to_rgb : make.wide_to_grey)(values.data(), pixels, table, out.data());
  } else {
    (rgb ? make.narrow_to_rgb : make.narrow_to_grey)(input.data(), pixels, table, out.data());
  }
  std::ofstream(arguments[6], std::ios::binary)
      .write(reinterpret_cast<const char*>(out.data()), static_cast<std::streamsize>(out.size()));
  return 0;
}
