// What a frame that is to be drawn leaves behind: for each line, all that its picture follows from.
//
// While recording, the PPU writes a row for every visible line that passes. A line that nothing disturbed is described
// by a few registers and drawn later, by many threads at once if need be; a line that went dot by dot writes its pixels
// into the frame at once. What the rows refer to (nametables, CHR-RAM, palette, OAM) is the console's own memory at the
// frame's end; whoever changes one of them during the visible lines first draws the lines before (draw/lines.hpp).
// Windows that move leave where they stood before (draw/windows_seen.hpp).
#pragma once

#include "core/types.hpp"

namespace nesproof::core {

enum class LineKind : u8 {
  Pixels,    // already in the frame
  Rendered,  // undisturbed, rendering on from dot 0 to the end
  Blank,     // undisturbed, rendering off: `v` chooses the colour
};

struct alignas(8) LineRecord {
  u16 v;  // before the line's dot 1: the prefetch has moved it two tiles on
  u8 fine_x;
  u8 control;  // PPUCTRL
  u8 mask;     // PPUMASK as the pipeline has it
  LineKind kind;
  // Something that acts on pixels alone has changed within the line: what stands above is true from this pixel on. The
  // pixels before are as above but for fine x, or in the frame.
  u8 first_x = 0;
  u8 fine_x_before = kInFrame;

  static constexpr u8 kInFrame = 0xFF;
};

// Where the windows that the PPU sees stand from a line on, in KiB.
struct LoggedWindows {
  u16 chr[8];       // $0000, $0400 ... $1C00
  u8 nametable[4];  // $2000, $2400, $2800, $2C00
  u8 first_line;
};

struct DrawLog {
  // A status bar, and some more; whoever moves them oftener draws on the way.
  static constexpr u32 kMostWindows = 8;

  LineRecord lines[240];
  u8* frame;                            // 240 x 256 pixels of `pixel_bytes`, at a multiple of eight
  u8 pixel_bytes;                       // 1: palette index; 2: with emphasis in bits 6 to 8
  u8 first_undrawn;                     // lines before this one are in the frame
  u8 window_count;                      // 0 where the board moves none
  LoggedWindows windows[kMostWindows];  // by line, from the first undrawn or before
};

}  // namespace nesproof::core
