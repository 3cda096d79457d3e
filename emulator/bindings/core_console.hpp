// One console of the fast core for Python: a batch of one, and what only a single console has.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "batch/batch.hpp"
#include "bindings/core_cartridge.hpp"
#include "bindings/in_use.hpp"
#include "bindings/shared_arrays.hpp"
#include "bindings/snapshots.hpp"

namespace nesproof::bindings {

class CoreConsole {
 public:
  template <class T>
  using Array = pybind11::array_t<T, pybind11::array::c_style>;

  explicit CoreConsole(SharedCartridge cartridge)
      : batch_(std::move(cartridge), {.count = 1, .threads = 1, .pixel_bytes = 2}) {}

  void power_on(std::uint8_t fill) {
    const InUse in_use(busy_);
    consoles().power_on(kOnly, fill);
  }
  void press_reset() {
    const InUse in_use(busy_);
    consoles().press_reset(kOnly);
  }

  // Shape [F, 2]; records the last `kept` frames.
  void step(const Array<std::uint8_t>& buttons, std::size_t kept) {
    const InUse in_use(busy_);
    if (buttons.ndim() != 2 || buttons.shape(1) != 2) throw pybind11::value_error("buttons are [frames, 2]");
    const auto frames = static_cast<std::size_t>(buttons.shape(0));
    if (kept > frames) throw pybind11::value_error("more frames are to be kept than run");
    const pybind11::gil_scoped_release released;
    batch_.step({buttons.data(), 0, 2}, frames, kept, let_signals_through);
  }
  bool step_unit() {
    const InUse in_use(busy_);
    return batch_.step_unit();
  }
  pybind11::array_t<batch::CpuView> trace(std::size_t instructions, int start) {
    const InUse in_use(busy_);
    pybind11::array_t<batch::CpuView> lines(static_cast<pybind11::ssize_t>(instructions));
    batch::CpuView* const line = lines.mutable_data();
    const pybind11::gil_scoped_release released;
    if (consoles().in_reset(0)) batch_.step_unit();
    if (start >= 0) consoles().set_pc(0, static_cast<std::uint16_t>(start));
    for (std::size_t i = 0; i < instructions; ++i) {
      if (i % kUnitsBetweenSignals == kUnitsBetweenSignals - 1) let_signals_through();
      line[i] = consoles().cpu(0);
      batch_.step_unit();
    }
    return lines;
  }
  std::size_t run_blocks(const Array<std::uint8_t>& buttons, std::size_t blocks) {
    const InUse in_use(busy_);
    if (buttons.size() != 2) throw pybind11::value_error("buttons are a byte a player");
    return consoles().run_blocks(0, buttons.data(), blocks);
  }
  // Runs until the program counter is `address` at a boundary; false after `max_units`.
  bool run_until(std::uint16_t address, std::uint64_t max_units) {
    const InUse in_use(busy_);
    const pybind11::gil_scoped_release released;
    for (std::uint64_t unit = 0; unit < max_units; ++unit) {
      if (unit % kUnitsBetweenSignals == kUnitsBetweenSignals - 1) let_signals_through();
      batch_.step_unit();
      if (consoles().pc(0) == address) return true;
    }
    return false;
  }

  Array<std::uint8_t> peek(const Array<std::uint16_t>& addresses) {
    const InUse in_use(busy_);
    Array<std::uint8_t> values(std::vector<pybind11::ssize_t>(addresses.shape(), addresses.shape() + addresses.ndim()));
    consoles().read({addresses.data(), static_cast<std::size_t>(addresses.size())}, values.mutable_data());
    return values;
  }
  bool poke(std::uint16_t address, std::uint8_t value) {
    const InUse in_use(busy_);
    return consoles().poke(0, address, value);
  }
  Array<std::uint8_t> nametables() {
    const InUse in_use(busy_);
    Array<std::uint8_t> values({pybind11::ssize_t{4}, pybind11::ssize_t{1024}});
    consoles().nametables(0, values.mutable_data());
    return values;
  }

