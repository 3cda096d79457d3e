// Power-on, reset, and what the lazy fields say of a settled state. https://www.nesdev.org/wiki/PPU_power_up_state
#pragma once

#include "core/ppu/events.hpp"

namespace nesproof::core {

namespace power_detail {

// As the hardware test power_up_palette expects it.
constexpr u8 palette(u32 index) {
  constexpr u8 kEntries[32] = {0x09, 0x01, 0x00, 0x01, 0x00, 0x02, 0x02, 0x0D, 0x08, 0x10, 0x08,
                               0x24, 0x00, 0x00, 0x04, 0x2C, 0x09, 0x01, 0x34, 0x03, 0x00, 0x04,
                               0x00, 0x14, 0x08, 0x3A, 0x00, 0x02, 0x00, 0x20, 0x2C, 0x08};
  return kEntries[index];
}

// What both switches clear. The position is the top of the picture, and until the end of the first vertical blank
// writes to four registers are ignored.
template <class S>
void start_over(S s) {
  s.ppu_scanline() = s.ppu_dot() = 0;
  s.ppu_odd_frame() = s.ppu_frame_ended() = 0;
  s.ppu_control() = s.ppu_mask() = s.ppu_pipeline_mask() = 0;
  s.ppu_t() = 0;
  s.ppu_fine_x() = s.ppu_w() = 0;
  s.ppu_vblank_suppressed() = 0;
  s.ppu_warming_up() = 1;
  s.ppu_mask_delay() = s.ppu_address_delay() = s.ppu_data_delay() = 0;
  s.ppu_hit_delay() = s.ppu_overflow_delay() = 0;
  s.ppu_collided() = s.ppu_read_buffer() = 0;
  s.ppu_data_collides() = 0;
}

}  // namespace power_detail

// After the state's fields were put in, with `now` cycles complete. Of a snapshot that nobody saved the PPU makes one
// that could have been: PPUMASK is in the pipeline unless it is on its way, and $2007 collides with nothing where
// nothing is rendered.
template <class S>
void ppu_settled(S s, u32 now) {
  if (s.ppu_mask_delay() == 0) s.ppu_pipeline_mask() = s.ppu_mask();
  if (!rendering_enabled(s) || !is_rendered_line(s.ppu_scanline())) s.ppu_data_collides() = 0;
  s.lazy_ppu_time() = s.lazy_ppu_quiet_until() = s.lazy_ppu_disturbed_at() = 3 * now;
  s.lazy_ppu_anchor_cycle() = s.lazy_ppu_steady_until() = now;
  s.lazy_ppu_vblank_taken_at() = now;
  s.lazy_line_owed() = 0;
  predictions_void(s);
}

// The architecture's fields alone. Memories and registers are 0, secondary OAM is as its clearing leaves it.
template <class S>
void ppu_power_on(S s) {
  power_detail::start_over(s);
  s.ppu_frame_count() = 0;
  s.ppu_vblank() = s.ppu_sprite_zero_hit() = s.ppu_sprite_overflow() = 0;
  s.ppu_v() = 0;
  s.ppu_open_bus() = 0;
  s.ppu_address_bus() = 0;
  s.ppu_data_written() = s.ppu_data_is_write() = 0;
  s.ppu_background_pattern_low() = s.ppu_background_pattern_high() = 0;
  s.ppu_background_attribute_low() = s.ppu_background_attribute_high() = s.ppu_background_attribute_latch() = 0;
  s.ppu_next_tile() = s.ppu_next_attribute() = s.ppu_next_low() = s.ppu_next_high() = 0;
  s.ppu_oam_address() = s.ppu_oam_data_bus() = s.ppu_secondary_address() = 0;
  s.ppu_evaluation_byte() = s.ppu_evaluation_full() = s.ppu_evaluation_done() = 0;
  s.ppu_sprite_zero_found() = s.ppu_oam_corrupt() = s.ppu_oam_corrupt_row() = 0;
  s.ppu_unit_counting() = s.ppu_unit_restart() = s.ppu_unit_zero_on_line() = 0;
  s.ppu_sprite_y() = s.ppu_sprite_tile() = s.ppu_sprite_attributes() = 0;
  for (u32 i = 0; i < 8; ++i) {
    s.ppu_open_bus_age(i) = 0;
    s.ppu_unit_counter(i) = s.ppu_unit_low(i) = s.ppu_unit_high(i) = s.ppu_unit_attributes(i) = 0;
  }
  for (u32 i = 0; i < 32; ++i) {
    s.ppu_palette(i) = power_detail::palette(i);
    s.ppu_secondary_oam(i) = 0xFF;
  }
  for (u32 i = 0; i < 256; ++i) s.ppu_oam(i) = 0;
}

// The console's button. Memories, v, flags and OAMADDR stay. The state is settled before, and to be settled after.
template <class S>
void ppu_reset(S s) {
  power_detail::start_over(s);
}

}  // namespace nesproof::core
