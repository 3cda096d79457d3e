// A batch without Python: consoles, the threads that step them, and the pictures that they leave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "batch/consoles.hpp"
#include "batch/draw_colours.hpp"

namespace nesproof::batch {

struct Options {
  std::size_t count = 1;
  Layout layout = Layout::Aos;
  unsigned threads = 1;
  std::uint8_t pixel_bytes = 1;  // 2: with emphasis in bits 6 to 8
};

class Batch {
 public:
  // Powered on with RAM at 0. Throws std::invalid_argument for a board that the core has not, TooMuchMemory, and
  // std::system_error where threads cannot be had.
  Batch(std::shared_ptr<const HostCartridge> cartridge, const Options& options);

  Consoles& consoles() { return *consoles_; }
  const Consoles& consoles() const { return *consoles_; }
  const HostCartridge& cartridge() const { return *cartridge_; }
  const state::SnapshotLayout& snapshot_layout() const { return layout_; }
  ThreadPool& pool() { return *pool_; }

  // Runs frames, the last `pictures` of them recorded. Calls `between` about every tenth of a second; when that throws,
  // all consoles have run the same number of frames.
  void step(Buttons buttons, std::size_t frames, std::size_t pictures, const std::function<void()>& between);
  // One unit of the first console, recorded for `draw`.
  bool step_unit();

  // The last step recorded something; the pictures of it are then of `draw`.
  bool has_record() const { return has_record_; }
  void draw() { consoles_->draw(); }
  // The last pictures in colours, [console][240][256][3], or grey, [console][240][256].
  void rgb(const ColourTable& table, std::uint8_t* out);
  void grey(const ColourTable& table, std::uint8_t* out);
  // [console][picture][240][256] of `pixel_bytes`; null before the first record.
  const Memory& frames() const { return frames_; }
  std::size_t pictures() const { return pictures_; }
  std::uint8_t pixel_bytes() const { return options_.pixel_bytes; }
  std::size_t frame_buffer_bytes() const;  // of a console
  std::size_t draw_log_bytes() const;      // of a console

  // Throws state::SnapshotError naming what is wrong with a snapshot.
  void check(std::span<const std::uint8_t> snapshot) const;

 private:
  template <class Narrow, class Wide>
  void colour(Narrow narrow, Wide wide, const ColourTable& table, std::uint8_t* out, std::size_t bytes);
  void make_room(std::size_t pictures);
  void keep_last_picture();  // of one console, in a buffer for one

  std::shared_ptr<const HostCartridge> cartridge_;
  Options options_;
  std::shared_ptr<ThreadPool> pool_;
  std::unique_ptr<Consoles> consoles_;
  state::SnapshotLayout layout_;
  Memory frames_;
  std::size_t pictures_ = 0;
  bool has_record_ = false;
};

}  // namespace nesproof::batch
