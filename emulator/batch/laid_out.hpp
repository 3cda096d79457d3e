// Consoles in one layout with one board: everything but how they are run, which a layout does its own way.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "batch/consoles.hpp"
#include "batch/draw.hpp"
#include "core/digest.hpp"
#include "core/draw/lines.hpp"
#include "core/peek.hpp"
#include "core/run.hpp"
#include "core/snapshot.hpp"
#include "faults/hooks.hpp"

namespace nesproof::batch {

// A part of so many consoles is worth another thread where each takes a microsecond or less.
inline constexpr std::size_t kQuickOnes = 32;

// Console by console, each at a multiple of 64 bytes.
struct AosPlaces {
  using View = core::Aos;
  static constexpr std::size_t kTile = 1;
  static View view(std::uint8_t* base, std::size_t console, std::size_t bytes) { return {base + console * bytes}; }
};

// Tiles of 32 consoles.
struct TilePlaces {
  using View = core::LaneInterleaved;
  static constexpr std::size_t kTile = core::kLanes;
  static View view(std::uint8_t* base, std::size_t console, std::size_t bytes) {
    return {base + console / kTile * (kTile * bytes), static_cast<core::u32>(console % kTile)};
  }
};

template <class Where, class Board>
class LaidOut : public Consoles {
 public:
  using System = core::System<typename Where::View, Board, const core::Cartridge*, PaintedLog*>;

  LaidOut(std::shared_ptr<const HostCartridge> cartridge, std::size_t count, std::shared_ptr<ThreadPool> pool)
      : cartridge_(std::move(cartridge)),
        pool_(std::move(pool)),
        painter_(cartridge_->view()),
        count_(count),
        state_bytes_(cartridge_->view().state_bytes()),
        memory_(zeroed_memory((count + Where::kTile - 1) / Where::kTile * Where::kTile * state_bytes_)),
        layout_(cartridge_->sizes()),
        records_(count, RecordState::None) {
    pool_->run(count_, 1, [this](std::size_t begin, std::size_t end) {
      for (std::size_t console = begin; console < end; ++console) turn_on(console, 0);
    });
  }

  std::size_t count() const override { return count_; }
  const Memory& memory() const override { return memory_; }
  Places places() const override {
    return {memory_.get(), state_bytes_, Where::kTile, core::place_of(core::Field::bus_ram)};
  }

  void power_on(std::span<const std::int64_t> lanes, std::uint8_t fill) override {
    for_each(lanes, [this, fill](std::size_t console, std::size_t) {
      give_up_state(console);
      turn_on(console, fill);
    });
  }
  void press_reset(std::span<const std::int64_t> lanes) override {
    for_each(lanes, [this](std::size_t console, std::size_t) {
      give_up_state(console);
      core::press_reset(system(console));
    });
  }

  void draw_to(Memory frames, std::size_t pictures, std::uint8_t pixel_bytes) override {
    if (logs_ == nullptr) logs_ = zeroed_memory(count_ * sizeof(PaintedLog));
    for (std::size_t console = 0; console < count_; ++console) {
      if (records_[console] == RecordState::UnderWay) {
        std::uint8_t* const to = frames.get() + console * pictures * kPicturePixels * pixel_bytes;
        std::copy_n(log(console)->frame, kPicturePixels * pixel_bytes, to);
        log(console)->frame = to;
      } else {
        records_[console] = RecordState::None;
      }
    }
    frames_ = std::move(frames);
    pictures_ = pictures;
    pixel_bytes_ = pixel_bytes;
  }
  void draw() override {
    pool_->run(count_, 1, [this](std::size_t begin, std::size_t end) {
      for (std::size_t console = begin; console < end; ++console) draw_one(console);
    });
  }

  bool step_unit(std::size_t console) override {
    begin(console, 0);
    if (!core::step_unit(system(console))) return false;
    end(console, false);
    return true;
  }

