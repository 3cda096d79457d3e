#include "batch/thread_pool.hpp"

#include <algorithm>
#include <chrono>

#include "faults/hooks.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace nesproof::batch {

namespace {

// Steps often follow each other within tens of microseconds, and a sleeping thread takes as long to wake: whoever waits
// looks for a while before it sleeps.
constexpr std::chrono::microseconds kLooking(50);
// Parts for each thread: enough that a slow console does not keep the others waiting at the end.
constexpr std::size_t kPartsPerThread = 8;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

template <class Condition>
bool comes_soon(const Condition& condition) {
  constexpr int kLooksBetweenClocks = 32;
  const auto started = std::chrono::steady_clock::now();
  do {
    for (int look = 0; look < kLooksBetweenClocks; ++look) {
      if (condition()) return true;
      pause();
    }
  } while (std::chrono::steady_clock::now() - started < kLooking);
  return condition();
}

}  // namespace

ThreadPool::ThreadPool(unsigned threads) {
  try {
    start_workers(threads - 1);
  } catch (...) {
    stop();
    throw;
  }
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::start_workers(unsigned count) {
  workers_.reserve(count);
  while (workers_.size() < count) workers_.emplace_back([this] { work_until_stopped(); });
}

void ThreadPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_.store(true, std::memory_order_release);
    round_.fetch_add(1, std::memory_order_release);
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
  workers_.clear();
}

void ThreadPool::share(std::size_t count, std::size_t least, Task task) {
  {
    const std::lock_guard lock(mutex_);
    task_ = task;
    count_ = count;
    part_ = std::max(least, count / (threads() * kPartsPerThread));
    next_.store(0, std::memory_order_relaxed);
    open_ = true;
    round_.fetch_add(1, std::memory_order_release);
  }
  wake_.notify_all();
  take_parts();
  {
    // Whoever has slept until now is not waited for.
    const std::lock_guard lock(mutex_);
    open_ = false;
  }
  const auto is_idle = [this] { return idle_.load(std::memory_order_acquire); };
  if (comes_soon(is_idle)) return;
  std::unique_lock lock(mutex_);
  done_.wait(lock, is_idle);
}

void ThreadPool::take_parts() {
  for (;;) {
    const std::size_t begin = next_.fetch_add(part_, std::memory_order_relaxed);
    if (begin >= count_) return;
    std::size_t end = std::min(begin + part_, count_);
    NESPROOF_FAULT(parts_leave_out_their_last, if (end - begin > 1)-- end);
    task_.call(task_.self, begin, end);
  }
}

// False where there is nothing to do (any more).
bool ThreadPool::join(std::size_t& seen) {
  const std::lock_guard lock(mutex_);
  seen = round_.load(std::memory_order_relaxed);
  if (!open_ || stopping_) return false;
  at_work_++;
  idle_.store(false, std::memory_order_relaxed);
  return true;
}

void ThreadPool::leave() {
  const std::lock_guard lock(mutex_);
  if (--at_work_ > 0) return;
  idle_.store(true, std::memory_order_release);
  done_.notify_one();
}

void ThreadPool::work_until_stopped() {
  for (std::size_t seen = 0;;) {
    const auto is_new = [this, &seen] { return round_.load(std::memory_order_acquire) != seen; };
    if (!comes_soon(is_new)) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, is_new);
    }
    if (join(seen)) {
      take_parts();
      leave();
    } else if (stopping_.load(std::memory_order_acquire)) {
      return;
    }
  }
}

}  // namespace nesproof::batch
