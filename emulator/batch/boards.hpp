// The kinds of boards that are compiled in, each in each layout, in a file of its own: a console's whole program is a
// template over both.
#pragma once

#include <cstddef>
#include <memory>

#include "batch/consoles.hpp"

namespace nesproof::batch {

using MakeConsoles = std::unique_ptr<Consoles>(std::shared_ptr<const HostCartridge> cartridge, std::size_t count,
                                               std::shared_ptr<ThreadPool> pool);

MakeConsoles make_nrom_aos, make_nrom_interleaved;      // nothing moves
MakeConsoles make_banked_aos, make_banked_interleaved;  // registers move windows
MakeConsoles make_mmc3_aos, make_mmc3_interleaved;      // and A12 clocks an IRQ

}  // namespace nesproof::batch
