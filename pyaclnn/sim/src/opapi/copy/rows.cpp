// SPDX-License-Identifier: MIT
#include "opapi/copy/rows.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/bulk_copy.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/cpu.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrainBytes = 65536;
constexpr std::int64_t kShortest = 16;   // bytes of a row: fewer are gathered elsewhere
constexpr std::int64_t kShort = 512;     // bytes of a row that is copied here in any tensor
constexpr std::int64_t kLongest = 8192;  // bytes of a row: longer ones are worth a call of memcpy
constexpr std::int64_t kPiece = 32;      // bytes that are written at a time
using Piece = std::uint8_t __attribute__((vector_size(kPiece), aligned(1), may_alias));
constexpr std::int64_t kPart = 1 << 16;  // elements of a row that one thread takes

/// Rows for one call: where the first ones begin, bytes from one to the next, and their elements.
struct Rows {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::int64_t to_step = 0;
  std::int64_t from_step = 0;
  std::int64_t count = 0;
  std::int64_t width = 0;
};

/// Makes a piece of nothing but one element. In a register: an array that is filled and then read
/// as a whole is waited for until it and all that was written before it have left the processor.
template <class T>
struct Repeated {
  using Elements __attribute__((vector_size(kPiece))) = T;

  static SIM_ALWAYS_INLINE void make(const T& element, Piece& piece) {
    piece = reinterpret_cast<Piece>(Elements{} + element);
  }
};

template <>
struct Repeated<std::array<std::uint64_t, 2>> {
  using Elements __attribute__((vector_size(kPiece))) = std::uint64_t;

  static SIM_ALWAYS_INLINE void make(const std::array<std::uint64_t, 2>& element, Piece& piece) {
    piece = reinterpret_cast<Piece>(Elements{element[0], element[1], element[0], element[1]});
  }
};

/// Writes the element at the beginning of each row, which has the size of a T, all along it.
template <class T>
struct FillRows {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const Rows* given) {
    const Rows rows = *given;  // which no byte that is written is part of
    constexpr std::int64_t kSize = sizeof(T);
    const std::int64_t bytes = rows.width * kSize;
    for (std::int64_t r = 0; r < rows.count; ++r) {
      T element;
      std::memcpy(&element, rows.from + r * rows.from_step, sizeof(T));
      Piece piece;
      Repeated<T>::make(element, piece);
      std::byte* to = rows.to + r * rows.to_step;
      // Two at a time: a shorter loop takes twice as long where it lies on two lines of code.
      std::int64_t at = 0;
      for (; at + 2 * kPiece <= bytes; at += 2 * kPiece) {
        *reinterpret_cast<Piece*>(to + at) = piece;
        *reinterpret_cast<Piece*>(to + at + kPiece) = piece;
      }
      if (at + kPiece <= bytes) *reinterpret_cast<Piece*>(to + at) = piece;
      // What is left, with bytes of before once more.
      if (bytes >= kPiece) {
        *reinterpret_cast<Piece*>(to + bytes - kPiece) = piece;
      } else {
        std::memcpy(to, &piece, kShortest);
        std::memcpy(to + bytes - kShortest, &piece, kShortest);
      }
    }
  }
};

/// Copies rows of `kSize` bytes an element and kShortest bytes at least.
template <std::int64_t kSize>
struct CopyRows {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const Rows* given) {
    const Rows rows = *given;  // which no byte that is written is part of
    const std::int64_t bytes = rows.width * kSize;
    for (std::int64_t r = 0; r < rows.count; ++r) {
      const std::byte* from = rows.from + r * rows.from_step;
      std::byte* to = rows.to + r * rows.to_step;
      if (bytes > kLongest) {
        std::memcpy(to, from, std::size_t(bytes));
        continue;
      }
      std::int64_t at = 0;
      for (; at + 2 * kPiece <= bytes; at += 2 * kPiece) {
        const Piece first = *reinterpret_cast<const Piece*>(from + at);
        const Piece second = *reinterpret_cast<const Piece*>(from + at + kPiece);
        *reinterpret_cast<Piece*>(to + at) = first;
        *reinterpret_cast<Piece*>(to + at + kPiece) = second;
      }
      if (at + kPiece <= bytes) {
        std::memcpy(to + at, from + at, kPiece);
        at += kPiece;
      }
      if (at + kShortest <= bytes) std::memcpy(to + at, from + at, kShortest);
      // What is left, with bytes of before once more.
      if (bytes % kShortest != 0)
        std::memcpy(to + bytes - kShortest, from + bytes - kShortest, kShortest);
    }
  }
};

