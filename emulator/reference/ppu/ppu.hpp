// The NTSC picture processing unit, 2C02G: https://www.nesdev.org/wiki/PPU
//
// The chip moves dot by dot: `tick` goes on by one dot and does what the chip does in it. A line is 341 dots, a frame
// 262 lines: 0-239 are drawn, 240 idles, 241-260 are vertical blank, 261 is the pre-render line.
//
//   registers.hpp          PPUCTRL, PPUMASK and PPUSTATUS and their bits
//   scroll.hpp             v, t, x and w
//   open_bus.hpp           the data bus towards the CPU and its decay
//   palette.hpp            palette RAM
//   background.hpp         background latches and shift registers
//   sprite_evaluation.hpp  OAM, secondary OAM and the search for the next line's sprites
//   sprite_units.hpp       the eight sprite output units
//   lines.hpp              which dot does what: the chart of a line
//   fetches.hpp            the PPU's bus and what is fetched in eight dots
//   pixel.hpp              from shift registers to a colour, and sprite-0 hit
//   access.cpp             the CPU's reads and writes
//   ppu.cpp                power-on, reset, and the events that happen once a frame
//
// Where in a CPU cycle an access happens. The chip samples the vblank flag when M2 rises and everything else when it
// falls, 1.9 dots later (https://www.nesdev.org/wiki/PPU_frame_timing). An access here is one instant: the fall, to the
// dot. What the rise samples is one dot older, which is the same as changing one dot later: so the flag that is set and
// cleared at dot 1 changes for the CPU at dot 2. The position, and with it the end of a frame, does not wait.
#pragma once

#include <array>
#include <bit>

#include "reference/board/board.hpp"
#include "reference/ppu/background.hpp"
#include "reference/ppu/open_bus.hpp"
#include "reference/ppu/palette.hpp"
#include "reference/ppu/registers.hpp"
#include "reference/ppu/scroll.hpp"
#include "reference/ppu/sprite_evaluation.hpp"
#include "reference/ppu/sprite_units.hpp"
#include "reference/types.hpp"

namespace nesproof::reference {

class Ppu {
 public:
  static constexpr u16 kDots = 341;
  static constexpr u16 kVblankLine = 241;
  static constexpr u16 kPreRenderLine = 261;
  static constexpr std::size_t kWidth = 256;
  static constexpr std::size_t kHeight = 240;

  explicit Ppu(Board& board) : board_(board) {}

  void power_on();
  void reset();

  // Goes on by one dot (lines.hpp).
  void tick();

  // CPU accesses to $2000-$3FFF between two dots; `reg` is the address modulo 8 (access.cpp).
  u8 read(u8 reg);
  void write(u8 reg, u8 value);
  u8 peek(u8 reg) const;

  // Level of the NMI line: the vblank flag and PPUCTRL's bit 7.
  bool nmi_line() const { return status_.vblank && control_.nmi_enabled(); }

  // What its address pins and the board's latch hold.
  u16 address_bus() const { return address_bus_; }

  int scanline() const { return scanline_; }
  int dot() const { return dot_; }
  u64 frame_count() const { return frame_count_; }
  // True once after the position has reached scanline 241, dot 1.
  bool take_frame_end() {
    const bool ended = frame_ended_;
    frame_ended_ = false;
    return ended;
  }
  // 240 rows of 256: palette entry in bits 0-5, emphasis in bits 6-8. Rows below the position are the last frame's.
  const u16* frame() const { return frame_.data(); }

  template <class V>
  void visit(V& v);
  // After loading a snapshot: recomputes what none holds, and makes one that nobody saved one that could have been.
  void restored() {
    if (delay_dots_[kMaskDelay] == 0) pipeline_mask_ = mask_;
    follow_mask();
    if (!is_rendering()) data_collides_ = false;
  }

