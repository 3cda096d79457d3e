// The boards that are compiled in, each in each layout, in a file of its own: a console's whole program is a template
// over both.
#pragma once

#include <cstddef>
#include <memory>

#include "batch/consoles.hpp"

namespace nesproof::batch {

std::unique_ptr<Consoles> make_nrom_aos(std::shared_ptr<const HostCartridge> cartridge, std::size_t count,
                                        std::shared_ptr<ThreadPool> pool);
std::unique_ptr<Consoles> make_nrom_interleaved(std::shared_ptr<const HostCartridge> cartridge, std::size_t count,
                                                std::shared_ptr<ThreadPool> pool);

}  // namespace nesproof::batch
