// Bit 12 of the PPU's address bus over a rendered line: https://www.nesdev.org/wiki/PPU_rendering
//
// While rendering, nothing of the pipeline's state is needed to know it: nametables lie where it is low, and of
// patterns it says from which table they come.
//
//   dots   0          1-4  5-8        9-12  13-16 ... 253-256   as the background's tiles
//   level  B          0    B          0     B         B
//
//   dots   257-260    261-264   ... 313-316   317-320             as the sprite units
//   level  0          S0            0         S7
//
//   dots   321-324    325-328   329-332   333-336   337-340       as the next line's first tiles
//   level  0          B         0         B         0
//
// B is the background's table, S0 to S7 those of the eight sprite units. So a line is a set of 43 slots: slot k is
// high, if it is, in dots 8k - 3 to 8k, of which slot 0 has the last alone, and low in the four dots before.
#pragma once

#include "core/board/a12.hpp"
#include "core/draw/sprites.hpp"
#include "core/ppu/registers.hpp"
#include "core/ppu/sprite_scan.hpp"

namespace nesproof::core {

namespace a12_detail {

// --- Sets of slots
inline constexpr u64 kBackgroundSlots = u64{3} << 41 | 0x1FFFFFFFF;
inline constexpr u32 kFirstUnitSlot = 33;
inline constexpr u32 kHighUnits = 0xFF;

constexpr u64 slots_of(u8 control, u32 units) {
  return (control & kControlBackgroundTable ? kBackgroundSlots : 0) | u64{units} << kFirstUnitSlot;
}
constexpr u32 slot_of(u32 dot) { return (dot + 3) >> 3; }
constexpr u32 rise_of(u32 slot) { return 8 * slot - 3; }
constexpr bool is_high(u64 slots, u32 dot) { return ((dot + 3) & 4) == 0 && (slots >> slot_of(dot) & 1) != 0; }
static_assert(is_high(1, 0) && !is_high(~u64{0}, 1) && !is_high(~u64{0}, 4) && is_high(2, 5) && is_high(2, 8));
static_assert(rise_of(kFirstUnitSlot) == 261 && rise_of(41) == 325 && !is_high(~u64{0}, 340));

inline u32 last_of(u64 set) {
#if defined(__CUDACC_RTC__)
  return 63 - static_cast<u32>(__clzll(static_cast<long long>(set)));
#else
  return 63 - static_cast<u32>(__builtin_clzll(set));
#endif
}
inline u32 size_of(u64 set) {
#if defined(__CUDACC_RTC__)
  return static_cast<u32>(__popcll(set));
#else
  u32 size = 0;
  for (; set != 0; set &= set - 1) ++size;  // a few
  return size;
#endif
}

// --- Sprites
// The units whose patterns come from $1000, where they follow from OAM or from secondary OAM. A unit without a sprite
// has tile $FF. With sprites of 8x8 all of them have one table.
constexpr bool has_tall_sprites(u8 control) { return control & kControlTallSprites; }
constexpr u32 units_of_small_sprites(u8 control) { return control & kControlSpriteTable ? kHighUnits : 0; }

template <class S>
u32 units_from_secondary_oam(S s) {
  u32 units = 0;
  for (u32 unit = 0; unit < 8; ++unit) units |= (s.ppu_secondary_oam(unit * 4 + 1) & 1u) << unit;
  return units;
}
// Of sprites of 8x16 that an undisturbed search finds for the line after `line`.
template <class S>
u32 units_from_oam(S s, u32 line) {
  u64 set = line_detail::sprites_in_range(s, line, 16);
  u32 units = kHighUnits;
  for (u32 unit = 0; unit < 8 && set != 0; ++unit, set &= set - 1) {
    if (!(s.ppu_oam(draw_detail::first_of(set) * 4 + 1) & 1)) units ^= 1u << unit;
  }
  return units;
}

// After dot `dot` of a visible line: whether its search is an undisturbed one. OAM, OAMADDR, the sprites' height and
// rendering are as they were in the last line's dot 257.
template <class S>
bool search_is_undisturbed(S s, u32 dot) {
  return s.lazy_ppu_time() - s.lazy_board_oam_moved_at() >= dot + kDotsPerLine - 257;
}
// Whether the units of a line can be told when a jump has left it, after its dot `dot`, for lines beyond.
template <class S>
bool units_stay_known(S s, u32 line, u32 dot) {
  if (!has_tall_sprites(s.ppu_control()) || dot >= 320) return true;
  return line == kPreRenderLine ? s.lazy_line_owed() == 0 : search_is_undisturbed(s, dot);
}

// After dot `dot` of a line: whether the units get what lies at their place of secondary OAM. (They do unless
// rendering was off for some of dots 257-320.)
template <class S>
bool reads_back_in_step(S s, u32 dot) {
  if (dot <= 256 || dot >= 320) return true;
  const u32 unit = (dot - 257) >> 3, phase = (dot - 257) & 7;
  const u32 read = phase < 3 ? phase + 1 : phase == 7 ? 4 : 3;
  if (s.ppu_secondary_address() != ((unit * 4 + read) & 31)) return false;
  return phase == 0 || s.ppu_sprite_tile() == s.ppu_secondary_oam(unit * 4 + 1);
}

// --- A stretch of dots
// The level, and the dot of its last fall.
struct Level {
  u32 fell_at;
  bool high;
};

template <class S>
Level level_now(S s) {
  return {s.lazy_board_a12_fell_at(), s.lazy_board_a12() != 0};
}

// The rises that are clocks: of the first dot of a stretch, and at the start of slots.
struct Clocks {
  bool first;
  u64 slots;
  u32 count() const { return first + size_of(slots); }
};

// Dots `from` to `to` of a line. `at`: the time of dot `from`. What was before may be anything: levels follow PPUCTRL
// with the next dot.
template <class S>
Clocks pass_dots(S s, Level& level, u64 slots, u32 from, u32 to, u32 at) {
  Clocks clocks{};
  if (from > to) return clocks;
  if (is_high(slots, from) != level.high) {
    level.high = !level.high;
    if (level.high) {
      clocks.first = a12_was_low(s, level.fell_at, at);
    } else {
      level.fell_at = at;
    }
  }
  // The other rises. Where the slot before is not high the bit was low for 12 dots; only the first may follow a fall
  // from before the stretch.
  const u32 first_slot = slot_of(from);
  const u64 rises = slots & ((u64{2} << slot_of(to)) - (u64{2} << first_slot));
  const u64 highs = rises | u64{level.high} << first_slot;
  clocks.slots = rises & ~(highs << 1);
  if (!level.high && rises != 0) {
    const u32 slot = draw_detail::first_of(rises);
    if (!a12_was_low(s, level.fell_at, at + rise_of(slot) - from)) clocks.slots &= ~(u64{1} << slot);
  }
  if (highs != 0) {
    const u32 end = 8 * last_of(highs);
    level.high = to <= end;
    if (!level.high) level.fell_at = at + end + 1 - from;
  }
  return clocks;
}

// In a line after one that was rendered with the same tables.
constexpr u64 clocks_of_line(u64 slots) {
  const bool background = slots & 1;
  return slots & ~(slots << 1 | u64{background});
}

}  // namespace a12_detail

}  // namespace nesproof::core
