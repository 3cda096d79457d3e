// NumPy arrays over a batch's memory, without a copy: each keeps the memory alive, whatever becomes of the batch.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "batch/consoles.hpp"

namespace nesproof::bindings {

inline pybind11::capsule owner_of(const batch::Memory& memory) {
  return pybind11::capsule(new batch::Memory(memory), [](void* held) { delete static_cast<batch::Memory*>(held); });
}

// [N, 2048]; or [T, 32, 2048] where consoles lie in tiles, [1, N, 2048] where there is one. Throws std::runtime_error
// where lanes would show that are no consoles.
inline pybind11::array ram_view(const batch::Consoles& consoles) {
  using pybind11::ssize_t;
  const batch::Places places = consoles.places();
  const auto count = static_cast<ssize_t>(consoles.count()), lanes = static_cast<ssize_t>(places.lanes);
  const auto bytes = static_cast<ssize_t>(places.console_bytes);
  std::uint8_t* const first = places.base + places.ram_offset_bytes * places.lanes;
  const auto base = owner_of(consoles.memory());
  if (lanes == 1) return pybind11::array_t<std::uint8_t>({count, ssize_t{2048}}, {bytes, ssize_t{1}}, first, base);
  if (count > lanes && count % lanes != 0) {
    throw std::runtime_error("ram would show lanes that are no consoles, since " + std::to_string(count) +
                             " is not a multiple of " + std::to_string(lanes) + "; read_ram() gives a copy");
  }
  const ssize_t tiles = count < lanes ? 1 : count / lanes;
  return pybind11::array_t<std::uint8_t>({tiles, count < lanes ? count : lanes, ssize_t{2048}},
                                         {lanes * bytes, ssize_t{1}, lanes}, first, base);
}

// [N, pictures, 240, 256] from the picture `first` on.
inline pybind11::array pictures_view(const batch::Memory& frames, std::size_t count, std::size_t pictures,
                                     std::uint8_t pixel_bytes) {
  const std::vector<pybind11::ssize_t> shape{static_cast<pybind11::ssize_t>(count),
                                             static_cast<pybind11::ssize_t>(pictures), 240, 256};
  const auto dtype = pixel_bytes == 1 ? pybind11::dtype::of<std::uint8_t>() : pybind11::dtype::of<std::uint16_t>();
  return pybind11::array(dtype, shape, frames.get(), owner_of(frames));
}

}  // namespace nesproof::bindings
