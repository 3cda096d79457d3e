// Power-on, reset, and what happens seldom enough to be kept out of the dots.
// https://www.nesdev.org/wiki/PPU_power_up_state
#include "reference/ppu/ppu.hpp"

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
  fetched_ = read_buffer_ = data_written_ = 0;
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
  fetched_ = read_buffer_ = 0;
  vblank_suppressed_ = false;
  warming_up_ = true;
  data_collides_ = false;
  delay_dots_ = {};
  follow_mask();
}

// Dot 340 of a line, and what comes after it. An odd frame leaves out the dot 340 of its pre-render line if rendering
// is on when it would begin.
void Ppu::end_line() {
  if (dot_ == kDots - 1) {
    const bool skipped = scanline_ == kPreRenderLine && odd_frame_ && rendering_;
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
}

// Scanline 241, dot 1.
void Ppu::enter_frame_end() {
  frame_ended_ = true;
  ++frame_count_;
  open_bus_.age();
}

void Ppu::step_delays() {
  const auto arrives = [this](Delay delay) { return delay_dots_[delay] != 0 && --delay_dots_[delay] == 0; };
  if (arrives(kMaskDelay)) apply_mask();
  if (arrives(kAddressDelay)) {
    scroll_.v = scroll_.t;
    if (!is_rendering()) put_address(scroll_.v & 0x3FFF);
  }
  if (arrives(kBufferDelay)) read_buffer_ = fetched_;
  if (delay_dots_[kDataDelay] != 0) step_data_access();
  if (arrives(kHitDelay)) status_.sprite_zero_hit = true;
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

void Ppu::follow_mask() {
  rendering_ = pipeline_mask_.rendering();
  colour_mask_ = pipeline_mask_.colour_mask();
  emphasis_ = pipeline_mask_.emphasis();
  first_background_x_ = pipeline_mask_.first_background_x();
  first_sprite_x_ = pipeline_mask_.first_sprite_x();
}

// The memory cycle that an access to $2007 asked for: in the first dot after it the address is latched, in the second
// the byte moves, and with the third v moves on.
//
// While rendering, the pipeline has the bus. Where its second dot of an access is the second one here as well, one byte
// goes to both. Where its first dot is, the latch on the board keeps the low half of v, for it does not take a new
// address while data are on the pins; the byte is read from there, the latch settles on that byte, and the pipeline
// fetches with it in the next dot. UNVERIFIED: the latter for writes; a dump of video memory after writes at each of
// the eight dots of a tile would settle it.
void Ppu::step_data_access() {
  switch (--delay_dots_[kDataDelay]) {
    case 1:
      data_collides_ = is_rendering() && (dot_ & 1);
      if (!data_collides_) access_memory(is_rendering() && dot_ != 0 ? address_bus_ : scroll_.v & 0x3FFF);
      return;
    case 0:
      if (data_collides_) {
        access_memory(static_cast<u16>((address_bus_ & 0x3F00) | (scroll_.v & 0x00FF)));
        address_bus_ = static_cast<u16>((address_bus_ & 0x3F00) | (data_is_write_ ? data_written_ : fetched_));
        data_collides_ = false;
      }
      move_address();
      return;
    default: return;
  }
}

void Ppu::access_memory(u16 address) {
  if (!data_is_write_) {
    fetched_ = board_.ppu_read(address);  // under the palette lies the nametable
    delay_dots_[kBufferDelay] = data_collides_ ? kBufferDots - 1 : kBufferDots;
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
