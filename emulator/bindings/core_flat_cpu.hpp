// The core's CPU alone for Python: registers and cycles, no list of accesses, since the core has none.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/in_use.hpp"
#include "core/cpu/flat.hpp"

namespace nesproof::bindings {

class CoreFlatCpu {
 public:
  using Registers = std::tuple<std::uint16_t, std::uint8_t, std::uint8_t, std::uint8_t, std::uint8_t,
                               std::uint8_t>;  // PC, S, A, X, Y, P

  CoreFlatCpu() : memory_(65536) { machine_.memory = memory_.data(); }
  CoreFlatCpu(const CoreFlatCpu&) = delete;
  CoreFlatCpu& operator=(const CoreFlatCpu&) = delete;

  void set_registers(const Registers& registers) {
    core::u32 p = 0;
    std::tie(machine_.program_counter, machine_.s, machine_.a, machine_.x, machine_.y, p) = registers;
    core::unpack_status(machine_, p);
  }
  Registers registers() const {
    return {static_cast<std::uint16_t>(machine_.program_counter),
            static_cast<std::uint8_t>(machine_.s),
            static_cast<std::uint8_t>(machine_.a),
            static_cast<std::uint8_t>(machine_.x),
            static_cast<std::uint8_t>(machine_.y),
            static_cast<std::uint8_t>(core::packed_status(machine_))};
  }
  std::vector<std::uint8_t>& memory() { return memory_; }
  std::uint64_t instructions() const { return instructions_; }
  std::uint64_t cycles() const { return machine_.cycles; }
  bool jammed() const { return machine_.jammed; }

  bool run_until_trap(std::uint64_t max_instructions) {
    constexpr std::uint64_t kSlice = 100'000'000;
    const InUse in_use(busy_, "the CPU");
    const pybind11::gil_scoped_release released;
    while (max_instructions > 0) {
      core::u64 left = std::min(max_instructions, kSlice);
      const std::uint64_t slice = left;
      const bool trapped = core::run_flat_until_trap(machine_, left);
      instructions_ += slice - left;
      max_instructions -= slice - left;
      if (trapped) return true;
      let_signals_through();
    }
    return false;
  }
  // The cycles that one instruction takes.
  std::uint64_t step() {
    const InUse in_use(busy_, "the CPU");
    return step_one();
  }
  // One instruction on memory that is 0 but for `ram`; memory is 0 again afterwards.
  pybind11::tuple step_case(const Registers& before, const std::vector<std::pair<std::uint16_t, std::uint8_t>>& ram,
                            const std::vector<std::uint16_t>& addresses) {
    const InUse in_use(busy_, "the CPU");
    set_registers(before);
    machine_.jammed = false;
    for (const auto& [address, value] : ram) memory_[address] = value;
    const std::uint64_t cycles = step_one();
    pybind11::bytes values(nullptr, addresses.size());
    char* out = PyBytes_AS_STRING(values.ptr());
    for (const std::uint16_t address : addresses) *out++ = static_cast<char>(memory_[address]);
    std::ranges::fill(memory_, std::uint8_t{0});
    return pybind11::make_tuple(registers(), values, cycles);
  }

 private:
  std::uint64_t step_one() {
    const std::uint64_t before = machine_.cycles;
    core::step_flat(machine_);
    instructions_++;
    return machine_.cycles - before;
  }

  std::vector<std::uint8_t> memory_;
  core::FlatMachine machine_;
  std::uint64_t instructions_ = 0;
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

inline void define_core_flat_cpu(pybind11::module_& module) {
  namespace py = pybind11;
  using namespace py::literals;
  py::class_<CoreFlatCpu>(module, "Flat2A03")
      .def(py::init<>())
      .def_property("registers", &CoreFlatCpu::registers, &CoreFlatCpu::set_registers)
      .def_property_readonly("memory",
                             [](const py::object& self) {
                               auto& memory = self.cast<CoreFlatCpu&>().memory();
                               return py::array_t<std::uint8_t>(static_cast<py::ssize_t>(memory.size()), memory.data(),
                                                                self);
                             })
      .def_property_readonly("instructions", &CoreFlatCpu::instructions)
      .def_property_readonly("cycles", &CoreFlatCpu::cycles)
      .def_property_readonly("jammed", &CoreFlatCpu::jammed)
      .def("run_until_trap", &CoreFlatCpu::run_until_trap, "max_instructions"_a)
      .def("step", &CoreFlatCpu::step)
      .def("step_case", &CoreFlatCpu::step_case, "registers"_a, "ram"_a, "addresses"_a);
}

}  // namespace nesproof::bindings
