// Python's view of the fast core. It translates and nothing else: views share memory, runs release the GIL, exceptions
// become Python's.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "bindings/build_info.hpp"
#include "bindings/core_batch.hpp"
#include "bindings/core_cartridge.hpp"
#include "bindings/core_console.hpp"
#include "bindings/core_flat_cpu.hpp"
#include "bindings/planting.hpp"

namespace py = pybind11;
using namespace pybind11::literals;
namespace bindings = nesproof::bindings;
using nesproof::batch::CpuView;
using nesproof::batch::HostCartridge;

PYBIND11_MODULE(_core, module) {
  module.doc() = "The fast core, compiled. Use nesproof.emulator.Console and nesproof.emulator.Batch.";
  PYBIND11_NUMPY_DTYPE(CpuView, pc, a, x, y, p, s, scanline, dot, cycle);
  // There is one SnapshotError in Python, whichever console finds the fault.
  module.attr("SnapshotError") = py::module_::import("nesproof.emulator._reference").attr("SnapshotError");
  py::register_local_exception_translator([](std::exception_ptr fault) {
    try {
      if (fault) std::rethrow_exception(fault);
    } catch (const nesproof::state::SnapshotError& error) {
      const auto type = py::module_::import("nesproof.emulator._core").attr("SnapshotError");
      PyErr_SetString(type.ptr(), error.what());
    } catch (const nesproof::batch::TooMuchMemory& error) {
      PyErr_SetString(PyExc_MemoryError, error.what());
    }
  });

  py::class_<HostCartridge, bindings::SharedCartridge>(module, "Cartridge")
      .def(py::init(&bindings::make_cartridge), py::kw_only(), "prg_rom"_a, "chr_rom"_a, "chr_ram_bytes"_a,
           "prg_ram_bytes"_a, "mirroring"_a, "trainer"_a, "mapper"_a, "submapper"_a, "variant"_a, "idle_skipping"_a)
      .def_property_readonly("identity", &HostCartridge::identity);
  bindings::define_core_console(module);
  bindings::define_core_batch(module);
  bindings::define_core_flat_cpu(module);
  module.def("build_info", &bindings::build_info);
  bindings::define_planting(module);
}
