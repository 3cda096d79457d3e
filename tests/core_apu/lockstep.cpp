// The core's sound unit beside the reference's: random accesses at random cycles, a DMA unit that fills at random
// delays, and every field compared.
//
//   lockstep SEED CYCLES [PLANTED_CYCLE]
//
// The core catches up only at its accesses and where apu_next_event says; the IRQ line and the DMA request are compared
// in every cycle all the same, and all fields, on a settled copy, after accesses. PLANTED_CYCLE flips a bit of the
// core's state there, which must be found. Exit code 1 and one line on a difference.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "core/apu/apu.hpp"
#include "core/board/nrom.hpp"
#include "core/system.hpp"
#include "reference/apu/apu.hpp"

namespace {

using nesproof::core::u32;
using nesproof::core::u64;
using nesproof::core::u8;
namespace core = nesproof::core;
namespace state = nesproof::state;

using System = core::System<core::Aos, core::Nrom>;

struct Random {
  u64 state;
  u64 next() {
    state += 0x9E3779B97F4A7C15;
    return state::scramble(state);
  }
  u32 below(u32 limit) { return static_cast<u32>((next() >> 32) * limit >> 32); }
  bool one_in(u32 count) { return below(count) == 0; }
};

[[noreturn]] void differ(u64 seed, u64 cycle, const std::string& what, u64 reference, u64 core_value) {
  std::printf("seed %llu, cycle %llu: %s is %llu on the reference, %llu on the core\n", seed, cycle, what.c_str(),
              reference, core_value);
  std::exit(1);
}

// Where a field of the list lies in the core, whose own fields come first.
template <class Tag>
auto& element_of(u8* base) {
  constexpr auto kField =
      static_cast<core::Field>(static_cast<u32>(core::Field::cpu_pc) + static_cast<u32>(Tag::index));
  return *reinterpret_cast<typename Tag::value_type*>(base + core::place_of(kField));
}

// Compares each field that the reference visits.
struct Comparison : state::ElementVisitor<Comparison> {
  u8* base;
  u64 seed, cycle;
  Comparison(u8* base_, u64 seed_, u64 cycle_) : base(base_), seed(seed_), cycle(cycle_) {}
  template <class Tag>
  void begin(Tag, std::size_t) {}
  template <class Tag, class Value>
  void element(Tag, std::size_t, Value& value) {
    const u64 expected = state::detail::to_bits(value), got = state::detail::to_bits(element_of<Tag>(base));
    if (expected != got)
      differ(seed, cycle, std::string(state::kFields[static_cast<int>(Tag::index)].name), expected, got);
  }
};

// Gives both the same valid value, whether or not a console reaches it.
struct Scramble : state::ElementVisitor<Scramble> {
  u8* base;
  Random& random;
  Scramble(u8* base_, Random& random_) : base(base_), random(random_) {}
  template <class Tag>
  void begin(Tag, std::size_t) {}
  template <class Tag, class Value>
  void element(Tag, std::size_t, Value& value) {
    const u64 bits = random.one_in(4) ? Tag::max_value : random.below(static_cast<u32>(Tag::max_value) + 1);
    value = state::detail::from_bits<Value>(bits);
    element_of<Tag>(base) = static_cast<typename Tag::value_type>(bits);
  }
};

// The reference's unit and what the bus adds: requests, and for how long DMC DMA has held the CPU.
struct Reference {
  nesproof::reference::Apu apu;
  bool requested = false;
  u32 held = 0;

  void tick() {
    apu.tick();
    take_request();
    if (apu.dmc().withdraw) {
      apu.dmc().withdraw = false;
      if (held == 0) requested = false;
    }
  }
  void fill(u8 value) {
    requested = false;
    held = 0;
    apu.dmc().fill(value);
    take_request();
  }
  void take_request() {
    if (!apu.dmc().request) return;
    apu.dmc().request = false;
    requested = true;
  }
};

class Lockstep {
 public:
  Lockstep(u64 seed, u64 planted) : seed_(seed), planted_(planted), random_{seed} {}

  void run(u64 cycles) {
    core::apu_power_on(s_);
    s_.dma_dmc_requested() = s_.lazy_dma_dmc_held() = 0;
    reference_.apu.power_on();
    while (total_ < cycles) episode();
    std::printf("%llu cycles, %llu writes, %llu reads, %llu fills, %llu withdrawn, %llu looks, %llu IRQs\n", total_,
                writes_, reads_, fills_, withdrawn_, looks_, irqs_);
  }

