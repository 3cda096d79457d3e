// Threads that share out a batch's consoles. Who steps which console depends on chance, what comes out does not: no
// console sees another.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace nesproof::batch {

class ThreadPool {
 public:
  // The caller of `run` is one of them; with 1 there is nobody else. Throws std::system_error where they cannot be had.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned threads() const { return static_cast<unsigned>(workers_.size()) + 1; }

  // Calls work(begin, end) for parts of [0, count), each index once, and returns when all are done. No part has fewer
  // than `least` indices but the last. The work must not throw. One caller at a time.
  template <class Work>
  void run(std::size_t count, std::size_t least, const Work& work) {
    if (workers_.empty() || count <= least) {
      if (count != 0) work(std::size_t{0}, count);
      return;
    }
    share(count, least, {&work, [](const void* self, std::size_t begin, std::size_t end) {
                           (*static_cast<const Work*>(self))(begin, end);
                         }});
  }

 private:
  struct Task {
    const void* self;
    void (*call)(const void*, std::size_t, std::size_t);
  };

  void share(std::size_t count, std::size_t least, Task task);
  void take_parts();
  bool join(std::size_t& seen);
  void leave();
  void work_until_stopped();
  void start_workers(unsigned count);
  void stop();

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;

  // Guarded by the mutex; the task also stands still while anybody is at work on it.
  Task task_{};
  std::size_t count_ = 0, part_ = 1;
  bool open_ = false;  // whether who wakes up now may still join
  unsigned at_work_ = 0;

  std::atomic<std::size_t> round_{0};  // tasks given so far
  std::atomic<std::size_t> next_{0};   // first index that nobody has taken
  std::atomic<bool> idle_{true};       // nobody is at work
  std::atomic<bool> stopping_{false};
};

}  // namespace nesproof::batch
