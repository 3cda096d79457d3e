// What a batch on a GPU can be asked for: a kernel each. A thread is a console, and a warp a tile of 32, unless a
// kernel says otherwise; threads beyond the last one do nothing that anybody sees. gpu/loaded.py has the parameters'
// types.
//
// The text makes two binaries: one for what every batch needs, and, with NESPROOF_RECORDING, one for pictures, which is
// compiled when somebody wants to see any.
#include "core/digest.hpp"
#include "core/draw/lines.hpp"
#include "core/peek.hpp"
#include "core/run.hpp"
#include "core/snapshot.hpp"
#include "gpu/console.hpp"
#include "gpu/snapshot_check.hpp"
#include "gpu/step.hpp"

using namespace nesproof::gpu;

#define KERNEL extern "C" __global__ void
// 128 registers a thread, and no more.
#define STEP_KERNEL extern "C" __global__ void __launch_bounds__(kMostThreads, 4)

// What the host has to know of the binary that it loads.
struct Facts {
  u32 state_bytes, fixed_bytes, snapshot_body_bytes, draw_log_bytes;
};
extern "C" {
__constant__ Facts nesproof_facts = {kStateBytes, kFixedBytes, snapshot_body_bytes(FixedCartridge{}), sizeof(DrawLog)};
}

inline u64 this_thread() { return static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; }

#if !NESPROOF_RECORDING

// --- Power

// `consoles`: which of them, [count]. A trainer's bytes belong at $7000.
KERNEL nesproof_power_on(u8* tiles, const u32* consoles, u32 count, u32 fill, const u8* trainer, u32 trainer_bytes) {
  const u64 i = this_thread();
  if (i >= count) return;
  const Console s = console_at(tiles, consoles[i]);
  power_on(s, static_cast<u8>(fill));
  for (u32 at = 0; at < trainer_bytes; ++at) poke(s, static_cast<u16>(0x7000 + at), trainer[at]);
}

KERNEL nesproof_press_reset(u8* tiles, const u32* consoles, u32 count) {
  const u64 i = this_thread();
  if (i < count) press_reset(console_at(tiles, consoles[i]));
}

// --- Time

// A thread a console and frame: what is held, from any form that a step takes to [count][frames][2].
KERNEL nesproof_spread_buttons(const u8* given, u64 console_stride, u64 frame_stride, u32 players, u8* buttons,
                               u32 count, u32 frames) {
  const u64 i = this_thread();
  if (i >= static_cast<u64>(count) * frames) return;
  const u8* held = given + i / frames * console_stride + i % frames * frame_stride;
  buttons[2 * i] = held[0];
  buttons[2 * i + 1] = players == 2 ? held[1] : 0;
}

// `buttons`: [count] rows of `row_bytes`, each [frames][2].
STEP_KERNEL nesproof_step(u8* tiles, u32 count, const u8* buttons, u32 row_bytes, u32 frames) {
  __shared__ u32 frame_of_thread[kMostThreads];
  if (this_thread() / kLanes * kLanes >= count) return;
  step_consoles(count, buttons, row_bytes, frames, frame_of_thread,
                [=](u32 console) { return console_at(tiles, console); });
}

// --- Looking

KERNEL nesproof_settle(u8* tiles, u32 count) {
  const u64 console = this_thread();
  if (console < count) settle(console_at(tiles, static_cast<u32>(console)));
}

// Of settled consoles, a thread a console and address: [count][address_count].
KERNEL nesproof_read(u8* tiles, u32 count, const u16* addresses, u32 address_count, u8* out) {
  const u64 i = this_thread();
  if (i >= static_cast<u64>(count) * address_count) return;
  out[i] = peek(console_at(tiles, static_cast<u32>(i / address_count)), addresses[i % address_count]);
}

// A thread a byte, a warp one address of a tile, so that a tile is read by whole sectors: [count][2048].
KERNEL nesproof_read_ram(u8* tiles, u32 count, u8* out) {
  const u64 i = this_thread();
  const u32 lane = static_cast<u32>(i % kLanes), address = static_cast<u32>(i / kLanes % 2048);
  const u64 console = i / (kLanes * 2048) * kLanes + lane;
  if (console < count) out[console * 2048 + address] = console_at(tiles, static_cast<u32>(console)).bus_ram(address);
}

