// SPDX-License-Identifier: MIT
#include "opapi/pooling/max_window.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/thread_pool.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/planes.hpp"
#include "opapi/pooling/even_windows.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 16384;  // results worth a hand-over to another thread

struct Kernel {
  Planes in;
  Planes out;
  Planes index;
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
      std::vector<float> source(std::size_t(in.is_array_of(ACL_FLOAT) ? 0 : in.size()));
      std::vector<float> values(static_cast<std::size_t>(out.size()));
      std::vector<std::int64_t> places(static_cast<std::size_t>(out.size()));
      for (std::int64_t plane = begin; plane < end; ++plane) {
        const std::byte* from = in.base(memory) + in.plane_bytes(plane);
        const float* x = reinterpret_cast<const float*>(from);
        if (!source.empty()) {
          in.load(load, from, sizeof(float), source.data());
          x = source.data();
        }
        pool(x, values.data(), places.data());
        out.store(store, values.data(), sizeof(float), out.base(memory) + out.plane_bytes(plane));
        if (has_index)
          index.store(store_index, places.data(), sizeof(std::int64_t),
                      index.base(memory) + index.plane_bytes(plane));
      }
    });
  }

  void pool(const float* x, float* values, std::int64_t* places) const {
    std::vector<std::int32_t> row_places(std::size_t(even.count()));
    const auto columns = std::int64_t(axes[2].size());
    for (const WindowRange& depth : axes[0]) {
      for (const WindowRange& row : axes[1]) {
        largest_of(x, depth, row, 0, even.first, values, places);
        largest_of(x, depth, row, even.last, columns, values, places);
        if (even.count() > 0) {
          largest_of_even(x, depth, row, values + even.first, row_places.data());
          std::copy(row_places.begin(), row_places.end(), places + even.first);
        }
        values += columns;
        places += columns;
      }
    }
  }

  /// Of windows [begin, end) of a row.
  void largest_of(const float* x, const WindowRange& depth, const WindowRange& row,
                  std::int64_t begin, std::int64_t end, float* values, std::int64_t* places) const {
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

  void largest(const float* x, const WindowRange& depth, const WindowRange& row,
               const WindowRange& column, float* value, std::int64_t* place) const {
    float best = -std::numeric_limits<float>::infinity();
    std::int64_t at = (depth.begin * height + row.begin) * width + column.begin;
    for (std::int64_t d = depth.begin; d < depth.end; d += depth.step) {
      for (std::int64_t h = row.begin; h < row.end; h += row.step) {
        const std::int64_t line = (d * height + h) * width;
        for (std::int64_t w = column.begin; w < column.end; w += column.step) {
          const float candidate = x[line + w];
          if (candidate > best || std::isnan(candidate)) {
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

}  // namespace

void launch_max_pool(Plan& plan, const View& in, const View& out, const std::optional<View>& index,
                     const std::vector<AxisWindows>& axes) {
  Kernel kernel;
  kernel.in = Planes(in, axes.size());
  kernel.out = Planes(out, axes.size());
  kernel.load = loader<float>(in.dtype);
  kernel.store = storer<float>(out.dtype, Rounding::kNearestEven);
  if (index.has_value()) {
    kernel.has_index = true;
    kernel.index = Planes(*index, axes.size());
    kernel.store_index = storer<std::int64_t>(index->dtype, Rounding::kTruncate);
  }
  const std::size_t rank = in.shape.size();
  kernel.width = in.shape[rank - 1];
  kernel.height = axes.size() > 1 ? in.shape[rank - 2] : 1;
  kernel.axes.fill({WindowRange{0, 1}});
  std::copy(axes.begin(), axes.end(), kernel.axes.end() - std::ptrdiff_t(axes.size()));
  // Their places are counted in 32 bits.
  if (kernel.in.size() <= std::numeric_limits<std::int32_t>::max())
    kernel.even = EvenWindows(kernel.axes[2]);
  plan.launch([kernel = std::move(kernel)](const KernelMemory& memory) { kernel.run(memory); });
}

}  // namespace pyaclnn::sim
