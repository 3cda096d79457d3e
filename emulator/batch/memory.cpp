#include "batch/memory.hpp"

#include <unistd.h>

#include <cstdlib>
#include <new>
#include <string>

namespace nesproof::batch {

namespace {

constexpr std::size_t kAlignment = 64;

std::size_t machine_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return static_cast<std::size_t>(-1);
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes);
}

}  // namespace

TooMuchMemory::TooMuchMemory(std::size_t bytes)
    : message_(std::make_shared<const std::string>(
          "the batch needs " + std::to_string(bytes >> 20) + " MiB at once, and this machine has " +
          std::to_string(machine_bytes() >> 20) + " MiB in all; take fewer consoles, or record fewer frames")) {}

Memory zeroed_memory(std::size_t bytes) {
  // The system promises more memory than there is and kills whoever uses it; asking in vain is the better end.
  if (bytes > machine_bytes()) throw TooMuchMemory(bytes);
  void* const whole = std::calloc(bytes + kAlignment, 1);
  if (whole == nullptr) throw TooMuchMemory(bytes);
  const auto address = reinterpret_cast<std::uintptr_t>(whole);
  const auto aligned = (address + kAlignment - 1) / kAlignment * kAlignment;
  return Memory(reinterpret_cast<std::uint8_t*>(aligned), [whole](std::uint8_t*) { std::free(whole); });
}

}  // namespace nesproof::batch