  std::size_t run_blocks(std::size_t console, const std::uint8_t* buttons, std::size_t blocks) override {
    give_up_state(console);
    const System s = system(console);
    core::Lane<System> lane(s, buttons, 0, 1);
    std::size_t run = 0;
    for (; run < blocks && !lane.finished(); ++run) lane.run_block();
    const bool frame_ended = lane.finished();
    lane.end();
    if (!frame_ended) core::step_unit(s);
    return run;
  }

  std::uint8_t peek(std::size_t console, std::uint16_t address) override {
    return core::peek(settled(console), address);
  }
  bool poke(std::size_t console, std::uint16_t address, std::uint8_t value) override {
    return core::poke(system(console), address, value);
  }
  void nametables(std::size_t console, std::uint8_t* out) override {
    const System s = settled(console);
    for (std::uint16_t at = 0; at < 0x1000; ++at) out[at] = s.nametable(static_cast<std::uint16_t>(0x2000 | at));
  }
  CpuView cpu(std::size_t console) override {
    const System s = settled(console);
    return {.pc = s.cpu_pc(),
            .a = s.cpu_a(),
            .x = s.cpu_x(),
            .y = s.cpu_y(),
            .p = s.cpu_p(),
            .s = s.cpu_s(),
            .scanline = s.ppu_scanline(),
            .dot = s.ppu_dot(),
            .cycle = s.bus_cycle_count()};
  }
  void set_pc(std::size_t console, std::uint16_t pc) override { system(console).cpu_pc() = pc; }
  std::uint16_t pc(std::size_t console) override { return system(console).cpu_pc(); }
  bool in_reset(std::size_t console) override { return system(console).cpu_reset_pending() != 0; }
  bool jammed(std::size_t console) override { return system(console).cpu_jammed() != 0; }

  void read(std::span<const std::uint16_t> addresses, std::uint8_t* out) override {
    pool_->run(count_, kQuickOnes, [&](std::size_t begin, std::size_t end) {
      std::uint8_t* to = out + begin * addresses.size();
      for (std::size_t console = begin; console < end; ++console) {
        const System s = settled(console);
        for (const std::uint16_t address : addresses) *to++ = core::peek(s, address);
      }
    });
  }
  void read_ram(std::uint8_t* out) override {
    pool_->run(count_, kQuickOnes, [&](std::size_t begin, std::size_t end) {
      std::uint8_t* to = out + begin * 2048;
      for (std::size_t console = begin; console < end; ++console) {
        const System s = system(console);
        for (core::u32 at = 0; at < 2048; ++at) *to++ = s.bus_ram(at);
      }
    });
  }
  void digest(std::uint64_t* out) override {
    pool_->run(count_, kQuickOnes, [&](std::size_t begin, std::size_t end) {
      for (std::size_t console = begin; console < end; ++console) out[console] = core::digest(settled(console));
    });
  }
  void frame_counts(std::uint64_t* out) override {
    for (std::size_t console = 0; console < count_; ++console) out[console] = settled(console).ppu_frame_count();
  }

  void save(std::span<const std::int64_t> lanes, std::uint8_t* out, std::size_t stride) override {
    for_each(lanes, [&](std::size_t console, std::size_t row) {
      std::uint8_t* const snapshot = out + row * stride;
      state::write_header({snapshot, layout_.size_bytes()}, layout_, cartridge_->identity());
      core::put_fields(settled(console), snapshot + state::kSnapshotHeaderBytes);
      NESPROOF_FAULT(snapshot_without_chr_ram,
                     state::leave_out({snapshot, layout_.size_bytes()}, layout_, state::Index::cartridge_chr_ram));
      NESPROOF_FAULT(snapshot_without_a_latch,
                     state::leave_out({snapshot, layout_.size_bytes()}, layout_, state::Index::ppu_next_tile));
      NESPROOF_FAULT(snapshot_without_board_registers,
                     state::leave_out({snapshot, layout_.size_bytes()}, layout_, state::Index::board_registers));
    });
  }
  void load(std::span<const std::int64_t> lanes, const std::uint8_t* in, std::size_t stride) override {
    for_each(lanes, [&](std::size_t console, std::size_t row) {
      give_up_state(console);
      NESPROOF_FAULT(states_loaded_in_pairs, row -= row & 1);
      const System s = system(console);
      core::take_fields(s, in + row * stride + state::kSnapshotHeaderBytes);
      core::settled(s);
    });
  }

