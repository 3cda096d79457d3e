// In the build with hooks: which fault is on, in this extension's own code. The installed build has no such function.
#pragma once

#include <pybind11/pybind11.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "faults/hooks.hpp"

namespace nesproof::bindings {

#ifdef NESPROOF_FAULTS
inline void plant_fault(const std::string& name) {
  static constexpr std::string_view kNames[] = {
      "none",
#define FAULT(name) #name,
#include "faults/faults.def"
#undef FAULT
  };
  int number = 0;
  for (const std::string_view known : kNames) {
    if (name == known) {
      faults::planted_fault = number;
      return;
    }
    ++number;
  }
  throw std::invalid_argument("there is no hook for the fault " + name);
}
#endif

// `plant_fault(name)` turns one fault on, "none" turns it off again.
inline void define_planting([[maybe_unused]] pybind11::module_& module) {
#ifdef NESPROOF_FAULTS
  module.def("plant_fault", &plant_fault);
#endif
}

}  // namespace nesproof::bindings
