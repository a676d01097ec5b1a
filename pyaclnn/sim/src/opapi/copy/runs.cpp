// SPDX-License-Identifier: MIT
#include "opapi/copy/runs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "core/bulk_copy.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/cpu.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrainBytes = 65536;
constexpr std::int64_t kMostInPart = 16384;  // elements of a row that one thread takes
constexpr std::size_t kLongBytes = 512;      // are worth a call of memcpy

/// The first elements of rows, in elements from those of the tensors.
struct Place {
  std::int64_t out = 0;
  std::int64_t in = 0;
};

/// A piece of a row: the bytes to where it begins, and steps in bytes.
struct Piece {
  std::int64_t to = 0;
  std::int64_t from = 0;
  std::int64_t to_step = 0;
  std::int64_t from_step = 0;
  std::int64_t count = 0;
};

/// Copies fewer than 2 * kPart bytes, some of them twice.
template <std::size_t kPart>
SIM_ALWAYS_INLINE void copy_few(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes >= kPart) {
    std::memcpy(to, from, kPart);
    std::memcpy(to + bytes - kPart, from + bytes - kPart, kPart);
  } else if constexpr (kPart > 1) {
    copy_few<kPart / 2>(to, from, bytes);
  }
}

/// Copies bytes without a call, which would take longer than a short row does.
SIM_ALWAYS_INLINE void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t kPart = 32;
  if (bytes > kLongBytes) {
    std::memcpy(to, from, bytes);
    return;
  }
  while (bytes >= 2 * kPart) {
    std::memcpy(to, from, kPart);
    to += kPart;
    from += kPart;
    bytes -= kPart;
  }
  copy_few<kPart>(to, from, bytes);
}

/// Copies the same pieces of several rows, elements of `kSize` bytes.
template <std::size_t kSize>
struct CopyPieces {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(std::byte* to, const std::byte* from, const Place* rows,
                                    std::int64_t count, const Piece* pieces, std::int64_t each) {
    constexpr auto kBytes = static_cast<std::int64_t>(kSize);
    for (std::int64_t r = 0; r < count; ++r) {
      for (const Piece* piece = pieces; piece != pieces + each; ++piece) {
        std::byte* out = to + rows[r].out * kBytes + piece->to;
        const std::byte* in = from + rows[r].in * kBytes + piece->from;
        if (piece->to_step == kBytes && piece->from_step == kBytes) {
          copy_bytes(out, in, static_cast<std::size_t>(piece->count) * kSize);
          continue;
        }
        for (std::int64_t i = 0; i < piece->count; ++i)
          std::memcpy(out + i * piece->to_step, in + i * piece->from_step, kSize);
      }
    }
  }
};

using PiecesFn = void (*)(std::byte*, const std::byte*, const Place*, std::int64_t, const Piece*,
                          std::int64_t);

template <std::size_t kSize>
PiecesFn pieces_fn() {
  return loop_for_cpu<CopyPieces<kSize>, std::byte*, const std::byte*, const Place*, std::int64_t,
                      const Piece*, std::int64_t>();
}

PiecesFn pieces_of(std::size_t size) {
  switch (size) {
    case 1:
      return pieces_fn<1>();
    case 2:
      return pieces_fn<2>();
    case 4:
      return pieces_fn<4>();
    case 8:
      return pieces_fn<8>();
    default:
      return pieces_fn<16>();
  }
}

/// Pieces of the last axis, for every place of the axes before it.
class Runs {
 public:
  Runs(const View& out, const View& in, const std::vector<AxisRuns>& axes)
      : out_(out), in_(in), size_(static_cast<std::int64_t>(dtype_size(out.dtype))) {
    const std::size_t last = axes.size() - 1;
    std::int64_t rows = 1;
    for (std::size_t axis = 0; axis < last; ++axis) {
      std::vector<Place> places;
      std::int64_t place = 0;
      for (const AxisRun& run : runs_of(axes[axis], out.shape[axis]))
        for (std::int64_t i = 0; i < run.count; ++i, ++place)
          places.push_back(
              {place * out.strides[axis], (run.from + i * run.step) * in.strides[axis]});
      rows *= static_cast<std::int64_t>(places.size());
      outer_.push_back(std::move(places));
    }
    if (last > 0) {
      rows_ = std::move(outer_.back());
      outer_.pop_back();
    }
    groups_ = rows / std::max<std::int64_t>(1, static_cast<std::int64_t>(rows_.size()));
    const AxisRuns runs = runs_of(axes[last], out.shape[last]);
    for (const AxisRun& run : runs) width_ += run.count;
    for (std::int64_t begin = 0; begin < width_; begin += kMostInPart)
      parts_.push_back(pieces_from(runs, begin));
    bulk_ = static_cast<std::size_t>(rows * width_ * size_) >= kBulkBytes;
  }