 protected:
  // Its log is there only while a frame is being recorded.
  System system(std::size_t console) const {
    return with_log(console, records_[console] == RecordState::UnderWay ? log(console) : nullptr);
  }
  System settled(std::size_t console) const {
    const System s = system(console);
    core::settle(s);
    return s;
  }

  // Before and after a piece of a step.
  void prepare(std::size_t console, const Piece& piece) {
    const bool goes_on = piece.recorded && records_[console] == RecordState::UnderWay;
    if (!goes_on) drop_record(console);
    if (piece.recorded) begin(console, piece.picture);
  }
  void finish(std::size_t console, const Piece& piece) {
    if (piece.recorded) end(console, piece.is_last);
  }

  ThreadPool& pool() const { return *pool_; }

 private:
  enum class RecordState : std::uint8_t {
    None,
    UnderWay,  // the frame that the console is in is being recorded
    Undrawn    // a frame is over, and its picture is a log
  };

  PaintedLog* log(std::size_t console) const { return reinterpret_cast<PaintedLog*>(logs_.get()) + console; }
  System with_log(std::size_t console, PaintedLog* log) const {
    return {Where::view(memory_.get(), console, state_bytes_), &cartridge_->view(), log};
  }

  void begin(std::size_t console, std::size_t picture) {
    if (records_[console] == RecordState::UnderWay) return;
    draw_one(console);
    PaintedLog* const to = log(console);
    to->painter = &painter_;
    to->frame = frames_.get() + (console * pictures_ + picture) * kPicturePixels * pixel_bytes_;
    to->pixel_bytes = pixel_bytes_;
    records_[console] = RecordState::UnderWay;
    core::begin_recording(system(console));
  }
  void end(std::size_t console, bool draws_later) {
    records_[console] = RecordState::Undrawn;
    if (!draws_later) draw_one(console);
  }
  void drop_record(std::size_t console) { records_[console] = RecordState::None; }

  void draw_one(std::size_t console) {
    switch (records_[console]) {
      case RecordState::None: return;
      case RecordState::UnderWay: {
        const System s = settled(console);
        if (s.ppu_scanline() < 240) core::draw_logged_lines(s, s.ppu_scanline());
        return;
      }
      case RecordState::Undrawn:
        core::draw_rest(with_log(console, log(console)));
        records_[console] = RecordState::None;
        return;
    }
  }
  // Before the console gets another state: a picture that follows from this one is drawn now or never.
  void give_up_state(std::size_t console) {
    draw_one(console);
    drop_record(console);
  }

  void turn_on(std::size_t console, std::uint8_t fill) const {
    const System s = system(console);
    core::power_on(s, fill);
    const auto& trainer = cartridge_->trainer();
    for (std::size_t at = 0; at < trainer.size(); ++at)
      core::poke(s, static_cast<std::uint16_t>(0x7000 + at), trainer[at]);
  }

  template <class Work>
  void for_each(std::span<const std::int64_t> lanes, const Work& work) const {
    pool_->run(lanes.size(), kQuickOnes, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) work(static_cast<std::size_t>(lanes[row]), row);
    });
  }

  std::shared_ptr<const HostCartridge> cartridge_;
  std::shared_ptr<ThreadPool> pool_;
  Painter painter_;
  std::size_t count_, state_bytes_;
  Memory memory_, logs_, frames_;
  std::size_t pictures_ = 0;
  std::uint8_t pixel_bytes_ = 1;
  state::SnapshotLayout layout_;
  std::vector<RecordState> records_;
};

}  // namespace nesproof::batch
