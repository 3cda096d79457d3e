// What both consoles' bindings say of a state: its fields, and the bytes of one.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "state/fields.hpp"

namespace nesproof::bindings {

inline const char* numpy_type(state::ValueType type) {
  switch (type) {
    case state::ValueType::of_u8: return "u1";
    case state::ValueType::of_u16: return "<u2";
    case state::ValueType::of_u32: return "<u4";
    case state::ValueType::of_u64: return "<u8";
    case state::ValueType::of_i16: return "<i2";
  }
  return "";
}

inline const char* class_name(state::FieldClass field_class) {
  switch (field_class) {
    case state::FieldClass::ARCH: return "ARCH";
    case state::FieldClass::LIVE: return "LIVE";
    case state::FieldClass::DERIVED: return "DERIVED";
  }
  return "";
}

// Tuples (name, NumPy type, count, unit, class, largest valid value, identity) in the snapshot's order.
inline pybind11::list field_rows(const state::Sizes& sizes) {
  pybind11::list rows;
  for (const state::FieldInfo& field : state::kFields) {
    rows.append(pybind11::make_tuple(std::string(field.name), numpy_type(field.type), field.count(sizes),
                                     std::string(field.unit), class_name(field.field_class), field.max,
                                     field.identity));
  }
  return rows;
}

// The bytes of a snapshot, valid while the request lives.
inline std::span<const std::uint8_t> contiguous_bytes(const pybind11::buffer_info& info) {
  if (info.itemsize != 1 || info.ndim != 1 || (info.size > 1 && info.strides[0] != 1)) {
    throw pybind11::type_error("a snapshot is contiguous bytes");
  }
  return {static_cast<const std::uint8_t*>(info.ptr), static_cast<std::size_t>(info.size)};
}

inline std::vector<std::uint8_t> to_vector(const pybind11::bytes& bytes) {
  const std::string_view view = bytes;
  return {view.begin(), view.end()};
}

}  // namespace nesproof::bindings
