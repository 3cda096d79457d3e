// A batch of the fast core for Python: it checks who may use it, releases the GIL, and hands out views.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "batch/batch.hpp"
#include "batch/draw_colours.hpp"
#include "bindings/core_cartridge.hpp"
#include "bindings/in_use.hpp"
#include "bindings/shared_arrays.hpp"
#include "bindings/snapshots.hpp"

namespace nesproof::bindings {

class CoreBatch {
 public:
  template <class T>
  using Array = pybind11::array_t<T, pybind11::array::c_style>;
  using Lanes = Array<std::int64_t>;  // console numbers that the caller has checked

  CoreBatch(SharedCartridge cartridge, std::size_t count, bool interleaved, unsigned threads, bool emphasis)
      : forks_(Forks::so_far()), snapshot_layout_(cartridge->sizes()), count_(count) {
    const pybind11::gil_scoped_release released;
    batch_ = std::make_unique<batch::Batch>(
        std::move(cartridge), batch::Options{.count = count,
                                             .layout = interleaved ? batch::Layout::Interleaved : batch::Layout::Aos,
                                             .threads = threads,
                                             .pixel_bytes = static_cast<std::uint8_t>(emphasis ? 2 : 1)});
  }
  ~CoreBatch() {
    // A fork has the memory and none of the threads: there is nobody to be joined.
    if (Forks::so_far() != forks_) static_cast<void>(batch_.release());
  }
  CoreBatch(const CoreBatch&) = delete;
  CoreBatch& operator=(const CoreBatch&) = delete;

  void close() {
    const InUse in_use(busy_, "the batch");
    last_picture_ = pybind11::object();
    viewed_.reset();
    if (Forks::so_far() != forks_) {
      static_cast<void>(batch_.release());
      return;
    }
    const pybind11::gil_scoped_release released;
    batch_.reset();
  }

  void power_on(const Lanes& lanes, std::uint8_t fill) {
    const Use use(*this);
    const pybind11::gil_scoped_release released;
    use.consoles().power_on(span_of(lanes), fill);
  }
  void press_reset(const Lanes& lanes) {
    const Use use(*this);
    const pybind11::gil_scoped_release released;
    use.consoles().press_reset(span_of(lanes));
  }

  // False, and nothing is run, unless the arguments are in their plainest form: a contiguous uint8 array [N], [N, F] or
  // [N, F, 2], an int or None, and a str. Whoever calls makes them so, or says what is wrong with them.
  bool step(const pybind11::handle& buttons, const pybind11::handle& frames, const pybind11::handle& record) {
    if (!Array<std::uint8_t>::check_(buttons)) return false;
    const auto array = pybind11::reinterpret_borrow<Array<std::uint8_t>>(buttons);
    const pybind11::ssize_t count = frames_of(frames), columns = array.ndim() > 1 ? array.shape(1) : count;
    if (array.ndim() < 1 || array.ndim() > 3 || array.shape(0) != static_cast<pybind11::ssize_t>(count_)) return false;
    if (count < 0 || columns != count || (array.ndim() == 3 && array.shape(2) != 2)) return false;
    const pybind11::ssize_t pictures = pictures_of(record, count);
    if (pictures < 0) return false;
    const Use use(*this);
    const auto all = static_cast<std::size_t>(count), kept = static_cast<std::size_t>(pictures);
    const batch::Buttons rows = rows_of(array, all);
    // A few frames are over before another thread would have been woken.
    std::optional<pybind11::gil_scoped_release> released;
    if (all * count_ > kFewFrames) released.emplace();
    use.batch().step(rows, all, kept, let_signals_through);
    return true;
  }

  // [N, 240, 256], drawn.
  pybind11::object draw() {
    const Use use(*this);
    require_record();
    {
      const pybind11::gil_scoped_release released;
      use.batch().draw();
    }
    return last_picture();
  }
  pybind11::object frame() {
    const Use use(*this);
    require_record();
    return last_picture();
  }
  // [N, R, 240, 256]
  pybind11::array frames() {
    const Use use(*this);
    require_record();
    return pictures_view(use.batch().frames(), count_, use.batch().pictures(), use.batch().pixel_bytes());
  }

  // The last pictures in colours, [N, 240, 256, 3], or in grey, [N, 240, 256].
  void rgb(const batch::ColourTable& table, Array<std::uint8_t>& out) { colour(&batch::Batch::rgb, table, out, 3); }
  void grey(const batch::ColourTable& table, Array<std::uint8_t>& out) { colour(&batch::Batch::grey, table, out, 1); }

