// The CPU's reads and writes of $2000-$2007: https://www.nesdev.org/wiki/PPU_registers
#include "faults/hooks.hpp"
#include "reference/ppu/ppu.hpp"

namespace nesproof::reference {

u8 Ppu::read(u8 reg) {
  switch (reg & 7) {
    case 2: return read_status();
    case 4: return read_oam();
    case 7: return read_data();
    default: return open_bus_.value;  // write-only registers drive nothing
  }
}

// PPUCTRL, t, fine x and OAMADDR change with the access. UNVERIFIED: in some alignments of CPU and PPU the chip first
// takes what the bus held before, for a dot, which shows where rendering copies t at dot 257; a scroll split written
// around that dot in each alignment would settle it.
void Ppu::write(u8 reg, u8 value) {
  open_bus_.drive(value);
  const bool ignored = warming_up_;
  switch (reg & 7) {
    case 0:
      if (ignored) return;
      control_.bits = value;
      scroll_.write_control(value);
      return;
    case 1:
      if (ignored) return;
      mask_.bits = value;
      delay_dots_[kMaskDelay] = kMaskDots;
      return;
    case 3: sprites_.oam_address = value; return;
    case 4: write_oam(value); return;
    case 5:
      if (!ignored) scroll_.write_scroll(value);
      return;
    case 6:
      if (!ignored && scroll_.write_address(value)) delay_dots_[kAddressDelay] = kAddressDots;
      return;
    case 7: write_data(value); return;
    default: return;  // $2002 takes nothing
  }
}

u8 Ppu::peek(u8 reg) const {
  switch (reg & 7) {
    case 2: return static_cast<u8>(status_.bits() | (open_bus_.value & 0x1F));
    case 4: return is_rendering() ? sprites_.data_bus : sprites_.oam[sprites_.oam_address];
    case 7:
      if (!Palette::holds(scroll_.v)) return read_buffer_;
      return static_cast<u8>((palette_.read(scroll_.v) & mask_.colour_mask()) | (open_bus_.value & 0xC0));
    default: return open_bus_.value;
  }
}

// A read in the dot before the vblank flag rises finds it down and keeps it down for the whole frame.
u8 Ppu::read_status() {
  open_bus_.drive(status_.bits(), 0xE0);
  if (scanline_ == kVblankLine && dot_ == 1) vblank_suppressed_ = true;
  NESPROOF_FAULT(vblank_never_suppressed, vblank_suppressed_ = false);
  status_.vblank = false;
  scroll_.second = false;
  return open_bus_.value;
}

// While rendering, the pipeline has the data bus of OAM. UNVERIFIED: dots 1-256 of the pre-render line, where nothing
// is evaluated; here they read OAM.
u8 Ppu::read_oam() {
  const bool evaluates_nothing = scanline_ == kPreRenderLine && dot_ >= 1 && dot_ <= 256;
  open_bus_.drive(is_rendering() && !evaluates_nothing ? sprites_.data_bus : sprites_.oam[sprites_.oam_address]);
  return open_bus_.value;
}

// While rendering nothing is written, but OAMADDR moves to the next sprite.
void Ppu::write_oam(u8 value) {
  if (is_rendering()) {
    sprites_.oam_address = static_cast<u8>((sprites_.oam_address + 4) & 0xFC);
  } else {
    sprites_.write(value);
  }
}

// Memory comes through the buffer, one read late; palette RAM comes at once, in six bits. A read in the very next CPU
// cycle gets the old byte again, and lets the first one's memory cycle end early, so that both fetch.
u8 Ppu::read_data() {
  if (Palette::holds(scroll_.v)) {
    open_bus_.drive(palette_.read(scroll_.v) & mask_.colour_mask(), 0x3F);
  } else {
    NESPROOF_FAULT(read_buffer_bypassed, read_buffer_ = board_.ppu_read(scroll_.v & 0x3FFF));
    open_bus_.drive(read_buffer_);
  }
  if (delay_dots_[kDataDelay] != 0) finish_data_access();
  data_is_write_ = false;
  delay_dots_[kDataDelay] = kDataDots;
  return open_bus_.value;
}

void Ppu::write_data(u8 value) {
  if (delay_dots_[kDataDelay] != 0) finish_data_access();
  data_written_ = value;
  data_is_write_ = true;
  delay_dots_[kDataDelay] = kDataDots;
}

}  // namespace nesproof::reference
