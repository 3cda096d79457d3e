// The reference console as its users see it: power, buttons, frames, memory, state.
//
// A frame ends when the PPU's position reaches scanline 241, dot 1. A step ends at the first boundary at or after it:
// just before an opcode fetch, an interrupt sequence or a jammed CPU's cycle, and before any DMA halt.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "reference/board/board.hpp"
#include "reference/types.hpp"
#include "state/snapshot.hpp"

namespace nesproof::reference {

class Bus;

// The CPU at a boundary, and the PPU's position there: a line of a trace.
struct CpuView {
  u16 pc;
  u8 a, x, y, p, s;
  u16 scanline, dot;
  u64 cycle;
};

class Console {
 public:
  // Powered on with RAM at 0. Throws std::invalid_argument where the cartridge cannot be.
  explicit Console(CartridgeImage image);
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void power_on(u8 fill);
  // RAM, OAM, palette and mapper memory stay; the next unit is the reset sequence.
  void press_reset();

  // Runs to the end of the frame under way.
  void step_frame(u8 buttons_1, u8 buttons_2);
  // Runs one unit (an instruction, an interrupt sequence, a jammed cycle); true if a frame ended in it.
  bool step_unit();
  // Runs `count` units and writes the state before each; a pending reset sequence is run first and not counted. With
  // `start` in 0..FFFF the program counter is set to it after that.
  void trace(std::span<CpuView> lines, int start);

  u8 peek(u16 address) const;
  u8 peek_video(u16 address) const;  // the PPU's bus, $0000-$3EFF: CHR and nametables
  bool poke(u16 address, u8 value);  // false for an address that is not RAM or PRG-RAM
  std::span<u8> ram();
  std::span<const u16> picture() const;  // 240 x 256, palette index | emphasis << 6
  CpuView cpu() const;
  bool jammed() const;
  u64 frame_count() const;

  u64 digest() const;
  std::size_t snapshot_bytes() const { return layout_.size_bytes(); }
  void save(std::span<u8> out) const;
  // Throws state::SnapshotError and changes nothing if the bytes are not a snapshot of this cartridge.
  void load(std::span<const u8> bytes);
  const state::Sizes& sizes() const { return sizes_; }

 private:
  template <class V>
  void visit(V& v) const;

  std::unique_ptr<Board> board_;
  std::unique_ptr<Bus> bus_;
  state::Sizes sizes_;
  state::SnapshotLayout layout_;
};

}  // namespace nesproof::reference
