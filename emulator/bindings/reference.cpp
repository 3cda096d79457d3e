// Python's view of the reference console. It translates and nothing else: views share the console's memory, runs
// release the GIL, exceptions become Python's.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/build_info.hpp"
#include "bindings/in_use.hpp"
#include "bindings/planting.hpp"
#include "bindings/snapshots.hpp"
#include "reference/console/console.hpp"
#include "reference/cpu/flat_machine.hpp"

namespace py = pybind11;
using namespace pybind11::literals;
using nesproof::bindings::build_info;
using nesproof::bindings::contiguous_bytes;
using nesproof::bindings::field_rows;
using nesproof::bindings::InUse;
using nesproof::bindings::let_signals_through;
using nesproof::bindings::to_vector;
using nesproof::reference::BusAccess;
using nesproof::reference::CartridgeImage;
using nesproof::reference::CpuView;
using nesproof::reference::FlatMachine;
using nesproof::reference::Mirroring;
using nesproof::reference::u16;
using nesproof::reference::u32;
using nesproof::reference::u64;
using nesproof::reference::u8;
using nesproof::reference::Variant;

namespace state = nesproof::state;

namespace {

template <class T>
using Array = py::array_t<T, py::array::c_style>;

Mirroring mirroring_of(const std::string& name) {
  if (name == "horizontal") return Mirroring::Horizontal;
  if (name == "vertical") return Mirroring::Vertical;
  if (name == "four-screen") return Mirroring::FourScreen;
  throw std::invalid_argument("mirroring is horizontal, vertical or four-screen");
}

class Console {
 public:
  Console(const py::bytes& prg_rom, const py::bytes& chr_rom, u32 chr_ram_bytes, u32 prg_ram_bytes,
          const std::string& mirroring, const py::bytes& trainer, u16 mapper, u8 submapper, u8 variant)
      : console_(CartridgeImage{.prg_rom = to_vector(prg_rom),
                                .chr_rom = to_vector(chr_rom),
                                .chr_ram_bytes = chr_ram_bytes,
                                .prg_ram_bytes = prg_ram_bytes,
                                .mirroring = mirroring_of(mirroring),
                                .trainer = to_vector(trainer),
                                .mapper = mapper,
                                .submapper = submapper,
                                .variant = variant}) {}

  void power_on(u8 fill) {
    const InUse in_use(busy_);
    console_.power_on(fill);
  }
  void press_reset() {
    const InUse in_use(busy_);
    console_.press_reset();
  }