using RowsFn = void (*)(const Rows*);

template <class T>
RowsFn rows_fn(bool fills) {
  return fills ? loop_for_cpu<FillRows<T>, const Rows*>()
               : loop_for_cpu<CopyRows<sizeof(T)>, const Rows*>();
}

RowsFn rows_of(std::size_t size, bool fills) {
  switch (size) {
    case 1:
      return rows_fn<std::uint8_t>(fills);
    case 2:
      return rows_fn<std::uint16_t>(fills);
    case 4:
      return rows_fn<std::uint32_t>(fills);
    case 8:
      return rows_fn<std::uint64_t>(fills);
    case 16:
      return rows_fn<std::array<std::uint64_t, 2>>(fills);
    default:
      return nullptr;
  }
}

class RowCopy {
 public:
  RowCopy(const View& out, const View& in, LoopNest nest, RowsFn rows)
      : out_(out),
        in_(in),
        nest_(std::move(nest)),
        size_(static_cast<std::int64_t>(dtype_size(out.dtype))),
        rows_(rows) {}

  void run(const KernelMemory& memory) const {
    std::byte* to = memory.operands[out_.operand] + out_.offset * size_;
    const std::byte* from = memory.operands[in_.operand] + in_.offset * size_;
    const std::int64_t width = nest_.inner_extent();
    const std::int64_t parts = (width + kPart - 1) / kPart;
    const std::int64_t bytes = std::min(width, kPart) * size_;
    parallel_for(nest_.count / width * parts, std::max<std::int64_t>(1, kGrainBytes / bytes),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end;) {
                     const std::int64_t first = i % parts * kPart;
                     Rows rows = rows_at(i / parts, to, from);
                     rows.to += first * size_;
                     rows.from += first * nest_.inner_stride(1) * size_;
                     rows.width = std::min(kPart, width - first);
                     rows.count = parts > 1 ? 1 : std::min(rows.count, end - i);
                     rows_(&rows);
                     i += rows.count;
                   }
                 });
  }

 private:
  /// The rows from one on that are as far apart from one another.
  Rows rows_at(std::int64_t row, std::byte* to, const std::byte* from) const {
    Rows rows{to, from, 0, 0, 1, 0};
    const std::size_t axes = nest_.extents.size() - 1;
    for (std::size_t axis = axes; axis-- > 0; row /= nest_.extents[axis]) {
      const std::int64_t place = row % nest_.extents[axis];
      const std::int64_t to_step = nest_.strides[0][axis] * size_;
      const std::int64_t from_step = nest_.strides[1][axis] * size_;
      rows.to += place * to_step;
      rows.from += place * from_step;
      if (axis + 1 == axes) {
        rows.to_step = to_step;
        rows.from_step = from_step;
        rows.count = nest_.extents[axis] - place;
      }
    }
    return rows;
  }

  View out_;
  View in_;
  LoopNest nest_;  // of the output and the input
  std::int64_t size_;
  RowsFn rows_;
};

}  // namespace

bool launch_row_copy(Plan& plan, const View& out, const View& in) {
  LoopNest nest = plan_loops({out, in});
  const std::size_t size = dtype_size(out.dtype);
  const std::int64_t bytes = nest.inner_extent() * static_cast<std::int64_t>(size);
  const bool fills = nest.inner_stride(1) == 0;
  const std::size_t axes = nest.extents.size();
  // One row again and again stays in the caches, whatever its length.
  const bool repeats = axes > 1 && nest.strides[1][axes - 2] == 0;
  // Longer rows of a large tensor are written past the caches elsewhere.
  const bool stays = axes > 1 && (bytes <= kShort || std::size_t(nest.count) * size < kBulkBytes);
  if (nest.inner_stride(0) != 1 || bytes < kShortest || nest.count == 0) return false;
  if (!fills && (nest.inner_stride(1) != 1 || !(stays || repeats))) return false;
  const RowsFn rows = rows_of(size, fills);
  if (rows == nullptr) return false;
  plan.launch([kernel = RowCopy(out, in, std::move(nest), rows)](const KernelMemory& memory) {
    kernel.run(memory);
  });
  return true;
}

}  // namespace pyaclnn::sim
