#include "reference/console/console.hpp"

#include <utility>

#include "faults/hooks.hpp"
#include "reference/bus/bus.hpp"
#include "state/digest.hpp"

namespace nesproof::reference {

Console::Console(CartridgeImage image)
    : board_(make_board(std::move(image))),
      bus_(std::make_unique<Bus>(*board_)),
      sizes_(board_->sizes()),
      layout_(sizes_) {
  state::Completeness completeness(layout_);
  visit(completeness);
  completeness.verify();
  power_on(0);
}

Console::~Console() = default;

// Visiting does not change the state unless the visitor assigns, which only `load` lets one do.
template <class V>
void Console::visit(V& v) const {
  bus_->visit(v);
  bus_->cpu.visit(v);
  bus_->ppu.visit(v);
  bus_->apu.visit(v);
  bus_->dma.visit(v);
  bus_->controllers.visit(v);
  board_->visit(v);
}

void Console::power_on(u8 fill) {
  board_->power_on(fill);
  bus_->power_on(fill);
  bus_->ppu.power_on();
  bus_->apu.power_on();
  bus_->dma.power_on();
  bus_->controllers.power_on();
  bus_->cpu.power_on();
}

void Console::press_reset() {
  bus_->ppu.reset();
  bus_->apu.reset();
  bus_->cpu.reset();
  NESPROOF_FAULT(reset_clears_ram, bus_->ram.fill(0));
}

bool Console::step_unit() {
  bus_->cpu.step();
  return bus_->ppu.take_frame_end();
}

void Console::step_frame(u8 buttons_1, u8 buttons_2) {
  bus_->controllers.set_buttons(buttons_1, buttons_2);
  while (!step_unit()) {
  }
}

void Console::trace(std::span<CpuView> lines, int start) {
  if (bus_->cpu.in_reset()) step_unit();
  if (start >= 0) bus_->cpu.pc = static_cast<u16>(start);
  for (CpuView& line : lines) {
    line = cpu();
    NESPROOF_FAULT(trace_a_dot_behind, if (line.dot > 0) line.dot--);
    step_unit();
  }
}

u8 Console::peek(u16 address) const { return bus_->peek(address); }
u8 Console::peek_video(u16 address) const { return board_->ppu_read(address); }
bool Console::poke(u16 address, u8 value) { return bus_->poke(address, value); }
std::span<u8> Console::ram() { return bus_->ram; }
std::span<const u16> Console::picture() const { return {bus_->ppu.frame(), 240 * 256}; }
bool Console::jammed() const { return bus_->cpu.jammed(); }
u64 Console::frame_count() const { return bus_->ppu.frame_count(); }

CpuView Console::cpu() const {
  const auto& cpu = bus_->cpu;
  return {.pc = cpu.pc,
          .a = cpu.a,
          .x = cpu.x,
          .y = cpu.y,
          .p = cpu.p.bits,
          .s = cpu.s,
          .scanline = static_cast<u16>(bus_->ppu.scanline()),
          .dot = static_cast<u16>(bus_->ppu.dot()),
          .cycle = bus_->cycles()};
}

u64 Console::digest() const {
  state::DigestVisitor visitor;
  visit(visitor);
  NESPROOF_FAULT(digest_blind_to_the_stack, {
    u64 sum = visitor.sum();
    for (u64 at = 0x100; at < 0x200; ++at) sum -= state::mix64(state::fields::bus_ram.identity, at, bus_->ram[at]);
    return sum;
  });
  return visitor.sum();
}

void Console::save(std::span<u8> out) const {
  state::write_header(out, layout_, board_->identity());
  state::SnapshotWriter writer(out, layout_);
  visit(writer);
  NESPROOF_FAULT(snapshot_without_a_latch, state::leave_out(out, layout_, state::Index::ppu_next_tile));
  NESPROOF_FAULT(snapshot_without_board_registers, state::leave_out(out, layout_, state::Index::board_registers));
}

void Console::load(std::span<const u8> bytes) {
  state::check_snapshot(bytes, layout_, board_->identity());
  state::SnapshotReader reader(bytes, layout_);
  visit(reader);
  bus_->cpu.restored();
  bus_->ppu.restored();
  bus_->apu.restored();
  board_->restored(bus_->ppu.address_bus());
}

}  // namespace nesproof::reference
