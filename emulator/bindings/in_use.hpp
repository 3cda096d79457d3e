// Who may use a native object now: one thread at a time, since the GIL is not held during a run.
#pragma once

#include <pthread.h>
#include <pybind11/pybind11.h>

#include <atomic>
#include <stdexcept>
#include <string>

namespace nesproof::bindings {

class InUse {
 public:
  explicit InUse(std::atomic_flag& flag, const char* what = "the console") : flag_(flag) {
    if (flag_.test_and_set(std::memory_order_acquire)) {
      throw std::runtime_error(std::string(what) + " is in use by another thread");
    }
  }
  ~InUse() { flag_.clear(std::memory_order_release); }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  std::atomic_flag& flag_;
};

// How many forks lie between the first process and this one, so that an object knows whether its threads are here. The
// number costs no system call.
class Forks {
 public:
  static unsigned so_far() {
    static const bool counting = pthread_atfork(nullptr, nullptr, [] { count_++; }) == 0;
    static_cast<void>(counting);
    return count_;
  }

 private:
  static inline unsigned count_ = 0;
};

// Without the GIL. Throws what a signal's handler raised: KeyboardInterrupt, as a rule.
inline void let_signals_through() {
  const pybind11::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
}

}  // namespace nesproof::bindings
