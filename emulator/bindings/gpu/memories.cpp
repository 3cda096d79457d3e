// A cartridge's memories as the kernels read them: laid out by the code that lays them out for consoles on a host.
#include "bindings/core_cartridge.hpp"
#include "bindings/gpu/gpu.hpp"

namespace py = pybind11;
using namespace pybind11::literals;
using namespace nesproof;

namespace {

py::bytes bytes_of(const void* data, std::size_t size) { return {static_cast<const char*>(data), size}; }

// PRG-ROM and CHR-ROM, each a power of two of bytes or none, and the code map, of single instructions.
py::tuple memories(const py::bytes& prg_rom, const py::bytes& chr_rom, std::uint32_t chr_ram_bytes,
                   std::uint32_t prg_ram_bytes, const std::string& mirroring, const py::bytes& trainer,
                   std::uint16_t mapper, std::uint8_t submapper, std::uint8_t variant, bool idle_skipping) {
  const auto cartridge = bindings::make_cartridge(prg_rom, chr_rom, chr_ram_bytes, prg_ram_bytes, mirroring, trainer,
                                                  mapper, submapper, variant, idle_skipping);
  const core::Cartridge& view = cartridge->view();
  const std::vector<std::uint32_t> code_map = cartridge->plain_code_map();
  const std::size_t chr_bytes = view.chr_rom == nullptr ? 0 : std::size_t{view.chr_mask} + 1;
  return py::make_tuple(bytes_of(view.prg_rom, std::size_t{view.prg_mask} + 1), bytes_of(view.chr_rom, chr_bytes),
                        bytes_of(code_map.data(), code_map.size() * sizeof code_map[0]));
}

}  // namespace

void bind_memories(py::module_& module) {
  module.def("memories", &memories, py::kw_only(), "prg_rom"_a, "chr_rom"_a, "chr_ram_bytes"_a, "prg_ram_bytes"_a,
             "mirroring"_a, "trainer"_a, "mapper"_a, "submapper"_a, "variant"_a, "idle_skipping"_a);
}
