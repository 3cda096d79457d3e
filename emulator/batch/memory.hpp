// Memory that a batch and the arrays which show it own together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>

namespace nesproof::batch {

// Bytes at an address that is a multiple of 64; the last owner frees them.
using Memory = std::shared_ptr<std::uint8_t[]>;

// Zeros, whose pages are not touched yet. Throws TooMuchMemory where the machine has less than that.
Memory zeroed_memory(std::size_t bytes);

class TooMuchMemory : public std::bad_alloc {
 public:
  explicit TooMuchMemory(std::size_t bytes);
  const char* what() const noexcept override { return message_->c_str(); }

 private:
  std::shared_ptr<const std::string> message_;
};

}  // namespace nesproof::batch
