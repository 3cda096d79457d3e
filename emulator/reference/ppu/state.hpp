// The PPU's state as the fields of state/architecture.def, each named once.
#pragma once

#include "reference/ppu/ppu.hpp"
#include "state/fields.hpp"

namespace nesproof::reference {

template <class V>
void Ppu::visit(V& v) {
  namespace f = state::fields;

  v(f::ppu_scanline, scanline_);
  v(f::ppu_dot, dot_);
  v(f::ppu_odd_frame, odd_frame_);
  v(f::ppu_frame_ended, frame_ended_);
  v(f::ppu_frame_count, frame_count_);

  v(f::ppu_control, control_.bits);
  v(f::ppu_mask, mask_.bits);
  v(f::ppu_pipeline_mask, pipeline_mask_.bits);
  v(f::ppu_vblank, status_.vblank);
  v(f::ppu_sprite_zero_hit, status_.sprite_zero_hit);
  v(f::ppu_sprite_overflow, status_.sprite_overflow);
  v(f::ppu_v, scroll_.v);
  v(f::ppu_t, scroll_.t);
  v(f::ppu_fine_x, scroll_.fine_x);
  v(f::ppu_w, scroll_.second);
  v(f::ppu_open_bus, open_bus_.value);
  v(f::ppu_open_bus_age, open_bus_.age_frames);
  v(f::ppu_vblank_suppressed, vblank_suppressed_);
  v(f::ppu_warming_up, warming_up_);
  v(f::ppu_mask_delay, delay_dots_[kMaskDelay]);
  v(f::ppu_address_delay, delay_dots_[kAddressDelay]);
  v(f::ppu_data_delay, delay_dots_[kDataDelay]);
  v(f::ppu_hit_delay, delay_dots_[kHitDelay]);
  v(f::ppu_overflow_delay, delay_dots_[kOverflowDelay]);

  v(f::ppu_address_bus, address_bus_);
  v(f::ppu_collided, collided_);
  v(f::ppu_read_buffer, read_buffer_);
  v(f::ppu_data_written, data_written_);
  v(f::ppu_data_is_write, data_is_write_);
  v(f::ppu_data_collides, data_collides_);
  v(f::ppu_palette, palette_.entries);

  // The four shift registers travel one by one.
  u16 pattern_low = static_cast<u16>(background_.shifters);
  u16 pattern_high = static_cast<u16>(background_.shifters >> 16);
  u8 attribute_low = static_cast<u8>(background_.shifters >> 40);
  u8 attribute_high = static_cast<u8>(background_.shifters >> 56);
  v(f::ppu_background_pattern_low, pattern_low);
  v(f::ppu_background_pattern_high, pattern_high);
  v(f::ppu_background_attribute_low, attribute_low);
  v(f::ppu_background_attribute_high, attribute_high);
  background_.shifters = pattern_low | u64{pattern_high} << 16 | u64{attribute_low} << 40 | u64{attribute_high} << 56;
  u8 attribute_latch = background_.attribute_latch();
  v(f::ppu_background_attribute_latch, attribute_latch);
  background_.set_attribute_latch(attribute_latch);
  v(f::ppu_next_tile, background_.next_tile);
  v(f::ppu_next_attribute, background_.next_attribute);
  v(f::ppu_next_low, background_.next_low);
  v(f::ppu_next_high, background_.next_high);

  v(f::ppu_oam, sprites_.oam);
  v(f::ppu_secondary_oam, sprites_.secondary);
  v(f::ppu_oam_address, sprites_.oam_address);
  v(f::ppu_oam_data_bus, sprites_.data_bus);
  v(f::ppu_secondary_address, sprites_.secondary_address);
  v(f::ppu_evaluation_byte, sprites_.byte);
  v(f::ppu_evaluation_full, sprites_.full);
  v(f::ppu_evaluation_done, sprites_.done);
  v(f::ppu_sprite_zero_found, sprites_.zero_found);
  v(f::ppu_oam_corrupt, sprites_.corrupt);
  v(f::ppu_oam_corrupt_row, sprites_.corrupt_row);

  units_.visit(v);
  v(f::ppu_sprite_y, sprite_y_);
  v(f::ppu_sprite_tile, sprite_tile_);
  v(f::ppu_sprite_attributes, sprite_attributes_);
}

}  // namespace nesproof::reference
