// Any program, any memory sizes, any buttons: nothing is read out of bounds, and save -> load -> run equals running on.
//
//   bytes  content
//   3      the cartridge: any_cartridge.hpp
//   1      fill of RAM at power-on
//   1      bits 0-5 after how many times 32 units the snapshot is taken; bit 6: whole frames are run before and after
//          it, not only 800 units; bit 7: reset is pressed there
//   2      buttons of both controllers
//   rest   PRG-ROM, then CHR-ROM, each repeated to its size; the vectors at its end are made to point into it
#include <algorithm>

#include "any_cartridge.hpp"
#include "input.hpp"

namespace nesproof::fuzz {

namespace {

// A whole frame takes many milliseconds under the sanitizers: most inputs run less, so that more are tried.
constexpr int kUnits = 800;
constexpr int kUnitsWithoutFrame = 100'000;  // a frame has at most 29,781 cycles, and a unit at least one

void run_to_frame_end(reference::Console& console) {
  for (int unit = 0; unit < kUnitsWithoutFrame; ++unit) {
    if (console.step_unit()) return;
  }
  demand(false, "a frame ends");
}

void run(std::span<const u8> bytes) {
  Input input(bytes);
  reference::CartridgeImage image = image_from(input);
  const u8 fill = input.byte();
  const u8 pause = input.byte();
  const u8 buttons_1 = input.byte();
  const u8 buttons_2 = input.byte();
  fill_roms(image, input.rest());

  reference::Console console(image);
  console.power_on(fill);
  const bool whole_frames = pause & 0x40;
  if (whole_frames) console.step_frame(buttons_1, buttons_2);
  for (int unit = 0; unit < (pause & 0x3F) * 32; ++unit) console.step_unit();
  if (pause & 0x80) console.press_reset();

  const std::vector<u8> saved = snapshot_of(console);
  reference::Console other(image);
  other.load(saved);
  demand(other.digest() == console.digest(), "a loaded snapshot has the digest of what was saved");
  demand(snapshot_of(other) == saved, "a loaded snapshot saves as the same bytes");
  for (reference::Console* each : {&console, &other}) {
    for (int unit = 0; unit < kUnits; ++unit) each->step_unit();
    if (whole_frames) run_to_frame_end(*each);
  }
  demand(other.digest() == console.digest(), "save, load and run equals running on");
  for (u32 address = 0; address < 0x10000; address += 7) console.peek(static_cast<u16>(address));
}

}  // namespace

}  // namespace nesproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  nesproof::fuzz::run({data, size});
  return 0;
}