 private:
  // A stretch of one temper: how dense accesses are, and how soon DMA is let in.
  void episode() {
    if (random_.one_in(3)) start_anew();
    if (random_.one_in(8)) {
      settle();
      reference_.apu.reset();
      core::apu_reset(s_);
      event_ = core::apu_next_event(s_);
      compare();
    }
    constexpr u32 kGaps[] = {1, 2, 3, 5, 30, 400, 8000, 40000};
    const u32 gap = kGaps[random_.below(8)];
    wait_for_dma_ = random_.one_in(4) ? 2000 : random_.one_in(2) ? 4 : 60;
    looks_rarely_ = random_.one_in(3);
    const u32 accesses = 20 + random_.below(gap > 400 ? 20 : 4000);
    for (u32 i = 0; i < accesses; ++i) {
      u32 wait = 1 + random_.below(gap);
      if (random_.one_in(3)) {
        // Around a step of the frame counter.
        wait = s_.lazy_apu_step() - now_ - 5 + random_.below(8);
        if (wait == 0 || wait > 40000 || (gap < 30 && wait > 100 * gap && !random_.one_in(20))) wait = 1;
      }
      for (; wait > 1; --wait) cycle(false);
      cycle(true);
    }
  }

  // Some state, at some time; a few near the wrap of 2^32.
  void start_anew() {
    reference_ = Reference();
    std::memset(state_.get(), 0xEE, core::kFixedBytes);
    if (random_.one_in(2)) {
      Scramble scramble(state_.get(), random_);
      reference_.apu.visit(scramble);
      reference_.apu.restored();
      reference_.requested = random_.one_in(2);
      now_ = random_.one_in(2) ? static_cast<u32>(random_.next()) : 0u - random_.below(100000);
      core::apu_settled(s_, now_);
    } else {
      reference_.apu.power_on();
      core::apu_power_on(s_);
      now_ = 0;
    }
    s_.dma_dmc_requested() = reference_.requested;
    s_.lazy_dma_dmc_held() = 0;
    event_ = core::apu_next_event(s_);
    for (u32 quiet = random_.one_in(4) ? 70000 : 0; quiet > 0; --quiet) cycle(false);
  }

  void cycle(bool access) {
    ++now_, ++total_;
    const bool requested = reference_.requested;
    reference_.tick();
    if (requested && !reference_.requested) ++withdrawn_;
    if (total_ == planted_) {
      settle();
      s_.apu_noise_shifter() ^= 0x10;
    }
    if (core::since(now_, event_) >= 0) {
      core::apu_catch_up(s_, now_, core::CatchUp::Event);
      event_ = core::apu_next_event(s_);
      if (core::since(event_, now_) <= 0) differ(seed_, total_, "the cycle of the next event", now_ + 1, event_);
    }
    if (reference_.held > 0 || (reference_.requested && random_.one_in(wait_for_dma_))) {
      hold();
    } else if (access) {
      random_.one_in(8) ? read() : write();
      if (!looks_rarely_ || random_.one_in(50)) compare();
    }
    compare_lines();
  }

  // A cycle in which DMC DMA has the bus: two or more without effect, then a get.
  void hold() {
    if (reference_.held >= 2 && reference_.apu.is_get() && reference_.requested) {
      const u8 value = static_cast<u8>(random_.next());
      s_.dma_dmc_requested() = 0;
      s_.lazy_dma_dmc_held() = 0;
      reference_.fill(value);
      core::apu_dmc_fill(s_, value, now_);
      event_ = core::apu_next_event(s_);
      ++fills_;
      if (random_.one_in(3)) compare();
    } else {
      reference_.held++;
      s_.lazy_dma_dmc_held()++;
    }
  }

  void write() {
    constexpr u32 kFavourites[] = {0x4010, 0x4013, 0x4015, 0x4015, 0x4017, 0x4000, 0x4003, 0x4008, 0x400B, 0x400F};
    const u32 address = random_.one_in(2) ? kFavourites[random_.below(10)] : 0x4000 + random_.below(0x18);
    u8 value = static_cast<u8>(random_.next());
    if (address == 0x4013 && !random_.one_in(4)) value = random_.one_in(2);
    if (address == 0x4015 && random_.one_in(2)) value |= 0x1F;
    if (address == 0x4015 && random_.one_in(3)) value &= 0xEF;
    if (address == 0x4017 && random_.one_in(2)) value &= 0x3F;
    if (address < 0x400C && (address & 3) >= 2 && random_.one_in(2))
      value &= (address & 1) ? 0xF8 : 0x1F;  // short period
    if (address == 0x4010 && random_.one_in(2)) value |= 0x8F;
    if (address == 0x400E && random_.one_in(3)) value &= 0x81;
    reference_.apu.write(static_cast<nesproof::reference::u16>(address), value);
    core::apu_write(s_, address, value, now_);
    // The others move no event; that is part of the contract.
    if (address == 0x4010 || address == 0x4015 || address == 0x4017) event_ = core::apu_next_event(s_);
    ++writes_;
  }

