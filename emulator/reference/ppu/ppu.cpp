// Power-on, reset, and what happens seldom enough to be kept out of the dots.
// https://www.nesdev.org/wiki/PPU_power_up_state
#include "reference/ppu/ppu.hpp"

#include "faults/hooks.hpp"

namespace nesproof::reference {

// Nothing is left to chance: memories and registers are 0, the palette is the one of palette.hpp, and secondary OAM is
// as its clearing leaves it, so that no sprite stands on line 0 before any was evaluated. The position is the
// top of the picture, so that the first frame is short.
void Ppu::power_on() {
  scanline_ = dot_ = 0;
  odd_frame_ = frame_ended_ = false;
  frame_count_ = 0;
  control_ = {};
  mask_ = pipeline_mask_ = {};
  status_ = {};
  scroll_ = {};
  open_bus_ = {};
  vblank_suppressed_ = false;
  warming_up_ = true;
  delay_dots_ = {};
  address_bus_ = 0;
  collided_ = read_buffer_ = data_written_ = 0;
  data_is_write_ = data_collides_ = false;
  palette_.entries = Palette::kPowerOn;
  background_ = {};
  sprites_ = {};
  sprites_.secondary.fill(0xFF);
  units_ = {};
  sprite_y_ = sprite_tile_ = sprite_attributes_ = 0;
  frame_.fill(0);
  follow_mask();
}

// The reset button of the front-loading console reaches the PPU: the picture starts over, and until the end of the
// first vertical blank writes to four registers are ignored, as after power-on. Memories, v and OAMADDR stay.
void Ppu::reset() {
  scanline_ = dot_ = 0;
  odd_frame_ = frame_ended_ = false;
  control_ = {};
  mask_ = pipeline_mask_ = {};
  scroll_.t = 0;
  scroll_.fine_x = 0;
  scroll_.second = false;
  collided_ = read_buffer_ = 0;
  vblank_suppressed_ = false;
  warming_up_ = true;
  data_collides_ = false;
  delay_dots_ = {};
  follow_mask();
}

// Dot 340 of a line, and what comes after it. An odd frame leaves out the dot 340 of its pre-render line if rendering
// is on when it would begin; a write to PPUMASK counts here two dots before the pipeline has it.
void Ppu::end_line() {
  if (dot_ == kDots - 1) {
    const bool skipped = scanline_ == kPreRenderLine && odd_frame_ && early_mask().rendering();
    if (!skipped) {
      units_.step_restart();
      return;
    }
  }
  units_.step_restart();
  dot_ = 0;
  if (scanline_ != kPreRenderLine) {
    ++scanline_;
    return;
  }
  scanline_ = 0;
  odd_frame_ = !odd_frame_;
  NESPROOF_FAULT(odd_frames_not_shorter, odd_frame_ = false);
}

// Scanline 241, dot 1.
void Ppu::enter_frame_end() {
  frame_ended_ = true;
  ++frame_count_;
  open_bus_.age();
}

void Ppu::step_delays() {
  const auto arrives = [this](Delay delay) { return delay_dots_[delay] != 0 && --delay_dots_[delay] == 0; };
  if (delay_dots_[kMaskDelay] != 0) {
    --delay_dots_[kMaskDelay];
    delay_dots_[kMaskDelay] == 0 ? apply_mask() : follow_mask();
  }
  if (arrives(kAddressDelay)) {
    scroll_.v = scroll_.t;
    if (!is_rendering()) put_address(scroll_.v & 0x3FFF);
  }
  if (delay_dots_[kDataDelay] != 0) step_data_access();
  if (arrives(kHitDelay)) status_.sprite_zero_hit = true;
  if (arrives(kOverflowDelay)) status_.sprite_overflow = true;
}

void Ppu::apply_mask() {
  const bool was_rendering = is_rendering();
  pipeline_mask_ = mask_;
  follow_mask();
  if (was_rendering && !is_rendering()) {
    sprites_.charge_lost(dot_);
    put_address(scroll_.v & 0x3FFF);
  } else if (!was_rendering && is_rendering() && dot_ != 0) {
    sprites_.corrupt = false;
  }
}

// PPUMASK as the parts see it that have it a dot after the write: the colours, which are made last of all, and the end
// of the pre-render line.
const Mask& Ppu::early_mask() const { return delay_dots_[kMaskDelay] == kMaskDots ? pipeline_mask_ : mask_; }

void Ppu::follow_mask() {
  rendering_ = pipeline_mask_.rendering();
  colour_mask_ = early_mask().colour_mask();
  emphasis_ = early_mask().emphasis();
  NESPROOF_FAULT(emphasis_lost, emphasis_ = 0);
  first_background_x_ = pipeline_mask_.first_background_x();
  first_sprite_x_ = pipeline_mask_.first_sprite_x();
}

// The memory cycle that an access to $2007 asked for takes the second dot after it to latch the address and the fourth
// to move the byte, with a dot in between; then v moves on. https://www.nesdev.org/wiki/PPU_registers#PPUDATA, and for
// the dots the comments of AccuracyCoin's "$2007 Stress Test".
//
// While rendering, the pipeline has the bus, and its accesses take two dots, an address and a byte:
//   - Where the fourth dot is one in which the pipeline reads, one byte goes to both.
//   - Where it is one in which the pipeline drives an address, the latch on the board does not take the low half: the
//     pins carry the byte that was read in the dot before. That byte is the low half, what stands there is read, and
//     the latch settles on it, so that the pipeline fetches with it in the next dot. ("ALE + Read"; a feedback without
//     an end on a console unless the bytes agree, here it goes round once.)
// UNVERIFIED: the latter for writes, which put their own byte on the pins; and that the pipeline's byte is not spoilt
// where the second dot latches an address while it reads. A dump of video memory, and of the picture, after accesses at
// each of the eight dots of a tile would settle both.
void Ppu::step_data_access() {
  switch (--delay_dots_[kDataDelay]) {
    case 1:
      data_collides_ = is_rendering() && (dot_ == 0 || (dot_ & 1));
      if (data_collides_) collided_ = data_is_write_ ? data_written_ : board_.ppu_read(address_bus_);
      return;
    case 0: finish_data_access(); return;
    default: return;
  }
}

void Ppu::finish_data_access() {
  delay_dots_[kDataDelay] = 0;
  if (data_collides_) {
    access_memory(static_cast<u16>((address_bus_ & 0x3F00) | collided_));
    put_address(static_cast<u16>((address_bus_ & 0x3F00) | (data_is_write_ ? data_written_ : read_buffer_)));
    data_collides_ = false;
  } else {
    access_memory(is_rendering() ? address_bus_ : scroll_.v & 0x3FFF);
  }
  move_address();
}

void Ppu::access_memory(u16 address) {
  if (!data_is_write_) {
    read_buffer_ = board_.ppu_read(address);  // under the palette lies the nametable
  } else if (Palette::holds(address)) {
    palette_.write(address, data_written_);
  } else {
    board_.ppu_write(address, data_written_);
  }
}

// While rendering, both of the pipeline's increments happen at once.
void Ppu::move_address() {
  if (is_rendering()) {
    scroll_.increment_x();
    scroll_.increment_y();
  } else {
    scroll_.v = (scroll_.v + control_.address_step()) & 0x7FFF;
    put_address(scroll_.v & 0x3FFF);
  }
}

}  // namespace nesproof::reference
