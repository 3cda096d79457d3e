// The pieces that a step falls into, since frames that are recorded for drawing stand alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace nesproof::batch {

inline constexpr std::size_t kPicturePixels = std::size_t{240} * 256;

// Frames [first, first + frames) of a step, run in one go. A recorded piece is one frame.
struct Piece {
  std::size_t first, frames;
  bool recorded = false;
  std::size_t picture = 0;  // which of the record's
  bool is_last = false;     // recorded, and drawn only when somebody asks
};

// Of a step that records its last `pictures` frames. Memories change from frame to frame, so that a recorded frame but
// the last is drawn before the next one begins. No piece is longer than `longest`.
inline std::vector<Piece> pieces_of(std::size_t frames, std::size_t pictures, std::size_t longest) {
  const std::size_t unrecorded = frames - pictures;
  std::vector<Piece> pieces;
  pieces.reserve(unrecorded / longest + 1 + pictures);
  for (std::size_t first = 0; first < unrecorded; first += longest) {
    pieces.push_back({.first = first, .frames = std::min(longest, unrecorded - first)});
  }
  for (std::size_t picture = 0; picture < pictures; ++picture) {
    pieces.push_back({.first = unrecorded + picture,
                      .frames = 1,
                      .recorded = true,
                      .picture = picture,
                      .is_last = picture + 1 == pictures});
  }
  return pieces;
}

}  // namespace nesproof::batch