  std::uint64_t digest() {
    const InUse in_use(busy_);
    std::uint64_t sum = 0;
    consoles().digest(&sum);
    return sum;
  }
  pybind11::bytes save_state() {
    const InUse in_use(busy_);
    const std::size_t bytes = snapshot_bytes();
    pybind11::bytes out(nullptr, bytes);
    consoles().save(kOnly, reinterpret_cast<std::uint8_t*>(PyBytes_AS_STRING(out.ptr())), bytes);
    return out;
  }
  void load_state(const pybind11::buffer& bytes) {
    const InUse in_use(busy_);
    const pybind11::buffer_info info = bytes.request();
    const auto snapshot = contiguous_bytes(info);
    batch_.check(snapshot);
    consoles().load(kOnly, snapshot.data(), snapshot.size());
  }

  pybind11::array ram() {
    const auto view = ram_view(consoles());
    return view.attr("reshape")(2048).cast<pybind11::array>();
  }
  // All of the last record, uint16 [R, 240, 256]; R is 0 where the last step recorded nothing.
  pybind11::array pictures() {
    const InUse in_use(busy_);
    if (!batch_.has_record()) return Array<std::uint16_t>({0, 240, 256});
    batch_.draw();
    auto view = pictures_view(batch_.frames(), 1, batch_.pictures(), 2);
    auto all = view.attr("reshape")(batch_.pictures(), 240, 256).cast<pybind11::array>();
    all.attr("setflags")(false);
    return all;
  }
  pybind11::tuple cpu() {
    const InUse in_use(busy_);
    const batch::CpuView cpu = consoles().cpu(0);
    return pybind11::make_tuple(cpu.pc, cpu.a, cpu.x, cpu.y, cpu.p, cpu.s, cpu.scanline, cpu.dot, cpu.cycle);
  }
  bool jammed() {
    const InUse in_use(busy_);
    return consoles().jammed(0);
  }
  std::uint64_t frame_count() {
    const InUse in_use(busy_);
    std::uint64_t count = 0;
    consoles().frame_counts(&count);
    return count;
  }
  std::size_t snapshot_bytes() const { return batch_.snapshot_layout().size_bytes(); }
  pybind11::list fields() const { return field_rows(batch_.cartridge().sizes()); }

 private:
  static constexpr std::int64_t kOnly[] = {0};
  static constexpr std::size_t kUnitsBetweenSignals = 1'000'000;

  batch::Consoles& consoles() { return batch_.consoles(); }

  batch::Batch batch_;
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

inline void define_core_console(pybind11::module_& module) {
  namespace py = pybind11;
  using namespace py::literals;
  py::class_<CoreConsole>(module, "Console")
      .def(py::init<SharedCartridge>(), "cartridge"_a)
      .def("power_on", &CoreConsole::power_on, "fill"_a)
      .def("press_reset", &CoreConsole::press_reset)
      .def("step", &CoreConsole::step, py::arg("buttons").noconvert(), "kept"_a)
      .def("step_unit", &CoreConsole::step_unit)
      .def("trace", &CoreConsole::trace, "instructions"_a, "start"_a)
      .def("run_blocks", &CoreConsole::run_blocks, py::arg("buttons").noconvert(), "blocks"_a)
      .def("run_until", &CoreConsole::run_until, "address"_a, "max_units"_a)
      .def("peek", &CoreConsole::peek, py::arg("addresses").noconvert())
      .def("poke", &CoreConsole::poke, "address"_a, "value"_a)
      .def("nametables", &CoreConsole::nametables)
      .def("digest", &CoreConsole::digest)
      .def("save_state", &CoreConsole::save_state)
      .def("load_state", &CoreConsole::load_state, "state"_a)
      .def_property_readonly("ram", &CoreConsole::ram)
      .def_property_readonly("pictures", &CoreConsole::pictures)
      .def_property_readonly("cpu", &CoreConsole::cpu)
      .def_property_readonly("jammed", &CoreConsole::jammed)
      .def_property_readonly("frame_count", &CoreConsole::frame_count)
      .def_property_readonly("snapshot_bytes", &CoreConsole::snapshot_bytes)
      .def_property_readonly("fields", &CoreConsole::fields);
}

}  // namespace nesproof::bindings
