// A state as bytes: a header, then the ARCH and LIVE fields in the list's order, little-endian, without padding.
//
//   bytes  content
//   8      "NESPROOF"
//   4      version of header and encoding (kSnapshotVersion)
//   4      size of the whole snapshot
//   8      hash of the field list (names, types, counts), so that another list's snapshot is not misread
//   8      the cartridge's identity
//
// The size depends on the cartridge alone. Reading checks everything before it changes anything.
#pragma once

#include <array>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "state/visitor.hpp"

namespace nesproof::state {

inline constexpr u32 kSnapshotVersion = 1;
inline constexpr std::string_view kSnapshotMagic = "NESPROOF";
inline constexpr std::size_t kSnapshotHeaderBytes = 32;

// Where each field lies in a snapshot, for one cartridge's sizes.
class SnapshotLayout {
 public:
  explicit SnapshotLayout(const Sizes& sizes) {
    std::size_t at = kSnapshotHeaderBytes;
    u64 hash = identity_of("nesproof snapshot");
    for (std::size_t i = 0; i < kFieldCount; ++i) {
      const FieldInfo& field = kFields[i];
      counts_[i] = field.count(sizes);
      offsets_[i] = at;
      if (field.field_class == FieldClass::DERIVED) continue;
      at += counts_[i] * width_bytes(field.type);
      for (const u64 part : {field.identity, static_cast<u64>(field.type), static_cast<u64>(counts_[i])}) {
        hash = (hash ^ part) * 0x100000001B3;
      }
    }
    size_bytes_ = at;
    hash_ = hash;
  }

  std::size_t offset(Index field) const { return offsets_[static_cast<std::size_t>(field)]; }
  std::size_t count(Index field) const { return counts_[static_cast<std::size_t>(field)]; }
  std::size_t size_bytes() const { return size_bytes_; }
  u64 hash() const { return hash_; }

 private:
  std::array<std::size_t, kFieldCount> offsets_{};
  std::array<std::size_t, kFieldCount> counts_{};
  std::size_t size_bytes_ = 0;
  u64 hash_ = 0;
};

inline void put_little_endian(std::span<u8> to, u64 bits) {
  for (u8& byte : to) {
    byte = static_cast<u8>(bits);
    bits >>= 8;
  }
}

inline u64 get_little_endian(std::span<const u8> from) {
  u64 bits = 0;
  for (std::size_t i = from.size(); i-- > 0;) bits = bits << 8 | from[i];
  return bits;
}

inline void write_header(std::span<u8> out, const SnapshotLayout& layout, u64 cartridge_identity) {
  std::memcpy(out.data(), kSnapshotMagic.data(), kSnapshotMagic.size());
  put_little_endian(out.subspan(8, 4), kSnapshotVersion);
  put_little_endian(out.subspan(12, 4), layout.size_bytes());
  put_little_endian(out.subspan(16, 8), layout.hash());
  put_little_endian(out.subspan(24, 8), cartridge_identity);
}

// Throws SnapshotError unless the bytes are a whole snapshot of this layout and cartridge with every value in range.
inline void check_snapshot(std::span<const u8> bytes, const SnapshotLayout& layout, u64 cartridge_identity) {
  if (bytes.size() < kSnapshotHeaderBytes) {
    throw SnapshotError("not a snapshot: " + std::to_string(bytes.size()) +
                        " bytes are less than its header; give all that was saved");
  }
  if (std::memcmp(bytes.data(), kSnapshotMagic.data(), kSnapshotMagic.size()) != 0) {
    throw SnapshotError("not a snapshot: it does not begin with NESPROOF; give what a console saved");
  }
  if (const u64 version = get_little_endian(bytes.subspan(8, 4)); version != kSnapshotVersion) {
    throw SnapshotError("the snapshot has version " + std::to_string(version) + "; this build reads version " +
                        std::to_string(kSnapshotVersion) + ": save it again, or load it with the build that saved it");
  }
  if (get_little_endian(bytes.subspan(24, 8)) != cartridge_identity) {
    throw SnapshotError("the snapshot was saved with another cartridge; load it with that one");
  }
  if (get_little_endian(bytes.subspan(16, 8)) != layout.hash()) {
    throw SnapshotError(
        "the snapshot was saved by a build with another list of fields; save it again, or load it with "
        "that build");
  }
  if (get_little_endian(bytes.subspan(12, 4)) != layout.size_bytes() || bytes.size() != layout.size_bytes()) {
    throw SnapshotError("the snapshot has " + std::to_string(bytes.size()) + " bytes; " +
                        std::to_string(layout.size_bytes()) + " are needed: give all that was saved");
  }
  for (std::size_t i = 0; i < kFieldCount; ++i) {
    const FieldInfo& field = kFields[i];
    const std::size_t width = width_bytes(field.type);
    const u64 all_ones = width == 8 ? ~u64{0} : (u64{1} << (8 * width)) - 1;
    if (field.field_class == FieldClass::DERIVED || field.max >= all_ones) continue;
    const auto index = static_cast<Index>(i);
    for (std::size_t k = 0; k < layout.count(index); ++k) {
      const u64 value = get_little_endian(bytes.subspan(layout.offset(index) + k * width, width));
      if (value > field.max) {
        throw SnapshotError("the snapshot's " + std::string(field.name) + " is " + std::to_string(value) +
                            "; the largest valid value is " + std::to_string(field.max) +
                            ": its bytes were changed, so save it again");
      }
    }
  }
}

class SnapshotWriter : public ElementVisitor<SnapshotWriter> {
 public:
  SnapshotWriter(std::span<u8> out, const SnapshotLayout& layout) : out_(out), layout_(layout) {}
  template <class Tag>
  void begin(Tag, std::size_t) {
    at_ = layout_.offset(Tag::index);
  }
  template <class Tag, class Value>
  void element(Tag, std::size_t, Value& value) {
    if constexpr (Tag::field_class == FieldClass::DERIVED) return;
    constexpr std::size_t width = sizeof(typename Tag::value_type);
    put_little_endian(out_.subspan(at_, width), detail::to_bits(value));
    at_ += width;
  }

