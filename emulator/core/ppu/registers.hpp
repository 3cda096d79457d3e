// The bits of the PPU's registers, and what they stand for: https://www.nesdev.org/wiki/PPU_registers
#pragma once

#include "core/types.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

// --- Positions on the screen
inline constexpr u32 kDotsPerLine = 341;
inline constexpr u32 kLinesPerFrame = 262;
inline constexpr u32 kDrawnLines = 240;
inline constexpr u32 kVblankLine = 241;
inline constexpr u32 kPreRenderLine = 261;

// --- PPUCTRL, $2000
//   7  bit  0
//   VPHB SINN
//   |||| ||++- nametable of the scroll (goes to t)
//   |||| |+--- v moves by 32 instead of 1 after a $2007 access
//   |||| +---- sprites of 8x8: pattern table
//   |||+------ background: pattern table
//   ||+------- sprites are 8x16
//   +--------- NMI while the vblank flag is set
inline constexpr u8 kControlStep32 = 0x04;
inline constexpr u8 kControlSpriteTable = 0x08;
inline constexpr u8 kControlBackgroundTable = 0x10;
inline constexpr u8 kControlTallSprites = 0x20;
inline constexpr u8 kControlNmi = 0x80;

constexpr u32 sprite_rows(u8 control) { return control & kControlTallSprites ? 16 : 8; }

// --- PPUMASK, $2001
//   7  bit  0
//   BGRs bMmG
//   |||| |||+- greyscale
//   |||| ||+-- background in the leftmost 8 pixels
//   |||| |+--- sprites in the leftmost 8 pixels
//   |||| +---- background
//   |||+------ sprites
//   +++------- emphasis
inline constexpr u8 kMaskGrey = 0x01;
inline constexpr u8 kMaskBackgroundLeft = 0x02;
inline constexpr u8 kMaskSpritesLeft = 0x04;
inline constexpr u8 kMaskBackground = 0x08;
inline constexpr u8 kMaskSprites = 0x10;
inline constexpr u8 kMaskRendering = kMaskBackground | kMaskSprites;

constexpr u8 colour_mask(u8 mask) { return mask & kMaskGrey ? 0x30 : 0x3F; }
// As a pixel of two bytes has it: bits 6 to 8.
constexpr u16 emphasis(u8 mask) {
  NESPROOF_FAULT(emphasis_lost, mask = 0);
  return static_cast<u16>((mask & 0xE0) << 1);
}
// The first x at which a layer is seen: 256 when it is off.
constexpr u32 first_background_x(u8 mask) {
  NESPROOF_FAULT(left_column_not_clipped, mask |= kMaskBackgroundLeft);
  return !(mask & kMaskBackground) ? 256 : mask & kMaskBackgroundLeft ? 0 : 8;
}
constexpr u32 first_sprite_x(u8 mask) { return !(mask & kMaskSprites) ? 256 : mask & kMaskSpritesLeft ? 0 : 8; }

// --- Delays: dots until an effect arrives, as in the field of that name
inline constexpr u8 kMaskDots = 3;      // the pipeline has PPUMASK; colours and the end of line 261 with the first dot
inline constexpr u8 kAddressDots = 3;   // t goes to v after the second write to $2006
inline constexpr u8 kDataDots = 5;      // the memory cycle of $2007; v steps with the last dot
inline constexpr u8 kHitDots = 1;       // sprite-0 hit
inline constexpr u8 kOverflowDots = 1;  // sprite overflow

// PPUMASK as the colours and the end of the pre-render line have it.
template <class S>
u8 early_mask(S s) {
  return s.ppu_mask_delay() == kMaskDots ? s.ppu_pipeline_mask() : s.ppu_mask();
}

template <class S>
bool rendering_enabled(S s) {
  return s.ppu_pipeline_mask() & kMaskRendering;
}

constexpr bool is_rendered_line(u32 line) { return line < kDrawnLines || line == kPreRenderLine; }

}  // namespace nesproof::core
