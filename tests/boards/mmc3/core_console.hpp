// The core's console with an MMC3, of either layout, alone in its tile.
#pragma once

#include <span>
#include <vector>

#include "batch/host_cartridge.hpp"
#include "core/board/mmc3.hpp"
#include "core/draw/lines.hpp"
#include "core/run.hpp"
#include "core/snapshot.hpp"

namespace lockstep {

namespace batch = nesproof::batch;
namespace core = nesproof::core;
using core::u16;
using core::u32;
using core::u64;
using core::u8;
using Bytes = std::vector<u8>;
struct alignas(64) Block {
  u8 bytes[64];
};
using Memory = std::vector<Block>;

template <class Layout>
class CoreConsole {
 public:
  using System = core::System<Layout, core::Mmc3>;
  static constexpr bool kInterleaved = requires(Layout layout) { layout.lane; };
  static constexpr u32 kLane = 13;

  explicit CoreConsole(const batch::HostCartridge& cartridge) : cartridge_(cartridge) {
    memory_.resize(cartridge.view().state_bytes() / sizeof(Block) * (kInterleaved ? core::kLanes : 1));
    frame_.resize(240 * 256);
    log_.frame = reinterpret_cast<u8*>(frame_.data());
    log_.pixel_bytes = 2;
    core::power_on(system(), 0);
  }
  void step_frame(const u8* buttons, bool record, bool by_blocks) {
    recording_ = record;
    if (record) core::begin_recording(system());
    if (by_blocks) {
      core::Lane<System> lane(system(), buttons, 0, 1);
      while (!lane.finished()) lane.run_block();
      lane.end();
    } else {
      core::run(system(), buttons, 0, 1);
    }
    if (record) core::draw_logged_lines(system(), 240);
    recording_ = false;
  }
  void step_unit() { core::step_unit(system()); }
  void press_reset() { core::press_reset(system()); }
  void set_buttons(const u8* buttons) {
    core::controllers_set_buttons(system(), buttons[0], buttons[1], static_cast<u32>(system().bus_cycle_count()));
  }

  // What a settled console would hold; this one stays as it is.
  Bytes state() const {
    Memory copy = memory_;
    const System s = system_in(copy);
    core::settle(s);
    return fields(s);
  }
  Bytes settled_state() {
    core::settle(system());
    return fields(system());
  }
  void load(std::span<const u8> body) {
    core::take_fields(system(), body.data());
    core::settled(system());
  }
  const std::vector<u16>& picture() const { return frame_; }
  System system() { return system_in(memory_); }
  const Memory& memory() const { return memory_; }
  void put_memory(const Memory& memory) { memory_ = memory; }

 private:
  System system_in(Memory& memory) const {
    u8* const base = reinterpret_cast<u8*>(memory.data());
    core::DrawLog* const log = recording_ ? const_cast<core::DrawLog*>(&log_) : nullptr;
    if constexpr (kInterleaved) {
      return {Layout{base, kLane}, &cartridge_.view(), log};
    } else {
      return {Layout{base}, &cartridge_.view(), log};
    }
  }
  Bytes fields(const System& s) const {
    Bytes out(core::snapshot_body_bytes(cartridge_.view()));
    core::put_fields(s, out.data());
    return out;
  }

  const batch::HostCartridge& cartridge_;
  Memory memory_;
  std::vector<u16> frame_;
  core::DrawLog log_{};
  bool recording_ = false;
};

}  // namespace lockstep