 private:
  // Effects that take a few dots to arrive: how many ticks until they do, 0 when none is under way.
  enum Delay : std::size_t {
    kMaskDelay,      // PPUMASK reaches the pipeline; the colours and the end of line 261 have it with the first tick
    kAddressDelay,   // t goes to v after the second write to $2006
    kDataDelay,      // the memory cycle of $2007, and with the last tick the step of v
    kHitDelay,       // sprite-0 hit: the pixel is taken at dot x + 1, the flag rises at dot x + 2
    kOverflowDelay,  // sprite overflow: found in an even dot, the flag rises in the next one
    kDelays = 8,     // a power of two, so that one comparison sees all of them
  };
  // Consoles take two to five dots, by how the clocks of CPU and PPU lie. The alignment of this console is that in
  // which the skipped dot of ppu_vbl_nmi/10-even_odd_timing sees a write after one dot. In it, AccuracyCoin's "BG
  // Serial In" needs at least three for the pipeline, and its "$2007 Stress Test" at most three.
  static constexpr u8 kMaskDots = 3;
  static constexpr u8 kAddressDots = 3;
  static constexpr u8 kDataDots = 5;
  static constexpr u8 kHitDots = 1;
  // "$2002 Flag Timing" of AccuracyCoin has a hit in one dot and the ninth sprite examined in the next: a read must not
  // find both flags in the first dot in which it finds one.
  static constexpr u8 kOverflowDots = 1;

  // --- ppu.cpp
  void end_line();
  void enter_frame_end();
  void step_delays();
  void apply_mask();
  void follow_mask();
  const Mask& early_mask() const;
  void step_data_access();
  void finish_data_access();
  void access_memory(u16 address);
  void move_address();

  // --- lines.hpp
  struct Chart;
  static const Chart kVisibleLine;
  template <unsigned kPhase, bool kEvaluating>
  void tile_dot();
  template <unsigned kPhase>
  void sprite_dot();
  template <unsigned kPhase>
  void prefetch_dot();
  void idle_fetch_dot();
  void line_start_dot();
  void pre_render_dot();
  void forced_blank_dot();
  void post_render_dot();
  void vblank_dot();

  // --- fetches.hpp
  void put_address(u16 address);
  u8 fetch(u16 address);
  void fetch_background(unsigned phase);
  void fetch_sprite(unsigned phase);
  u8 sprite_pattern(u8 bits) const;
  u16 background_pattern_address() const;
  u16 sprite_pattern_address() const;

  // --- pixel.hpp
  void draw_pixel();
  u8 put_sprites_before(u8 background, u16 x);
  void draw_backdrop();
  void put_pixel(std::size_t x, u8 colour);

  // --- access.cpp
  bool on_rendered_line() const { return scanline_ < kHeight || scanline_ == kPreRenderLine; }
  bool is_rendering() const { return rendering_ && on_rendered_line(); }
  u8 read_status();
  u8 read_oam();
  u8 read_data();
  void write_oam(u8 value);
  void write_data(u8 value);

  Board& board_;

  // Position
  u16 scanline_ = 0;
  u16 dot_ = 0;
  bool odd_frame_ = false;
  bool frame_ended_ = false;
  u64 frame_count_ = 0;

  // Registers
  Control control_;
  Mask mask_;           // as the CPU wrote it
  Mask pipeline_mask_;  // as the pipeline sees it
  Status status_;
  Scroll scroll_;
  OpenBus open_bus_;
  bool vblank_suppressed_ = false;  // a read hit the dot before the flag: it is not set in this frame
  bool warming_up_ = false;         // writes to $2000, $2001, $2005 and $2006 are ignored
  std::array<u8, kDelays> delay_dots_{};

  // Memory
  u16 address_bus_ = 0;  // bits 13-8 as driven, bits 7-0 as the latch on the board holds them
  u8 collided_ = 0;      // the byte on the bus when $2007's cycle met a dot that drives an address
  u8 read_buffer_ = 0;   // what a read of $2007 gets
  u8 data_written_ = 0;  // on its way to memory
  bool data_is_write_ = false;
  bool data_collides_ = false;  // it has the bus in a dot in which the pipeline drives an address
  Palette palette_;

  // Pipeline
  Background background_;
  SpriteEvaluation sprites_;
  SpriteUnits units_;
  // The sprite whose pattern is being fetched
  u8 sprite_y_ = 0;
  u8 sprite_tile_ = 0;
  u8 sprite_attributes_ = 0;

  // Follows from pipeline_mask_
  bool rendering_ = false;
  u8 colour_mask_ = 0x3F;
  u16 emphasis_ = 0;
  u16 first_background_x_ = 256;
  u16 first_sprite_x_ = 256;

  std::array<u16, kWidth * kHeight> frame_{};
};

}  // namespace nesproof::reference

#include "reference/ppu/fetches.hpp"
#include "reference/ppu/lines.hpp"
#include "reference/ppu/pixel.hpp"
#include "reference/ppu/state.hpp"