  void read() {
    const u8 expected = reference_.apu.read_status(), got = core::apu_read_status(s_, now_);
    if (expected != got) differ(seed_, total_, "$4015", expected, got);
    event_ = core::apu_next_event(s_);
    ++reads_;
  }

  void compare_lines() {
    const bool irq = reference_.apu.irq_line();
    if (irq != core::apu_irq_line(s_)) differ(seed_, total_, "the IRQ line", irq, !irq);
    irqs_ += irq && !irq_before_;
    irq_before_ = irq;
    if (reference_.requested != s_.dma_dmc_requested()) {
      differ(seed_, total_, "the DMA request", reference_.requested, s_.dma_dmc_requested());
    }
    if (reference_.apu.is_get() != core::apu_is_get(s_, now_)) {
      differ(seed_, total_, "the get cycle", reference_.apu.is_get(), core::apu_is_get(s_, now_));
    }
  }

  void settle() {
    core::apu_catch_up(s_, now_, core::CatchUp::Settle);
    event_ = core::apu_next_event(s_);
  }

  // A copy is settled, so that the core goes on as lazily as it was; now and then the core itself.
  void compare() {
    ++looks_;
    if (random_.one_in(16)) settle();
    std::memcpy(copy_.get(), state_.get(), core::kFixedBytes);
    System looked_at(core::Aos{copy_.get()}, nullptr, nullptr);
    core::apu_catch_up(looked_at, now_, core::CatchUp::Settle);
    Comparison comparison(copy_.get(), seed_, total_);
    reference_.apu.visit(comparison);
    const u8 expected = reference_.apu.status(), got = core::apu_peek_status(looked_at);
    if (expected != got) differ(seed_, total_, "$4015 as peeked at", expected, got);
    if (random_.one_in(16)) {
      // As a snapshot travels: nothing but the fields.
      core::apu_settled(looked_at, now_);
      std::memcpy(state_.get(), copy_.get(), core::kFixedBytes);
      event_ = core::apu_next_event(s_);
    }
  }

  u64 seed_, planted_;
  Random random_;
  std::unique_ptr<u8[]> state_{new u8[core::kFixedBytes]()}, copy_{new u8[core::kFixedBytes]()};
  System s_{core::Aos{state_.get()}, nullptr, nullptr};
  Reference reference_;
  u32 now_ = 0, event_ = 0, wait_for_dma_ = 60;
  bool looks_rarely_ = false, irq_before_ = false;
  u64 total_ = 0, writes_ = 0, reads_ = 0, fills_ = 0, withdrawn_ = 0, looks_ = 0, irqs_ = 0;
};

// Two cores in silence for longer than times can count, one at its events alone, one settled every frame: the same.
void compare_silence(u64 seed) {
  constexpr u32 kFrame = 29781;
  constexpr u64 kCycles = (2ull << 32) + 12345;
  auto lazy_state = std::make_unique<u8[]>(core::kFixedBytes), eager_state = std::make_unique<u8[]>(core::kFixedBytes);
  System lazy(core::Aos{lazy_state.get()}, nullptr, nullptr), eager(core::Aos{eager_state.get()}, nullptr, nullptr);
  Random random{seed};
  for (System s : {lazy, eager}) {
    core::apu_power_on(s);
    core::apu_write(s, 0x4017, 0x40, 1);
    core::apu_write(s, 0x4015, 0x0F, 2);
  }
  for (u32 address = 0x4000; address < 0x4010; ++address) {
    const u8 value = static_cast<u8>(random.next());
    for (System s : {lazy, eager}) core::apu_write(s, address, value, 3 + address - 0x4000);
  }
  u64 at = 100;
  for (u64 settled = at; at < kCycles;) {
    const u32 wait = core::apu_next_event(lazy) - static_cast<u32>(at);
    if (wait - 1 >= 1u << 24) differ(seed, at, "the wait for the next event", 1u << 24, wait);
    at += wait;
    core::apu_catch_up(lazy, static_cast<u32>(at), core::CatchUp::Event);
    for (; settled + kFrame <= at; settled += kFrame) {
      core::apu_catch_up(eager, static_cast<u32>(settled + kFrame), core::CatchUp::Settle);
    }
  }
  for (System s : {lazy, eager}) core::apu_catch_up(s, static_cast<u32>(at), core::CatchUp::Settle);
  for (u32 i = 0; i < core::kFixedBytes; ++i) {
    const bool is_field = i >= core::place_of(core::Field::cpu_pc);
    if (is_field && lazy_state[i] != eager_state[i])
      differ(seed, at, "a byte after silence", eager_state[i], lazy_state[i]);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const u64 planted = count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 0;
  const u64 seed = std::strtoull(arguments[1], nullptr, 10);
  Lockstep(seed, planted).run(std::strtoull(arguments[2], nullptr, 10));
  compare_silence(seed);
  return 0;
}