// Of settled consoles, [count].
KERNEL nesproof_frame_count(u8* tiles, u32 count, u64* out) {
  const u64 console = this_thread();
  if (console < count) out[console] = console_at(tiles, static_cast<u32>(console)).ppu_frame_count();
}
KERNEL nesproof_digest(u8* tiles, u32 count, u64* out) {
  const u64 console = this_thread();
  if (console < count) out[console] = digest(console_at(tiles, static_cast<u32>(console)));
}

// --- States, [count] rows of `row_bytes`: a header that is the same for all, then the fields

KERNEL nesproof_save(u8* tiles, const u32* consoles, u32 count, u8* rows, u64 row_bytes, const u8* header,
                     u32 header_bytes) {
  const u64 i = this_thread();
  if (i >= count) return;
  u8* row = rows + i * row_bytes;
  for (u32 k = 0; k < header_bytes; ++k) row[k] = header[k];
  put_fields(console_at(tiles, consoles[i]), row + header_bytes);
}

// `worst` becomes the first row that is no snapshot of this cartridge.
KERNEL nesproof_check(const u8* rows, u32 count, u64 row_bytes, const u8* header, u32 header_bytes, u32* worst) {
  const u64 i = this_thread();
  if (i >= count) return;
  const u8* row = rows + i * row_bytes;
  if (!is_snapshot(row, header, header_bytes)) atomicMin(worst, static_cast<u32>(i));
}

// `bodies`: rows from behind their header on, checked.
KERNEL nesproof_load(u8* tiles, const u32* consoles, u32 count, const u8* bodies, u64 row_bytes) {
  const u64 i = this_thread();
  if (i >= count) return;
  const Console s = console_at(tiles, consoles[i]);
  take_fields(s, bodies + i * row_bytes);
  settled(s);
}

#else

// --- Pictures

// One frame, with what its picture is made of: `logs` [count], `pictures` one each, `picture_stride` bytes apart.
STEP_KERNEL nesproof_step_recorded(u8* tiles, u32 count, const u8* buttons, u32 row_bytes, u8* logs, u8* pictures,
                                   u64 picture_stride, u32 pixel_bytes) {
  __shared__ u32 frame_of_thread[kMostThreads];
  const u32 console = static_cast<u32>(this_thread());
  if (console / kLanes * kLanes >= count) return;
  if (console < count) {
    const RecordingConsole s = recording_console_at(tiles, console, logs, console);
    s.log->frame = pictures + console * picture_stride;
    s.log->pixel_bytes = static_cast<u8>(pixel_bytes);
    begin_recording(s);
  }
  step_consoles(count, buttons, row_bytes, 1, frame_of_thread,
                [=](u32 number) { return recording_console_at(tiles, number, logs, number < count ? number : 0); });
}

// A thread eight pixels, a warp a line.
KERNEL nesproof_draw(u8* tiles, u32 count, u8* logs) {
  const u64 i = this_thread();
  const u32 eight = static_cast<u32>(i % kLanes), line = static_cast<u32>(i / kLanes % kDrawnLines);
  const u32 console = static_cast<u32>(i / (kLanes * kDrawnLines));
  if (console >= count) return;
  const RecordingConsole s = recording_console_at(tiles, console, logs, console);
  if (line < s.log->first_undrawn || s.log->lines[line].kind == LineKind::Pixels) return;
  // The line is the warp's, and each lane looks at two of the sprites.
  const u32 height = sprite_rows(s.log->lines[line].control);
  const u32 lower = __ballot_sync(0xFFFFFFFF, sprite_is_on(s, eight, line, height));
  const u32 upper = __ballot_sync(0xFFFFFFFF, sprite_is_on(s, eight + kLanes, line, height));
  draw_eight_pixels(s, line, first_eight(lower | static_cast<u64>(upper) << 32), eight);
}

// A thread a pixel: `channels` bytes from a table of 512. `pictures` are `picture_stride` bytes apart.
KERNEL nesproof_colour(const u8* pictures, u64 picture_stride, u64 pixels, u32 pixel_bytes, const u8* table,
                       u32 channels, u8* out) {
  constexpr u32 kPicturePixels = kDrawnLines * kPictureWidth;
  const u64 i = this_thread();
  if (i >= pixels) return;
  const u8* picture = pictures + i / kPicturePixels * picture_stride;
  const u32 pixel = static_cast<u32>(i % kPicturePixels);
  const u32 entry = pixel_bytes == 1 ? picture[pixel] : reinterpret_cast<const u16*>(picture)[pixel];
  for (u32 channel = 0; channel < channels; ++channel) out[i * channels + channel] = table[entry * channels + channel];
}

#endif
