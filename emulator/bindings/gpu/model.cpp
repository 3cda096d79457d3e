// The warp model for Python: counts of a run, by name.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <stdexcept>
#include <string>

#include "bindings/core_cartridge.hpp"
#include "bindings/gpu/gpu.hpp"
#include "bindings/gpu/model_boards.hpp"
#include "core/board/kinds.hpp"
#include "state/snapshot.hpp"

namespace py = pybind11;
using namespace pybind11::literals;
using namespace nesproof;

namespace {

using Bytes = py::array_t<std::uint8_t, py::array::c_style>;

bindings::CountWarps& counter_of(std::uint16_t mapper) {
  switch (core::board_kind(mapper)) {
    case core::BoardKind::Nrom: return bindings::count_nrom_warps;
    case core::BoardKind::Banked: return bindings::count_banked_warps;
    case core::BoardKind::Mmc3: return bindings::count_mmc3_warps;
    default: throw std::invalid_argument("the model has no board for mapper " + std::to_string(mapper));
  }
}

py::dict named(const gpu::model::Counts& counts) {
  py::dict opcodes;
  constexpr const char* kNames[] = {
      "Exact",
      "IdleLoop",
#define FAST_OPCODE(name, shape, mode, operation) #name,
#include "core/cpu/fast_opcodes.def"
#undef FAST_OPCODE
  };
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    if (counts.opcodes[i] == 0) continue;
    opcodes[kNames[i]] = py::make_tuple(i, counts.opcodes[i], core::ends_block(core::kFastFacts[i].shape));
  }
  return py::dict("warp_frames"_a = counts.warp_frames, "steps"_a = counts.steps, "lane_steps"_a = counts.lane_steps,
                  "waiting_lane_steps"_a = counts.waiting_lane_steps,
                  "finished_lane_steps"_a = counts.finished_lane_steps, "instructions"_a = counts.instructions,
                  "exact_steps"_a = counts.exact_steps, "exact_cycles"_a = counts.exact_cycles,
                  "ram_sectors_interleaved"_a = counts.ram_sectors_interleaved,
                  "ram_sectors_one_by_one"_a = counts.ram_sectors_one_by_one,
                  "state_sectors_interleaved"_a = counts.state_sectors_interleaved,
                  "state_sectors_one_by_one"_a = counts.state_sectors_one_by_one,
                  "code_sectors"_a = counts.code_sectors, "opcodes"_a = opcodes);
}

py::dict count_warps(const py::bytes& prg_rom, const py::bytes& chr_rom, std::uint32_t chr_ram_bytes,
                     std::uint32_t prg_ram_bytes, const std::string& mirroring, const py::bytes& trainer,
                     std::uint16_t mapper, std::uint8_t submapper, std::uint8_t variant, bool idle_skipping,
                     const Bytes& bodies, const Bytes& buttons, std::uint32_t frames_at_once,
                     const std::string& schedule) {
  bindings::CountWarps& count = counter_of(mapper);
  if (bodies.ndim() != 2 || buttons.ndim() != 3 || buttons.shape(0) != bodies.shape(0) || buttons.shape(2) != 2 ||
      frames_at_once == 0) {
    throw std::invalid_argument("bodies are [N, bytes], buttons [N, frames, 2], frames at once at least 1");
  }
  const auto cartridge = bindings::make_cartridge(prg_rom, chr_rom, chr_ram_bytes, prg_ram_bytes, mirroring, trainer,
                                                  mapper, submapper, variant, idle_skipping);
  if (static_cast<std::size_t>(bodies.shape(1)) != core::snapshot_body_bytes(cartridge->view())) {
    throw std::invalid_argument("the bodies are not of this cartridge's snapshots");
  }
  const gpu::model::Consoles consoles{{bodies.data(), static_cast<std::size_t>(bodies.size())},
                                      static_cast<std::size_t>(bodies.shape(1)),
                                      buttons.data(),
                                      static_cast<std::uint32_t>(buttons.shape(0)),
                                      static_cast<std::uint32_t>(buttons.shape(1))};
  gpu::model::Counts counts;
  {
    const py::gil_scoped_release released;
    counts = count(schedule, cartridge->view(), consoles, frames_at_once);
  }
  return named(counts);
}

}  // namespace

void bind_model(py::module_& module) {
  module.attr("SNAPSHOT_HEADER_BYTES") = state::kSnapshotHeaderBytes;
  module.def("count_warps", &count_warps, "prg_rom"_a, "chr_rom"_a, "chr_ram_bytes"_a, "prg_ram_bytes"_a, "mirroring"_a,
             "trainer"_a, "mapper"_a, "submapper"_a, "variant"_a, "idle_skipping"_a, "bodies"_a, "buttons"_a,
             "frames_at_once"_a, "schedule"_a);
}