  void run(const KernelMemory& memory) const {
    std::byte* to = memory.operands[out_.operand] + out_.offset * size_;
    const std::byte* from = memory.operands[in_.operand] + in_.offset * size_;
    const auto parts = static_cast<std::int64_t>(parts_.size());
    const auto rows = static_cast<std::int64_t>(rows_.size());
    const std::int64_t bytes = std::max<std::int64_t>(1, std::min(width_, kMostInPart) * size_);
    parallel_for(groups_ * parts * rows, std::max<std::int64_t>(1, kGrainBytes / bytes),
                 [&](std::int64_t begin, std::int64_t end) {
                   while (begin < end) {
                     const std::int64_t row = begin % rows;
                     const std::int64_t take = std::min(rows - row, end - begin);
                     const Place at = place_of(begin / rows / parts);
                     copy(to + at.out * size_, from + at.in * size_, &rows_[std::size_t(row)], take,
                          parts_[std::size_t(begin / rows % parts)]);
                     begin += take;
                   }
                   if (bulk_) bulk_copy_done();
                 });
  }

 private:
  using Pieces = std::vector<Piece>;

  static AxisRuns runs_of(const AxisRuns& runs, std::int64_t extent) {
    AxisRuns result = runs.empty() ? AxisRuns{{extent, 0, 1}} : runs;
    result.erase(std::remove_if(result.begin(), result.end(),
                                [](const AxisRun& run) { return run.count <= 0; }),
                 result.end());
    return result;
  }

  /// The pieces of a row from `begin` on that one thread takes.
  Pieces pieces_from(const AxisRuns& runs, std::int64_t begin) const {
    const std::int64_t end = std::min(begin + kMostInPart, width_);
    const std::int64_t to_step = out_.strides.back() * size_;
    const std::int64_t from_step = in_.strides.back() * size_;
    Pieces pieces;
    std::int64_t place = 0;
    for (const AxisRun& run : runs) {
      const std::int64_t skipped = std::max<std::int64_t>(0, begin - place);
      const std::int64_t count = std::min(run.count, end - place) - skipped;
      if (count > 0)
        pieces.push_back({(place + skipped) * to_step, (run.from + skipped * run.step) * from_step,
                          to_step, run.step * from_step, count});
      place += run.count;
    }
    return pieces;
  }

  Place place_of(std::int64_t group) const {
    Place at;
    for (std::size_t axis = outer_.size(); axis-- > 0;) {
      const auto count = static_cast<std::int64_t>(outer_[axis].size());
      const Place& place = outer_[axis][static_cast<std::size_t>(group % count)];
      at.out += place.out;
      at.in += place.in;
      group /= count;
    }
    return at;
  }

  void copy(std::byte* to, const std::byte* from, const Place* rows, std::int64_t count,
            const Pieces& pieces) const {
    const auto each = static_cast<std::int64_t>(pieces.size());
    if (!bulk_) return copy_(to, from, rows, count, pieces.data(), each);
    for (const Place* row = rows; row != rows + count; ++row) {
      for (const Piece& piece : pieces) {
        if (piece.to_step == size_ && piece.from_step == size_)
          bulk_copy(to + row->out * size_ + piece.to, from + row->in * size_ + piece.from,
                    static_cast<std::size_t>(piece.count * size_));
        else
          copy_(to, from, row, 1, &piece, 1);
      }
    }
  }

  View out_;
  View in_;
  std::int64_t size_;
  std::vector<std::vector<Place>> outer_;  // of each axis but the last two
  std::int64_t groups_ = 1;                // of rows
  std::vector<Place> rows_{Place()};       // of the last axis but one
  std::int64_t width_ = 0;
  std::vector<Pieces> parts_;  // of a row
  bool bulk_ = false;
  PiecesFn copy_ = pieces_of(static_cast<std::size_t>(size_));
};

}  // namespace

void launch_runs(Plan& plan, const View& out, const View& in, const std::vector<AxisRuns>& axes) {
  if (out.shape.product() == 0 || in.shape.product() == 0) return;
  plan.launch([kernel = Runs(out, in, axes)](const KernelMemory& memory) { kernel.run(memory); });
}

}  // namespace pyaclnn::sim