 private:
  std::span<u8> out_;
  const SnapshotLayout& layout_;
  std::size_t at_ = 0;
};

// Of bytes that check_snapshot has passed.
class SnapshotReader : public ElementVisitor<SnapshotReader> {
 public:
  SnapshotReader(std::span<const u8> in, const SnapshotLayout& layout) : in_(in), layout_(layout) {}
  template <class Tag>
  void begin(Tag, std::size_t) {
    at_ = layout_.offset(Tag::index);
  }
  template <class Tag, class Value>
  void element(Tag, std::size_t, Value& value) {
    if constexpr (Tag::field_class == FieldClass::DERIVED) return;
    constexpr std::size_t width = sizeof(typename Tag::value_type);
    value = detail::from_bits<std::remove_reference_t<Value>>(get_little_endian(in_.subspan(at_, width)));
    at_ += width;
  }

 private:
  std::span<const u8> in_;
  const SnapshotLayout& layout_;
  std::size_t at_ = 0;
};

// A snapshot as if the field had been forgotten.
inline void leave_out(std::span<u8> snapshot, const SnapshotLayout& layout, Index field) {
  const std::size_t width = width_bytes(kFields[static_cast<std::size_t>(field)].type);
  for (u8& byte : snapshot.subspan(layout.offset(field), layout.count(field) * width)) byte = 0;
}

// Proves that a console visits each field of the list once, with the layout's count.
class Completeness : public ElementVisitor<Completeness> {
 public:
  explicit Completeness(const SnapshotLayout& layout) : layout_(layout) {}
  template <class Tag>
  void begin(Tag, std::size_t count) {
    visits_[static_cast<std::size_t>(Tag::index)]++;
    if (count != layout_.count(Tag::index)) wrong_count_ = Tag::index;
  }
  template <class Tag, class Value>
  void element(Tag, std::size_t, Value&) {}

  // Throws std::logic_error naming the field that was forgotten, visited twice, or has another count.
  void verify() const {
    for (std::size_t i = 0; i < kFieldCount; ++i) {
      if (visits_[i] != 1) {
        throw std::logic_error("field " + std::string(kFields[i].name) + " is visited " + std::to_string(visits_[i]) +
                               " times instead of once");
      }
    }
    if (wrong_count_ != Index::kCount) {
      throw std::logic_error("field " + std::string(kFields[static_cast<std::size_t>(wrong_count_)].name) +
                             " is visited with another count than the list's");
    }
  }

 private:
  const SnapshotLayout& layout_;
  std::array<unsigned, kFieldCount> visits_{};
  Index wrong_count_ = Index::kCount;
};

}  // namespace nesproof::state
