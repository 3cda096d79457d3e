// PRG-ROM as the kernels read it.
#include "core/cpu/code_map.hpp"

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/gpu/gpu.hpp"

namespace py = pybind11;
using namespace pybind11::literals;

namespace {

// A cartridge's code map without the runs of instructions that only a host takes in one.
py::bytes unfused(const std::string& code_map) {
  if (code_map.size() % sizeof(nesproof::core::u32) != 0) throw std::invalid_argument("a code map is of whole words");
  std::vector<nesproof::core::u32> words(code_map.size() / sizeof(nesproof::core::u32));
  std::memcpy(words.data(), code_map.data(), code_map.size());
  for (nesproof::core::u32& word : words) word = nesproof::core::unfused(word);
  return {reinterpret_cast<const char*>(words.data()), code_map.size()};
}

}  // namespace

void bind_code_map(py::module_& module) { module.def("unfused", &unfused, "code_map"_a); }
