// The GPU's kernels, run by a host: the same text, kernels.cu, with the words of CUDA that it uses defined here. The
// threads of a warp are fibers, which take turns at the warp's collectives, so that the schedule runs as on a device.
#include <ucontext.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#define __CUDA_ARCH__ 900
#define __global__ [[gnu::visibility("default")]]
#define __constant__
#define __shared__ static  // one block runs at a time
#define __launch_bounds__(...)

namespace {

constexpr unsigned kWarp = 32;
constexpr std::size_t kStackBytes = 256 * 1024;

struct Dimension {
  unsigned x;
};
Dimension blockIdx{}, blockDim{}, threadIdx{};

enum class Collective { None, Minimum, Matches, Ballot };

// A thread of the warp under way, between its start and its end.
struct Fiber {
  ucontext_t context{};
  std::unique_ptr<char[]> stack = std::make_unique<char[]>(kStackBytes);
  bool done = true;
  unsigned thread = 0;
  Collective waits_for = Collective::None;
  unsigned value = 0, answer = 0;
};

Fiber fibers[kWarp];
unsigned current = 0;
ucontext_t scheduler;
void (*body)(void*) = nullptr;
void* body_argument = nullptr;
bool broken = false;  // lanes stood at different collectives, or some had left

void begin_fiber() {
  body(body_argument);
  fibers[current].done = true;
  swapcontext(&fibers[current].context, &scheduler);
}

unsigned wait_at(Collective collective, unsigned value) {
  Fiber& fiber = fibers[current];
  fiber.waits_for = collective;
  fiber.value = value;
  swapcontext(&fiber.context, &scheduler);
  return fiber.answer;
}

void answer_collective() {
  const Collective collective = fibers[0].waits_for;
  for (const Fiber& fiber : fibers) broken |= fiber.done || fiber.waits_for != collective;
  if (broken) return;
  for (Fiber& fiber : fibers) {
    unsigned smallest = ~0u, matches = 0, ballot = 0;
    for (unsigned other = 0; other < kWarp; ++other) {
      const unsigned value = fibers[other].value;
      smallest = value < smallest ? value : smallest;
      matches |= static_cast<unsigned>(value == fiber.value) << other;
      ballot |= static_cast<unsigned>(value != 0) << other;
    }
    fiber.answer = collective == Collective::Minimum ? smallest : collective == Collective::Ballot ? ballot : matches;
  }
}

void run_warp_of_fibers(unsigned first_thread) {
  for (unsigned lane = 0; lane < kWarp; ++lane) {
    Fiber& fiber = fibers[lane];
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = kStackBytes;
    fiber.context.uc_link = &scheduler;
    fiber.done = false;
    fiber.thread = first_thread + lane;
    makecontext(&fiber.context, begin_fiber, 0);
  }
  for (;;) {
    bool all_done = true;
    for (current = 0; current < kWarp; ++current) {
      if (fibers[current].done) continue;
      threadIdx.x = fibers[current].thread;
      fibers[current].waits_for = Collective::None;
      swapcontext(&scheduler, &fibers[current].context);
      all_done &= fibers[current].done;
    }
    if (all_done) return;
    answer_collective();
    if (broken) return;
  }
}

}  // namespace

unsigned __reduce_min_sync(unsigned, unsigned value) { return wait_at(Collective::Minimum, value); }
unsigned __match_any_sync(unsigned, unsigned value) { return wait_at(Collective::Matches, value); }
bool __any_sync(unsigned, bool value) { return wait_at(Collective::Ballot, value) != 0; }
unsigned __ballot_sync(unsigned, int value) { return wait_at(Collective::Ballot, static_cast<unsigned>(value)); }
int __popc(unsigned value) { return __builtin_popcount(value); }
unsigned atomicMin(unsigned* at, unsigned value) {
  const unsigned old = *at;
  if (value < old) *at = value;
  return old;
}

#include "gpu/kernels.cu"

namespace {

template <class... Parameters, std::size_t... kIndices>
void call(void (*kernel)(Parameters...), void** arguments, std::index_sequence<kIndices...>) {
  kernel(*static_cast<std::remove_reference_t<Parameters>*>(arguments[kIndices])...);
}

template <class... Parameters>
struct Bound {
  void (*kernel)(Parameters...);
  void** arguments;
  static void run(void* self) {
    auto* bound = static_cast<Bound*>(self);
    call(bound->kernel, bound->arguments, std::index_sequence_for<Parameters...>{});
  }
};

template <class... Parameters>
void launch(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, void** arguments, bool warps) {
  Bound<Parameters...> bound{kernel, arguments};
  body = &Bound<Parameters...>::run;
  body_argument = static_cast<void*>(&bound);
  blockDim.x = threads;
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
    for (unsigned thread = 0; thread < threads; thread += warps ? kWarp : 1) {
      threadIdx.x = thread;
      warps ? run_warp_of_fibers(thread) : body(body_argument);
    }
  }
}

}  // namespace

#define PLAIN(name) \
  if (std::strcmp(kernel, #name) == 0) return launch(name, blocks, threads, arguments, false), !broken;
#define WARPS(name) \
  if (std::strcmp(kernel, #name) == 0) return launch(name, blocks, threads, arguments, true), !broken;

// 0 where there is no such kernel, or its warps' collectives went wrong.
extern "C" [[gnu::visibility("default")]] int host_launch(const char* kernel, unsigned blocks, unsigned threads,
                                                          void** arguments) {
#if NESPROOF_RECORDING
  WARPS(nesproof_step_recorded)
  WARPS(nesproof_draw)
  PLAIN(nesproof_colour)
#else
  PLAIN(nesproof_power_on)
  PLAIN(nesproof_press_reset)
  PLAIN(nesproof_spread_buttons)
  WARPS(nesproof_step)
  PLAIN(nesproof_settle)
  PLAIN(nesproof_read)
  PLAIN(nesproof_read_ram)
  PLAIN(nesproof_frame_count)
  PLAIN(nesproof_digest)
  PLAIN(nesproof_save)
  PLAIN(nesproof_check)
  PLAIN(nesproof_load)
#endif
  return 0;
}

extern "C" [[gnu::visibility("default")]] void* host_variable(const char* name) {
  if (std::strcmp(name, "nesproof_cartridge") == 0) return &nesproof_cartridge;
  if (std::strcmp(name, "nesproof_facts") == 0) return &nesproof_facts;
  return nullptr;
}