  void read(const Array<std::uint16_t>& addresses, Array<std::uint8_t>& out) {
    const Use use(*this);
    require_bytes(out, count_ * static_cast<std::size_t>(addresses.size()));
    std::uint8_t* const to = out.mutable_data();
    const pybind11::gil_scoped_release released;
    use.consoles().read({addresses.data(), static_cast<std::size_t>(addresses.size())}, to);
  }
  void read_ram(Array<std::uint8_t>& out) {
    const Use use(*this);
    require_bytes(out, count_ * 2048);
    std::uint8_t* const to = out.mutable_data();
    const pybind11::gil_scoped_release released;
    use.consoles().read_ram(to);
  }
  pybind11::array ram() {
    const Use use(*this);
    return ram_view(use.consoles());
  }

  Array<std::uint64_t> digest() {
    const Use use(*this);
    Array<std::uint64_t> out(static_cast<pybind11::ssize_t>(count_));
    std::uint64_t* const to = out.mutable_data();
    const pybind11::gil_scoped_release released;
    use.consoles().digest(to);
    return out;
  }
  Array<std::uint64_t> frame_count() {
    const Use use(*this);
    Array<std::uint64_t> out(static_cast<pybind11::ssize_t>(count_));
    use.consoles().frame_counts(out.mutable_data());
    return out;
  }

  Array<std::uint8_t> save_states(const Lanes& lanes) {
    const Use use(*this);
    const std::size_t bytes = snapshot_bytes();
    Array<std::uint8_t> out({lanes.size(), static_cast<pybind11::ssize_t>(bytes)});
    std::uint8_t* const to = out.mutable_data();
    const pybind11::gil_scoped_release released;
    use.consoles().save(span_of(lanes), to, bytes);
    return out;
  }
  // States [M, snapshot_bytes], or [1, snapshot_bytes] for all lanes.
  void load_states(const Array<std::uint8_t>& states, const Lanes& lanes) {
    const Use use(*this);
    if (states.ndim() != 2) throw pybind11::value_error("states are [M, bytes]");
    const std::uint8_t* const from = states.data();
    const auto rows = static_cast<std::size_t>(states.shape(0)), bytes = static_cast<std::size_t>(states.shape(1));
    if (rows != 1 && rows != static_cast<std::size_t>(lanes.size())) throw pybind11::value_error("a state is missing");
    const pybind11::gil_scoped_release released;
    for (std::size_t row = 0; row < rows; ++row) use.batch().check({from + row * bytes, bytes});
    use.consoles().load(span_of(lanes), from, rows == 1 ? 0 : bytes);
  }

  std::size_t snapshot_bytes() const { return snapshot_layout_.size_bytes(); }
  unsigned threads() {
    const Use use(*this);
    return use.batch().pool().threads();
  }
  // state, PRG-RAM, CHR-RAM, draw log, frame buffer
  pybind11::tuple memory() {
    const Use use(*this);
    const state::Sizes sizes = use.batch().cartridge().sizes();
    const std::size_t all = use.consoles().places().console_bytes;
    return pybind11::make_tuple(all - sizes.prg_ram_bytes - sizes.chr_ram_bytes, sizes.prg_ram_bytes,
                                sizes.chr_ram_bytes, use.batch().draw_log_bytes(), use.batch().frame_buffer_bytes());
  }

 private:
  // One thread of the process that made it, before it is closed.
  class Use {
   public:
    explicit Use(CoreBatch& self) : in_use_(self.busy_, "the batch"), self_(self) {
      if (self.batch_ == nullptr) throw pybind11::value_error("the batch is closed; make another");
      if (Forks::so_far() != self.forks_) {
        throw std::runtime_error("a batch belongs to the process that made it; make another in this one");
      }
    }
    batch::Batch& batch() const { return *self_.batch_; }
    batch::Consoles& consoles() const { return self_.batch_->consoles(); }

   private:
    InUse in_use_;
    CoreBatch& self_;
  };

  void colour(void (batch::Batch::*make)(const batch::ColourTable&, std::uint8_t*), const batch::ColourTable& table,
              Array<std::uint8_t>& out, std::size_t bytes) {
    const Use use(*this);
    require_record();
    require_bytes(out, count_ * batch::kPicturePixels * bytes);
    std::uint8_t* const to = out.mutable_data();
    const pybind11::gil_scoped_release released;
    (use.batch().*make)(table, to);
  }

  static constexpr std::size_t kFewFrames = 2;

  static std::span<const std::int64_t> span_of(const Lanes& lanes) {
    return {lanes.data(), static_cast<std::size_t>(lanes.size())};
  }
  // -1 for what is no number of frames; as many as the most that a call runs, at the most.
  static pybind11::ssize_t frames_of(const pybind11::handle& frames) {
    constexpr long kMost = 10'000'000;
    if (frames.is_none()) return 1;
    if (!PyLong_CheckExact(frames.ptr())) return -1;
    int overflow = 0;
    const long count = PyLong_AsLongAndOverflow(frames.ptr(), &overflow);
    return overflow != 0 || count < 0 || count > kMost ? -1 : count;
  }

