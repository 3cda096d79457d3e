// Windows of CHR and nametables that move within a picture: each of its lines is drawn with those that it saw.
#pragma once

#include "core/system.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

// A console with the windows of another time.
template <class S>
struct WithWindows : S {
  const LoggedWindows* windows;

  u8 chr(u16 address) const {
    const u32 offset = (windows->chr[address >> 10 & 7] * 0x400u + (address & 0x3FFu)) & this->cartridge->chr_mask;
    return this->cartridge->chr_rom != nullptr ? this->cartridge->chr_rom[offset] : this->cartridge_chr_ram(offset);
  }
  u8& nametable(u16 address) const {
    return this->cartridge_nametables(windows->nametable[address >> 10 & 3] * 0x400u + (address & 0x3FFu));
  }
};

// Of a log that has any.
inline const LoggedWindows& windows_of_line(const DrawLog& log, u32 line) {
  u32 last = log.window_count - 1u;
  while (last != 0 && log.windows[last].first_line > line) --last;
  return log.windows[last];
}

// The console as a line of the recorded picture sees it.
template <class S>
auto as_seen_by_line(const S& s, u32 line) {
  if constexpr (S::Board::kHasRegisters) {
    return WithWindows<S>{s, &windows_of_line(*s.log, line)};
  } else {
    return s;
  }
}

// Where they stand now, as lines from `first_line` on see them.
template <class S>
LoggedWindows windows_now(const S& s, u32 first_line) {
  LoggedWindows windows;
  for (u32 i = 0; i < 8; ++i) {
    windows.chr[i] = static_cast<u16>(S::Board::chr_offset(s, static_cast<u16>(0x400 * i)) / 0x400);
  }
  for (u32 i = 0; i < 4; ++i) {
    windows.nametable[i] = static_cast<u8>(S::Board::nametable_offset(s, static_cast<u16>(0x400 * i)) / 0x400);
  }
  windows.first_line = static_cast<u8>(first_line);
  return windows;
}

// Logs them; there is room (`has_room_for_windows`).
template <class S>
void log_windows(const S& s, u32 first_line) {
  if constexpr (S::Board::kHasRegisters) {
    DrawLog& log = *s.log;
    NESPROOF_FAULT(earlier_windows_forgotten, log.window_count = 0);
    if (log.window_count == 0) first_line = 0;
    if (log.window_count == 0 || log.windows[log.window_count - 1].first_line != first_line) ++log.window_count;
    log.windows[log.window_count - 1] = windows_now(s, first_line);
  }
}
inline bool has_room_for_windows(const DrawLog& log, u32 first_line) {
  return log.window_count < DrawLog::kMostWindows || log.windows[log.window_count - 1].first_line == first_line;
}

}  // namespace nesproof::core
