// SPDX-License-Identifier: MIT
#include "opapi/pooling/max_window.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/thread_pool.hpp"
#include "opapi/common/batched_view.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/pooling/even_windows.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 16384;  // results worth a hand-over to another thread

/// In numbers of type C.
template <class C>
struct Kernel {
  BatchedView in;
  BatchedView out;
  BatchedView index;
  bool has_index = false;
  LoadFn load = nullptr;
  StoreFn store = nullptr;
  StoreFn store_index = nullptr;
  std::array<AxisWindows, 3> axes;
  EvenWindows even;         // of the last axis
  std::int64_t height = 1;  // of the input's planes
  std::int64_t width = 1;

  void run(const KernelMemory& memory) const {
    const std::int64_t grain =
        std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, out.size()));
    parallel_for(in.count(), grain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<C> source(std::size_t(in.is_array_of(dtype_of<C>()) ? 0 : in.size()));
      std::vector<C> values(static_cast<std::size_t>(out.size()));
      std::vector<std::int64_t> places(static_cast<std::size_t>(out.size()));
      for (std::int64_t plane = begin; plane < end; ++plane) {
        const std::byte* from = in.base(memory) + in.plane_bytes(plane);
        const C* x = reinterpret_cast<const C*>(from);
        if (!source.empty()) {
          in.load(load, from, sizeof(C), source.data());
          x = source.data();
        }
        pool(x, values.data(), places.data());
        out.store(store, values.data(), sizeof(C), out.base(memory) + out.plane_bytes(plane));
        if (has_index)
          index.store(store_index, places.data(), sizeof(std::int64_t),
                      index.base(memory) + index.plane_bytes(plane));
      }
    });
  }

  void pool(const C* x, C* values, std::int64_t* places) const {
    std::vector<std::int32_t> row_places(std::size_t(even.count()));
    const auto columns = std::int64_t(axes[2].size());
    for (const WindowRange& depth : axes[0]) {
      for (const WindowRange& row : axes[1]) {
        largest_of(x, depth, row, 0, even.first, values, places);
        largest_of(x, depth, row, even.last, columns, values, places);
        if constexpr (std::is_same_v<C, float>) {
          if (even.count() > 0) {
            largest_of_even(x, depth, row, values + even.first, row_places.data());
            std::copy(row_places.begin(), row_places.end(), places + even.first);
          }
        }
        values += columns;
        places += columns;
      }
    }
  }

  /// Of windows [begin, end) of a row.
  void largest_of(const C* x, const WindowRange& depth, const WindowRange& row, std::int64_t begin,
                  std::int64_t end, C* values, std::int64_t* places) const {
    for (std::int64_t i = begin; i < end; ++i)
      largest(x, depth, row, axes[2][std::size_t(i)], values + i, places + i);
  }

  void largest_of_even(const float* x, const WindowRange& depth, const WindowRange& row,
                       float* values, std::int32_t* places) const {
    const std::int64_t first = (depth.begin * height + row.begin) * width + even.window.begin;
    std::fill_n(values, even.count(), -std::numeric_limits<float>::infinity());
    for (std::int64_t i = 0; i < even.count(); ++i)
      places[i] = std::int32_t(first + i * even.stride);
    for (std::int64_t d = depth.begin; d < depth.end; d += depth.step) {
      for (std::int64_t h = row.begin; h < row.end; h += row.step) {
        const std::int64_t line = (d * height + h) * width;
        even.take(x + line, std::int32_t(line), values, places);
      }
    }
  }

  void largest(const C* x, const WindowRange& depth, const WindowRange& row,
               const WindowRange& column, C* value, std::int64_t* place) const {
    C best = std::numeric_limits<C>::has_infinity ? -std::numeric_limits<C>::infinity()
                                                  : std::numeric_limits<C>::lowest();
    std::int64_t at = (depth.begin * height + row.begin) * width + column.begin;
    for (std::int64_t d = depth.begin; d < depth.end; d += depth.step) {
      for (std::int64_t h = row.begin; h < row.end; h += row.step) {
        const std::int64_t line = (d * height + h) * width;
        for (std::int64_t w = column.begin; w < column.end; w += column.step) {
          const C candidate = x[line + w];
          const bool is_nan = candidate != candidate;
          if (candidate > best || is_nan) {
            best = candidate;
            at = line + w;
          }
        }
      }
    }
    *value = best;
    *place = at;
  }
};

template <class C>
void launch(Plan& plan, const View& in, const View& out, const std::optional<View>& index,
            const std::vector<AxisWindows>& axes) {
  Kernel<C> kernel;
  kernel.in = BatchedView(in, axes.size());
  kernel.out = BatchedView(out, axes.size());
  kernel.load = loader<C>(in.dtype);
  kernel.store = storer<C>(out.dtype, Rounding::kNearestEven);
  if (index.has_value()) {
    kernel.has_index = true;
    kernel.index = BatchedView(*index, axes.size());
    kernel.store_index = storer<std::int64_t>(index->dtype, Rounding::kTruncate);
  }
  const std::size_t rank = in.shape.size();
  kernel.width = in.shape[rank - 1];
  kernel.height = axes.size() > 1 ? in.shape[rank - 2] : 1;
  kernel.axes.fill({WindowRange{0, 1}});
  std::copy(axes.begin(), axes.end(), kernel.axes.end() - std::ptrdiff_t(axes.size()));
  // They are of float, and their places are counted in 32 bits.
  if (std::is_same_v<C, float> && kernel.in.size() <= std::numeric_limits<std::int32_t>::max())
    kernel.even = EvenWindows(kernel.axes[2]);
  plan.launch([kernel = std::move(kernel)](const KernelMemory& memory) { kernel.run(memory); });
}

}  // namespace

void launch_max_pool(Plan& plan, const View& in, const View& out, const std::optional<View>& index,
                     const std::vector<AxisWindows>& axes) {
  if (in.dtype == ACL_DOUBLE) return launch<double>(plan, in, out, index, axes);
  const DtypeSet floats{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
  if (!floats.contains(in.dtype)) return launch<std::int64_t>(plan, in, out, index, axes);
  launch<float>(plan, in, out, index, axes);
}

}  // namespace pyaclnn::sim
