// A cartridge for the core from Python's arguments.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "batch/host_cartridge.hpp"
#include "bindings/snapshots.hpp"

namespace nesproof::bindings {

inline batch::Mirroring mirroring_of(const std::string& name) {
  if (name == "horizontal") return batch::Mirroring::Horizontal;
  if (name == "vertical") return batch::Mirroring::Vertical;
  if (name == "four-screen") return batch::Mirroring::FourScreen;
  throw std::invalid_argument("mirroring is horizontal, vertical or four-screen");
}

using SharedCartridge = std::shared_ptr<batch::HostCartridge>;

inline SharedCartridge make_cartridge(const pybind11::bytes& prg_rom, const pybind11::bytes& chr_rom,
                                      std::uint32_t chr_ram_bytes, std::uint32_t prg_ram_bytes,
                                      const std::string& mirroring, const pybind11::bytes& trainer,
                                      std::uint16_t mapper, std::uint8_t submapper, std::uint8_t variant,
                                      bool idle_skipping) {
  return std::make_shared<batch::HostCartridge>(batch::CartridgeImage{.prg_rom = to_vector(prg_rom),
                                                                      .chr_rom = to_vector(chr_rom),
                                                                      .chr_ram_bytes = chr_ram_bytes,
                                                                      .prg_ram_bytes = prg_ram_bytes,
                                                                      .mirroring = mirroring_of(mirroring),
                                                                      .trainer = to_vector(trainer),
                                                                      .mapper = mapper,
                                                                      .submapper = submapper,
                                                                      .variant = variant},
                                                idle_skipping);
}

}  // namespace nesproof::bindings
