// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/unfold/unfold.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 32768;  // values worth a hand-over to another thread

/// One axis of the image and the windows over it.
struct Axis {
  std::int64_t extent;
  std::int64_t kernel;
  std::int64_t dilation;
  std::int64_t padding;
  std::int64_t stride;

  /// Numbers come from the caller: sums may wrap, as CANN's do, but must not be undefined.
  std::int64_t windows() const {
    const std::uint64_t reach = std::uint64_t(dilation) * (std::uint64_t(kernel) - 1) + 1;
    const std::uint64_t room = std::uint64_t(extent) + 2 * std::uint64_t(padding) - reach;
    return std::int64_t(room + std::uint64_t(stride)) / stride;
  }
  /// Where the element `tap` of a window lies; perhaps in the padding.
  std::int64_t place(std::int64_t window, std::int64_t tap) const {
    return std::int64_t(std::uint64_t(window) * std::uint64_t(stride) - std::uint64_t(padding) +
                        std::uint64_t(tap) * std::uint64_t(dilation));
  }
};

struct Kernel {
  RowMajor columns;
  RowMajor out;
  Axis height;
  Axis width;
  // Where the result is cast on its way out: through the type of gradOutput.
  LoadFn load = nullptr;
  StoreFn store = nullptr;

  std::int64_t size() const { return height.extent * width.extent; }
  std::int64_t windows() const { return height.windows() * width.windows(); }
  std::int64_t taps() const { return height.kernel * width.kernel; }
};

/// Adds what all windows hold of one tap.
void add_tap(const Kernel& kernel, const float* values, std::int64_t tap, float* plane) {
  const Axis& height = kernel.height;
  const Axis& width = kernel.width;
  const std::int64_t columns = width.windows();
  const std::int64_t rows = height.windows();
  const std::int64_t first = width.place(0, tap % width.kernel);
  std::int64_t begin = 0;
  while (begin < columns && width.place(begin, tap % width.kernel) < 0) ++begin;
  std::int64_t end = begin;
  while (end < columns && width.place(end, tap % width.kernel) >= 0 &&
         width.place(end, tap % width.kernel) < width.extent)
    ++end;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t y = height.place(i, tap / width.kernel);
    if (y < 0 || y >= height.extent) continue;
    float* row = plane + y * width.extent;
    const float* from = values + i * columns;
    if (width.stride == 1) {
      for (std::int64_t j = begin; j < end; ++j) row[first + j] += from[j];
    } else {
      for (std::int64_t j = begin; j < end; ++j) row[first + j * width.stride] += from[j];
    }
  }
}

void run(const Kernel& kernel, const KernelMemory& memory) {
  const RowMajorAccess columns(kernel.columns, memory);
  const RowMajorAccess out(kernel.out, memory);
  const std::int64_t windows = kernel.windows();
  const std::int64_t work = std::max(kernel.size(), windows * kernel.taps());
  parallel_for(kernel.out.count() / kernel.size(), std::max<std::int64_t>(1, kGrain / work),
               [&](std::int64_t begin, std::int64_t end) {
                 std::vector<float> values(static_cast<std::size_t>(windows));
                 std::vector<float> buffer(static_cast<std::size_t>(kernel.size()));
                 std::vector<std::byte> narrow(kernel.store == nullptr ? 0 : buffer.size() * 4);
                 for (std::int64_t plane = begin; plane < end; ++plane) {
                   float* sums = out.target(plane * kernel.size(), buffer.data());
                   std::fill_n(sums, kernel.size(), 0.0f);
                   for (std::int64_t tap = 0; tap < kernel.taps(); ++tap) {
                     const std::int64_t position = (plane * kernel.taps() + tap) * windows;
                     add_tap(kernel, columns.read(position, windows, values.data()), tap, sums);
                   }
                   if (kernel.store != nullptr) {
                     kernel.store(sums, kernel.size(), narrow.data(), 1);
                     kernel.load(narrow.data(), 1, kernel.size(), sums);
                   }
                   out.write(plane * kernel.size(), kernel.size(), sums);
                 }
               });
}

void check_length(const Check& check, const IntArrayIn& array) {
  check.that(array.values().size() == 2, "%s has %zu values, it must have 2: height and width",
             array.name(), array.values().size());
}

void check_at_least(const Check& check, const IntArrayIn& array, std::int64_t least) {
  for (std::int64_t value : array.values())
    check.that(value >= least, "%s has the value %lld, it must be %lld or more", array.name(),
               static_cast<long long>(value), static_cast<long long>(least));
}

bool is_product(std::uint64_t product, std::int64_t a, std::int64_t b) {
  return a > 0 && b > 0 && product / std::uint64_t(a) >= std::uint64_t(b);
}

}  // namespace

void im2col_gradient(const Check& check, Plan& plan, const TensorArgument& grad,
                     const ColumnWindows& w, const TensorArgument& out) {
  for (const IntArrayIn* array : {&w.image, &w.kernel, &w.dilation, &w.padding, &w.stride})
    check_length(check, *array);
  check_at_least(check, w.kernel, 1);
  check_at_least(check, w.stride, 1);
  check_at_least(check, w.dilation, 1);
  check_at_least(check, w.padding, 0);

  const auto axis = [&](std::size_t i) {
    return Axis{w.image.values()[i], w.kernel.values()[i], w.dilation.values()[i],
                w.padding.values()[i], w.stride.values()[i]};
  };
  const std::size_t rank = grad.rank();
  Kernel kernel{{}, {}, axis(0), axis(1)};
  const auto rows = static_cast<std::uint64_t>(grad.shape()[rank - 2]);
  const std::uint64_t taps =
      std::uint64_t(kernel.height.kernel) * std::uint64_t(kernel.width.kernel);
  check.that(taps != 0 && rows % taps == 0,
             "gradOutput has shape %s: its rows must be a multiple of the kernel's %llu elements",
             grad.shape().text().c_str(), static_cast<unsigned long long>(taps));
  const std::uint64_t windows =
      std::uint64_t(kernel.height.windows()) * std::uint64_t(kernel.width.windows());
  check.that(std::uint64_t(grad.shape()[rank - 1]) == windows,
             "gradOutput has shape %s: its columns must be %llu, the number of windows",
             grad.shape().text().c_str(), static_cast<unsigned long long>(windows));
  Dims shape(grad.shape().begin(), rank - 2);
  shape.push_back(static_cast<std::int64_t>(rows / taps));
  shape.push_back(kernel.height.extent);
  shape.push_back(kernel.width.extent);
  check.shape_is(out, shape, "the channels and inputSize");
  if (grad.is_empty()) return;

  plan.stage(grad).contiguous();
  needs_kernel(plan, chip().has_bf16());
  // Products that wrapped, or of two negative numbers, may look right.
  check_tiling(plan,
               is_product(windows, kernel.height.windows(), kernel.width.windows()) &&
                   is_product(taps, kernel.height.kernel, kernel.width.kernel),
               "kernelSize, padding or inputSize are too large");
  plan.result(grad.dtype(), shape).cast_to(out.dtype()).copy_to(out);
  if (out.is_empty()) return;
  if (grad.dtype() != out.dtype() && grad.dtype() != ACL_FLOAT) {
    kernel.load = loader<float>(grad.dtype());
    kernel.store = storer<float>(grad.dtype(), Rounding::kNearestEven);
  }
  kernel.columns = RowMajor(plan.reads(grad));
  kernel.out = RowMajor(plan.writes(out));
  plan.launch([kernel](const KernelMemory& memory) { run(kernel, memory); });
}

}  // namespace pyaclnn::sim
