// Many consoles with one cartridge, whatever their layout and board: what the bindings see.
//
// Nothing here is for several threads at once; `run` and its like share their work out themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "batch/host_cartridge.hpp"
#include "batch/memory.hpp"
#include "batch/pieces.hpp"
#include "batch/thread_pool.hpp"
#include "state/snapshot.hpp"

namespace nesproof::batch {

enum class Layout {
  Aos,         // each console's bytes lie together
  Interleaved  // the GPU's: tiles of 32 consoles, run by its schedule
};

// A console at a boundary, and the PPU's position there: a line of a trace.
struct CpuView {
  std::uint16_t pc;
  std::uint8_t a, x, y, p, s;
  std::uint16_t scanline, dot;
  std::uint64_t cycle;
};

// Two bytes (players) for each frame of each console.
struct Buttons {
  const std::uint8_t* rows;
  std::size_t console_stride;  // bytes from a console's rows to the next console's
  std::uint32_t frame_stride;  // bytes from a frame's row to the next frame's; 0 where all frames have the same

  const std::uint8_t* of(std::size_t console, std::size_t frame) const {
    return rows + console * console_stride + frame * frame_stride;
  }
};

// Where the consoles lie, for views.
struct Places {
  std::uint8_t* base;
  std::size_t console_bytes;     // of a console's state
  std::size_t lanes;             // of a tile; 1 where there are none
  std::size_t ram_offset_bytes;  // of RAM in the first console
};

class Consoles {
 public:
  virtual ~Consoles() = default;

  virtual std::size_t count() const = 0;
  virtual Places places() const = 0;
  virtual const Memory& memory() const = 0;

  virtual void power_on(std::span<const std::int64_t> lanes, std::uint8_t fill) = 0;
  virtual void press_reset(std::span<const std::int64_t> lanes) = 0;

  // Where the pictures of records go from now on: [console][picture], `pixel_bytes` a pixel. What is recorded and
  // undrawn is not drawn any more; a frame that is under way goes on in its console's first picture.
  virtual void draw_to(Memory frames, std::size_t pictures, std::uint8_t pixel_bytes) = 0;
  // Runs pieces of a step, one after the other, on every console. The last recorded frame is drawn by `draw`, which
  // may never be called; those before it are drawn at once.
  virtual void run(std::span<const Piece> pieces, Buttons buttons) = 0;
  // Draws what is recorded and undrawn; of a frame that is under way, the lines that are over.
  virtual void draw() = 0;

  // One unit of one console: an instruction, an interrupt sequence, a jammed cycle; true if a frame ended in it.
  // Recorded are whole frames, in the console's first picture; `draw_to` was called before.
  virtual bool step_unit(std::size_t console) = 0;
  // At most `blocks` blocks of a frame with these buttons, one a player, and then one unit, which leaves nothing
  // undone; how many blocks there were. Nothing is recorded.
  virtual std::size_t run_blocks(std::size_t console, const std::uint8_t* buttons, std::size_t blocks) = 0;
  virtual std::uint8_t peek(std::size_t console, std::uint16_t address) = 0;
  virtual bool poke(std::size_t console, std::uint16_t address, std::uint8_t value) = 0;
  virtual void nametables(std::size_t console, std::uint8_t* out) = 0;  // 4 KiB: $2000-$2FFF of the PPU's bus
  virtual CpuView cpu(std::size_t console) = 0;
  virtual void set_pc(std::size_t console, std::uint16_t pc) = 0;
  virtual std::uint16_t pc(std::size_t console) = 0;
  virtual bool in_reset(std::size_t console) = 0;
  virtual bool jammed(std::size_t console) = 0;

  // [console][address]
  virtual void read(std::span<const std::uint16_t> addresses, std::uint8_t* out) = 0;
  virtual void read_ram(std::uint8_t* out) = 0;
  virtual void digest(std::uint64_t* out) = 0;
  virtual void frame_counts(std::uint64_t* out) = 0;

  // Snapshots in the lanes' order, `stride` bytes apart. Those that are loaded have been checked.
  virtual void save(std::span<const std::int64_t> lanes, std::uint8_t* out, std::size_t stride) = 0;
  virtual void load(std::span<const std::int64_t> lanes, const std::uint8_t* in, std::size_t stride) = 0;
};

// Powered on with RAM at 0. Throws std::invalid_argument for a board that the core has not.
std::unique_ptr<Consoles> make_consoles(std::shared_ptr<const HostCartridge> cartridge, std::size_t count,
                                        Layout layout, std::shared_ptr<ThreadPool> pool);

}  // namespace nesproof::batch
