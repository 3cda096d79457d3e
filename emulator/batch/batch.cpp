#include "batch/batch.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "batch/draw.hpp"

namespace nesproof::batch {

namespace {

// Of all consoles together: about a tenth of a second on one core.
constexpr std::size_t kFramesBetweenSignals = 32'768;

}  // namespace

Batch::Batch(std::shared_ptr<const HostCartridge> cartridge, const Options& options)
    : cartridge_(std::move(cartridge)),
      options_(options),
      pool_(std::make_shared<ThreadPool>(options.threads)),
      consoles_(make_consoles(cartridge_, options.count, options.layout, pool_)),
      layout_(cartridge_->sizes()) {}

void Batch::make_room(std::size_t pictures) {
  if (pictures == pictures_) return;
  Memory frames = zeroed_memory(options_.count * pictures * kPicturePixels * options_.pixel_bytes);
  consoles_->draw_to(frames, pictures, options_.pixel_bytes);
  frames_ = std::move(frames);
  pictures_ = pictures;
}

void Batch::keep_last_picture() {
  const std::size_t picture_bytes = kPicturePixels * options_.pixel_bytes;
  draw();
  const Memory before = frames_;
  const std::size_t last = (pictures_ - 1) * picture_bytes;
  make_room(1);
  std::copy_n(before.get() + last, picture_bytes, frames_.get());
}

void Batch::step(Buttons buttons, std::size_t frames, std::size_t pictures, const std::function<void()>& between) {
  if (frames == 0) return;
  if (pictures != 0) make_room(pictures);
  has_record_ = false;
  const std::size_t at_once = std::max<std::size_t>(1, kFramesBetweenSignals / options_.count);
  if (frames <= at_once && pictures <= 1) {
    // What nearly every step is, without a list.
    const Piece whole[] = {{.first = 0, .frames = frames - pictures},
                           {.first = frames - 1, .frames = 1, .recorded = true, .is_last = true}};
    consoles_->run(std::span(whole).subspan(frames == pictures, 2 - (frames == pictures) - (pictures == 0)), buttons);
    has_record_ = pictures != 0;
    return;
  }
  const std::vector<Piece> pieces = pieces_of(frames, pictures, at_once);
  for (std::size_t begin = 0; begin < pieces.size();) {
    if (begin != 0) between();
    std::size_t end = begin, sum = 0;
    while (end < pieces.size() && (end == begin || sum + pieces[end].frames <= at_once)) sum += pieces[end++].frames;
    consoles_->run(std::span(pieces).subspan(begin, end - begin), buttons);
    begin = end;
  }
  has_record_ = pictures != 0;
}

bool Batch::step_unit() {
  if (pictures_ > 1) keep_last_picture();
  make_room(1);
  const bool frame_ended = consoles_->step_unit(0);
  has_record_ = has_record_ || frame_ended;
  return frame_ended;
}

template <class Narrow, class Wide>
void Batch::colour(Narrow narrow, Wide wide, const ColourTable& table, std::uint8_t* out, std::size_t bytes) {
  pool_->run(options_.count, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t console = begin; console < end; ++console) {
      const std::size_t first_pixel = ((console + 1) * pictures_ - 1) * kPicturePixels;
      const std::uint8_t* const from = frames_.get() + first_pixel * options_.pixel_bytes;
      std::uint8_t* const to = out + console * kPicturePixels * bytes;
      if (options_.pixel_bytes == 1) {
        narrow(from, kPicturePixels, table, to);
      } else {
        wide(reinterpret_cast<const std::uint16_t*>(from), kPicturePixels, table, to);
      }
    }
  });
}

void Batch::rgb(const ColourTable& table, std::uint8_t* out) {
  const ColourMaker& make = fastest_colours();
  colour(make.narrow_to_rgb, make.wide_to_rgb, table, out, 3);
}
void Batch::grey(const ColourTable& table, std::uint8_t* out) {
  const ColourMaker& make = fastest_colours();
  colour(make.narrow_to_grey, make.wide_to_grey, table, out, 1);
}

std::size_t Batch::frame_buffer_bytes() const { return pictures_ * kPicturePixels * options_.pixel_bytes; }
std::size_t Batch::draw_log_bytes() const { return pictures_ == 0 ? 0 : sizeof(PaintedLog); }

void Batch::check(std::span<const std::uint8_t> snapshot) const {
  state::check_snapshot(snapshot, layout_, cartridge_->identity());
}

}  // namespace nesproof::batch
