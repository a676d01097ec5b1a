// SPDX-License-Identifier: MIT
#include "opapi/copy/runs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "core/bulk_copy.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrainBytes = 65536;
constexpr std::int64_t kMostInPart = 16384;  // elements of a row that one thread takes

/// Elements of `kSize` bytes, steps in elements.
template <std::size_t kSize>
void copy_elements(std::byte* to, std::int64_t to_step, const std::byte* from,
                   std::int64_t from_step, std::int64_t count) {
  constexpr auto kBytes = static_cast<std::int64_t>(kSize);
  for (std::int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * to_step * kBytes, from + i * from_step * kBytes, kSize);
}

using CopyElements = void (*)(std::byte*, std::int64_t, const std::byte*, std::int64_t,
                              std::int64_t);

CopyElements elements_of(std::size_t size) {
  switch (size) {
    case 1:
      return copy_elements<1>;
    case 2:
      return copy_elements<2>;
    case 4:
      return copy_elements<4>;
    case 8:
      return copy_elements<8>;
    default:
      return copy_elements<16>;
  }
}

/// Pieces of the last axis, for every place of the axes before it.
class Runs {
 public:
  Runs(const View& out, const View& in, const std::vector<AxisRuns>& axes)
      : out_(out), in_(in), size_(static_cast<std::int64_t>(dtype_size(out.dtype))) {
    const std::size_t last = axes.size() - 1;
    for (std::size_t axis = 0; axis < last; ++axis) {
      std::vector<Place> places;
      std::int64_t place = 0;
      for (const AxisRun& run : runs_of(axes[axis], out.shape[axis]))
        for (std::int64_t i = 0; i < run.count; ++i, ++place)
          places.push_back(
              {place * out.strides[axis], (run.from + i * run.step) * in.strides[axis]});
      rows_ *= static_cast<std::int64_t>(places.size());
      outer_.push_back(std::move(places));
    }
    runs_ = runs_of(axes[last], out.shape[last]);
    for (const AxisRun& run : runs_) width_ += run.count;
    bulk_ = static_cast<std::size_t>(rows_ * width_ * size_) >= kBulkBytes;
  }

  void run(const KernelMemory& memory) const {
    std::byte* to = memory.operands[out_.operand] + out_.offset * size_;
    const std::byte* from = memory.operands[in_.operand] + in_.offset * size_;
    const std::int64_t parts = (width_ + kMostInPart - 1) / kMostInPart;
    const std::int64_t bytes = std::max<std::int64_t>(1, std::min(width_, kMostInPart) * size_);
    parallel_for(rows_ * parts, std::max<std::int64_t>(1, kGrainBytes / bytes),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) {
                     const Place at = place_of(i / parts);
                     copy_row(to + at.out * size_, from + at.in * size_, i % parts * kMostInPart);
                   }
                   if (bulk_) bulk_copy_done();
                 });
  }

 private:
  struct Place {
    std::int64_t out = 0;
    std::int64_t in = 0;
  };

  static AxisRuns runs_of(const AxisRuns& runs, std::int64_t extent) {
    AxisRuns result = runs.empty() ? AxisRuns{{extent, 0, 1}} : runs;
    result.erase(std::remove_if(result.begin(), result.end(),
                                [](const AxisRun& run) { return run.count <= 0; }),
                 result.end());
    return result;
  }

  Place place_of(std::int64_t row) const {
    Place at;
    for (std::size_t axis = outer_.size(); axis-- > 0;) {
      const auto count = static_cast<std::int64_t>(outer_[axis].size());
      const Place& place = outer_[axis][static_cast<std::size_t>(row % count)];
      at.out += place.out;
      at.in += place.in;
      row /= count;
    }
    return at;
  }

  /// The places of a row from `begin` on that one thread takes.
  void copy_row(std::byte* to, const std::byte* from, std::int64_t begin) const {
    const std::int64_t to_step = out_.strides.back();
    const std::int64_t end = std::min(begin + kMostInPart, width_);
    std::int64_t place = 0;
    for (const AxisRun& run : runs_) {
      const std::int64_t skipped = std::max<std::int64_t>(0, begin - place);
      const std::int64_t count = std::min(run.count, end - place) - skipped;
      if (count > 0) {
        const std::int64_t first = run.from + skipped * run.step;
        copy(to + (place + skipped) * to_step * size_, to_step,
             from + first * in_.strides.back() * size_, run.step * in_.strides.back(), count);
      }
      place += run.count;
    }
  }

  void copy(std::byte* to, std::int64_t to_step, const std::byte* from, std::int64_t from_step,
            std::int64_t count) const {
    if (to_step != 1 || from_step != 1) return copy_(to, to_step, from, from_step, count);
    const auto bytes = static_cast<std::size_t>(count * size_);
    if (bulk_)
      bulk_copy(to, from, bytes);
    else
      std::memcpy(to, from, bytes);
  }

  View out_;
  View in_;
  std::int64_t size_;
  std::vector<std::vector<Place>> outer_;  // of each axis but the last
  std::int64_t rows_ = 1;
  AxisRuns runs_;  // of the last axis
  std::int64_t width_ = 0;
  bool bulk_ = false;
  CopyElements copy_ = elements_of(static_cast<std::size_t>(size_));
};

}  // namespace

void launch_runs(Plan& plan, const View& out, const View& in, const std::vector<AxisRuns>& axes) {
  if (out.shape.product() == 0 || in.shape.product() == 0) return;
  plan.launch([kernel = Runs(out, in, axes)](const KernelMemory& memory) { kernel.run(memory); });
}

}  // namespace pyaclnn::sim