  // -1 for what is no record's name.
  static pybind11::ssize_t pictures_of(const pybind11::handle& record, pybind11::ssize_t frames) {
    if (!PyUnicode_Check(record.ptr())) return -1;
    const auto is = [&](const char* name) { return PyUnicode_CompareWithASCIIString(record.ptr(), name) == 0; };
    if (is("none")) return 0;
    if (is("last")) return std::min<pybind11::ssize_t>(frames, 1);
    if (is("last2")) return std::min<pybind11::ssize_t>(frames, 2);
    return is("all") ? frames : -1;
  }

  void require_record() const {
    if (!batch_->has_record()) {
      throw std::runtime_error("the last step recorded nothing; step(..., record=\"last\") does");
    }
  }
  // The array over the last picture is made once for a buffer.
  pybind11::object last_picture() {
    if (viewed_ != batch_->frames()) {
      viewed_ = batch_->frames();
      const auto all = pictures_view(viewed_, count_, batch_->pictures(), batch_->pixel_bytes());
      last_picture_ =
          all[pybind11::make_tuple(pybind11::slice(pybind11::none(), pybind11::none(), pybind11::none()), -1)];
    }
    return last_picture_;
  }

  static void require_bytes(const Array<std::uint8_t>& out, std::size_t bytes) {
    if (static_cast<std::size_t>(out.size()) != bytes) throw pybind11::value_error("out has another size");
  }

  // Two bytes a frame: as they are, or with zeros for the second player.
  batch::Buttons rows_of(const Array<std::uint8_t>& buttons, std::size_t frames) {
    const std::uint8_t* const from = buttons.data();
    if (buttons.ndim() == 3) return {from, 2 * frames, 2};
    const auto size = static_cast<std::size_t>(buttons.size());
    pairs_.resize(2 * size);
    for (std::size_t i = 0; i < size; ++i) {
      pairs_[2 * i] = from[i];
      pairs_[2 * i + 1] = 0;
    }
    if (buttons.ndim() == 1) return {pairs_.data(), 2, 0};
    return {pairs_.data(), 2 * frames, 2};
  }

  unsigned forks_;
  state::SnapshotLayout snapshot_layout_;
  std::size_t count_;
  std::unique_ptr<batch::Batch> batch_;
  std::vector<std::uint8_t> pairs_;
  batch::Memory viewed_;
  pybind11::object last_picture_;
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

inline std::unique_ptr<batch::ColourTable> make_colours(const CoreBatch::Array<std::uint8_t>& rgb,
                                                        const CoreBatch::Array<std::uint8_t>& grey) {
  constexpr std::size_t kColours = batch::kEntries * batch::kEmphases;
  if (rgb.size() != 3 * kColours || grey.size() != kColours) throw pybind11::value_error("a palette has 512 colours");
  return std::make_unique<batch::ColourTable>(rgb.data(), grey.data());
}

inline void define_core_batch(pybind11::module_& module) {
  namespace py = pybind11;
  using namespace py::literals;
  py::class_<batch::ColourTable>(module, "Colours").def(py::init(&make_colours), "rgb"_a, "grey"_a);
  py::class_<CoreBatch>(module, "Batch")
      .def(py::init<SharedCartridge, std::size_t, bool, unsigned, bool>(), "cartridge"_a, "count"_a, "interleaved"_a,
           "threads"_a, "emphasis"_a)
      .def("close", &CoreBatch::close)
      .def("power_on", &CoreBatch::power_on, py::arg("lanes").noconvert(), "fill"_a)
      .def("press_reset", &CoreBatch::press_reset, py::arg("lanes").noconvert())
      .def("step", &CoreBatch::step, "buttons"_a, "frames"_a, "record"_a)
      .def("draw", &CoreBatch::draw)
      .def("frame", &CoreBatch::frame)
      .def("frames", &CoreBatch::frames)
      .def("rgb", &CoreBatch::rgb, "colours"_a, py::arg("out").noconvert())
      .def("grey", &CoreBatch::grey, "colours"_a, py::arg("out").noconvert())
      .def("read", &CoreBatch::read, py::arg("addresses").noconvert(), py::arg("out").noconvert())
      .def("read_ram", &CoreBatch::read_ram, py::arg("out").noconvert())
      .def("ram", &CoreBatch::ram)
      .def("digest", &CoreBatch::digest)
      .def("frame_count", &CoreBatch::frame_count)
      .def("save_states", &CoreBatch::save_states, py::arg("lanes").noconvert())
      .def("load_states", &CoreBatch::load_states, py::arg("states").noconvert(), py::arg("lanes").noconvert())
      .def("memory", &CoreBatch::memory)
      .def_property_readonly("threads", &CoreBatch::threads)
      .def_property_readonly("snapshot_bytes", &CoreBatch::snapshot_bytes);
}

}  // namespace nesproof::bindings