  // Shape [F, 2]; keeps the pictures of the last `kept` frames. It draws every frame, whoever asks for it.
  void step(const Array<u8>& buttons, std::size_t kept) {
    constexpr py::ssize_t kFramesBetweenSignals = 64;
    const InUse in_use(busy_);
    if (buttons.ndim() != 2 || buttons.shape(1) != 2) throw py::value_error("buttons are [frames, 2]");
    const auto rows = buttons.unchecked<2>();
    const py::ssize_t frames = rows.shape(0), first_kept = frames - static_cast<py::ssize_t>(kept);
    if (frames == 0) return;
    if (static_cast<py::ssize_t>(kept) > frames) throw py::value_error("more frames are to be kept than run");
    pictures_.clear();
    kept_ = std::min<std::size_t>(kept, 1);
    const py::gil_scoped_release released;
    for (py::ssize_t frame = 0; frame < frames; ++frame) {
      if (frame % kFramesBetweenSignals == kFramesBetweenSignals - 1) let_signals_through();
      console_.step_frame(rows(frame, 0), rows(frame, 1));
      if (kept > 1 && frame >= first_kept) {
        const std::span<const u16> picture = console_.picture();
        pictures_.insert(pictures_.end(), picture.begin(), picture.end());
      }
    }
    kept_ = kept;
  }
  // [R, 240, 256]: a view of the one picture, or a copy of several; R is 0 where the last step was to keep none.
  static py::array pictures(const py::object& self) {
    auto& console = self.cast<Console&>();
    const InUse in_use(console.busy_);
    if (console.kept_ > 1) {
      return Array<u16>({static_cast<py::ssize_t>(console.kept_), py::ssize_t{240}, py::ssize_t{256}},
                        console.pictures_.data());
    }
    Array<u16> view({static_cast<py::ssize_t>(console.kept_), py::ssize_t{240}, py::ssize_t{256}},
                    console.console_.picture().data(), self);
    view.attr("setflags")("write"_a = false);
    return view;
  }
  bool step_unit() {
    const InUse in_use(busy_);
    kept_ = 1;
    return console_.step_unit();
  }
  py::array_t<CpuView> trace(std::size_t instructions, int start) {
    const InUse in_use(busy_);
    py::array_t<CpuView> lines(static_cast<py::ssize_t>(instructions));
    kept_ = 1;
    const std::span<CpuView> span(lines.mutable_data(), instructions);
    constexpr std::size_t kSlice = 1'000'000;
    const py::gil_scoped_release released;
    console_.trace(span.first(std::min(kSlice, instructions)), start);
    for (std::size_t done = kSlice; done < instructions; done += kSlice) {
      let_signals_through();
      console_.trace(span.subspan(done, std::min(kSlice, instructions - done)), -1);
    }
    return lines;
  }
  // Runs until the program counter is `address` at a boundary; false after `max_units`.
  bool run_until(u16 address, u64 max_units) {
    const InUse in_use(busy_);
    kept_ = 1;
    const py::gil_scoped_release released;
    for (u64 unit = 0; unit < max_units; ++unit) {
      if (unit % 1'000'000 == 999'999) let_signals_through();
      console_.step_unit();
      if (console_.cpu().pc == address) return true;
    }
    return false;
  }

  Array<u8> peek(const Array<u16>& addresses) {
    const InUse in_use(busy_);
    Array<u8> values(std::vector<py::ssize_t>(addresses.shape(), addresses.shape() + addresses.ndim()));
    u8* out = values.mutable_data();
    const u16* in = addresses.data();
    for (py::ssize_t i = 0; i < addresses.size(); ++i) out[i] = console_.peek(in[i]);
    return values;
  }
  bool poke(u16 address, u8 value) {
    const InUse in_use(busy_);
    return console_.poke(address, value);
  }
  Array<u8> nametables() {
    const InUse in_use(busy_);
    Array<u8> values({py::ssize_t{4}, py::ssize_t{1024}});
    u8* out = values.mutable_data();
    for (u16 at = 0; at < 0x1000; ++at) out[at] = console_.peek_video(static_cast<u16>(0x2000 | at));
    return values;
  }

  u64 digest() {
    const InUse in_use(busy_);
    const py::gil_scoped_release released;
    return console_.digest();
  }
  py::bytes save_state() {
    const InUse in_use(busy_);
    py::bytes out(nullptr, console_.snapshot_bytes());
    console_.save({reinterpret_cast<u8*>(PyBytes_AS_STRING(out.ptr())), console_.snapshot_bytes()});
    return out;
  }
  void load_state(const py::buffer& bytes) {
    const InUse in_use(busy_);
    const py::buffer_info info = bytes.request();
    console_.load(contiguous_bytes(info));
  }

  nesproof::reference::Console& console() { return console_; }

 private:
  nesproof::reference::Console console_;
  std::size_t kept_ = 1;       // pictures of the last step, the last of which the console has itself
  std::vector<u16> pictures_;  // all of them where they are several
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

// --- The CPU alone

using Registers = std::tuple<u16, u8, u8, u8, u8, u8>;  // PC, S, A, X, Y, P

template <Variant kVariant>
class FlatCpu {
 public:
  FlatCpu() : memory_(65536), machine_(memory_) {}

  void set_registers(const Registers& registers) {
    auto& cpu = machine_.cpu;
    u8 p = 0;
    std::tie(cpu.pc, cpu.s, cpu.a, cpu.x, cpu.y, p) = registers;
    cpu.p.bits = p;
  }
  Registers registers() const {
    const auto& cpu = machine_.cpu;
    return {cpu.pc, cpu.s, cpu.a, cpu.x, cpu.y, cpu.p.bits};
  }
  std::vector<u8>& memory() { return memory_; }
  u64 instructions() const { return machine_.instructions; }
  u64 cycles() const { return machine_.bus.cycles(); }
  bool jammed() const { return machine_.cpu.jammed(); }

  bool run_until_trap(u64 max_instructions) {
    const InUse in_use(busy_, "the CPU");
    constexpr u64 kSlice = 10'000'000;
    const py::gil_scoped_release released;
    while (max_instructions > 0) {
      const u64 slice = std::min(max_instructions, kSlice);
      if (machine_.run_until_trap(slice)) return true;
      max_instructions -= slice;
      let_signals_through();
    }
    return false;
  }
  py::list step() {
    const InUse in_use(busy_, "the CPU");
    py::list accesses = step_recorded();
    machine_.bus.record(false);
    return accesses;
  }
  // One instruction on memory that is 0 but for `ram`; memory is 0 again afterwards.
  py::tuple step_case(const Registers& before, const std::vector<std::pair<u16, u8>>& ram,
                      const std::vector<u16>& addresses) {
    const InUse in_use(busy_, "the CPU");
    set_registers(before);
    for (const auto& [address, value] : ram) memory_[address] = value;
    py::list accesses = step_recorded();
    py::bytes values(nullptr, addresses.size());
    char* out = PyBytes_AS_STRING(values.ptr());
    for (const u16 address : addresses) *out++ = static_cast<char>(memory_[address]);
    for (const auto& [address, value] : ram) memory_[address] = 0;
    for (const BusAccess& access : machine_.bus.accesses()) {
      if (access.is_write) memory_[access.address] = 0;
    }
    machine_.bus.record(false);
    return py::make_tuple(registers(), values, accesses);
  }

 private:
  // The accesses stay in the bus's record.
  py::list step_recorded() {
    machine_.bus.record(true);
    machine_.cpu.step();
    machine_.instructions++;
    py::list accesses;
    for (const BusAccess& access : machine_.bus.accesses()) {
      accesses.append(py::make_tuple(access.address, access.value, access.is_write != 0));
    }
    return accesses;
  }

  std::vector<u8> memory_;
  FlatMachine<kVariant> machine_;
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

template <Variant kVariant>
void define_flat_cpu(py::module_& module, const char* name) {
  using Cpu = FlatCpu<kVariant>;
  py::class_<Cpu>(module, name)
      .def(py::init<>())
      .def_property("registers", &Cpu::registers, &Cpu::set_registers)
      .def_property_readonly("memory",
                             [](const py::object& self) {
                               auto& memory = self.cast<Cpu&>().memory();
                               return Array<u8>(static_cast<py::ssize_t>(memory.size()), memory.data(), self);
                             })
      .def_property_readonly("instructions", &Cpu::instructions)
      .def_property_readonly("cycles", &Cpu::cycles)
      .def_property_readonly("jammed", &Cpu::jammed)
      .def("run_until_trap", &Cpu::run_until_trap, "max_instructions"_a)
      .def("step", &Cpu::step)
      .def("step_case", &Cpu::step_case, "registers"_a, "ram"_a, "addresses"_a);
}

}  // namespace

PYBIND11_MODULE(_reference, module) {
  module.doc() = "The reference console, compiled. Use nesproof.emulator.Console.";
  PYBIND11_NUMPY_DTYPE(CpuView, pc, a, x, y, p, s, scanline, dot, cycle);
  py::register_exception<state::SnapshotError>(module, "SnapshotError", PyExc_ValueError);

  py::class_<Console>(module, "Console")
      .def(py::init<const py::bytes&, const py::bytes&, u32, u32, const std::string&, const py::bytes&, u16, u8, u8>(),
           py::kw_only(), "prg_rom"_a, "chr_rom"_a, "chr_ram_bytes"_a, "prg_ram_bytes"_a, "mirroring"_a, "trainer"_a,
           "mapper"_a, "submapper"_a, "variant"_a)
      .def("power_on", &Console::power_on, "fill"_a)
      .def("press_reset", &Console::press_reset)
      .def("step", &Console::step, py::arg("buttons").noconvert(), "kept"_a)
      .def("step_unit", &Console::step_unit)
      .def("trace", &Console::trace, "instructions"_a, "start"_a)
      .def("run_until", &Console::run_until, "address"_a, "max_units"_a)
      .def("peek", &Console::peek, py::arg("addresses").noconvert())
      .def("poke", &Console::poke, "address"_a, "value"_a)
      .def("nametables", &Console::nametables)
      .def("digest", &Console::digest)
      .def("save_state", &Console::save_state)
      .def("load_state", &Console::load_state, "state"_a)
      .def_property_readonly("ram",
                             [](const py::object& self) {
                               const auto ram = self.cast<Console&>().console().ram();
                               return Array<u8>(static_cast<py::ssize_t>(ram.size()), ram.data(), self);
                             })
      .def_property_readonly("pictures", &Console::pictures)
      .def_property_readonly("cpu",
                             [](Console& self) {
                               const CpuView cpu = self.console().cpu();
                               return py::make_tuple(cpu.pc, cpu.a, cpu.x, cpu.y, cpu.p, cpu.s, cpu.scanline, cpu.dot,
                                                     cpu.cycle);
                             })
      .def_property_readonly("jammed", [](Console& self) { return self.console().jammed(); })
      .def_property_readonly("frame_count", [](Console& self) { return self.console().frame_count(); })
      .def_property_readonly("snapshot_bytes", [](Console& self) { return self.console().snapshot_bytes(); })
      .def_property_readonly("fields", [](Console& self) { return field_rows(self.console().sizes()); });

  define_flat_cpu<Variant::Mos6502>(module, "FlatMos6502");
  define_flat_cpu<Variant::Ricoh2A03>(module, "Flat2A03");
  module.attr("SNAPSHOT_VERSION") = state::kSnapshotVersion;
  module.attr("SNAPSHOT_HEADER_BYTES") = state::kSnapshotHeaderBytes;
  module.def("build_info", &build_info);
  nesproof::bindings::define_planting(module);
}
